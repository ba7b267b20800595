#!/usr/bin/env python3
"""Orders the files of a unified diff by how much they deserve to be read first.

Reads the diff on standard input, prints one line a file (or JSON).
Example: git diff origin/main...HEAD | python3 scripts/diff_map.py
"""
from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass, field

# Weight, reason, pattern over the lower-case path. The first three are where mistakes cost most.
RULES = [
    (50, "migration or schema", re.compile(r"(^|/)(migrations?|schema)(/|\.|_)|\.sql$")),
    (40, "authentication or permissions", re.compile(r"auth|permission|session|token|crypto|password|secret")),
    (30, "dependency manifest", re.compile(
        r"(^|/)(package\.json|requirements[^/]*\.txt|pyproject\.toml|go\.mod|cargo\.toml|gemfile|pom\.xml)$")),
    (25, "build or deployment", re.compile(r"(^|/)(dockerfile|\.github/workflows/|\.gitlab-ci|helm/|terraform/|makefile$)")),
    (20, "public interface", re.compile(r"(^|/)(api|routes?|controllers?|proto)(/|\.)|openapi|\.proto$|\.graphql$")),
]
TEST = re.compile(r"(^|/)(tests?|spec|__tests__)/|(\.|_)(test|spec)\.[a-z]+$|(^|/)test_[^/]+$")
GENERATED = re.compile(r"(^|/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|cargo\.lock|go\.sum)$|\.min\.(js|css)$|(^|/)(dist|vendor|generated)/")
CODE = re.compile(r"\.(ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|swift|scala|sh)$")


@dataclass
class FileChange:
    path: str
    status: str = "changed"
    added: int = 0
    removed: int = 0
    score: int = 0
    reasons: list[str] = field(default_factory=list)


def parse(lines: list[str]) -> list[FileChange]:
    """Counts by hunk sizes, so that a removed line of dashes is never taken for a header."""
    files: list[FileChange] = []
    old_left = new_left = 0
    for line in lines:
        if old_left > 0 or new_left > 0:
            if line.startswith("\\"):
                continue
            if line.startswith("+"):
                files[-1].added += 1
                new_left -= 1
            elif line.startswith("-"):
                files[-1].removed += 1
                old_left -= 1
            else:
                old_left -= 1
                new_left -= 1
            continue
        hunk = re.match(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line)
        if hunk and files:
            old_left = int(hunk.group(1) or 1)
            new_left = int(hunk.group(2) or 1)
        elif line.startswith("diff --git "):
            target = re.match(r'diff --git "?a/.*? "?b/(.*?)"?$', line)
            files.append(FileChange(target.group(1) if target else line[11:]))
        elif files and line.startswith("new file mode"):
            files[-1].status = "new"
        elif files and line.startswith("deleted file mode"):
            files[-1].status = "deleted"
        elif files and line.startswith("rename to "):
            files[-1].status = "renamed"
            files[-1].path = line[len("rename to "):]
        elif line.startswith("+++ ") and line[4:] != "/dev/null":
            path = re.sub(r"^b/", "", line[4:].split("\t")[0])
            if files and files[-1].path == path:
                continue
            if not files or files[-1].added or files[-1].removed:
                files.append(FileChange(path))
            else:
                files[-1].path = path
    return files


def judge(files: list[FileChange]) -> None:
    tests_changed = any(TEST.search(f.path.lower()) and f.status != "deleted" for f in files)
    for f in files:
        path = f.path.lower()
        if GENERATED.search(path):
            f.score = -100
            f.reasons.append("generated: skim")
            continue
        f.score = min(f.added + f.removed, 400) // 10
        for weight, reason, pattern in RULES:
            if pattern.search(path):
                f.score += weight
                f.reasons.append(reason)
        if TEST.search(path):
            if f.status == "deleted":
                f.score += 45
                f.reasons.append("deleted test")
            elif f.removed > f.added:
                f.score += 25
                f.reasons.append("test lost lines")
            else:
                f.reasons.append("test")
        elif CODE.search(path) and not tests_changed and f.status != "deleted":
            f.score += 15
            f.reasons.append("code, and no test changed")
    files.sort(key=lambda f: (-f.score, f.path))


def main() -> int:
    parser = argparse.ArgumentParser(description="Order the files of a unified diff (on standard input) for review.")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    args = parser.parse_args()
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    lines = sys.stdin.read().split("\n")
    files = parse(lines)
    if not files:
        if any(line.strip() for line in lines):
            print("diff_map: the input is not a unified diff", file=sys.stderr)
            return 2
        print("The diff is empty.")
        return 0
    judge(files)
    if args.format == "json":
        print(json.dumps([vars(f) for f in files], indent=2))
        return 0
    added, removed = sum(f.added for f in files), sum(f.removed for f in files)
    print(f"{len(files)} files, +{added} -{removed}")
    for number, f in enumerate(files, 1):
        why = f" ({'; '.join(f.reasons)})" if f.reasons else ""
        print(f"{number:3}. {f.path}  {f.status} +{f.added} -{f.removed}{why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

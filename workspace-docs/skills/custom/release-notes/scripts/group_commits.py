#!/usr/bin/env python3
"""Groups commits by what they mean for users and proposes the next version.

Input: git log --no-merges --format='%h%x1f%s%x1f%b%x1e' v1.4.0..HEAD
Example: python3 scripts/group_commits.py commits.txt --previous 1.4.0
"""
from __future__ import annotations

import argparse
import json
import re
import sys

SUBJECT = re.compile(r"(?P<type>[a-z]+)(?:\((?P<scope>[^)]+)\))?(?P<breaking>!)?: (?P<text>.+)$", re.IGNORECASE)
BREAKING = re.compile(r"^BREAKING[ -]CHANGE: (.+(?:\n(?!\n|[\w-]+: ).+)*)", re.MULTILINE)
GROUPS = {
    "feat": "new", "fix": "fixed", "perf": "faster", "security": "security", "deprecate": "deprecated", "revert": "reverted",
    "docs": "inside", "test": "inside", "refactor": "inside", "build": "inside", "ci": "inside", "chore": "inside", "style": "inside",
}
ORDER = ["breaking", "security", "new", "faster", "fixed", "deprecated", "reverted", "to sort by hand", "inside"]


def parse(text: str) -> list[dict[str, str | None]]:
    commits = []
    for record in text.split("\x1e"):
        record = record.strip("\n")
        if not record.strip():
            continue
        parts = record.split("\x1f")
        if len(parts) != 3 or not re.fullmatch(r"[0-9a-f]{4,40}", parts[0]):
            raise ValueError("the input was not written by the git log format that the skill gives")
        sha, subject, body = parts
        match = SUBJECT.match(subject)
        group = GROUPS.get(match["type"].lower(), "to sort by hand") if match else "to sort by hand"
        footer = BREAKING.search(body)
        note = re.sub(r"\s+", " ", footer.group(1)).strip() if footer else None
        if note or (match and match["breaking"]):
            group = "breaking"
        commits.append({
            "sha": sha,
            "group": group,
            "type": match["type"].lower() if match else None,
            "scope": match["scope"] if match else None,
            "text": match["text"] if match else subject,
            "note": note,
        })
    return commits


def next_version(previous: str, commits: list[dict]) -> str:
    match = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)", previous)
    if not match:
        raise ValueError(f"--previous must be like 1.4.0, not {previous}")
    major, minor, patch = map(int, match.groups())
    groups = {commit["group"] for commit in commits}
    if "breaking" in groups and major > 0:
        return f"{major + 1}.0.0"
    if groups & {"breaking", "new"}:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith('x') else 's'}"


def as_text(commits: list[dict], version: str | None) -> str:
    def count(test) -> int:
        return sum(1 for commit in commits if test(commit))

    facts = ", ".join([
        plural(count(lambda c: c["type"] == "feat"), "feature"),
        plural(count(lambda c: c["type"] == "fix"), "fix"),
        plural(count(lambda c: c["group"] == "breaking"), "breaking change"),
    ])
    lines = [f"proposed version: {version} ({facts})" if version else facts]
    for group in ORDER:
        members = [commit for commit in commits if commit["group"] == group]
        if not members:
            continue
        lines.append(group)
        for commit in members:
            scope = f"{commit['scope']}: " if commit["scope"] else ""
            note = f" -- {commit['note']}" if commit["note"] else ""
            lines.append(f"  {commit['sha']} {scope}{commit['text']}{note}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Group commits for release notes.")
    parser.add_argument("file", metavar="FILE", help='output of git log; "-" reads standard input')
    parser.add_argument("--previous", metavar="VERSION")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    args = parser.parse_args()
    try:
        if args.file == "-":
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
            text = sys.stdin.read()
        else:
            with open(args.file, encoding="utf-8", errors="replace") as stream:
                text = stream.read()
        commits = parse(text)
        version = next_version(args.previous, commits) if args.previous else None
    except (OSError, ValueError) as error:
        print(f"group_commits: {error}", file=sys.stderr)
        return 2
    if args.format == "json":
        print(json.dumps({"version": version, "commits": commits}, indent=2, ensure_ascii=False))
    else:
        print(as_text(commits, version))
    return 0


if __name__ == "__main__":
    sys.exit(main())

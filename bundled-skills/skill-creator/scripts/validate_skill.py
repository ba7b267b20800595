#!/usr/bin/env python3
"""Check skill folders: frontmatter, name, description, links, scripts. Exit code 1 if one has an error."""

import os
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from frontmatter import Unreadable, read  # noqa: E402
from skill_name import problem_with  # noqa: E402

_KNOWN = {
    "name", "description", "license", "compatibility", "metadata", "allowed-tools", "slug", "author", "tags",
    "version", "argument-hint", "permissions", "model", "disable-model-invocation", "user-invocable", "effort",
    "context", "agent", "deps", "exclude_deps", "requires",
}
_LINK = re.compile(r"\]\((?![a-z][a-z+.-]*:|#|/)([^)\s#]+)")
_SCRIPT = re.compile(r"(?<![\w./-])(scripts/[\w./-]+\.\w+)")
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINES = 500


class Findings(list):
    """What was found in one skill."""

    def add(self, severity, path, line, message):
        """Add one finding; severity is error or warning."""
        self.append({"severity": severity, "path": str(path), "line": line, "message": message})


def check(folder):
    """Return the findings of a skill's folder."""
    findings = Findings()
    path = folder / "SKILL.md"
    if not path.is_file():
        findings.add("error", path, 1, "the folder has no SKILL.md")
        return findings
    try:
        source = path.read_bytes().decode("utf-8-sig")
        document = read(source)
    except UnicodeDecodeError:
        findings.add("error", path, 1, "the file is not UTF-8 text")
        return findings
    except Unreadable as error:
        findings.add("error", path, error.line, str(error))
        return findings
    check_fields(findings, path, document, folder.resolve().name)
    check_body(findings, path, document, folder)
    check_scripts(findings, folder)
    if source.count("\n") > _LINES:
        message = f"more than {_LINES} lines; move detail into references/ and link to it"
        findings.add("warning", path, _LINES, message)
    return findings


def check_fields(findings, path, document, folder_name):
    """Check name and description, and look for fields that nobody reads."""
    fields, lines = document.fields, document.lines
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip():
        findings.add("error", path, lines.get("name", 1), "name is missing")
    elif problem := problem_with(name):
        findings.add("error", path, lines["name"], f"name {name!r}: {problem}")
    elif name != folder_name:
        findings.add("error", path, lines["name"], f"name {name!r} is not the folder's name {folder_name!r}")
    description = fields.get("description")
    line = lines.get("description", 1)
    if not isinstance(description, str) or not description.strip():
        findings.add("error", path, line, "description is missing: the skill would never be offered")
    else:
        if len(description) > 1024:
            findings.add("error", path, line, f"description has {len(description)} characters; 1,024 are allowed")
        if re.search("[<>]", description):
            findings.add("error", path, line, "description holds < or >, which could be taken for markup")
        if not re.search(r"\b(use|when|whenever)\b", description, re.IGNORECASE):
            findings.add("warning", path, line, "description does not say when to use the skill")
    for key in fields:
        if key not in _KNOWN:
            findings.add("warning", path, lines[key], f"unknown field {key}; put it under metadata")


def check_body(findings, path, document, folder):
    """Check that the instructions exist and that what they name exists."""
    if not document.body.strip():
        findings.add("warning", path, document.body_line, "the skill has no instructions")
    prose = _CODE.sub(lambda match: "\n" * match[0].count("\n"), document.body)
    for pattern, text in ((_LINK, prose), (_SCRIPT, document.body)):
        for match in pattern.finditer(text):
            line = document.body_line + text.count("\n", 0, match.start())
            target = match[1].rstrip(".")
            inside = os.path.normpath(target).split(os.sep)[0] != ".."
            if not inside:
                findings.add("error", path, line, f"{target} lies outside the skill and is not delivered with it")
            elif not (folder / target).exists():
                findings.add("error", path, line, f"there is no {target}")


def check_scripts(findings, folder):
    """Check that scripts can be started and name their interpreter."""
    for path in sorted((folder / "scripts").glob("*")) if (folder / "scripts").is_dir() else ():
        if not path.is_file() or path.suffix not in (".py", ".sh", ".js", ""):
            continue
        has_shebang = path.read_bytes()[:2] == b"#!"
        is_executable = bool(path.stat().st_mode & 0o100)
        if has_shebang and not is_executable:
            findings.add("warning", path, 1, "the file starts with #! and is not executable (chmod 755)")
        if is_executable and not has_shebang:
            findings.add("warning", path, 1, "the file is executable and does not start with #!")


def main():
    """Read the options, print the findings and end with 1 if there is an error."""
    options = cli.parser(__doc__, "validate_skill.py skills/custom/code-review --json")
    options.add_argument("folders", nargs="+", type=Path, help="a skill's folder or its SKILL.md")
    options.add_argument("--json", action="store_true")
    args = options.parse_args()

    results = []
    for given in args.folders:
        folder = given.parent if given.name == "SKILL.md" else given
        if not folder.is_dir():
            raise cli.Refusal(f"no such folder: {folder}")
        findings = check(folder)
        valid = not any(finding["severity"] == "error" for finding in findings)
        results.append({"skill": folder, "valid": valid, "findings": findings})
    if args.json:
        cli.print_json({"skills": results})
    else:
        for result in results:
            print(f"{result['skill']}: {'ok' if result['valid'] else 'not valid'}")
            for finding in result["findings"]:
                print("  {path}:{line}: {severity}: {message}".format(**finding))
    sys.stdout.flush()
    if not all(result["valid"] for result in results):
        sys.exit(1)


cli.run(main)

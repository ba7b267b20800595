#!/usr/bin/env python3
"""Make the folder of a new skill, ready to be filled in; nothing that exists is changed."""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from skill_name import problem_with  # noqa: E402

_BODY = """# {title}

One sentence: what this skill lets an agent do that it could not do well without it.

## When to use it

- A request that should lead here.
- A request that looks alike and should not, and what to use then.

## Steps

1. What to look at first.
2. What to do, with the exact command or tool.
3. How to check the result before handing it over.

## When something goes wrong

- What the agent sees: what it means and what to do.
"""

_PYTHON = '''#!/usr/bin/env python3
"""Say what this script does in one sentence."""

import argparse
import json


def main():
    """Read the options and do the work."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input", help="what to work on")
    options = parser.parse_args()
    print(json.dumps({"input": options.input}))


if __name__ == "__main__":
    main()
'''

_BASH = """#!/usr/bin/env bash
# Say what this script does in one sentence.
set -euo pipefail

if [ "$#" -ne 1 ]; then
  echo "usage: run.sh INPUT" >&2
  exit 2
fi
printf 'input: %s\\n' "$1"
"""

_SCRIPTS = {"python": ("run.py", _PYTHON), "bash": ("run.sh", _BASH)}


def skill_md(args):
    """Return the text of the new SKILL.md."""
    title = args.name.replace("-", " ").capitalize()
    head = [f"name: {args.name}", f"description: {quoted(args.description)}"]
    head += [f"author: {quoted(args.author)}"] if args.author else []
    head += [f"tags: [{', '.join(args.tags)}]"] if args.tags else []
    body = _BODY.format(title=title)
    if args.template in _SCRIPTS:
        name = _SCRIPTS[args.template][0]
        body += f"\n## Scripts\n\n`scripts/{name} INPUT` does the work. Exit code 0: done, 2: wrong usage.\n"
    return "\n".join(["---", *head, "---", "", body])


def quoted(text):
    """Return a text as YAML: quoted only where it must be."""
    if re.search(r": |:$| #|^[\s\"'\[\]{}@`&*!%|>?#,-]", text):
        return "'" + text.replace("'", "''") + "'"
    return text


def main():
    """Read the options and write the folder."""
    options = cli.parser(__doc__, "scaffold_skill.py code-review -d skills/custom --description 'Reviews ...'")
    options.add_argument("name", help="lower-case letters, digits, hyphens; also the folder's name")
    options.add_argument("-d", "--folder", type=Path, required=True, help="skills folder that gets the new one")
    options.add_argument("--description", required=True, help="what it does and when to use it")
    options.add_argument("--template", choices=("instructions", "python", "bash"), default="instructions")
    options.add_argument("--author")
    options.add_argument("--tags", nargs="+", default=[])
    args = options.parse_args()
    if problem := problem_with(args.name):
        options.error(f"not a name for a skill: {args.name!r}; {problem}")
    for tag in args.tags:
        if problem := problem_with(tag):
            options.error(f"not a tag: {tag!r}; {problem}")
    args.description = " ".join(args.description.split())
    if not 1 <= len(args.description) <= 1024 or re.search("[<>]", args.description):
        options.error("the description must have 1 to 1,024 characters, none of < and >")

    if not args.folder.is_dir():
        raise cli.Refusal(f"no such folder: {args.folder}")
    target = args.folder / args.name
    if target.exists():
        raise cli.Refusal(f"{target} exists")
    target.mkdir()
    files = [target / "SKILL.md"]
    files[0].write_text(skill_md(args), encoding="utf-8")
    if args.template in _SCRIPTS:
        name, text = _SCRIPTS[args.template]
        script = target / "scripts" / name
        script.parent.mkdir()
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)
        files.append(script)
    cli.print_json({"skill": target, "files": files})


cli.run(main)

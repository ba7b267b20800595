"""Reads the frontmatter of a SKILL.md with the standard library alone.

Only the part of YAML that skills need: text, quoted text, block text, lists and
one level of nesting. What is beyond it is an error here, because many readers
of skills understand no more either.
"""

import json
import re
from dataclasses import dataclass, field

_KEY = re.compile(r"([A-Za-z_][\w-]*):(?:\s+(.*))?$")
_BLOCK = re.compile(r"[|>][+-]?$")


class Unreadable(Exception):
    """The text is not a frontmatter; `line` says where."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


@dataclass
class Document:
    """A SKILL.md: its fields, the line of each, and its body."""

    fields: dict = field(default_factory=dict)
    lines: dict = field(default_factory=dict)
    body: str = ""
    body_line: int = 1


def read(source):
    """Return the Document of a text, else raise Unreadable."""
    lines = source.replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        raise Unreadable(1, "the first line must be ---")
    try:
        end = next(at for at, line in enumerate(lines) if at and line.rstrip() == "---")
    except StopIteration:
        raise Unreadable(1, "the frontmatter is not closed by a line ---") from None
    document = Document(body="\n".join(lines[end + 1:]), body_line=end + 2)
    at = 1
    while at < end:
        line = lines[at].rstrip()
        if not line or line.startswith("#"):
            at += 1
            continue
        match = _KEY.match(line)
        if match is None:
            raise Unreadable(at + 1, "write `key: value`, or indent what belongs to the key above")
        key, text = match[1], (match[2] or "").strip()
        if key in document.fields:
            raise Unreadable(at + 1, f"the key {key} stands twice")
        first, nested = at, []
        at += 1
        while at < end and (not lines[at].strip() or lines[at][0] in " \t-"):
            nested.append(lines[at])
            at += 1
        document.fields[key] = _value(text, nested, first + 1)
        document.lines[key] = first + 1
    return document


def _value(text, nested, line):
    if _BLOCK.match(text):
        return _block(text, nested)
    inner = [row for row in nested if row.strip() and not row.strip().startswith("#")]
    if text:
        return _scalar(" ".join([text, *(row.strip() for row in inner)]), line)
    if not inner:
        return None
    if all(row.strip().startswith("- ") for row in inner):
        return [_scalar(row.strip()[2:].strip(), line) for row in inner]
    matches = [_KEY.match(row.strip()) for row in inner]
    if not all(matches):
        raise Unreadable(line + 1, "write a list of `- item` or a map of `key: value`")
    return {match[1]: _scalar((match[2] or "").strip(), line) for match in matches}


def _block(mark, nested):
    indent = min((len(row) - len(row.lstrip()) for row in nested if row.strip()), default=0)
    rows = [row[indent:].rstrip() for row in nested]
    if mark.startswith("|"):
        return "\n".join(rows).strip("\n")
    return re.sub(r"(?<!\n)\n(?!\n)", " ", "\n".join(rows)).replace("\n\n", "\n").strip()


def _scalar(text, line):
    if text.startswith('"'):
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise Unreadable(line, f"the quoted text is not closed or not escaped: {error.msg}") from None
        return value
    if text.startswith("'"):
        if len(text) < 2 or not text.endswith("'") or text[1:-1].replace("''", "").count("'"):
            raise Unreadable(line, "the quoted text is not closed; write '' for a quote in it")
        return text[1:-1].replace("''", "'")
    if text.startswith("["):
        if not text.endswith("]"):
            raise Unreadable(line, "the list is not closed by ]")
        return [_scalar(item.strip(), line) for item in text[1:-1].split(",") if item.strip()]
    if text[:1] in tuple("{}@`&*!%|>"):
        raise Unreadable(line, f"quote the value: it starts with {text[0]}")
    text = re.sub(r"\s+#.*$", "", text)
    if ": " in text or text.endswith(":"):
        raise Unreadable(line, "quote the value: it holds a colon followed by a blank")
    return text

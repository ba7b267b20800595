"""The small part of Markdown from which documents are made.

Headings, paragraphs, lists, tables, quotes, fenced code, pictures and page
breaks (`<!-- page break -->` or `\\newpage` alone on a line); inside a line
bold, italic, code and links. Anything else stays as the text it is.
"""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Span:
    """A piece of a line in one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""


@dataclass(frozen=True)
class Block:
    """One block. `kind` is heading, paragraph, item, quote, code, table, picture or break."""

    kind: str
    spans: tuple = ()
    level: int = 1  # heading: 1-6; item: 1 is the outermost list
    marker: str = ""  # item: "-" or the number as written, "3."
    text: str = ""  # code: its lines; picture: its path
    rows: tuple = field(default=())  # table: rows of cells of spans, the header first


_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])\s+(.*)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)\s*$")
_RULE = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_BREAK = re.compile(r"(<!--\s*page ?break\s*-->|\\newpage)\s*$", re.IGNORECASE)
_INLINE = re.compile(
    r"(?P<code>`+)(?P<c>.+?)(?P=code)"
    r"|\[(?P<l>[^\]]+)\]\((?P<u>[^)\s]+)\)"
    r"|(?P<bi>\*\*\*)(?P<x>\S(?:.*?\S)?)\*\*\*"
    r"|(?P<b>\*\*|(?<!\w)__)(?P<y>\S(?:.*?\S)?)(?P=b)"
    r"|(?P<i>\*|(?<!\w)_(?!_))(?P<z>[^\s*_](?:.*?[^\s*])?)(?P=i)(?!\w)"
    r"|\\(?P<e>[\\`*_\[\]|#-])"
)


def spans_of(text, bold=False, italic=False):
    """Return the spans of one line of Markdown.

    >>> [s.text for s in spans_of("a **b** c")]
    ['a ', 'b', ' c']
    """
    spans, at = [], 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            spans.append(Span(text[at:match.start()], bold, italic))
        at = match.end()
        part = match.groupdict()
        if part["c"] is not None:
            spans.append(Span(part["c"], bold, italic, code=True))
        elif part["l"] is not None:
            spans.append(Span(part["l"], bold, italic, link=part["u"]))
        elif part["x"] is not None:
            spans.extend(spans_of(part["x"], True, True))
        elif part["y"] is not None:
            spans.extend(spans_of(part["y"], True, italic))
        elif part["z"] is not None:
            spans.extend(spans_of(part["z"], bold, True))
        else:
            spans.append(Span(part["e"], bold, italic))
    if at < len(text):
        spans.append(Span(text[at:], bold, italic))
    return tuple(spans)


def plain(spans):
    """Return the text of spans without their style."""
    return "".join(span.text for span in spans)


def parse(source):
    """Return the blocks of a Markdown text."""
    lines = source.replace("\r\n", "\n").split("\n")
    blocks, indents, at = [], [], 0
    while at < len(lines):
        line = lines[at]
        stripped = line.strip()
        item = _ITEM.match(line)
        if item is None and stripped:
            indents = []
        if not stripped:
            at += 1
        elif stripped.startswith(("```", "~~~")):
            block, at = _code(lines, at)
            blocks.append(block)
        elif _BREAK.match(stripped):
            blocks.append(Block("break"))
            at += 1
        elif (heading := _HEADING.match(stripped)) is not None:
            blocks.append(Block("heading", spans_of(heading[2]), len(heading[1])))
            at += 1
        elif (picture := _PICTURE.match(stripped)) is not None:
            blocks.append(Block("picture", spans_of(picture[1]), text=picture[2]))
            at += 1
        elif _starts_table(lines, at):
            block, at = _table(lines, at)
            blocks.append(block)
        elif item is not None:
            level = _level(indents, len(item[1].expandtabs(4)))
            text, at = _continued(lines, at, item[3])
            marker = item[2] if item[2][0].isdigit() else "-"
            blocks.append(Block("item", spans_of(text), level, marker))
        elif stripped.startswith(">"):
            quoted = []
            while at < len(lines) and lines[at].strip().startswith(">"):
                quoted.append(lines[at].strip()[1:].strip())
                at += 1
            blocks.append(Block("quote", spans_of(" ".join(quoted))))
        else:
            text, at = _continued(lines, at, stripped)
            blocks.append(Block("paragraph", spans_of(text)))
    return blocks


def _code(lines, at):
    fence = lines[at].strip()[:3]
    end = at + 1
    while end < len(lines) and not lines[end].strip().startswith(fence):
        end += 1
    return Block("code", text="\n".join(lines[at + 1:end])), end + 1


def _starts_table(lines, at):
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return "|" in lines[at] and "|" in below and _RULE.match(below) is not None


def _table(lines, at):
    rows = [_cells(lines[at])]
    at += 2
    while at < len(lines) and "|" in lines[at]:
        rows.append(_cells(lines[at]))
        at += 1
    width = len(rows[0])
    rows = [tuple((row + [()] * width)[:width]) for row in rows]
    return Block("table", rows=tuple(rows)), at


def _cells(line):
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [spans_of(cell.strip()) for cell in re.split(r"(?<!\\)\|", line)]


def _level(indents, indent):
    """Keep the stack of open list indents and return the depth of this one."""
    while indents and indent < indents[-1]:
        indents.pop()
    if not indents or indent > indents[-1]:
        indents.append(indent)
    return len(indents)


def _continued(lines, at, text):
    """Join the lines that belong to the paragraph or item that starts at `at`."""
    parts = [text]
    at += 1
    while at < len(lines):
        line = lines[at].strip()
        starts_block = line.startswith(("#", ">", "```", "~~~", "|", "![")) or _BREAK.match(line)
        if not line or starts_block or _ITEM.match(lines[at]):
            break
        parts.append(line)
        at += 1
    return " ".join(parts), at

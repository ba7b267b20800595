#!/usr/bin/env python3
"""Print a Word document as Markdown, its outline, its tables, or all of it as JSON."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from docx.oxml.ns import qn  # noqa: E402
from docx.table import Table  # noqa: E402
from docx_file import blocks_of, heading_level, open_document, parts_of  # noqa: E402


def text_of(paragraph):
    """Return all text of a paragraph, links and insertions included, deletions not."""
    marks = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n"}
    pieces = []
    for element in paragraph._element.iter(qn("w:t"), *marks):
        # Tab stops in the paragraph's properties are no text.
        if element.tag == qn("w:t") or element.getparent().tag == qn("w:r"):
            pieces.append(marks.get(element.tag) or element.text or "")
    return "".join(pieces)


def rows_of(table):
    """Return the cells as text; a merged cell is told once, its other places are empty."""
    rows, seen = [], set()
    for row in table.rows:
        cells = []
        for cell in row.cells:
            is_new = cell._tc not in seen
            seen.add(cell._tc)
            cells.append("\n".join(text_of(one) for one in cell.paragraphs) if is_new else "")
        rows.append(cells)
    return rows


def described(document):
    """Return the body as a list of JSON blocks with the numbers that edit_docx.py takes."""
    blocks, paragraphs, tables = [], 0, 0
    for block in blocks_of(document):
        if isinstance(block, Table):
            tables += 1
            blocks.append({"kind": "table", "number": tables, "rows": rows_of(block)})
        else:
            paragraphs += 1
            style = block.style.name if block.style is not None else None
            level = heading_level(block)
            shown = {"kind": "paragraph" if level is None else "heading", "number": paragraphs}
            shown |= {} if level is None else {"level": level}
            blocks.append({**shown, "style": style, "text": text_of(block)})
    return blocks


def as_markdown(block):
    """Return one block as Markdown, None for an empty paragraph."""
    if block["kind"] == "table":
        lines = ["| " + " | ".join(cell.replace("\n", " ") for cell in row) + " |" for row in block["rows"]]
        lines[1:1] = ["|" + " --- |" * len(block["rows"][0])] if lines else []
        return "\n".join(lines)
    text = block["text"].strip()
    if not text:
        return None
    if block["kind"] == "heading":
        return "#" * max(block["level"], 1) + " " + text
    style = (block["style"] or "").lower()
    if style.startswith("list"):
        depth = int(style[-1]) - 1 if style[-1].isdigit() else 0
        return "  " * depth + ("1. " if "number" in style else "- ") + text
    return text


def properties(document):
    """Return the properties that are set, and what the document holds."""
    core = document.core_properties
    names = ("title", "subject", "author", "keywords", "comments", "last_modified_by", "created", "modified")
    body = document.element.body
    return {
        "properties": {name: getattr(core, name) for name in names if getattr(core, name)},
        "paragraphs": len(document.paragraphs),
        "tables": len(document.tables),
        "pictures": len(body.findall(f".//{qn('w:drawing')}")),
        "tracked_changes": sum(1 for _ in body.iter(qn("w:ins"), qn("w:del"))),
        "headers_and_footers": {
            name: text
            for name, root in parts_of(document)
            if name != "body" and (text := "".join(one.text or "" for one in root.iter(qn("w:t"))))
        },
    }


def main():
    """Read the options and print."""
    options = cli.parser(__doc__, "read_docx.py report.docx --outline")
    options.add_argument("input", type=Path)
    what = options.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="blocks with style and number")
    what.add_argument("--outline", action="store_true", help="headings only, as JSON")
    what.add_argument("--tables", action="store_true", help="tables only, as JSON")
    what.add_argument("--info", action="store_true", help="properties, counts, headers and footers")
    args = options.parse_args()

    document = open_document(args.input)
    if args.info:
        cli.print_json(properties(document))
        return
    blocks = described(document)
    if args.json:
        cli.print_json({"blocks": blocks})
    elif args.outline:
        cli.print_json({"headings": [block for block in blocks if block["kind"] == "heading"]})
    elif args.tables:
        cli.print_json({"tables": [block for block in blocks if block["kind"] == "table"]})
    else:
        print("\n\n".join(text for text in map(as_markdown, blocks) if text is not None))


cli.run(main)

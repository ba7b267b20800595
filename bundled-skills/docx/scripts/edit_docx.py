#!/usr/bin/env python3
"""Change a Word document: replace text, set table cells, add rows, append Markdown, delete paragraphs."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli, markdown  # noqa: E402
from _shared.text_runs import replace_across  # noqa: E402
from docx.oxml.ns import qn  # noqa: E402
from docx_file import open_document, parts_of, save  # noqa: E402
from docx_markdown import append  # noqa: E402

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def stretches(root):
    """Yield the text elements of each paragraph, cut where a tab, break or picture stands between."""
    for paragraph in root.iter(qn("w:p")):
        stretch = []
        for element in paragraph.iter():
            if next(element.iterancestors(qn("w:p")), None) is not paragraph:
                continue  # of a text box within this paragraph: it is a paragraph of its own
            if element.tag == qn("w:t"):
                stretch.append(element)
            elif element.tag in (qn("w:tab"), qn("w:br"), qn("w:cr"), qn("w:drawing")):
                yield stretch
                stretch = []
        yield stretch


def replace_text(document, old, new):
    """Replace in body, tables, headers and footers; return how many were found."""
    found = 0
    for _, root in parts_of(document):
        for stretch in stretches(root):
            here = replace_across(stretch, old, new)
            found += here
            for element in stretch if here else ():
                element.set(_SPACE, "preserve")
    return found


def numbered(items, number, what):
    """Return the item with a number from 1, else refuse."""
    if not 1 <= number <= len(items):
        raise cli.Refusal(f"there is no {what} {number}; there are {len(items)}")
    return items[number - 1]


def set_cell(document, place, text):
    """Set the text of a cell `TABLE,ROW,COLUMN`, in the style of its first run."""
    try:
        table, row, column = (int(part) for part in place.split(","))
    except ValueError as error:
        raise cli.Refusal(f"not a cell: {place!r}; write TABLE,ROW,COLUMN") from error
    rows = numbered(document.tables, table, "table").rows
    cell = numbered(numbered(rows, row, "row").cells, column, "column")
    paragraph = cell.paragraphs[0]
    for other in cell.paragraphs[1:]:
        other._element.getparent().remove(other._element)
    for run in paragraph.runs[1:]:
        run._element.getparent().remove(run._element)
    if paragraph.runs:
        paragraph.runs[0].text = text
    else:
        paragraph.add_run(text)


def add_row(document, number, texts):
    """Add a row below a table; it looks like the last one."""
    table = numbered(document.tables, number, "table")
    if len(texts) > len(table.columns):
        raise cli.Refusal(f"table {number} has {len(table.columns)} columns, not {len(texts)}")
    above = table.rows[-1].cells
    for cell, text, model in zip(table.add_row().cells, texts, above):
        cell.paragraphs[0].style = model.paragraphs[0].style
        cell.paragraphs[0].add_run(text)


def main():
    """Read the options, apply them in the order of the help text, and write the result."""
    options = cli.parser(__doc__, "edit_docx.py in.docx -o out.docx --replace '{{name}}' 'Zoe Kim'")
    options.add_argument("input", type=Path)
    cli.add_output(options, "document to write")
    options.add_argument("--replace", nargs=2, action="append", default=[], metavar=("OLD", "NEW"))
    options.add_argument("--replace-json", help='JSON file or - of {"old": "new"}')
    options.add_argument(
        "--set-cell", nargs=2, action="append", default=[], metavar=("TABLE,ROW,COLUMN", "TEXT")
    )
    options.add_argument(
        "--add-row", nargs="+", action="append", default=[], metavar=("TABLE", "TEXT")
    )
    options.add_argument(
        "--delete-paragraph", type=int, action="append", default=[], metavar="NUMBER",
        help="number as read_docx.py --json tells it",
    )
    options.add_argument("--append-markdown", help="Markdown file, or - for stdin, added at the end")
    options.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="title, author, subject, keywords"
    )
    args = options.parse_args()
    if any(not row[0].isdigit() for row in args.add_row):
        options.error("--add-row takes a table number first")
    settings = dict(pair.partition("=")[::2] for pair in args.set)
    if not set(settings) <= {"title", "author", "subject", "keywords"}:
        options.error("--set takes title, author, subject or keywords")

    document = open_document(args.input)
    paragraphs = list(document.paragraphs)  # counted before anything moves
    pairs = [*args.replace, *(cli.json_of(args.replace_json).items() if args.replace_json else [])]
    replaced = {old: replace_text(document, old, str(new)) for old, new in pairs}
    if missing := [old for old, found in replaced.items() if not found]:
        raise cli.Refusal(f"not found, so nothing was written: {', '.join(map(repr, missing))}")
    for place, text in args.set_cell:
        set_cell(document, place, text)
    for number, *texts in args.add_row:
        add_row(document, int(number), texts)
    for number in args.delete_paragraph:
        element = numbered(paragraphs, number, "paragraph")._element
        element.getparent().remove(element)
    if args.append_markdown:
        append(document, markdown.parse(cli.text_of(args.append_markdown)))
    for key, value in settings.items():
        setattr(document.core_properties, key, value)
    save(document, args.output, args.overwrite, replaced=replaced)


cli.run(main)

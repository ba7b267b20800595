#!/usr/bin/env python3
"""Make a PDF from Markdown: headings, paragraphs, lists, tables, code, links, page numbers."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli, markdown  # noqa: E402
from pdf_layout.flow import flow  # noqa: E402
from pdf_layout.pages import PAPER, Pages  # noqa: E402
from pdf_layout.truetype_font import TrueTypeFont  # noqa: E402


def main():
    """Read the options and write the document."""
    options = cli.parser(__doc__, "create_pdf.py report.md -o report.pdf --title 'Report' --paper letter")
    options.add_argument("source", help="Markdown file, or - for stdin")
    cli.add_output(options, "PDF to write")
    options.add_argument("--title", help="title in the document's properties")
    options.add_argument("--author", help="author in the document's properties")
    options.add_argument("--paper", choices=sorted(PAPER), default="a4")
    options.add_argument("--margin", type=float, default=56, help="in points (default: 56)")
    options.add_argument("--font", type=Path, help=".ttf file for text that is not Western European")
    options.add_argument("--no-page-numbers", action="store_true")
    args = options.parse_args()
    if not 20 <= args.margin <= 150:
        options.error("--margin must be between 20 and 150")

    pages = Pages(args.paper, args.margin, TrueTypeFont(args.font) if args.font else None)
    flow(pages, markdown.parse(cli.text_of(args.source)))
    if not args.no_page_numbers:
        pages.number()
    writer = pages.finish()
    properties = {"/Title": args.title, "/Author": args.author}
    writer.add_metadata({key: value for key, value in properties.items() if value})
    with cli.writing(args.output, args.overwrite) as draft:
        writer.write(draft)
    cli.print_json({"output": args.output, "pages": len(writer.pages)})


cli.run(main)

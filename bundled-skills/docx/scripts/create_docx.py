#!/usr/bin/env python3
"""Make a Word document from Markdown: headings, lists, tables, code, links, pictures."""

import sys
from datetime import datetime, timezone
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

import docx  # noqa: E402
from _shared import cli, markdown  # noqa: E402
from docx_file import open_document, save  # noqa: E402
from docx_markdown import append  # noqa: E402


def main():
    """Read the options and write the document."""
    options = cli.parser(__doc__, "create_docx.py report.md -o report.docx --title 'Harvest report'")
    options.add_argument("source", help="Markdown file, or - for stdin")
    cli.add_output(options, "document to write")
    options.add_argument("--template", type=Path, help=".docx whose styles, header and footer are used")
    options.add_argument("--title", help="title in the document's properties")
    options.add_argument("--author", help="author in the document's properties")
    args = options.parse_args()

    document = open_document(args.template) if args.template else docx.Document()
    if args.template:
        # The template's own text goes; the last section, with header and footer, stays.
        for element in list(document.element.body):
            if not element.tag.endswith("}sectPr"):
                document.element.body.remove(element)
    blocks = markdown.parse(cli.text_of(args.source))
    append(document, blocks, Path() if args.source == "-" else Path(args.source).parent)
    document.core_properties.title = args.title or ""
    document.core_properties.author = args.author or ""
    document.core_properties.comments = ""
    document.core_properties.created = datetime.now(timezone.utc).replace(tzinfo=None)
    save(document, args.output, args.overwrite, blocks=len(blocks))


cli.run(main)

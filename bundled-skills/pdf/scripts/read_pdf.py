#!/usr/bin/env python3
"""Print the text of a PDF page by page, or its properties."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from pdf_file import add_password, open_pdf  # noqa: E402


def properties(reader):
    """Return what can be told without reading the text."""
    first = reader.pages[0].mediabox if reader.pages else None
    return {
        "pages": len(reader.pages),
        "encrypted": reader.is_encrypted,
        "page_size_points": [float(first.width), float(first.height)] if first else None,
        "form_fields": len(reader.get_fields() or {}),
        "properties": {key.lstrip("/"): str(value) for key, value in (reader.metadata or {}).items()},
        "outline": outline(reader, reader.outline),
    }


def outline(reader, entries, level=1):
    """Return the outline as a flat list of titles with level and page."""
    found = []
    for entry in entries:
        if isinstance(entry, list):
            found.extend(outline(reader, entry, level + 1))
        else:
            page = reader.get_destination_page_number(entry)
            # An entry may outlive its page.
            found.append({"title": entry.title, "level": level, "page": page + 1 or None})
    return found


def main():
    """Read the options and print the text."""
    options = cli.parser(__doc__, "read_pdf.py report.pdf --pages 1-3 --json")
    options.add_argument("input", type=Path)
    options.add_argument("--pages", help="such as 1-3,7,10- (default: all)")
    options.add_argument("--info", action="store_true", help="properties and outline instead of text")
    options.add_argument("--json", action="store_true", help="print JSON (--info always does)")
    add_password(options)
    args = options.parse_args()

    reader = open_pdf(args.input, args.password_file)
    if args.info:
        cli.print_json(properties(reader))
        return
    count = len(reader.pages)
    numbers = parse_ranges(args.pages, count) if args.pages else range(count)
    texts = [{"page": at + 1, "text": reader.pages[at].extract_text()} for at in numbers]
    if args.json:
        cli.print_json({"pages": texts})
    else:
        for entry in texts:
            print(f"--- page {entry['page']} of {count} ---\n{entry['text']}")
    if not any(entry["text"].strip() for entry in texts):
        print("note: no text found; the pages may be scans that need OCR", file=sys.stderr)


cli.run(main)

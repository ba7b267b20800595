#!/usr/bin/env python3
"""Extract tables from the text of a PDF; check the result, for a PDF only knows places."""

import csv
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from pdf_file import add_password, open_pdf  # noqa: E402
from table_finder import tables_of  # noqa: E402


def main():
    """Read the options and print the tables."""
    options = cli.parser(__doc__, "tables_pdf.py report.pdf --pages 2 --format csv")
    options.add_argument("input", type=Path)
    options.add_argument("--pages", help="such as 1-3,7,10- (default: all)")
    options.add_argument("--format", choices=("json", "csv"), default="json")
    options.add_argument(
        "--gap", type=float, default=0.9, help="space between cells by font size (default: 0.9)"
    )
    add_password(options)
    args = options.parse_args()

    reader = open_pdf(args.input, args.password_file)
    found = [
        {"page": at + 1, "rows": rows}
        for at in parse_ranges(args.pages or "1-", len(reader.pages))
        for rows in tables_of(reader.pages[at], args.gap)
    ]
    if args.format == "json":
        cli.print_json({"tables": found})
    else:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        for index, table in enumerate(found):
            if index:
                print()
            writer.writerows(table["rows"])
    if not found:
        print("note: no table found; try a smaller --gap", file=sys.stderr)


cli.run(main)

#!/usr/bin/env python3
"""Cut a PDF into several files: one for each range, or one for every N pages."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from pdf_file import add_password, open_pdf  # noqa: E402
from pypdf import PdfWriter  # noqa: E402


def main():
    """Read the options and write the parts."""
    options = cli.parser(__doc__, "split_pdf.py book.pdf -d parts --ranges 1-3 4-10")
    options.add_argument("input", type=Path)
    options.add_argument("-d", "--folder", type=Path, required=True, help="made if missing")
    how = options.add_mutually_exclusive_group(required=True)
    how.add_argument("--ranges", nargs="+", help="one file for each, such as 1-3 4,6")
    how.add_argument("--every", type=int, metavar="N", help="one file for every N pages")
    options.add_argument("--overwrite", action="store_true", help="replace parts that exist")
    add_password(options)
    args = options.parse_args()
    if args.every is not None and args.every < 1:
        options.error("--every must be 1 or more")

    reader = open_pdf(args.input, args.password_file)
    count = len(reader.pages)
    if args.every:
        parts = [list(range(at, min(at + args.every, count))) for at in range(0, count, args.every)]
    else:
        parts = [parse_ranges(text, count) for text in args.ranges]
    args.folder.mkdir(parents=True, exist_ok=True)
    made = []
    for index, pages in enumerate(parts, start=1):
        writer = PdfWriter()
        writer.append(reader, pages=pages)
        output = args.folder / f"{args.input.stem}-{index:0{len(str(len(parts)))}}.pdf"
        with cli.writing(output, args.overwrite) as draft:
            writer.write(draft)
        made.append({"output": output, "pages": [page + 1 for page in pages]})
    cli.print_json({"parts": made})


cli.run(main)

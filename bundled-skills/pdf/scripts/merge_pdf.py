#!/usr/bin/env python3
"""Join PDF files, or chosen pages of them, into one; outlines, links and forms are kept."""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from pdf_file import open_pdf, save  # noqa: E402
from pypdf import PdfWriter  # noqa: E402

_WITH_PAGES = re.compile(r"(.+\.pdf):([\d,\s-]+)", re.IGNORECASE)


def main():
    """Read the options and write the joined file."""
    options = cli.parser(__doc__, "merge_pdf.py cover.pdf body.pdf:2-5,9 -o all.pdf")
    options.add_argument("inputs", nargs="+", metavar="INPUT[:PAGES]")
    cli.add_output(options, "PDF to write")
    options.add_argument("--no-outline", action="store_true", help="no outline entry for each file")
    args = options.parse_args()

    writer = PdfWriter()
    for argument in args.inputs:
        match = None if Path(argument).is_file() else _WITH_PAGES.fullmatch(argument)
        path = Path(match[1] if match else argument)
        reader = open_pdf(path)
        pages = parse_ranges(match[2] if match else "1-", len(reader.pages))
        writer.append(reader, None if args.no_outline else path.stem, pages=pages)
    save(writer, args.output, args.overwrite)


cli.run(main)

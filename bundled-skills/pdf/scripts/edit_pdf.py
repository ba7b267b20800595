#!/usr/bin/env python3
"""Change a PDF: keep, delete, reorder or rotate pages, stamp text, set properties, encrypt."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from pdf_file import add_password, open_pdf, save  # noqa: E402
from pdf_layout.standard_font import StandardFont  # noqa: E402
from pypdf import PdfReader, PdfWriter, Transformation  # noqa: E402
from pypdf.generic import (  # noqa: E402
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
)


def chosen_pages(args, count):
    """Return the zero-based pages of the result, in order."""
    if args.keep:
        return parse_ranges(args.keep, count)
    deleted = set(parse_ranges(args.delete, count)) if args.delete else set()
    pages = [page for page in range(count) if page not in deleted]
    if not pages:
        raise cli.Refusal("no page would be left")
    return pages


def stamp_page(text):
    """Return a page of its own that holds `text` in light gray, 1 point high at the origin."""
    font = StandardFont("Helvetica-Bold")
    if font.lacks(text):
        raise cli.Refusal(f"the stamp's font has no glyph for {', '.join(sorted(font.lacks(text)))}")
    writer = PdfWriter()
    page = writer.add_blank_page(100, 100)
    stream = DecodedStreamObject()
    code = font.encode(text).hex()
    stream.set_data(f"BT 0.8 g /stamp 1 Tf <{code}> Tj ET".encode("ascii"))
    page[NameObject("/Contents")] = writer._add_object(stream)
    fonts = DictionaryObject({NameObject("/stamp"): font.add_to(writer)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    return page, font.width(text, 1)


def stamp(pages, text):
    """Write `text` slantwise over the middle of each page."""
    mark, width = stamp_page(text)
    for page in pages:
        box = page.mediabox
        size = min(0.8 * float(box.width) / width, 120)
        place = (
            Transformation()
            .translate(-width / 2, -0.35)
            .scale(size)
            .rotate(45)
            .translate(
                float(box.left) + float(box.width) / 2, float(box.bottom) + float(box.height) / 2
            )
        )
        mark.mediabox = box
        page.merge_transformed_page(mark, place)


def main():
    """Read the options and write the changed file."""
    options = cli.parser(__doc__, "edit_pdf.py in.pdf -o out.pdf --delete 2,5- --rotate 90 --stamp DRAFT")
    options.add_argument("input", type=Path)
    cli.add_output(options, "PDF to write")
    which = options.add_mutually_exclusive_group()
    which.add_argument("--keep", help="pages to keep, in this order, such as 3,1-2")
    which.add_argument("--delete", help="pages to leave out, such as 2,5-")
    options.add_argument("--rotate", type=int, choices=(90, 180, 270), help="clockwise")
    options.add_argument("--rotate-pages", help="pages of the result to rotate (default: all)")
    options.add_argument("--stamp", metavar="TEXT", help="large gray text over each page")
    options.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="such as Title=Report"
    )
    options.add_argument("--encrypt-file", help="file with a new password, or - for stdin (RC4: weak)")
    add_password(options)
    args = options.parse_args()
    if any("=" not in pair for pair in args.set):
        options.error("--set takes KEY=VALUE")

    reader: PdfReader = open_pdf(args.input, args.password_file)
    writer = PdfWriter()
    writer.append(reader, pages=chosen_pages(args, len(reader.pages)))
    kept = {key: value for key, value in (reader.metadata or {}).items() if isinstance(value, str)}
    changed = {f"/{key.strip()}": value for key, value in (pair.split("=", 1) for pair in args.set)}
    writer.add_metadata({**kept, **changed})
    if args.rotate:
        count = len(writer.pages)
        for at in parse_ranges(args.rotate_pages or "1-", count):
            writer.pages[at].rotate(args.rotate)
    if args.stamp:
        stamp(writer.pages, args.stamp)
    if args.encrypt_file:
        password = cli.text_of(args.encrypt_file).strip("\r\n")
        if not password:
            raise cli.Refusal("the new password is empty")
        writer.encrypt(password)
    save(writer, args.output, args.overwrite)


cli.run(main)

#!/usr/bin/env python3
"""Print the slides of a presentation: titles, texts, tables, notes."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from presentation import Presentation  # noqa: E402
from slide_text import described  # noqa: E402


def as_markdown(slide):
    """Return a slide as Markdown, its notes as a quote."""
    hidden = " (hidden)" if slide["hidden"] else ""
    lines = [f"## {slide['slide']}. {slide['title'] or '(no title)'}{hidden}", ""]
    for text in slide["texts"]:
        lines += [f"{'  ' * (one['level'] - 1)}- {one['text']}" for one in text["paragraphs"]]
    for rows in slide["tables"]:
        shown = ["| " + " | ".join(cell.replace("\n", " ") for cell in row) + " |" for row in rows]
        lines += ["", *shown[:1], "|" + " --- |" * len(rows[0]), *shown[1:]]
    lines += [f"- picture: {one['description'] or one['name']}" for one in slide["pictures"]]
    if slide["notes"].strip():
        lines += ["", *(f"> {line}" for line in slide["notes"].split("\n"))]
    return "\n".join(lines)


def main():
    """Read the options and print."""
    options = cli.parser(__doc__, "read_pptx.py talk.pptx --slides 1-3 --json")
    options.add_argument("input", type=Path)
    options.add_argument("--slides", help="such as 1-3,7,10- (default: all)")
    what = options.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true")
    what.add_argument("--outline", action="store_true", help="numbers and titles only, as JSON")
    args = options.parse_args()

    presentation = Presentation.open(args.input)
    slides = presentation.slides()
    numbers = parse_ranges(args.slides, len(slides)) if args.slides else range(len(slides))
    shown = [described(presentation, at + 1, slides[at]) for at in numbers]
    if args.json:
        cli.print_json({"slides": shown})
    elif args.outline:
        cli.print_json({"slides": [{"slide": one["slide"], "title": one["title"]} for one in shown]})
    else:
        print("\n\n".join(as_markdown(one) for one in shown))


cli.run(main)

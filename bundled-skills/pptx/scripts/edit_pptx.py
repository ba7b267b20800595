#!/usr/bin/env python3
"""Change a presentation: replace text, set titles and notes, delete, reorder, repeat and add slides."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli, markdown  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from _shared.text_runs import replace_across  # noqa: E402
from lxml import etree  # noqa: E402
from presentation import NS, Presentation, tag  # noqa: E402
from slide_markdown import append  # noqa: E402
from slide_text import title_shape  # noqa: E402


def replace_text(presentation, old, new):
    """Replace in shapes, tables and notes of all slides; return how many were found."""
    found = 0
    for slide in presentation.slides():
        notes = presentation.notes(slide)
        for root in [presentation.package.root(slide), *([] if notes is None else [notes])]:
            for paragraph in root.iter(tag("a:p")):
                stretch = []
                for element in paragraph.iter(tag("a:t"), tag("a:br")):
                    if element.tag == tag("a:t"):
                        stretch.append(element)
                    else:
                        found += replace_across(stretch, old, new)
                        stretch = []
                found += replace_across(stretch, old, new)
    return found


def set_title(presentation, number, text):
    """Set a slide's title in the style of its first run."""
    shape = title_shape(presentation.package.root(presentation.slide(number)))
    if shape is None:
        raise cli.Refusal(f"slide {number} has no title")
    body = shape.find("p:txBody", NS)
    paragraph, *others = body.findall("a:p", NS)
    for other in others:
        body.remove(other)
    runs = paragraph.findall("a:r", NS)
    for element in paragraph.findall("a:br", NS) + paragraph.findall("a:fld", NS) + runs[1:]:
        paragraph.remove(element)
    if not runs:
        end = paragraph.find("a:endParaRPr", NS)
        run = etree.Element(tag("a:r"))
        etree.SubElement(run, tag("a:t"))
        paragraph.append(run) if end is None else end.addprevious(run)
        runs = [run]
    runs[0].find("a:t", NS).text = text


def main():
    """Read the options, apply them in the order of the help text, and write the result."""
    options = cli.parser(__doc__, "edit_pptx.py in.pptx -o out.pptx --replace 2025 2026 --delete 3")
    options.add_argument("input", type=Path)
    cli.add_output(options, "presentation to write")
    options.add_argument("--replace", nargs=2, action="append", default=[], metavar=("OLD", "NEW"))
    options.add_argument("--set-title", nargs=2, action="append", default=[], metavar=("SLIDE", "TEXT"))
    options.add_argument("--set-notes", nargs=2, action="append", default=[], metavar=("SLIDE", "TEXT"))
    options.add_argument("--duplicate", type=int, metavar="SLIDE", help="repeat it right after itself")
    which = options.add_mutually_exclusive_group()
    which.add_argument("--delete", help="slides to leave out, such as 2,5-")
    which.add_argument("--order", help="slides to keep, in this order, such as 3,1-2")
    options.add_argument("--append-markdown", help="Markdown file, or - for stdin: slides added at the end")
    args = options.parse_args()
    if not all(number.isdigit() for number, _ in [*args.set_title, *args.set_notes]):
        options.error("--set-title and --set-notes take the number of a slide first")

    presentation = Presentation.open(args.input)
    replaced = {old: replace_text(presentation, old, new) for old, new in args.replace}
    if missing := [old for old, count in replaced.items() if not count]:
        raise cli.Refusal(f"not found, so nothing was written: {', '.join(map(repr, missing))}")
    for number, text in args.set_title:
        set_title(presentation, int(number), text)
    for number, text in args.set_notes:
        presentation.set_notes(presentation.slide(int(number)), text)
    if args.duplicate is not None:
        presentation.duplicate(args.duplicate)
    count = len(presentation.slides())
    if args.order:
        presentation.arrange(parse_ranges(args.order, count))
    elif args.delete:
        gone = parse_ranges(args.delete, count)
        presentation.arrange([at for at in range(count) if at not in gone])
    warnings = []
    if args.append_markdown:
        warnings = append(presentation, markdown.parse(cli.text_of(args.append_markdown)))
    if not presentation.slides():
        raise cli.Refusal("no slide would be left")
    presentation.save(args.output, args.overwrite, replaced=replaced, warnings=warnings)


cli.run(main)

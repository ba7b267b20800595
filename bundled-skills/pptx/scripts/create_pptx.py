#!/usr/bin/env python3
"""Make a presentation from Markdown: a heading opens a slide, quotes are speaker notes."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli, markdown  # noqa: E402
from presentation import Presentation  # noqa: E402
from slide_markdown import append  # noqa: E402


def main():
    """Read the options and write the presentation."""
    options = cli.parser(__doc__, "create_pptx.py talk.md -o talk.pptx --template house-style.pptx")
    options.add_argument("source", help="Markdown file, or - for stdin")
    cli.add_output(options, "presentation to write")
    options.add_argument("--template", type=Path, help=".pptx whose design is used; its slides are dropped")
    args = options.parse_args()

    presentation = Presentation.open(args.template) if args.template else Presentation.blank()
    presentation.arrange([])
    warnings = append(presentation, markdown.parse(cli.text_of(args.source)))
    if not presentation.slides():
        raise cli.Refusal("the Markdown is empty")
    presentation.save(args.output, args.overwrite, warnings=warnings)


cli.run(main)

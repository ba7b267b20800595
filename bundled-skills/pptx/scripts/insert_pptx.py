#!/usr/bin/env python3
"""Put a picture or a chart on a slide; needs python-pptx, which the other scripts do without."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402

try:
    import pptx
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Cm
except ImportError:
    pptx = None

_KINDS = {"column": "COLUMN_CLUSTERED", "bar": "BAR_CLUSTERED", "line": "LINE_MARKERS", "pie": "PIE"}


def insert_picture(slide, path, box):
    """Add a picture, as large as the box allows without changing its shape."""
    cli.input_file(path)
    left, top, width, height = box
    try:
        picture = slide.shapes.add_picture(str(path), left, top)
    except (OSError, ValueError) as error:
        raise cli.Refusal(f"{path} is not a picture that PowerPoint shows (use PNG or JPEG)") from error
    scale = min(width / picture.width, height / picture.height)
    picture.width, picture.height = round(picture.width * scale), round(picture.height * scale)


def insert_chart(slide, path, kind, box):
    """Add a chart of `{"categories": [...], "series": {"name": [...]}}`."""
    value = cli.json_of(path)
    try:
        data = CategoryChartData()
        data.categories = value["categories"]
        for name, numbers in value["series"].items():
            if len(numbers) != len(value["categories"]):
                raise cli.Refusal(f"series {name!r} does not have a number for each category")
            data.add_series(name, numbers)
    except (KeyError, TypeError, AttributeError) as error:
        raise cli.Refusal('the data must be {"categories": [...], "series": {"name": [...]}}') from error
    chart = slide.shapes.add_chart(getattr(XL_CHART_TYPE, _KINDS[kind]), *box, data).chart
    chart.has_legend = len(value["series"]) > 1 or kind == "pie"


def main():
    """Read the options and write the presentation."""
    options = cli.parser(__doc__, "insert_pptx.py in.pptx 2 sales.json -o out.pptx --chart column")
    options.add_argument("input", type=Path)
    options.add_argument("slide", type=int, help="counted from 1")
    options.add_argument("content", help="picture file; with --chart a JSON file or -")
    cli.add_output(options, "presentation to write")
    options.add_argument("--chart", choices=sorted(_KINDS), help="kind of chart")
    options.add_argument(
        "--box", nargs=4, type=float, default=(2.5, 5, 28, 12), metavar=("LEFT", "TOP", "WIDTH", "HEIGHT"),
        help="place in centimeters (default: 2.5 5 28 12)",
    )
    args = options.parse_args()
    if pptx is None:
        raise cli.Refusal("python-pptx is not installed; install it with `pip install python-pptx`")

    try:
        presentation = pptx.Presentation(str(cli.input_file(args.input)))
    except (KeyError, ValueError, pptx.exc.PythonPptxError) as error:
        raise cli.Refusal(f"{args.input} is not a readable .pptx file") from error
    count = len(presentation.slides)
    if not 1 <= args.slide <= count:
        raise cli.Refusal(f"there is no slide {args.slide}; there are {count}")
    slide = presentation.slides[args.slide - 1]
    box = [Cm(side) for side in args.box]
    if args.chart:
        insert_chart(slide, args.content, args.chart, box)
    else:
        insert_picture(slide, args.content, box)
    with cli.writing(args.output, args.overwrite) as draft:
        presentation.save(str(draft))
    cli.print_json({"output": args.output, "slides": count})


cli.run(main)

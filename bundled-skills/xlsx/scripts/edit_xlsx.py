#!/usr/bin/env python3
"""Change a workbook: cells, formulas, rows, sheets, styles, widths, text."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from sheet_style import fit_columns, style  # noqa: E402
from workbook_file import (  # noqa: E402
    check_title,
    open_workbook,
    put,
    put_text,
    save,
    sheet_of,
    value_of,
)


def cells_at(sheet, area):
    """Return the cells of a range as a flat list, else refuse."""
    try:
        found = sheet[area]
    except (ValueError, KeyError) as error:
        raise cli.Refusal(f"not a range: {area!r}; write for example A1:C10, B or 2") from error
    if not isinstance(found, tuple):
        return [found]
    return [cell for row in found for cell in (row if isinstance(row, tuple) else (row,))]


def set_cell(sheet, place, text):
    """Set one cell; a text that starts with = is a formula, one that starts with ' stays text."""
    cells = cells_at(sheet, place)
    if len(cells) != 1:
        raise cli.Refusal(f"{place!r} is not one cell")
    if text.startswith("'"):
        put_text(cells[0], text[1:])
    else:
        put(cells[0], value_of(text))


def replace_text(workbook, old, new):
    """Replace in the texts of all sheets, formulas left alone; return how many cells changed."""
    changed = 0
    for sheet in workbook.worksheets:
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            if cell.data_type == "s" and old in cell.value:
                put_text(cell, cell.value.replace(old, new))
                changed += 1
    return changed


def change_sheets(workbook, args):
    """Add, copy, rename and delete sheets."""
    for title in args.add_sheet:
        if title in workbook.sheetnames:
            raise cli.Refusal(f"there is already a sheet {title!r}")
        workbook.create_sheet(check_title(title))
    for old, new in args.copy_sheet:
        workbook.copy_worksheet(sheet_of(workbook, old)).title = check_title(new)
    for old, new in args.rename_sheet:
        sheet_of(workbook, old).title = check_title(new)
    for title in args.delete_sheet:
        workbook.remove(sheet_of(workbook, title))
    if not workbook.sheetnames:
        raise cli.Refusal("no sheet would be left")


def main():
    """Read the options, apply them in the order of the help text, and write the result."""
    options = cli.parser(__doc__, "edit_xlsx.py in.xlsx -o out.xlsx --set B5 '=SUM(B2:B4)' --style B5 bold")
    options.add_argument("input", type=Path)
    cli.add_output(options, "workbook to write")

    def pairs(flag, *names, help=None):
        options.add_argument(flag, nargs=2, action="append", default=[], metavar=names, help=help)

    options.add_argument("--add-sheet", action="append", default=[], metavar="NAME")
    pairs("--copy-sheet", "NAME", "NEW")
    pairs("--rename-sheet", "NAME", "NEW", help="formulas that name the sheet are not changed")
    options.add_argument("--delete-sheet", action="append", default=[], metavar="NAME")
    options.add_argument("--sheet", help="sheet that the options below change (default: the first)")
    options.add_argument(
        "--delete-rows", nargs=2, type=int, action="append", default=[], metavar=("FIRST", "COUNT"),
        help="formulas elsewhere are not moved along",
    )
    pairs("--set", "CELL", "VALUE", help="=SUM(A1:A3) is a formula, '=x a text")
    options.add_argument("--append-rows", help="JSON file or - with a list of rows, added below")
    pairs("--replace", "OLD", "NEW", help="in the texts of all sheets")
    options.add_argument(
        "--style", nargs="+", action="append", default=[], metavar=("RANGE", "STYLE"),
        help="bold, italic, fill=FFF2CC, color=C00000, size=14, format=0.00%%, border, wrap, align=right",
    )
    pairs("--width", "COLUMN", "WIDTH", help="in characters")
    options.add_argument("--fit", action="store_true", help="fit all column widths to their text")
    options.add_argument("--freeze", metavar="CELL", help="rows above and columns left of it stay in view")
    args = options.parse_args()
    if any(len(words) < 2 for words in args.style):
        options.error("--style takes a range and at least one style")

    workbook = open_workbook(args.input)
    change_sheets(workbook, args)
    sheet = sheet_of(workbook, args.sheet)
    for first, count in args.delete_rows:
        sheet.delete_rows(first, count)
    for place, text in args.set:
        set_cell(sheet, place, text)
    rows = cli.json_of(args.append_rows) if args.append_rows else []
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise cli.Refusal("--append-rows takes a JSON list of rows, each a list of cells")
    for row in rows:
        sheet.append(row)
    replaced = {old: replace_text(workbook, old, new) for old, new in args.replace}
    if missing := [old for old, count in replaced.items() if not count]:
        raise cli.Refusal(f"not found, so nothing was written: {', '.join(map(repr, missing))}")
    for area, *words in args.style:
        style(cells_at(sheet, area), words)
    if args.fit:
        fit_columns(sheet)
    for column, width in args.width:
        if not column.isalpha() or not width.replace(".", "", 1).isdigit():
            options.error("--width takes a column letter and a number")
        sheet.column_dimensions[column.upper()].width = float(width)
    if args.freeze:
        sheet.freeze_panes = cells_at(sheet, args.freeze)[0]
    save(workbook, args.output, args.overwrite, replaced=replaced)


cli.run(main)

#!/usr/bin/env python3
"""Print sheets of a workbook as JSON, Markdown or CSV, with values or formulas."""

import csv
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from openpyxl.utils.exceptions import CellCoordinatesException  # noqa: E402
from workbook_file import open_workbook, plain, sheet_of  # noqa: E402


def facts(path):
    """Return the sheets with their sizes, and cells whose last result is an error."""
    formulas, results = open_workbook(path), open_workbook(path, values=True)
    sheets = []
    for sheet in formulas.worksheets:
        shown = results[sheet.title]
        cells = [cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
        values = {cell.coordinate: shown[cell.coordinate].value for cell in cells}
        sheets.append(
            {
                "name": sheet.title,
                "range": sheet.dimensions,
                "state": sheet.sheet_state,
                "formulas": len(cells),
                "not_calculated": sum(value is None for value in values.values()),
                "errors": {
                    cell.coordinate: cell.value
                    for row in shown.iter_rows()
                    for cell in row
                    if cell.data_type == "e"
                },
                "merged": [str(merged) for merged in sheet.merged_cells.ranges],
                "tables": {name: sheet.tables[name].ref for name in sheet.tables},
            }
        )
    return {"sheets": sheets, "names": _defined_names(formulas)}


def _defined_names(workbook):
    names = workbook.defined_names
    # openpyxl 3.1 made a dict of what was a list-like object.
    entries = names.values() if hasattr(names, "values") else names.definedName
    return {entry.name: entry.attr_text for entry in entries}


def rows_of(sheet, area):
    """Return the cells of a range, or of all that is used, as JSON values."""
    try:
        cells = sheet[area] if area else tuple(sheet.iter_rows())
    except (ValueError, CellCoordinatesException) as error:
        raise cli.Refusal(f"not a range: {area!r}; write for example A1:C10") from error
    if not isinstance(cells, tuple):
        cells = ((cells,),)
    elif cells and not isinstance(cells[0], tuple):
        cells = (cells,)
    return [[plain(cell.value) for cell in row] for row in cells]


def as_markdown(rows):
    """Return rows as a Markdown table, the first one as header."""
    lines = [
        "| " + " | ".join("" if cell is None else str(cell).replace("|", "\\|") for cell in row) + " |"
        for row in rows
    ]
    return "\n".join([*lines[:1], "|" + " --- |" * len(rows[0]), *lines[1:]]) if rows else ""


def main():
    """Read the options and print."""
    options = cli.parser(__doc__, "read_xlsx.py sales.xlsx --sheet Q1 --range A1:D20 --format markdown")
    options.add_argument("input", type=Path)
    options.add_argument("--info", action="store_true", help="sheets, sizes, formulas, errors, names")
    options.add_argument("--sheet", help="name (default: the first)")
    options.add_argument("--range", help="such as A1:D20 (default: all that is used)")
    options.add_argument("--formulas", action="store_true", help="formulas instead of their last results")
    options.add_argument("--format", choices=("json", "markdown", "csv"), default="json")
    args = options.parse_args()

    if args.info:
        cli.print_json(facts(args.input))
        return
    sheet = sheet_of(open_workbook(args.input, values=not args.formulas), args.sheet)
    rows = rows_of(sheet, args.range)
    if args.format == "json":
        cli.print_json({"sheet": sheet.title, "range": args.range or sheet.dimensions, "rows": rows})
    elif args.format == "markdown":
        print(as_markdown(rows))
    else:
        csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


cli.run(main)

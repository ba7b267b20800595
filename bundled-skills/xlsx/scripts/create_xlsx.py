#!/usr/bin/env python3
"""Make a workbook from CSV files (one sheet each) or from JSON with formulas."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

import openpyxl  # noqa: E402
from _shared import cli  # noqa: E402
from csv_rows import rows_of_csv  # noqa: E402
from sheet_style import dress  # noqa: E402
from workbook_file import check_title, put, put_data, save, value_of  # noqa: E402


def sheets_of_json(path):
    """Yield (title, rows) of `{"Sheet": [[...], ...]}`; texts that start with = are formulas."""
    sheets = cli.json_of(path)
    if not isinstance(sheets, dict) or not sheets:
        raise cli.Refusal("the JSON must be an object: sheet name -> list of rows")
    for title, rows in sheets.items():
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise cli.Refusal(f"sheet {title!r} must be a list of rows, each a list of cells")
        yield title, rows


def main():
    """Read the options and write the workbook."""
    options = cli.parser(__doc__, "create_xlsx.py sales.csv costs.csv -o year.xlsx")
    options.add_argument("inputs", nargs="+", help=".csv or .tsv files, or one .json file or - for JSON")
    cli.add_output(options, "workbook to write")
    options.add_argument("--text", action="store_true", help="keep every CSV cell a text")
    options.add_argument("--plain", action="store_true", help="no header style, filter and widths")
    args = options.parse_args()

    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name in args.inputs:
        if name == "-" or name.lower().endswith(".json"):
            for title, rows in sheets_of_json(name):
                sheet = workbook.create_sheet(check_title(title))
                for at, row in enumerate(rows, start=1):
                    for column, value in enumerate(row, start=1):
                        meant = value_of(value) if isinstance(value, str) and "-" in value else value
                        put(sheet.cell(at, column), meant)
            continue
        sheet = workbook.create_sheet(check_title(Path(name).stem[:31]))
        for at, row in enumerate(rows_of_csv(name), start=1):
            for column, text in enumerate(row, start=1):
                put_data(sheet.cell(at, column), text if args.text else value_of(text))
    for sheet in workbook.worksheets:
        if not args.plain:
            dress(sheet)
    save(workbook, args.output, args.overwrite)


cli.run(main)

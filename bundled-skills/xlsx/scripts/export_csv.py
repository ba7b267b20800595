#!/usr/bin/env python3
"""Write the sheets of a workbook as CSV files, one for each."""

import csv
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from workbook_file import open_workbook, plain, sheet_of  # noqa: E402


def main():
    """Read the options and write the files."""
    options = cli.parser(__doc__, "export_csv.py sales.xlsx -d csv --sheet Q1")
    options.add_argument("input", type=Path)
    options.add_argument("-d", "--folder", type=Path, required=True, help="made if missing")
    options.add_argument("--sheet", help="only this one (default: all)")
    options.add_argument("--delimiter", choices=(",", ";", "tab"), default=",")
    options.add_argument("--formulas", action="store_true", help="formulas instead of their last results")
    options.add_argument("--overwrite", action="store_true", help="replace files that exist")
    args = options.parse_args()

    workbook = open_workbook(args.input, values=not args.formulas)
    sheets = [sheet_of(workbook, args.sheet)] if args.sheet else workbook.worksheets
    args.folder.mkdir(parents=True, exist_ok=True)
    made = []
    for sheet in sheets:
        output = args.folder / (re.sub(r"[^\w.-]+", "_", sheet.title) + ".csv")
        with cli.writing(output, args.overwrite) as draft:
            with draft.open("w", encoding="utf-8", newline="") as file:
                delimiter = "\t" if args.delimiter == "tab" else args.delimiter
                writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
                writer.writerows([plain(cell) for cell in row] for row in sheet.iter_rows(values_only=True))
        made.append({"sheet": sheet.title, "output": output, "rows": sheet.max_row})
    cli.print_json({"files": made})


cli.run(main)

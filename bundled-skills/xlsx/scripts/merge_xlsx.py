#!/usr/bin/env python3
"""Join workbooks: their sheets side by side, or the rows of their first sheets below each other."""

import sys
from copy import copy
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

import openpyxl  # noqa: E402
from _shared import cli  # noqa: E402
from openpyxl.cell.cell import MergedCell  # noqa: E402
from sheet_style import dress  # noqa: E402
from workbook_file import open_workbook, put, put_data, save, sheet_of  # noqa: E402


def free_title(workbook, title):
    """Return the title, with a number if it is taken (Excel ignores case)."""
    taken = {name.lower() for name in workbook.sheetnames}
    new, number = title, 2
    while new.lower() in taken:
        new = f"{title[: 31 - len(f' ({number})')]} ({number})"
        number += 1
    return new


def copy_sheet(source, target):
    """Copy cells with their styles, sizes, merged ranges and the frozen header."""
    for row in source.iter_rows():
        for cell in row:
            if isinstance(cell, MergedCell):
                continue
            new = target.cell(cell.row, cell.column)
            if cell.data_type == "f":
                put(new, cell.value)
            else:
                put_data(new, cell.value)
            if cell.has_style:
                new.font, new.fill, new.border = copy(cell.font), copy(cell.fill), copy(cell.border)
                new.alignment, new.number_format = copy(cell.alignment), cell.number_format
            if cell.hyperlink:
                new.hyperlink = copy(cell.hyperlink)
    for letter, dimension in source.column_dimensions.items():
        target.column_dimensions[letter] = copy(dimension)
        target.column_dimensions[letter].worksheet = target
    for number, dimension in source.row_dimensions.items():
        target.row_dimensions[number].height = dimension.height
    for merged in source.merged_cells.ranges:
        target.merge_cells(str(merged))
    target.freeze_panes = source.freeze_panes
    target.auto_filter.ref = source.auto_filter.ref


def side_by_side(paths):
    """Return a workbook with all sheets of all files, and which sheets got another name."""
    result = openpyxl.Workbook()
    result.remove(result.active)
    renamed = []
    for path in paths:
        for sheet in open_workbook(path).worksheets:
            title = free_title(result, sheet.title)
            if title != sheet.title:
                renamed.append({"file": path, "sheet": sheet.title, "now": title})
            copy_sheet(sheet, result.create_sheet(title))
    return result, renamed


def stacked(paths, sheet_name, with_source):
    """Return a workbook with the rows of one sheet of each file under one header."""
    result = openpyxl.Workbook()
    sheet, header, last = result.active, None, 1
    for path in paths:
        rows = sheet_of(open_workbook(path, values=True), sheet_name).iter_rows(values_only=True)
        first = list(next(rows, ()))
        if header is None:
            header = first
            sheet.append([*header, *(["source"] if with_source else [])])
        elif set(first) != set(header) or len(first) != len(header):
            raise cli.Refusal(f"{path} has the columns {first}, not {header}")
        for row in rows:
            if any(value is not None for value in row):
                ordered = [row[first.index(name)] for name in header]
                last += 1
                for column, value in enumerate([*ordered, *([path.name] if with_source else [])], start=1):
                    put_data(sheet.cell(last, column), value)
    dress(sheet)
    return result


def main():
    """Read the options and write the joined workbook."""
    options = cli.parser(__doc__, "merge_xlsx.py jan.xlsx feb.xlsx -o all.xlsx --stack --source")
    options.add_argument("inputs", nargs="+", type=Path)
    cli.add_output(options, "workbook to write")
    options.add_argument(
        "--stack", action="store_true", help="rows below each other, columns matched by header"
    )
    options.add_argument("--sheet", help="with --stack: sheet of each file (default: the first)")
    options.add_argument("--source", action="store_true", help="with --stack: a last column with the file")
    args = options.parse_args()
    if (args.sheet or args.source) and not args.stack:
        options.error("--sheet and --source go with --stack")

    if args.stack:
        workbook = stacked(args.inputs, args.sheet, args.source)
        save(workbook, args.output, args.overwrite, rows=workbook.active.max_row - 1)
    else:
        workbook, renamed = side_by_side(args.inputs)
        save(workbook, args.output, args.overwrite, renamed=renamed)


cli.run(main)

"""Opens and saves workbooks for the other scripts, and turns text into cell values."""

import re
import zipfile
from datetime import date, datetime

import openpyxl
from _shared import cli
from openpyxl.utils.exceptions import InvalidFileException

_WHOLE = re.compile(r"[+-]?(0|[1-9]\d{0,14})")
_DECIMAL = re.compile(r"[+-]?(0|[1-9]\d*)\.\d+([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?")


def open_workbook(path, values=False):
    """Return the workbook of a readable .xlsx file, else refuse.

    `values` gives the results that were last calculated instead of formulas.
    """
    cli.input_file(path)
    try:
        return openpyxl.load_workbook(
            path, data_only=values, keep_vba=str(path).lower().endswith(".xlsm")
        )
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise cli.Refusal(
            f"{path} is not a readable .xlsx file; convert an old .xls with "
            "`soffice --headless --convert-to xlsx FILE`"
        ) from error


def save(workbook, output, overwrite, **facts):
    """Write a workbook to `output` and print what was made."""
    with cli.writing(output, overwrite) as draft:
        workbook.save(draft)
    cli.print_json({"output": output, "sheets": workbook.sheetnames, **facts})


def sheet_of(workbook, name):
    """Return the sheet with a name, the first one for None, else refuse."""
    if name is None:
        return workbook.worksheets[0]
    if name not in workbook.sheetnames:
        raise cli.Refusal(f"no sheet {name!r}; there are {workbook.sheetnames}")
    return workbook[name]


def check_title(title):
    """Refuse a sheet name that Excel does not take."""
    if not 1 <= len(title) <= 31 or re.search(r"[\\/*?:\[\]]", title):
        raise cli.Refusal(
            f"{title!r} cannot name a sheet: 1 to 31 characters, none of \\ / * ? : [ ]"
        )
    return title


def value_of(text):
    """Return what a text means in a cell: a number, date, truth value, formula or the text.

    Numbers with leading zeros or more digits than Excel keeps stay text, so
    that postal codes and account numbers survive.
    """
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    if text in ("TRUE", "true", "FALSE", "false"):
        return text.lower() == "true"
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        return text  # looks like a date, and no calendar has it
    return None if text == "" else text


def put(cell, value):
    """Set a cell; a text that starts with `=` becomes a formula."""
    try:
        cell.value = value
    except (ValueError, TypeError) as error:
        raise cli.Refusal(f"{cell.coordinate} cannot hold {value!r}: {error}") from error


def put_text(cell, text):
    """Set a cell to a text as it stands, even if it starts with `=`."""
    put(cell, text)
    if cell.data_type == "f":
        cell.data_type = "s"
        cell.quotePrefix = True  # or Excel makes it a formula at the next edit


def put_data(cell, value):
    """Set a cell to a value of foreign data: a stranger's text must not become a formula."""
    if isinstance(value, str):
        put_text(cell, value)
    else:
        put(cell, value)


def plain(value):
    """Return a cell value as JSON knows it."""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    return value if isinstance(value, (int, float, bool, str, type(None))) else str(value)

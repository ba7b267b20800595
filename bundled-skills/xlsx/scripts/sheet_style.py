"""How cells look: headers, column widths and the styles that the options name."""

import re

from _shared import cli
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter

_THIN = Side(style="thin", color="BFBFBF")


def dress(sheet):
    """Give a sheet a bold, frozen, filterable header row and columns wide enough to read."""
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="DDE6F0")
    sheet.freeze_panes = "A2"
    if sheet.max_row > 1:
        sheet.auto_filter.ref = sheet.dimensions
    fit_columns(sheet)


def fit_columns(sheet):
    """Set each column's width to its longest text, within reason."""
    for index, column in enumerate(sheet.iter_cols(), start=1):
        texts = [str(cell.value) for cell in column if cell.value is not None and cell.data_type != "f"]
        longest = max((len(line) for text in texts for line in text.split("\n")), default=8)
        sheet.column_dimensions[get_column_letter(index)].width = min(max(longest + 2, 8), 60)


def style(cells, words):
    """Apply style words such as `bold`, `fill=FFF2CC`, `color=C00000`, `format=0.00%`, `wrap`."""
    for word in words:
        name, _, value = word.partition("=")
        for cell in cells:
            _apply(cell, name, value)


def _apply(cell, name, value):
    font = {
        "bold": cell.font.b,
        "italic": cell.font.i,
        "size": cell.font.sz,
        "color": cell.font.color,
        "name": cell.font.name,
    }
    if name in ("bold", "italic"):
        cell.font = Font(**{**font, name: value != "off"})
    elif name == "size" and value.isdigit():
        cell.font = Font(**{**font, "size": int(value)})
    elif name == "color":
        cell.font = Font(**{**font, "color": _color(value)})
    elif name == "fill":
        cell.fill = PatternFill("solid", fgColor=_color(value))
    elif name == "format" and value:
        cell.number_format = value
    elif name == "border":
        cell.border = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)
    elif name == "wrap":
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    elif name == "align" and value in ("left", "center", "right"):
        cell.alignment = Alignment(horizontal=value)
    else:
        shown = f"{name}={value}" if value else name
        raise cli.Refusal(
            f"unknown style {shown!r}; there are bold, italic, size=N, color=RRGGBB, fill=RRGGBB, "
            "format=CODE, border, wrap, align=left|center|right"
        )


def _color(text):
    if re.fullmatch(r"[0-9A-Fa-f]{6}", text) is None:
        raise cli.Refusal(f"not a color: {text!r}; write six hexadecimal digits such as C00000")
    return "FF" + text.upper()

"""Turns Markdown blocks into lines and tables on pages."""

import re
from dataclasses import replace

from _shared.markdown import plain

from .pages import LEADING, Piece

_SIZES = {1: 20, 2: 16, 3: 13.5, 4: 12, 5: 11, 6: 11}
_BODY = 11
_CODE = 9
_CELL = 9.5
_PADDING = 4
_INDENT = 18

# A line may end before and after each of these: ideographs, kana, hangul, full-width forms.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_BREAKABLE = re.compile(rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+")


def flow(pages, blocks):
    """Lay all blocks out, from the current place on."""
    for index, block in enumerate(blocks):
        for text in _texts(block):
            pages.check(text)
        if block.kind == "break":
            pages.open_page()
        elif block.kind == "table":
            _table(pages, block.rows)
        elif block.kind == "code":
            _code(pages, block.text)
        elif block.kind == "heading":
            _heading(pages, block)
        elif block.kind == "item":
            _item(pages, block)
            followed = index + 1 < len(blocks) and blocks[index + 1].kind == "item"
            pages.y -= 0 if followed else 6
        else:
            indent = _INDENT if block.kind == "quote" else 0
            _lines(pages, _pieces(block.spans, _BODY), indent)
            pages.y -= 6


def _texts(block):
    if block.kind == "table":
        return [plain(cell) for row in block.rows for cell in row]
    return [block.text if block.kind == "code" else plain(block.spans)]


def _pieces(spans, size, bold=False):
    pieces = []
    for span in spans:
        font = ("bold" if bold or span.bold else "") + ("italic" if span.italic else "")
        font = "code" if span.code else font or "regular"
        pieces.append(Piece(span.text, font, size, span.link))
    return pieces


def wrap(pages, pieces, width):
    """Return lines of pieces, none wider than `width`."""
    lines, line, used = [], [], 0.0
    for word in _words(pages, pieces, width):
        advance = pages.measure(word)
        if line and used + advance > width and not word.text.isspace():
            lines.append(line)
            line, used = [], 0.0
        if line or not word.text.isspace():
            line.append(word)
            used += advance
    lines = [*lines, line] if line else lines or [[]]
    return [_joined(line) for line in lines]


def _joined(line):
    """Make one piece of neighbors in one style: fewer operators, and text that copies as one line."""
    pieces = []
    for word in line:
        if pieces and replace(pieces[-1], text="") == replace(word, text=""):
            pieces[-1] = replace(word, text=pieces[-1].text + word.text)
        else:
            pieces.append(word)
    return pieces


def _words(pages, pieces, width):
    """Cut pieces where a line may end: at blanks, around ideographs, in words too long for a line."""
    for piece in pieces:
        for text in _BREAKABLE.findall(piece.text):
            word = replace(piece, text=" " if text.isspace() else text)
            while pages.measure(word) > width and len(word.text) > 1:
                head = len(word.text)
                while head > 1 and pages.measure(replace(word, text=word.text[:head])) > width:
                    head -= 1
                yield replace(word, text=word.text[:head])
                word = replace(word, text=word.text[head:])
            yield word


def _lines(pages, pieces, indent=0.0):
    size = pieces[0].size if pieces else _BODY
    for line in wrap(pages, pieces, pages.column - indent):
        pages.need(size * LEADING)
        pages.write(line, pages.margin + indent, pages.y - size)
        pages.y -= size * LEADING


def _heading(pages, block):
    size = _SIZES[block.level]
    # A heading never stands alone at the foot of a page.
    pages.need(size * LEADING + 3 * _BODY * LEADING)
    if not pages.is_fresh():
        pages.y -= size * 0.5
    pages.mark(plain(block.spans), block.level)
    _lines(pages, _pieces(block.spans, size, bold=True))
    pages.y -= 4


def _item(pages, block):
    indent = _INDENT * block.level
    bullet = "-" if pages.fonts["regular"].lacks("\u2022") else "\u2022"
    marker = Piece((bullet if block.marker == "-" else block.marker) + " ", size=_BODY)
    pages.need(_BODY * LEADING)
    pages.write([marker], pages.margin + indent - pages.measure(marker) - 2, pages.y - _BODY)
    _lines(pages, _pieces(block.spans, _BODY), indent)


def _code(pages, text):
    for row in text.expandtabs(4).split("\n"):
        # Blanks are kept: code is cut by letters, not by words.
        piece = Piece(row, "code", _CODE)
        width = pages.column - 2 * _PADDING
        while True:
            fits = len(piece.text)
            while fits > 1 and pages.measure(replace(piece, text=piece.text[:fits])) > width:
                fits -= 1
            pages.need(_CODE * LEADING)
            pages.fill(pages.margin, pages.y - _CODE * LEADING, pages.column, _CODE * LEADING)
            pages.write([replace(piece, text=piece.text[:fits])], pages.margin + _PADDING, pages.y - _CODE)
            pages.y -= _CODE * LEADING
            piece = replace(piece, text=piece.text[fits:])
            if not piece.text:
                break
    pages.y -= 8


def _table(pages, rows):
    widths = _column_widths(pages, rows)
    cells = [
        [
            wrap(pages, _pieces(cell, _CELL, bold=index == 0), width - 2 * _PADDING)
            for cell, width in zip(row, widths)
        ]
        for index, row in enumerate(rows)
    ]
    _row(pages, cells[0], widths, shaded=True, repeat=None)
    for row in cells[1:]:
        _row(pages, row, widths, shaded=False, repeat=cells[0])
    pages.y -= 10


def _row(pages, cells, widths, shaded, repeat):
    """Draw one row, cut where the page ends; `repeat` is the header shown again on a new page."""
    step = _CELL * LEADING
    done, count = 0, max(len(lines) for lines in cells)
    while done < count:
        if pages.room() < step + 2 * _PADDING and not pages.is_fresh():
            pages.open_page()
            if repeat is not None and len(repeat) * step < pages.room() / 2:
                _row(pages, repeat, widths, shaded=True, repeat=None)
        fits = min(count - done, max(1, int((pages.room() - 2 * _PADDING) / step)))
        top, bottom = pages.y, pages.y - fits * step - 2 * _PADDING
        if shaded:
            pages.fill(pages.margin, bottom, sum(widths), top - bottom)
        x = pages.margin
        for lines, width in zip(cells, widths):
            for index, line in enumerate(lines[done:done + fits]):
                # The blank parts the cells where the text is read back or copied.
                end = Piece(" ", size=_CELL)
                pages.write([*line, end], x + _PADDING, top - _PADDING - index * step - _CELL)
            pages.line(x, top, x, bottom)
            x += width
        pages.line(x, top, x, bottom)
        pages.line(pages.margin, top, x, top)
        pages.line(pages.margin, bottom, x, bottom)
        pages.y = bottom
        done += fits


def _column_widths(pages, rows):
    """Give each column what its longest cell wants, narrowed evenly to the page."""
    wanted = [
        max(sum(pages.measure(piece) for piece in _pieces(row[at], _CELL, bold=True)) for row in rows)
        + 2 * _PADDING + 1
        for at in range(len(rows[0]))
    ]
    total = sum(wanted)
    if total <= pages.column:
        return wanted
    # Short columns keep their width; the long ones share the rest.
    share = pages.column / len(wanted)
    narrow = sum(width for width in wanted if width <= share)
    wide = sum(width for width in wanted if width > share)
    return [width if width <= share else width / wide * (pages.column - narrow) for width in wanted]

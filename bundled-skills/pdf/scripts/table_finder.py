"""Finds tables on a PDF page from where its text stands; lines drawn on the page are not looked at."""

from dataclasses import dataclass

from pdf_layout.standard_font import StandardFont

_HELVETICA = StandardFont("Helvetica")


@dataclass
class Phrase:
    """Text without a wide gap in it, and the horizontal space that it takes."""

    left: float
    right: float
    text: str


def tables_of(page, gap=0.9):
    """Return the tables of a page as lists of rows of strings.

    Two texts on one line belong to different cells when the space between
    them is wider than `gap` times the font size. Rows that follow each other
    with at least two cells make a table.
    """
    tables, rows, last_y = [], [], None
    for y, size, phrases in _lines(page, gap):
        apart = last_y is not None and last_y - y > 4 * size
        if (len(phrases) < 2 and not _continues(rows, phrases)) or apart:
            _keep(tables, rows)
            rows = []
        if len(phrases) > 1 or rows:
            rows.append(phrases)
        last_y = y
    _keep(tables, rows)
    return tables


def _lines(page, gap):
    """Yield (y, font size, phrases) from the top of the page down."""
    fragments = []

    def visit(text, matrix, text_matrix, font, size):
        if text.strip():
            x, y, scale = _placed(matrix, text_matrix)
            size = abs(size * scale) or 1
            for index, line in enumerate(text.strip("\n").split("\n")):
                if line.strip():
                    lead = len(line) - len(line.lstrip())
                    left = x + _width(line[:lead], font, size)
                    width = _width(line.strip(), font, size)
                    fragments.append((y - index * size, left, left + width, size, line.strip()))

    page.extract_text(visitor_text=visit)
    fragments.sort(key=lambda one: (-round(one[0]), one[1]))
    line = []
    for fragment in fragments:
        if line and line[0][0] - fragment[0] > fragment[3] * 0.5:
            yield _line(line, gap)
            line = []
        line.append(fragment)
    if line:
        yield _line(line, gap)


def _line(fragments, gap):
    phrases = []
    for _, left, right, size, text in sorted(fragments, key=lambda one: one[1]):
        if phrases and left - phrases[-1].right <= gap * size:
            joined = phrases[-1]
            blank = " " if left - joined.right > 0.1 * size else ""
            phrases[-1] = Phrase(joined.left, max(right, joined.right), joined.text + blank + text)
        else:
            phrases.append(Phrase(left, right, text))
    return fragments[0][0], fragments[0][3], phrases


def _placed(matrix, text_matrix):
    """Return place and scale of text on the page."""
    a, b, c, d, e, f = matrix
    x, y = text_matrix[4], text_matrix[5]
    return a * x + c * y + e, b * x + d * y + f, text_matrix[3] * d or 1


def _width(text, font, size):
    """Return the width of text: from the font's own widths where they are simple, else estimated."""
    widths, first = (font or {}).get("/Widths"), int((font or {}).get("/FirstChar", 0))
    total = 0.0
    for char in text:
        code = ord(char) - first
        if widths is not None and 0 <= code < len(widths):
            total += float(widths[code])
        elif ord(char) >= 0x2E80:
            total += 1000
        else:
            total += _HELVETICA.width(char, 1000) or 550
    return total * size / 1000


def _continues(rows, phrases):
    """Tell whether a lone phrase is the next line of a cell: it starts below one."""
    return bool(rows) and any(
        abs(phrases[0].left - above.left) < 2 and index > 0 for index, above in enumerate(rows[-1])
    )


def _keep(tables, rows):
    """Add the rows as a table if there are at least two."""
    if len(rows) < 2:
        return
    columns = _columns(rows)
    if len(columns) < 2:
        return
    table = []
    for phrases in rows:
        cells = [""] * len(columns)
        for phrase in phrases:
            at = max(range(len(columns)), key=lambda index: _shared_space(phrase, columns[index]))
            cells[at] = f"{cells[at]} {phrase.text}".strip()
        if table and not cells[0] and sum(cell != "" for cell in cells) == 1:
            # A line without a first cell carries on the row above.
            table[-1] = [f"{above} {cell}".strip() for above, cell in zip(table[-1], cells)]
        else:
            table.append(cells)
    tables.append(table)


def _columns(rows):
    """Join what overlaps from row to row into columns, left to right."""
    columns = []
    for phrase in sorted((one for row in rows for one in row), key=lambda one: one.left):
        if columns and phrase.left <= columns[-1][1]:
            columns[-1][1] = max(columns[-1][1], phrase.right)
        else:
            columns.append([phrase.left, phrase.right])
    return columns


def _shared_space(phrase, column):
    return min(phrase.right, column[1]) - max(phrase.left, column[0])

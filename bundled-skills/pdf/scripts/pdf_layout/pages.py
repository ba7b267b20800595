"""Puts lines of styled text on pages, from the top down, and opens new pages as needed."""

from dataclasses import dataclass

from _shared.cli import Refusal
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    TextStringObject,
)

from .standard_font import StandardFont

PAPER = {"a4": (595.28, 841.89), "letter": (612.0, 792.0), "a5": (419.53, 595.28)}
LEADING = 1.35  # line height by font size


@dataclass(frozen=True)
class Piece:
    """Text in one font on one line."""

    text: str
    font: str = "regular"
    size: float = 11
    link: str = ""


class Pages:
    """The pages of a new document and the place where the next line goes."""

    def __init__(self, paper, margin, own_font=None):
        self.width, self.height = PAPER[paper]
        self.margin = margin
        self.fonts = {
            "regular": own_font or StandardFont("Helvetica"),
            "bold": own_font or StandardFont("Helvetica-Bold"),
            "italic": own_font or StandardFont("Helvetica-Oblique"),
            "bolditalic": own_font or StandardFont("Helvetica-BoldOblique"),
            "code": own_font or StandardFont("Courier"),
        }
        self._drawn = []  # one list of operators a page
        self._links = []  # (page, box, address)
        self._outline = []  # (text, page, level)
        self.y = 0.0
        self.open_page()

    @property
    def column(self):
        """Width between the margins."""
        return self.width - 2 * self.margin

    def open_page(self):
        """Start a new page."""
        self._drawn.append([])
        self.y = self.height - self.margin

    def is_fresh(self):
        """Tell whether nothing stands on the current page yet."""
        return not self._drawn[-1]

    def room(self):
        """Return the height that is left on the current page."""
        return self.y - self.margin

    def need(self, height):
        """Open a new page unless `height` still fits on this one."""
        if height > self.room() and not self.is_fresh():
            self.open_page()

    def measure(self, piece):
        """Return the width of a piece in points."""
        return self.fonts[piece.font].width(piece.text, piece.size)

    def write(self, pieces, x, y):
        """Draw pieces side by side with their baseline at (x, y) of the current page."""
        for piece in pieces:
            font = self.fonts[piece.font]
            width = self.measure(piece)
            color = "0 0.2 0.7 rg" if piece.link else "0 g"
            self._drawn[-1].append(
                f"BT {color} /{piece.font} {piece.size:g} Tf "
                f"1 0 0 1 {x:.2f} {y:.2f} Tm <{font.encode(piece.text).hex()}> Tj ET"
            )
            if piece.link:
                box = (x, y - 0.25 * piece.size, x + width, y + 0.8 * piece.size)
                self._links.append((len(self._drawn) - 1, box, piece.link))
            x += width

    def line(self, x1, y1, x2, y2):
        """Draw a thin gray line."""
        self._drawn[-1].append(f"0.6 G 0.5 w {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S")

    def fill(self, x, y, width, height):
        """Fill a rectangle with light gray."""
        self._drawn[-1].append(f"0.95 g {x:.2f} {y:.2f} {width:.2f} {height:.2f} re f")

    def mark(self, text, level):
        """Add an entry to the document's outline that leads to the current page."""
        self._outline.append((text, len(self._drawn) - 1, level))

    def check(self, text):
        """Refuse text that the fonts cannot show, naming the characters."""
        lacking = set().union(*(font.lacks(text) for font in self.fonts.values()))
        lacking -= set("\n\t")
        if lacking:
            shown = ", ".join(f"{char} (U+{ord(char):04X})" for char in sorted(lacking)[:10])
            raise Refusal(f"the font has no glyph for {shown}; name a font that has, with --font FILE.ttf")

    def number(self):
        """Write `page / pages` at the foot of each page."""
        count = len(self._drawn)
        for index in range(count):
            piece = Piece(f"{index + 1} / {count}", size=9)
            x = (self.width - self.measure(piece)) / 2
            code = self.fonts["regular"].encode(piece.text).hex()
            self._drawn[index].append(
                f"BT 0.4 g /regular 9 Tf 1 0 0 1 {x:.2f} {self.margin / 2:.2f} Tm <{code}> Tj ET"
            )

    def finish(self):
        """Return a PdfWriter that holds the pages."""
        writer = PdfWriter()
        references = {}
        fonts = DictionaryObject()
        for name, font in self.fonts.items():
            if id(font) not in references:
                references[id(font)] = font.add_to(writer)
            fonts[NameObject(f"/{name}")] = references[id(font)]
        resources = writer._add_object(DictionaryObject({NameObject("/Font"): fonts}))
        for operators in self._drawn:
            page = writer.add_blank_page(self.width, self.height)
            stream = DecodedStreamObject()
            stream.set_data("\n".join(operators).encode("ascii"))
            page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
            page[NameObject("/Resources")] = resources
        for page, box, address in self._links:
            self._add_link(writer, page, box, address)
        self._add_outline(writer)
        return writer

    @staticmethod
    def _add_link(writer, page, box, address):
        annotation = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Annot"),
                NameObject("/Subtype"): NameObject("/Link"),
                NameObject("/Rect"): ArrayObject([FloatObject(f"{side:.2f}") for side in box]),
                NameObject("/Border"): ArrayObject([FloatObject(0)] * 3),
                NameObject("/A"): DictionaryObject(
                    {
                        NameObject("/S"): NameObject("/URI"),
                        NameObject("/URI"): TextStringObject(address),
                    }
                ),
            }
        )
        annotations = writer.pages[page].setdefault(NameObject("/Annots"), ArrayObject())
        annotations.append(writer._add_object(annotation))

    def _add_outline(self, writer):
        parents = []  # (level, item), outermost first
        for text, page, level in self._outline:
            while parents and parents[-1][0] >= level:
                parents.pop()
            item = writer.add_outline_item(text, page, parent=parents[-1][1] if parents else None)
            parents.append((level, item))

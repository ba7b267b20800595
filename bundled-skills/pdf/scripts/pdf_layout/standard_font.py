"""The fonts that every PDF reader has: no file is embedded, Western European text only."""

from pypdf.generic import DictionaryObject, NameObject

_ENCODING = "cp1252"  # what PDF calls WinAnsiEncoding

# Widths of the codes 32 to 255 in thousandths of the font size.
_REGULAR = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 "
    "556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 "
    "667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 "
    "556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 "
    "722 500 500 500 334 260 334 584 0 556 0 222 556 333 1000 556 556 333 1000 667 333 1000 "
    "0 611 0 0 222 222 333 333 350 556 1000 333 1000 500 333 944 0 500 667 278 333 556 556 "
    "556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 "
    "365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 "
    "278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 "
    "556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 "
    "556 556 500 556 500"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 "
    "556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 "
    "611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 "
    "611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 "
    "556 556 500 389 280 389 584 0 556 0 278 556 500 1000 556 556 333 1000 667 333 1000 0 "
    "611 0 0 278 278 500 500 350 556 1000 333 1000 556 333 944 0 500 667 278 333 556 556 556 "
    "556 280 556 333 737 370 556 584 333 737 333 400 584 333 333 333 611 556 278 333 333 365 "
    "556 834 834 834 611 722 722 722 722 722 722 1000 722 667 667 667 667 278 278 278 278 "
    "722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 "
    "889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611 611 611 "
    "611 556 611 556"
)
_WIDTHS = {
    "Helvetica": [int(width) for width in _REGULAR.split()],
    "Helvetica-Bold": [int(width) for width in _BOLD.split()],
    "Courier": [600] * 224,
}
_WIDTHS["Helvetica-Oblique"] = _WIDTHS["Helvetica"]
_WIDTHS["Helvetica-BoldOblique"] = _WIDTHS["Helvetica-Bold"]


class StandardFont:
    """One of the standard fonts, such as `Helvetica-Bold`."""

    def __init__(self, base_font):
        self.base_font = base_font
        self._widths = _WIDTHS[base_font]

    def lacks(self, text):
        """Return the characters of `text` that this font cannot show."""
        return {char for char in text if not self._code(char)}

    def width(self, text, size):
        """Return the width of `text` in points."""
        return sum(self._widths[code - 32] for code in self.encode(text)) * size / 1000

    def encode(self, text):
        """Return the bytes that stand for `text` in a content stream."""
        return b"".join(self._code(char) for char in text)

    def add_to(self, writer):
        """Add the font to a PdfWriter and return a reference to it."""
        return writer._add_object(
            DictionaryObject(
                {
                    NameObject("/Type"): NameObject("/Font"),
                    NameObject("/Subtype"): NameObject("/Type1"),
                    NameObject("/BaseFont"): NameObject(f"/{self.base_font}"),
                    NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
                }
            )
        )

    @staticmethod
    def _code(char):
        code = char.encode(_ENCODING, "ignore")
        return code if code >= b" " else b""

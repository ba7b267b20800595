"""A TrueType font file embedded in the PDF: any script of the world that the font covers."""

import struct
from pathlib import Path

from _shared.cli import Refusal
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)


class TrueTypeFont:
    """A `.ttf` file with a Unicode character map."""

    def __init__(self, path):
        path = Path(path)
        if not path.is_file():
            raise Refusal(f"no such font: {path}")
        self._data = path.read_bytes()
        self.base_font = "".join(char for char in path.stem if char.isalnum()) or "Embedded"
        try:
            self._tables = self._directory()
            self._scale = 1000 / self._number(">H", "head", 18)
            self._advances = self._read_advances()
            self._glyphs = self._read_character_map()
        except (struct.error, KeyError, IndexError, ZeroDivisionError) as error:
            raise Refusal(f"{path} is not a TrueType font that can be embedded") from error
        self._used = {}

    def lacks(self, text):
        """Return the characters of `text` that this font cannot show."""
        return {char for char in text if not self._glyphs.get(ord(char))}

    def width(self, text, size):
        """Return the width of `text` in points."""
        return sum(self._advance(self._glyphs.get(ord(char), 0)) for char in text) * size / 1000

    def encode(self, text):
        """Return the bytes that stand for `text` in a content stream."""
        codes = b""
        for char in text:
            glyph = self._glyphs.get(ord(char), 0)
            self._used[glyph] = char
            codes += struct.pack(">H", glyph)
        return codes

    def add_to(self, writer):
        """Add the font to a PdfWriter, after all text was encoded; return a reference."""
        name = NameObject(f"/{self.base_font}")
        file = _stream(self._data)
        file[NameObject("/Length1")] = NumberObject(len(self._data))
        box = [self._units(self._number(">h", "head", offset)) for offset in (36, 38, 40, 42)]
        descriptor = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/FontDescriptor"),
                NameObject("/FontName"): name,
                NameObject("/Flags"): NumberObject(4),
                NameObject("/FontBBox"): ArrayObject(box),
                NameObject("/ItalicAngle"): NumberObject(0),
                NameObject("/Ascent"): self._units(self._number(">h", "hhea", 4)),
                NameObject("/Descent"): self._units(self._number(">h", "hhea", 6)),
                NameObject("/CapHeight"): NumberObject(700),
                NameObject("/StemV"): NumberObject(80),
                NameObject("/FontFile2"): writer._add_object(file),
            }
        )
        widths = ArrayObject()
        for glyph in sorted(self._used):
            advance = NumberObject(round(self._advance(glyph)))
            widths.extend([NumberObject(glyph), ArrayObject([advance])])
        descendant = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/CIDFontType2"),
                NameObject("/BaseFont"): name,
                NameObject("/CIDSystemInfo"): DictionaryObject(
                    {
                        NameObject("/Registry"): TextStringObject("Adobe"),
                        NameObject("/Ordering"): TextStringObject("Identity"),
                        NameObject("/Supplement"): NumberObject(0),
                    }
                ),
                NameObject("/FontDescriptor"): writer._add_object(descriptor),
                NameObject("/CIDToGIDMap"): NameObject("/Identity"),
                NameObject("/W"): widths,
            }
        )
        return writer._add_object(
            DictionaryObject(
                {
                    NameObject("/Type"): NameObject("/Font"),
                    NameObject("/Subtype"): NameObject("/Type0"),
                    NameObject("/BaseFont"): name,
                    NameObject("/Encoding"): NameObject("/Identity-H"),
                    NameObject("/DescendantFonts"): ArrayObject([writer._add_object(descendant)]),
                    NameObject("/ToUnicode"): writer._add_object(_stream(self._to_unicode())),
                }
            )
        )

    def _to_unicode(self):
        """Return the map from codes to text that lets readers search and copy."""
        lines = [
            f"<{glyph:04x}> <{char.encode('utf-16-be').hex()}>"
            for glyph, char in sorted(self._used.items())
        ]
        # A block of a character map holds 100 entries at most.
        blocks = [lines[at:at + 100] for at in range(0, len(lines), 100)]
        entries = "\n".join(
            f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks
        )
        return (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
            "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
            "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            f"{entries}\nendcmap end end"
        ).encode("ascii")

    def _number(self, layout, table, offset):
        return struct.unpack_from(layout, self._data, self._tables[table] + offset)[0]

    def _units(self, value):
        return NumberObject(round(value * self._scale))

    def _advance(self, glyph):
        return self._advances[min(glyph, len(self._advances) - 1)] * self._scale

    def _directory(self):
        kind, count = struct.unpack_from(">4sH", self._data, 0)
        if kind not in (b"\0\1\0\0", b"true"):
            raise KeyError("not TrueType outlines")
        records = struct.iter_unpack(">4sLLL", self._data[12:12 + 16 * count])
        return {tag.decode("latin-1"): offset for tag, _, offset, _ in records}

    def _read_advances(self):
        count = self._number(">H", "hhea", 34)
        pairs = struct.unpack_from(f">{count * 2}H", self._data, self._tables["hmtx"])
        return pairs[::2]

    def _read_character_map(self):
        start = self._tables["cmap"]
        count = struct.unpack_from(">H", self._data, start + 2)[0]
        found = {}
        for at in range(count):
            platform, encoding, offset = struct.unpack_from(">HHL", self._data, start + 4 + 8 * at)
            layout = struct.unpack_from(">H", self._data, start + offset)[0]
            if platform == 0 or (platform, encoding) in ((3, 1), (3, 10)):
                found[layout] = start + offset
        if 12 in found:
            return self._groups(found[12])
        return self._segments(found[4])

    def _groups(self, start):
        count = struct.unpack_from(">L", self._data, start + 12)[0]
        glyphs = {}
        for at in range(count):
            first, last, glyph = struct.unpack_from(">LLL", self._data, start + 16 + 12 * at)
            glyphs.update(zip(range(first, min(last, 0x10FFFF) + 1), range(glyph, 0x10000)))
        return glyphs

    def _segments(self, start):
        count = struct.unpack_from(">H", self._data, start + 6)[0] // 2
        ends, starts, deltas, offsets = (
            struct.unpack_from(f">{count}H", self._data, start + 14 + shift + 2 * count * index)
            for index, shift in ((0, 0), (1, 2), (2, 2), (3, 2))
        )
        offsets_at = start + 16 + 6 * count
        glyphs = {}
        for at in range(count):
            for code in range(starts[at], min(ends[at], 0xFFFE) + 1):
                glyph = code
                if offsets[at]:
                    place = offsets_at + 2 * at + offsets[at] + 2 * (code - starts[at])
                    glyph = struct.unpack_from(">H", self._data, place)[0]
                    if glyph == 0:
                        continue
                glyphs[code] = (glyph + deltas[at]) % 65536
        return glyphs


def _stream(data):
    stream = DecodedStreamObject()
    stream.set_data(data)
    return stream.flate_encode()

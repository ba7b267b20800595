"""Writes Markdown blocks into a Word document, with the document's own styles."""

from pathlib import Path

from _shared import cli
from docx.enum.text import WD_BREAK
from docx.image.exceptions import UnrecognizedImageError
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor


def append(document, blocks, pictures=Path(".")):
    """Add all blocks at the end of the document; picture paths are relative to `pictures`."""
    numbering = None
    for block in blocks:
        if block.kind != "item":
            numbering = None
        if block.kind == "break":
            document.add_page_break()
        elif block.kind == "heading":
            _write(document.add_heading(level=block.level), block.spans)
        elif block.kind == "item":
            paragraph = document.add_paragraph(style=_list_style(document, block))
            _write(paragraph, block.spans)
            if block.marker != "-" and block.level == 1:
                numbering = numbering or _new_numbering(document, paragraph.style)
                _number(paragraph, numbering)
        elif block.kind == "quote":
            _write(document.add_paragraph(style=_first_style(document, "Quote", "Normal")), block.spans)
        elif block.kind == "code":
            _code(document, block.text)
        elif block.kind == "table":
            _table(document, block.rows)
        elif block.kind == "picture":
            _picture(document, pictures / block.text)
        else:
            _write(document.add_paragraph(), block.spans)


def _first_style(document, *names):
    known = {style.name for style in document.styles}
    return next((name for name in names if name in known), None)


def _list_style(document, block):
    kind = "List Bullet" if block.marker == "-" else "List Number"
    level = min(block.level, 3)  # Word's own styles go three levels deep
    return _first_style(document, kind if level == 1 else f"{kind} {level}", kind, "Normal")


def _new_numbering(document, style):
    """Return the id of a numbering that starts at 1: the style's own would go on from list to list."""
    properties = style.element.pPr
    if properties is None or properties.numPr is None:
        return None
    numbering = document.part.numbering_part.element
    abstract = numbering.num_having_numId(properties.numPr.numId.val).abstractNumId.val
    number = numbering.add_num(abstract)
    number.add_lvlOverride(ilvl=0).add_startOverride(1)
    return number.numId


def _number(paragraph, numbering):
    if numbering is not None:
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = 0
        properties.get_or_add_numId().val = numbering


def _write(paragraph, spans):
    for span in spans:
        if span.link:
            _link(paragraph, span)
            continue
        run = paragraph.add_run(span.text)
        run.bold = True if span.bold else None
        run.italic = True if span.italic else None
        if span.code:
            run.font.name = "Courier New"


def _link(paragraph, span):
    target = paragraph.part.relate_to(span.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), target)
    run = paragraph.add_run(span.text)
    run.font.underline = True
    run.font.color.rgb = RGBColor(0x05, 0x63, 0xC1)
    link.append(run._element)
    paragraph._element.append(link)


def _code(document, text):
    paragraph = document.add_paragraph()
    for index, line in enumerate(text.split("\n")):
        run = paragraph.add_run(line)
        run.font.name = "Courier New"
        run.font.size = Pt(9)
        if index < text.count("\n"):
            run.add_break(WD_BREAK.LINE)


def _table(document, rows):
    table = document.add_table(len(rows), len(rows[0]))
    table.style = _first_style(document, "Table Grid", "Normal Table")
    for row, cells in zip(table.rows, rows):
        for cell, spans in zip(row.cells, cells):
            _write(cell.paragraphs[0], spans)
    for cell in table.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True
    # Word shows the header again where the table goes on to the next page.
    header = OxmlElement("w:tblHeader")
    header.set(qn("w:val"), "true")
    table.rows[0]._tr.get_or_add_trPr().append(header)


def _picture(document, path):
    cli.input_file(path)
    section = document.sections[-1]
    widest = section.page_width - section.left_margin - section.right_margin
    try:
        shape = document.add_picture(str(path))
    except UnrecognizedImageError as error:
        raise cli.Refusal(f"{path} is not a picture that Word shows (use PNG or JPEG)") from error
    if shape.width > widest:
        shape.height = round(shape.height * widest / shape.width)
        shape.width = widest

"""Makes slides of Markdown: a heading opens a slide, quotes become speaker notes."""

import blank_presentation
from _shared.markdown import plain
from lxml import etree
from presentation import NS, tag

_TABLE = "http://schemas.openxmlformats.org/drawingml/2006/table"
_MOST_LINES = 12


def append(presentation, blocks):
    """Add a slide for each heading; return warnings about slides that hold too much."""
    warnings = []
    for heading, content in _grouped(blocks):
        is_cover = heading is not None and heading.level == 1 and not presentation.slides()
        slide = _add(presentation, heading, content, is_cover)
        notes = [plain(block.spans) for block in content if block.kind == "quote"]
        if notes:
            presentation.set_notes(slide, "\n".join(notes))
        lines = sum(_lines(block) for block in content)
        if lines > _MOST_LINES:
            number = len(presentation.slides())
            warnings.append(f"slide {number} has about {lines} lines; {_MOST_LINES} fit: split it")
    return warnings


def _grouped(blocks):
    heading, content = None, []
    for block in blocks:
        if block.kind == "heading" and block.level <= 2:
            if heading is not None or content:
                yield heading, content
            heading, content = block, []
        elif block.kind != "break":
            content.append(block)
    if heading is not None or content:
        yield heading, content


def _lines(block):
    if block.kind == "quote":
        return 0
    if block.kind == "table":
        return len(block.rows) + 1
    if block.kind == "code":
        return block.text.count("\n") + 1
    return 1 + len(plain(block.spans)) // 75


def _add(presentation, heading, content, is_cover):
    tables = [block for block in content if block.kind == "table"]
    words = [block for block in content if block.kind not in ("table", "quote")]
    kinds = ("ctrTitle", 'type="subTitle" idx="1"') if is_cover else ("title", 'idx="1"')
    placeholders = [("Title", f'type="{kinds[0]}"')]
    placeholders += [("Content", kinds[1])] if words else []
    root = blank_presentation.slide(placeholders)
    shapes = root.findall(".//p:sp", NS)
    if heading is not None:
        _fill(shapes[0], [heading])
    if words:
        _fill(shapes[1], words)
    tree = root.find("p:cSld/p:spTree", NS)
    top = 2_000_000 + (min(sum(map(_lines, words)), 8) * 400_000 if words else 0)
    for table in tables:
        tree.append(_table(table.rows, len(tree) + 10, top))
        top += (len(table.rows) + 1) * 400_000
    layout = presentation.layout(*(("title", "obj") if is_cover else ("obj", "tx", "titleOnly")))
    return presentation.add_slide(root, layout)


def _fill(shape, blocks):
    """Write blocks into a placeholder; only list items get the layout's bullets."""
    body = shape.find("p:txBody", NS)
    body.remove(body.find("a:p", NS))
    for block in blocks:
        if block.kind != "code":
            _paragraph(body, block)
            continue
        for line in block.text.split("\n"):
            paragraph = etree.SubElement(body, tag("a:p"))
            _without_bullet(etree.SubElement(paragraph, tag("a:pPr")))
            _run(paragraph, line, {"sz": "1400"}, "Courier New")


def _paragraph(body, block):
    paragraph = etree.SubElement(body, tag("a:p"))
    properties = etree.SubElement(paragraph, tag("a:pPr"))
    if block.kind == "item":
        properties.set("lvl", str(min(block.level, 5) - 1))
        if block.marker != "-":
            etree.SubElement(properties, tag("a:buAutoNum")).set("type", "arabicPeriod")
    elif block.kind != "heading":
        _without_bullet(properties)
    bold_line = block.kind == "heading" and block.level > 2
    for span in block.spans:
        style = {name: "1" for name, on in (("b", span.bold or bold_line), ("i", span.italic)) if on}
        _run(paragraph, span.text, style, "Courier New" if span.code else None)


def _without_bullet(properties):
    properties.set("marL", "0")
    properties.set("indent", "0")
    etree.SubElement(properties, tag("a:buNone"))


def _run(paragraph, text, style, font=None):
    run = etree.SubElement(paragraph, tag("a:r"))
    properties = etree.SubElement(run, tag("a:rPr"), **style)
    if font is not None:
        etree.SubElement(properties, tag("a:latin")).set("typeface", font)
    etree.SubElement(run, tag("a:t")).text = text


def _table(rows, number, top):
    width, height = 10_515_600, 370_840
    frame = etree.Element(tag("p:graphicFrame"))
    named = etree.SubElement(frame, tag("p:nvGraphicFramePr"))
    etree.SubElement(named, tag("p:cNvPr"), id=str(number), name=f"Table {number}")
    etree.SubElement(named, tag("p:cNvGraphicFramePr"))
    etree.SubElement(named, tag("p:nvPr"))
    place = etree.SubElement(frame, tag("p:xfrm"))
    etree.SubElement(place, tag("a:off"), x="838200", y=str(top))
    etree.SubElement(place, tag("a:ext"), cx=str(width), cy=str(height * len(rows)))
    data = etree.SubElement(etree.SubElement(frame, tag("a:graphic")), tag("a:graphicData"), uri=_TABLE)
    table = etree.SubElement(data, tag("a:tbl"))
    properties = etree.SubElement(table, tag("a:tblPr"), firstRow="1", bandRow="1")
    # The id of "Medium Style 2 - Accent 1", which every PowerPoint knows.
    etree.SubElement(properties, tag("a:tableStyleId")).text = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"
    grid = etree.SubElement(table, tag("a:tblGrid"))
    for _ in rows[0]:
        etree.SubElement(grid, tag("a:gridCol"), w=str(width // len(rows[0])))
    for index, cells in enumerate(rows):
        row = etree.SubElement(table, tag("a:tr"), h=str(height))
        for spans in cells:
            cell = etree.SubElement(row, tag("a:tc"))
            body = etree.SubElement(cell, tag("a:txBody"))
            etree.SubElement(body, tag("a:bodyPr"))
            etree.SubElement(body, tag("a:lstStyle"))
            paragraph = etree.SubElement(body, tag("a:p"))
            for span in spans:
                _run(paragraph, span.text, {"b": "1"} if span.bold or index == 0 else {})
            etree.SubElement(cell, tag("a:tcPr"))
    return frame

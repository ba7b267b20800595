"""What stands on a slide: its title, texts, tables and pictures."""

from presentation import NS, tag

_TITLES = ("title", "ctrTitle")


def paragraph_text(paragraph):
    """Return the text of an `a:p`, line breaks included."""
    pieces = {tag("a:br"): "\n", tag("a:tab"): "\t"}
    found = paragraph.iter(tag("a:t"), tag("a:br"))
    return "".join(pieces.get(element.tag) or element.text or "" for element in found)


def text_of(body):
    """Return the text of all paragraphs below an element, a line each."""
    return "\n".join(paragraph_text(one) for one in body.iter(tag("a:p"))) if body is not None else ""


def title_shape(root):
    """Return the shape that holds the slide's title, else None."""
    for shape in root.iter(tag("p:sp")):
        placeholder = shape.find("p:nvSpPr/p:nvPr/p:ph", NS)
        if placeholder is not None and placeholder.get("type") in _TITLES:
            return shape
    return None


def rows_of(table):
    """Return the cells of an `a:tbl` as text."""
    return [
        [text_of(cell.find("a:txBody", NS)) for cell in row.findall("a:tc", NS)]
        for row in table.findall("a:tr", NS)
    ]


def described(presentation, number, slide):
    """Return a slide as JSON."""
    root = presentation.package.root(slide)
    title = title_shape(root)
    texts = [
        {
            "name": shape.find("p:nvSpPr/p:cNvPr", NS).get("name"),
            "paragraphs": [
                {"level": level_of(one), "text": paragraph_text(one)}
                for one in shape.iter(tag("a:p"))
                if paragraph_text(one).strip()
            ],
        }
        for shape in root.iter(tag("p:sp"))
        if shape is not title and text_of(shape).strip()
    ]
    return {
        "slide": number,
        "title": text_of(title).strip() if title is not None else "",
        "hidden": root.get("show") == "0",
        "texts": texts,
        "tables": [rows_of(table) for table in root.iter(tag("a:tbl"))],
        "pictures": [
            {"name": one.get("name"), "description": one.get("descr", "")}
            for one in root.iterfind(".//p:pic/p:nvPicPr/p:cNvPr", NS)
        ],
        "notes": text_of(presentation.notes(slide)),
    }


def level_of(paragraph):
    """Return the depth of a paragraph in its list, from 1."""
    properties = paragraph.find("a:pPr", NS)
    return int(properties.get("lvl", 0)) + 1 if properties is not None else 1

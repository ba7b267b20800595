"""Opens and saves Word documents for the other scripts, and walks through their parts."""

import zipfile
from datetime import datetime, timezone

import docx
from _shared import cli
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml.etree import XMLSyntaxError


def open_document(path):
    """Return the document of a readable .docx file, else refuse."""
    cli.input_file(path)
    try:
        return docx.Document(str(path))
    except (PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, XMLSyntaxError) as error:
        raise cli.Refusal(
            f"{path} is not a readable .docx file; convert an old .doc with "
            "`soffice --headless --convert-to docx FILE`"
        ) from error


def save(document, output, overwrite, **facts):
    """Write a document to `output` and print what was made."""
    document.core_properties.modified = datetime.now(timezone.utc).replace(tzinfo=None)
    with cli.writing(output, overwrite) as draft:
        document.save(str(draft))
    cli.print_json({"output": output, **facts})


def blocks_of(container):
    """Yield the paragraphs and tables of a body, cell, header or footer in their order."""
    parent = container._body if hasattr(container, "_body") else container
    for element in parent._element.iterchildren(qn("w:p"), qn("w:tbl")):
        is_paragraph = element.tag == qn("w:p")
        yield Paragraph(element, parent) if is_paragraph else Table(element, parent)


def parts_of(document):
    """Yield (name, XML root) of the body and of every header, footer and note."""
    yield "body", document.element.body
    for part in document.part.package.iter_parts():
        name = str(part.partname).rsplit("/", 1)[-1].removesuffix(".xml")
        if name.startswith(("header", "footer")):
            yield name, part.element


def heading_level(paragraph):
    """Return 1 to 9 for a heading, 0 for the title, else None."""
    name = (paragraph.style.name if paragraph.style is not None else "").lower()
    if name == "title":
        return 0
    number = name.removeprefix("heading ")
    return int(number) if name.startswith("heading ") and number.isdigit() else None

#!/usr/bin/env python3
"""Join Word documents into one; the first gives page layout, header and footer."""

import copy
import io
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from docx.opc.constants import RELATIONSHIP_TYPE  # noqa: E402
from docx.oxml.ns import qn  # noqa: E402
from docx_file import open_document, save  # noqa: E402

_ID_ATTRIBUTES = (qn("r:id"), qn("r:embed"), qn("r:link"))
_STYLE_TAGS = (qn("w:pStyle"), qn("w:rStyle"), qn("w:tblStyle"))


class Merger:
    """Brings the content of one document into another, with what it refers to."""

    def __init__(self, target, source):
        self.target = target
        self.source = source
        self._numberings = {}
        self._relations = {}

    def append(self):
        """Copy the whole body, but for its last section's page layout."""
        self._copy_styles()
        end = self.target.element.body.get_or_add_sectPr()
        for element in self.source.element.body:
            if element.tag == qn("w:sectPr"):
                continue
            copied = copy.deepcopy(element)
            for section in copied.findall(f".//{qn('w:sectPr')}"):
                # Its headers stay behind, so the section would show none.
                section.getparent().remove(section)
            self._relate(copied)
            self._number(copied)
            end.addprevious(copied)

    def _copy_styles(self):
        styles = self.target.styles.element
        known = {style.get(qn("w:styleId")) for style in styles.findall(qn("w:style"))}
        for style in self.source.styles.element.findall(qn("w:style")):
            if style.get(qn("w:styleId")) not in known:
                copied = copy.deepcopy(style)
                copied.attrib.pop(qn("w:default"), None)
                styles.append(copied)
                self._number(copied)

    def _relate(self, root):
        for element in root.iter():
            for attribute in _ID_ATTRIBUTES:
                old = element.get(attribute)
                if old is not None and old in self.source.part.rels:
                    element.set(attribute, self._relation(old))

    def _relation(self, old):
        if old not in self._relations:
            relation = self.source.part.rels[old]
            part = self.target.part
            if relation.is_external:
                new = part.relate_to(relation.target_ref, relation.reltype, is_external=True)
            elif relation.reltype == RELATIONSHIP_TYPE.IMAGE:
                # Word wants each picture once, under a name that no other part has.
                image = part.package.get_or_add_image_part(io.BytesIO(relation.target_part.blob))
                new = part.relate_to(image, relation.reltype)
            else:
                kind = relation.reltype.rsplit("/", 1)[-1]
                raise cli.Refusal(f"the document holds a {kind}, which cannot be merged here")
            self._relations[old] = new
        return self._relations[old]

    def _number(self, root):
        for element in root.iter(qn("w:numId")):
            old = element.get(qn("w:val"))
            if old and old != "0":
                element.set(qn("w:val"), self._numbering(old))

    def _numbering(self, old):
        """Copy the list definition, so that lists of both documents count on their own."""
        if old not in self._numberings:
            source = self.source.part.numbering_part.element
            target = self.target.part.numbering_part.element
            number = source.find(f"{qn('w:num')}[@{qn('w:numId')}='{old}']")
            if number is None:
                return old
            wanted = number.find(qn("w:abstractNumId")).get(qn("w:val"))
            path = f"{qn('w:abstractNum')}[@{qn('w:abstractNumId')}='{wanted}']"
            abstract = copy.deepcopy(source.find(path))
            abstract_id = _free_number(target, "w:abstractNum", "w:abstractNumId")
            abstract.set(qn("w:abstractNumId"), abstract_id)
            # Definitions stand before the numbers that use them.
            target.insert(0, abstract)
            number = copy.deepcopy(number)
            number.find(qn("w:abstractNumId")).set(qn("w:val"), abstract_id)
            self._numberings[old] = _free_number(target, "w:num", "w:numId")
            number.set(qn("w:numId"), self._numberings[old])
            target.append(number)
        return self._numberings[old]


def _free_number(root, tag, attribute):
    used = [int(element.get(qn(attribute))) for element in root.findall(qn(tag))]
    return str(max(used, default=0) + 1)


def main():
    """Read the options and write the joined document."""
    options = cli.parser(__doc__, "merge_docx.py cover.docx body.docx -o all.docx")
    options.add_argument("inputs", nargs="+", type=Path)
    cli.add_output(options, "document to write")
    options.add_argument("--no-page-breaks", action="store_true", help="go on on the same page")
    args = options.parse_args()
    if len(args.inputs) < 2:
        options.error("name two documents or more")

    target = open_document(args.inputs[0])
    for path in args.inputs[1:]:
        source = open_document(path)
        if not args.no_page_breaks:
            target.add_page_break()
        Merger(target, source).append()
    save(target, args.output, args.overwrite, documents=len(args.inputs))


cli.run(main)

"""A presentation: its slides in order, their layouts and notes."""

import copy

import blank_presentation
from _shared import cli
from lxml import etree
from opc_package import OFFICE, Package

NS = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "r": OFFICE.rstrip("/"),
}
CONTENT = "application/vnd.openxmlformats-officedocument.presentationml."
R_ID = f"{{{NS['r']}}}id"


def tag(name):
    """Return `p:sldId` and the like in lxml's notation."""
    prefix, local = name.split(":")
    return f"{{{NS[prefix]}}}{local}"


class Presentation:
    """Reads and changes the slides of a package."""

    def __init__(self, package):
        self.package = package
        self.part = package.main_part()
        self.root = package.root(self.part)
        if self.root.tag != tag("p:presentation"):
            raise cli.Refusal("the file is an Office file, but not a presentation")

    @classmethod
    def open(cls, path):
        """Open a .pptx file, else refuse."""
        return cls(Package.open(path))

    @classmethod
    def blank(cls):
        """Return a new presentation without slides."""
        return cls(blank_presentation.package())

    def save(self, output, overwrite, **facts):
        """Write the file and print what was made."""
        self._forget_missing_slides()
        with cli.writing(output, overwrite) as draft:
            self.package.save(draft)
        cli.print_json({"output": output, "slides": len(self.slides()), **facts})

    def slides(self):
        """Return the part names of the slides in order."""
        targets = {key: target for key, _, target in self.package.relations(self.part)}
        return [targets[entry.get(R_ID)] for entry in self._entries()]

    def slide(self, number):
        """Return the part name of a slide counted from 1, else refuse."""
        slides = self.slides()
        if not 1 <= number <= len(slides):
            raise cli.Refusal(f"there is no slide {number}; there are {len(slides)}")
        return slides[number - 1]

    def arrange(self, positions):
        """Keep the slides at these zero-based positions, in this order."""
        if len(set(positions)) < len(positions):
            raise cli.Refusal("a slide is named twice; use --duplicate to repeat it")
        entries = self._entries()
        for position, entry in enumerate(entries):
            entry.getparent().remove(entry)
            if position not in positions:
                self.package.unrelate(self.part, entry.get(R_ID))
        for position in positions:
            self._list().append(entries[position])

    def append_part(self, name):
        """Make a slide part the last slide."""
        used = {int(entry.get("id")) for entry in self._entries()}
        relation = self.package.relate(self.part, "slide", name)
        entry = etree.SubElement(self._list(), tag("p:sldId"))
        entry.set("id", str(max(used, default=255) + 1))
        entry.set(R_ID, relation)

    def duplicate(self, number):
        """Repeat a slide right after itself; its notes stay with the original."""
        source = self.slide(number)
        name = self.package.add(source, copy.deepcopy(self.package.root(source)), CONTENT + "slide+xml")
        relations = copy.deepcopy(self.package.relation_elements(source)[0].getparent())
        for relation in list(relations):
            if relation.get("Type").endswith("/notesSlide"):
                relations.remove(relation)
        self.package.set_relations(name, relations)
        self.append_part(name)
        entries = self._entries()
        entries[number - 1].addnext(entries[-1])

    def layout(self, *kinds):
        """Return the first layout of one of these kinds, in the order given, else any layout."""
        layouts = []
        for _, kind, master in self.package.relations(self.part):
            if kind == "slideMaster":
                found = self.package.relations(master)
                layouts.extend(target for _, what, target in found if what == "slideLayout")
        if not layouts:
            raise cli.Refusal("the presentation has no slide layout")
        by_kind = {self.package.root(name).get("type"): name for name in reversed(layouts)}
        return next((by_kind[kind] for kind in kinds if kind in by_kind), layouts[0])

    def add_slide(self, root, layout):
        """Add a slide of XML that follows a layout; return its part name."""
        name = self.package.add("ppt/slides/slide1.xml", root, CONTENT + "slide+xml")
        self.package.relate(name, "slideLayout", layout)
        self.append_part(name)
        return name

    def notes(self, slide):
        """Return the paragraphs element of a slide's notes, else None."""
        part = self.package.related(slide, "notesSlide")
        if part is None:
            return None
        path = ".//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody"
        return next(iter(self.package.root(part).xpath(path, namespaces=NS)), None)

    def set_notes(self, slide, text):
        """Give a slide notes, one paragraph a line."""
        body = self.notes(slide)
        if body is None:
            part = self.package.add(
                "ppt/notesSlides/notesSlide1.xml", blank_presentation.notes_slide(), CONTENT + "notesSlide+xml"
            )
            self.package.relate(part, "notesMaster", self.notes_master())
            self.package.relate(part, "slide", slide)
            self.package.relate(slide, "notesSlide", part)
            body = self.notes(slide)
        for paragraph in body.findall("a:p", NS):
            body.remove(paragraph)
        for line in text.split("\n"):
            run = etree.SubElement(etree.SubElement(body, tag("a:p")), tag("a:r"))
            etree.SubElement(run, tag("a:t")).text = line

    def notes_master(self):
        """Return the part name of the master of all notes; it is made if missing."""
        master = self.package.related(self.part, "notesMaster")
        if master is None:
            master = blank_presentation.add_notes_master(self.package)
            entries = etree.Element(tag("p:notesMasterIdLst"))
            entry = etree.SubElement(entries, tag("p:notesMasterId"))
            entry.set(R_ID, self.package.relate(self.part, "notesMaster", master))
            self.root.find("p:sldMasterIdLst", NS).addnext(entries)
        return master

    def _entries(self):
        return self.root.findall("p:sldIdLst/p:sldId", NS)

    def _list(self):
        found = self.root.find("p:sldIdLst", NS)
        if found is None:
            found = etree.Element(tag("p:sldIdLst"))
            self.root.find("p:sldSz", NS).addprevious(found)
        return found

    def _forget_missing_slides(self):
        """Drop what names slides that are gone: PowerPoint would call the file damaged."""
        ids = {entry.get("id") for entry in self._entries()}
        section = "{http://schemas.microsoft.com/office/powerpoint/2010/main}sldId"
        for entry in list(self.root.iter(section)):
            if entry.get("id") not in ids:
                entry.getparent().remove(entry)
        relations = {key for key, _, _ in self.package.relations(self.part)}
        for entry in self.root.findall(".//p:custShow//p:sld", NS):
            if entry.get(R_ID) not in relations:
                entry.getparent().remove(entry)

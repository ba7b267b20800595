"""An Office file as what it is: a zip of parts that refer to each other."""

import posixpath
import re
import zipfile

from _shared import cli
from lxml import etree

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

_MOST_PARTS = 20_000
_MOST_BYTES = 1 << 30


def parse(data):
    """Return the root of an XML part; entities and network are off."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))


def serialize(root):
    """Return an XML part as bytes."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


class Package:
    """The parts of a file by name, such as `ppt/slides/slide1.xml`."""

    def __init__(self, parts):
        self._data = dict(parts)
        self._roots = {}
        self._types = self._read_types()

    @classmethod
    def open(cls, path):
        """Read a file, else refuse."""
        cli.input_file(path)
        try:
            with zipfile.ZipFile(path) as archive:
                entries = [entry for entry in archive.infolist() if not entry.is_dir()]
                if len(entries) > _MOST_PARTS or sum(entry.file_size for entry in entries) > _MOST_BYTES:
                    raise cli.Refusal(f"{path} is too large to be opened here")
                return cls({entry.filename: archive.read(entry) for entry in entries})
        except (zipfile.BadZipFile, KeyError, RuntimeError, etree.XMLSyntaxError) as error:
            raise cli.Refusal(
                f"{path} is not a readable .pptx file; convert an old .ppt with "
                "`soffice --headless --convert-to pptx FILE`"
            ) from error

    def save(self, path):
        """Write the parts that are still referred to."""
        kept = self._reachable()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", self._types_part(kept))
            for name in kept:
                archive.writestr(name, self.bytes(name))

    def __contains__(self, name):
        return name in self._data or name in self._roots

    def root(self, name):
        """Return the XML of a part; what is changed in it is saved."""
        if name not in self._roots:
            self._roots[name] = parse(self._data[name])
        return self._roots[name]

    def bytes(self, name):
        """Return the content of a part."""
        return serialize(self._roots[name]) if name in self._roots else self._data[name]

    def content_type(self, name):
        """Return the content type of a part."""
        extension = name.rsplit(".", 1)[-1].lower()
        return self._types.get(f"/{name}") or self._types.get(extension, "application/octet-stream")

    def add(self, name, content, content_type):
        """Add a part under `name`, or under the next free number; return its name."""
        stem, number, extension = re.fullmatch(r"(.*?)(\d*)(\.\w+)", name).groups()
        number = int(number or 1)
        while name in self:
            number += 1
            name = f"{stem}{number}{extension}"
        if isinstance(content, bytes):
            self._data[name] = content
        else:
            self._roots[name] = content
        self._types[f"/{name}"] = content_type
        return name

    def main_part(self):
        """Return the name of the part that the file is about."""
        for _, kind, target in self.relations(""):
            if kind == "officeDocument":
                return target
        raise cli.Refusal("the file names no main part")

    def relations(self, source):
        """Yield (id, kind, part name) of what a part refers to inside the file."""
        for relation in self._relations_root(source) if _rels_of(source) in self else ():
            if relation.get("TargetMode") != "External":
                kind = relation.get("Type").rsplit("/", 1)[-1]
                yield relation.get("Id"), kind, _resolve(source, relation.get("Target"))

    def related(self, source, kind):
        """Return the first part of a kind that a part refers to, else None."""
        return next((target for _, found, target in self.relations(source) if found == kind), None)

    def relate(self, source, kind, target, external=False, relation_id=None):
        """Make a part refer to another, under a free id if none is given; return the id."""
        root = self._relations_root(source)
        used = {relation.get("Id") for relation in root}
        number = len(used) + 1
        while f"rId{number}" in used:
            number += 1
        relation = etree.SubElement(root, f"{{{_RELATIONS}}}Relationship")
        relation.set("Id", relation_id or f"rId{number}")
        relation.set("Type", kind if "/" in kind else OFFICE + kind)
        base = posixpath.dirname(source) or "."
        relation.set("Target", target if external else posixpath.relpath(target, base))
        if external:
            relation.set("TargetMode", "External")
        return relation.get("Id")

    def unrelate(self, source, relation_id):
        """Take a reference away."""
        root = self._relations_root(source)
        for relation in root:
            if relation.get("Id") == relation_id:
                root.remove(relation)

    def relation_elements(self, source):
        """Return all references of a part as XML elements, to be changed in place."""
        return list(self._relations_root(source)) if _rels_of(source) in self else []

    def set_relations(self, source, root):
        """Give a part its references as XML."""
        self._roots[_rels_of(source)] = root

    def _relations_root(self, source):
        name = _rels_of(source)
        if name not in self:
            self._roots[name] = etree.Element(f"{{{_RELATIONS}}}Relationships", nsmap={None: _RELATIONS})
        return self.root(name)

    def _reachable(self):
        """Return the names to be saved, the parts that nothing refers to left out."""
        kept, waiting = {}, [""]
        while waiting:
            source = waiting.pop()
            if _rels_of(source) in self:
                kept[_rels_of(source)] = True
            for _, _, target in self.relations(source):
                if target in self and target not in kept:
                    kept[target] = True
                    waiting.append(target)
        return list(kept)

    def _read_types(self):
        types = {}
        for entry in parse(self._data.pop("[Content_Types].xml")):
            key = entry.get("PartName") or (entry.get("Extension") or "").lower()
            types[key] = entry.get("ContentType")
        return types

    def _types_part(self, names):
        root = etree.Element(f"{{{_TYPES}}}Types", nsmap={None: _TYPES})
        for key, value in self._types.items():
            if not key.startswith("/"):
                etree.SubElement(root, f"{{{_TYPES}}}Default", Extension=key, ContentType=value)
        for name in names:
            if f"/{name}" in self._types:
                value = self._types[f"/{name}"]
                etree.SubElement(root, f"{{{_TYPES}}}Override", PartName=f"/{name}", ContentType=value)
        return serialize(root)


def _rels_of(source):
    folder, name = posixpath.split(source)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _resolve(source, target):
    if target.startswith("/"):
        return target.lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))

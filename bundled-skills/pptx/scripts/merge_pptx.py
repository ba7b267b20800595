#!/usr/bin/env python3
"""Join presentations, or chosen slides of them; each slide keeps its own design."""

import copy
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from _shared.ranges import parse_ranges  # noqa: E402
from lxml import etree  # noqa: E402
from presentation import NS, R_ID, Presentation, tag  # noqa: E402

_WITH_SLIDES = re.compile(r"(.+\.pptx):([\d,\s-]+)", re.IGNORECASE)


class Merger:
    """Copies slides of one presentation into another, with every part that they refer to."""

    def __init__(self, target, source):
        self.target = target
        self.source = source
        self._copied = {}

    def append(self, position):
        """Copy the slide at a zero-based position to the end."""
        self.target.append_part(self._copy(self.source.slides()[position]))

    def _copy(self, name):
        if name in self._copied:
            return self._copied[name]
        package, into = self.source.package, self.target.package
        is_xml = name.endswith(".xml")
        content = copy.deepcopy(package.root(name)) if is_xml else package.bytes(name)
        new = into.add(name, content, package.content_type(name))
        self._copied[name] = new  # before its references are followed: a notes page refers back to its slide
        for relation in package.relation_elements(name):
            self._copy_relation(name, new, relation)
        if package.content_type(name).endswith("slideMaster+xml"):
            self._register(new)
        return new

    def _copy_relation(self, name, new, relation):
        """Copy one reference under its old id, which the XML of the part holds."""
        into = self.target.package
        old, kind = relation.get("Id"), relation.get("Type")
        if relation.get("TargetMode") == "External":
            into.relate(new, kind, relation.get("Target"), external=True, relation_id=old)
            return
        target = next(part for key, _, part in self.source.package.relations(name) if key == old)
        if kind.endswith("/notesMaster"):
            part = self.target.notes_master()  # a presentation has one
        elif kind.endswith("/slide") and target not in self._copied:
            part = new  # a link to a slide that stays behind leads to its own slide
        else:
            part = self._copy(target)
        into.relate(new, kind, part, relation_id=old)

    def _register(self, master):
        """Name a copied master in the presentation, under ids that no master or layout has."""
        package = self.target.package
        masters = self.target.root.find("p:sldMasterIdLst", NS)
        taken = [int(entry.get("id")) for entry in masters]
        for _, kind, name in package.relations(self.target.part):
            if kind == "slideMaster":
                taken += [int(one.get("id")) for one in package.root(name).iter(tag("p:sldLayoutId"))]
        free = max(taken) + 1
        entry = etree.SubElement(masters, tag("p:sldMasterId"), id=str(free))
        entry.set(R_ID, package.relate(self.target.part, "slideMaster", master))
        for number, layout in enumerate(package.root(master).iter(tag("p:sldLayoutId")), start=free + 1):
            layout.set("id", str(number))


def main():
    """Read the options and write the joined presentation."""
    options = cli.parser(__doc__, "merge_pptx.py intro.pptx talk.pptx:2-5 -o all.pptx")
    options.add_argument("inputs", nargs="+", metavar="INPUT[:SLIDES]")
    cli.add_output(options, "presentation to write")
    args = options.parse_args()

    target = None
    for argument in args.inputs:
        match = None if Path(argument).is_file() else _WITH_SLIDES.fullmatch(argument)
        source = Presentation.open(Path(match[1] if match else argument))
        chosen = parse_ranges(match[2], len(source.slides())) if match else range(len(source.slides()))
        if target is None:
            target = source
            target.arrange(list(chosen))
            continue
        merger = Merger(target, source)
        for position in chosen:
            merger.append(position)
    target.save(args.output, args.overwrite)


cli.run(main)

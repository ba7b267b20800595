#!/usr/bin/env python3
"""List the form fields of a PDF, or fill them from JSON."""

import difflib
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # in the repository, where _shared lies

from _shared import cli  # noqa: E402
from pdf_file import add_password, open_pdf, save  # noqa: E402
from pypdf import PdfWriter  # noqa: E402
from pypdf.generic import (  # noqa: E402
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    NameObject,
    TextStringObject,
)

_KINDS = {"/Tx": "text", "/Ch": "choice", "/Sig": "signature"}
_RADIO = 1 << 15
_BUTTON = 1 << 16


class Field:
    """One field with all the places where it shows on a page."""

    def __init__(self, name, owner, page):
        self.name = name
        self.owner = owner  # the dictionary that holds the value
        self.page = page
        self.widgets = []
        flags = int(_inherited(owner, "/Ff") or 0)
        button = "button" if flags & _BUTTON else "radio" if flags & _RADIO else "checkbox"
        self.kind = _KINDS.get(_inherited(owner, "/FT"), button)

    def states(self):
        """Return the names of the on-states of a checkbox or radio group."""
        return sorted({state for widget in self.widgets for state in _states(widget)})

    def options(self):
        """Return what may be chosen, or None where anything may be written."""
        if self.kind in ("checkbox", "radio"):
            return self.states()
        if self.kind == "choice":
            listed = [option.get_object() for option in self.owner.get("/Opt", [])]
            return [str(one[0].get_object() if isinstance(one, list) else one) for one in listed]
        return None

    def described(self):
        """Return the field as JSON."""
        value = self.owner.get("/V")
        if self.kind == "checkbox":
            value = value not in (None, "/Off")
        elif value is not None:
            value = str(value).lstrip("/") if self.kind == "radio" else str(value)
        shown = {"name": self.name, "kind": self.kind, "page": self.page, "value": value}
        return shown if self.options() is None else {**shown, "options": self.options()}

    def fill(self, value):
        """Set the value, or refuse it."""
        if self.kind in ("signature", "button"):
            raise cli.Refusal(f"{self.name} is a {self.kind}; it cannot be filled")
        if self.kind in ("checkbox", "radio"):
            self._switch(value)
            return
        text = "" if value is None else str(value)
        if self.kind == "choice" and text and self.options() and text not in self.options():
            raise cli.Refusal(f"{self.name} takes one of {self.options()}, not {text!r}")
        self.owner[NameObject("/V")] = TextStringObject(text)
        for widget in self.widgets:
            widget.pop(NameObject("/AP"), None)  # drawn anew by the reader, from the new value

    def _switch(self, value):
        states = self.states()
        if value in (False, None, ""):
            state = "Off"
        elif value is True and len(states) == 1:
            state = states[0]
        elif str(value).lstrip("/") in states:
            state = str(value).lstrip("/")
        else:
            raise cli.Refusal(f"{self.name} takes one of {states} or false, not {value!r}")
        self.owner[NameObject("/V")] = NameObject(f"/{state}")
        for widget in self.widgets:
            own = state if state in _states(widget) else "Off"
            widget[NameObject("/AS")] = NameObject(f"/{own}")


def _states(widget):
    normal = widget.get("/AP", DictionaryObject()).get_object().get("/N", DictionaryObject())
    return [key.lstrip("/") for key in normal.get_object() if key != "/Off"]


def _inherited(field, key):
    """Return a value that a field may take from the fields above it."""
    while field is not None:
        if key in field:
            return field[key]
        field = field["/Parent"].get_object() if "/Parent" in field else None
    return None


def fields_of(document):
    """Return the fields by full name, in the order of the pages."""
    fields = {}
    for number, page in enumerate(document.pages, start=1):
        for reference in page.get("/Annots", ArrayObject()).get_object():
            widget = reference.get_object()
            if widget.get("/Subtype") != "/Widget" or _inherited(widget, "/FT") is None:
                continue
            owner = widget if "/T" in widget else widget["/Parent"].get_object()
            parts, above = [], owner
            while above is not None:
                parts.insert(0, str(above.get("/T", "")))
                above = above["/Parent"].get_object() if "/Parent" in above else None
            name = ".".join(part for part in parts if part)
            fields.setdefault(name, Field(name, owner, number)).widgets.append(widget)
    return fields


def fill(args):
    """Fill the fields named in a JSON object and write the result."""
    values = cli.json_of(args.values)
    if not isinstance(values, dict):
        raise cli.Refusal("the values must be one JSON object: field name -> value")
    writer = PdfWriter()
    writer.append(open_pdf(args.input, args.password_file))
    fields = fields_of(writer)
    for name, value in values.items():
        if name not in fields:
            near = difflib.get_close_matches(name, fields, 1)
            raise cli.Refusal(f"no field {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        fields[name].fill(value)
    form = writer._root_object.get("/AcroForm", DictionaryObject()).get_object()
    form[NameObject("/NeedAppearances")] = BooleanObject(True)
    save(writer, args.output, args.overwrite, filled=list(values))


def main():
    """Read the options and list or fill."""
    options = cli.parser(__doc__, "form_pdf.py fill form.pdf values.json -o filled.pdf")
    actions = options.add_subparsers(dest="action", required=True)
    listing = actions.add_parser("list", help="print name, kind, value and options as JSON")
    listing.add_argument("input", type=Path)
    filling = actions.add_parser("fill", help="set values")
    filling.add_argument("input", type=Path)
    filling.add_argument("values", help='JSON file or -, such as {"name": "Ada", "agree": true}')
    cli.add_output(filling, "PDF to write")
    for action in (listing, filling):
        add_password(action)
    args = options.parse_args()

    if args.action == "fill":
        fill(args)
    else:
        fields = fields_of(open_pdf(args.input, args.password_file)).values()
        cli.print_json({"fields": [field.described() for field in fields]})


cli.run(main)

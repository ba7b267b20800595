"""The parts of an empty 16:9 presentation: theme, master, two layouts; and what notes need."""

from opc_package import Package, parse

_DECLARED = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_CONTENT = "application/vnd.openxmlformats-officedocument.presentationml."
_THEME_TYPE = "application/vnd.openxmlformats-officedocument.theme+xml"
_CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"

_GROUP = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
    '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_MAP = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" '
    'accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
)
_COLORS = {
    "dk2": "1F2A44", "lt2": "E8ECF1", "accent1": "2F6DB5", "accent2": "D9822B", "accent3": "3E9B6E",
    "accent4": "8A5FB0", "accent5": "C0504D", "accent6": "5B7083", "hlink": "0563C1", "folHlink": "6B4E8E",
}


def _theme():
    colors = "".join(
        f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>' for name, value in _COLORS.items()
    )
    font = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="9525">{fill}<a:prstDash val="solid"/></a:ln>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f'<a:theme {_DECLARED} name="Plain"><a:themeElements><a:clrScheme name="Plain">'
        '<a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1>'
        f'<a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>{colors}</a:clrScheme>'
        f'<a:fontScheme name="Plain"><a:majorFont>{font}</a:majorFont>'
        f"<a:minorFont>{font}</a:minorFont></a:fontScheme>"
        f'<a:fmtScheme name="Plain"><a:fillStyleLst>{fill * 3}</a:fillStyleLst>'
        f"<a:lnStyleLst>{line * 3}</a:lnStyleLst><a:effectStyleLst>{effect * 3}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )


def _placeholder(number, name, kind, box=None, body=""):
    x, y, width, height = box or (0, 0, 0, 0)
    place = f'<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>' if box else ""
    shape = f'{place}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>' if box else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr><p:spPr>{shape}</p:spPr>"
        f"<p:txBody>{body or '<a:bodyPr><a:normAutofit/></a:bodyPr>'}<a:lstStyle/><a:p/></p:txBody></p:sp>"
    )


def _levels(sizes, bullets):
    levels = ""
    for number, size in enumerate(sizes, start=1):
        bullet = '<a:buChar char="&#8226;"/>' if bullets else "<a:buNone/>"
        indent = f'marL="{342900 * number}" indent="-342900"' if bullets else 'marL="0" indent="0"'
        levels += (
            f'<a:lvl{number}pPr {indent}><a:spcBef><a:spcPts val="600"/></a:spcBef>{bullet}'
            f'<a:defRPr sz="{size}"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'
            f'<a:latin typeface="+mn-lt"/></a:defRPr></a:lvl{number}pPr>'
        )
    return levels


_TITLE_BOX = (838200, 365125, 10515600, 1100000)
_BODY_BOX = (838200, 1600000, 10515600, 4600000)


def _master():
    title = (
        '<a:lvl1pPr algn="l"><a:buNone/><a:defRPr sz="3600" b="1"><a:solidFill><a:schemeClr val="tx2"/>'
        '</a:solidFill><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr>'
    )
    anchored = '<a:bodyPr anchor="ctr"><a:normAutofit/></a:bodyPr>'
    shapes = _placeholder(2, "Title", 'type="title"', _TITLE_BOX, anchored)
    shapes += _placeholder(3, "Text", 'type="body" idx="1"', _BODY_BOX)
    return (
        f'<p:sldMaster {_DECLARED}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'
        f"<p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld>{_MAP}"
        '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/>'
        '<p:sldLayoutId id="2147483650" r:id="rId2"/></p:sldLayoutIdLst>'
        f"<p:txStyles><p:titleStyle>{title}</p:titleStyle>"
        f"<p:bodyStyle>{_levels((2400, 2000, 1800, 1600, 1600), True)}</p:bodyStyle>"
        f"<p:otherStyle>{_levels((1800,), False)}</p:otherStyle></p:txStyles></p:sldMaster>"
    )


def _layout(kind, name, shapes):
    return (
        f'<p:sldLayout {_DECLARED} type="{kind}" preserve="1"><p:cSld name="{name}"><p:spTree>{_GROUP}{shapes}'
        "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def _title_layout():
    box = (1524000, 1600000, 9144000, 1900000)
    below = (1524000, 3700000, 9144000, 1200000)
    anchored = '<a:bodyPr anchor="b"><a:normAutofit/></a:bodyPr>'
    shapes = _placeholder(2, "Title", 'type="ctrTitle"', box, anchored)
    return _layout("title", "Title Slide", shapes + _placeholder(3, "Subtitle", 'type="subTitle" idx="1"', below))


def _content_layout():
    shapes = _placeholder(2, "Title", 'type="title"') + _placeholder(3, "Content", 'idx="1"')
    return _layout("obj", "Title and Content", shapes)


def _presentation():
    return (
        f"<p:presentation {_DECLARED}>"
        '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
        '<p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    )


def package():
    """Return the package of a presentation without slides."""
    types = (
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        b'<Default Extension="xml" ContentType="application/xml"/></Types>'
    )
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title/><dc:creator/></cp:coreProperties>'
    )
    made = Package({"[Content_Types].xml": types})

    def add(name, xml, content_type):
        return made.add(name, parse(xml.encode("utf-8")), content_type)

    main = add("ppt/presentation.xml", _presentation(), _CONTENT + "presentation.main+xml")
    master = add("ppt/slideMasters/slideMaster1.xml", _master(), _CONTENT + "slideMaster+xml")
    title = add("ppt/slideLayouts/slideLayout1.xml", _title_layout(), _CONTENT + "slideLayout+xml")
    content = add("ppt/slideLayouts/slideLayout2.xml", _content_layout(), _CONTENT + "slideLayout+xml")
    theme = add("ppt/theme/theme1.xml", _theme(), _THEME_TYPE)
    properties = add(
        "docProps/core.xml", core, "application/vnd.openxmlformats-package.core-properties+xml"
    )
    made.relate("", "officeDocument", main)
    made.relate("", _CORE, properties)
    made.relate(main, "slideMaster", master)
    for layout in (title, content):
        made.relate(master, "slideLayout", layout)
        made.relate(layout, "slideMaster", master)
    made.relate(master, "theme", theme)
    made.relate(main, "theme", theme)
    return made


def add_notes_master(made):
    """Add the master that notes follow; return its part name."""
    shapes = _placeholder(2, "Slide Image", 'type="sldImg"', (685800, 1143000, 5486400, 3086100))
    shapes += _placeholder(3, "Notes", 'type="body" idx="1"', (685800, 4400550, 5486400, 3600450))
    xml = (
        f'<p:notesMaster {_DECLARED}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'
        f"<p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld>{_MAP}</p:notesMaster>"
    )
    master = made.add(
        "ppt/notesMasters/notesMaster1.xml", parse(xml.encode("utf-8")), _CONTENT + "notesMaster+xml"
    )
    theme = made.add("ppt/theme/theme1.xml", parse(_theme().encode("utf-8")), _THEME_TYPE)
    made.relate(master, "theme", theme)
    return master


def notes_slide():
    """Return the XML of empty notes."""
    shapes = _placeholder(2, "Slide Image", 'type="sldImg"') + _placeholder(3, "Notes", 'type="body" idx="1"')
    return parse(
        (
            f"<p:notes {_DECLARED}><p:cSld><p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld>"
            "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>"
        ).encode("utf-8")
    )


def slide(placeholders):
    """Return the XML of a slide with empty placeholders: pairs of name and `type="title"` and the like."""
    shapes = "".join(_placeholder(at, name, kind) for at, (name, kind) in enumerate(placeholders, start=2))
    return parse(
        (
            f"<p:sld {_DECLARED}><p:cSld><p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld>"
            "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
        ).encode("utf-8")
    )

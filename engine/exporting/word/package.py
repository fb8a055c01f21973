"""The package of a Word document: its parts, what they are, and how they hang together (ECMA-376, part 2)."""

import io
import zipfile
from collections.abc import Iterable, Mapping

from lxml import etree

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."

_PARTS = {
    "word/document.xml": (_WORD + "document.main+xml", _OFFICE + "officeDocument"),
    "word/styles.xml": (_WORD + "styles+xml", _OFFICE + "styles"),
    "word/settings.xml": (_WORD + "settings+xml", _OFFICE + "settings"),
    "word/footnotes.xml": (_WORD + "footnotes+xml", _OFFICE + "footnotes"),
    "word/footer1.xml": (_WORD + "footer+xml", _OFFICE + "footer"),
    "docProps/core.xml": ("application/vnd.openxmlformats-package.core-properties+xml", _CORE),
}
"""Content type of each part, and the type of the relation to it."""

_MADE = (1980, 1, 1, 0, 0, 0)
"""The same answer gives the same bytes."""


def relation_id(part: str) -> str:
    """By which ``word/document.xml`` names another part."""
    return f"rId{list(_PARTS).index(part)}"


def packed(parts: Mapping[str, bytes], title: str) -> bytes:
    """The parts in a ZIP file, the content types first, as some readers want them."""
    main = "word/document.xml"
    others = [name for name in parts if name != main]
    files = {
        "[Content_Types].xml": _content_types([*parts, "docProps/core.xml"]),
        "_rels/.rels": _relations({main: main, "docProps/core.xml": "docProps/core.xml"}),
        **parts,
        "word/_rels/document.xml.rels": _relations({name: name.removeprefix("word/") for name in others}),
        "docProps/core.xml": _core(title),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return file.getvalue()


def _content_types(names: Iterable[str]) -> bytes:
    root = etree.Element(f"{{{_TYPES}}}Types", nsmap={None: _TYPES})
    defaults = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml"}
    for suffix, kind in defaults.items():
        etree.SubElement(root, f"{{{_TYPES}}}Default", Extension=suffix, ContentType=kind)
    for name in names:
        etree.SubElement(root, f"{{{_TYPES}}}Override", PartName=f"/{name}", ContentType=_PARTS[name][0])
    return _bytes(root)


def _relations(targets: Mapping[str, str]) -> bytes:
    root = etree.Element(f"{{{_RELATIONS}}}Relationships", nsmap={None: _RELATIONS})
    for name, target in targets.items():
        etree.SubElement(
            root, f"{{{_RELATIONS}}}Relationship", Id=relation_id(name), Type=_PARTS[name][1], Target=target
        )
    return _bytes(root)


def _core(title: str) -> bytes:
    properties = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
    dublin = "http://purl.org/dc/elements/1.1/"
    root = etree.Element(f"{{{properties}}}coreProperties", nsmap={"cp": properties, "dc": dublin})
    etree.SubElement(root, f"{{{dublin}}}title").text = title
    etree.SubElement(root, f"{{{dublin}}}creator").text = "知页 Zhiye"
    return _bytes(root)


def _bytes(root: object) -> bytes:
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made

"""Elements of WordprocessingML."""

from typing import Any

from lxml import etree

NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def element(name: str, /, *children: Any, **attributes: object) -> Any:
    """``<w:name w:attribute="…">`` with its children."""
    made = etree.Element(_qualified(name), nsmap={"w": NAMESPACE, "r": RELATIONS})
    for key, value in attributes.items():
        made.set(_qualified(key), str(value))
    made.extend(child for child in children if child is not None)
    return made


def _qualified(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def run(text: str, style: str | None = None) -> Any:
    """Text in a character style."""
    words = element("t")
    words.text = text
    words.set(_SPACE, "preserve")
    return element("r", _properties("rPr", "rStyle", style), words)


def paragraph(style: str | None, *runs: Any) -> Any:
    return element("p", _properties("pPr", "pStyle", style), *runs)


def field(instruction: str, shown: str, style: str | None = None) -> Any:
    """A field that Word works out, with what is shown until it does."""
    return element("fldSimple", run(shown, style), instr=f" {instruction} ")


def _properties(name: str, kind: str, style: str | None) -> Any:
    return None if style is None else element(name, element(kind, val=style))


def serialised(root: Any) -> bytes:
    etree.cleanup_namespaces(root, keep_ns_prefixes=["w", "r"])
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made

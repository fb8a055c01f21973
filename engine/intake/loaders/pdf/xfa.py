"""What was filled into XFA forms that a reader lays out itself: their pages say only "please wait"."""

import re
from typing import Any

from engine.intake.loaders.pdf.opening import library_errors

_STREAM = re.compile(r"\((?P<name>[^)]*)\)\s*(?P<xref>\d+) 0 R")
_MOST_BYTES = 16 << 20
_CAPTION = re.compile(r"[\W_]+")


def values(document: Any) -> list[str]:
    """Lines ``name: value`` of a form without static pages; nothing for all other documents."""
    try:
        catalog = document.pdf_catalog()
        if document.xref_get_key(catalog, "NeedsRendering") != ("bool", "true"):
            return []
        kind, parts = document.xref_get_key(catalog, "AcroForm/XFA")
        if kind == "null" and document.xref_get_key(catalog, "AcroForm")[0] == "xref":
            form = int(document.xref_get_key(catalog, "AcroForm")[1].split()[0])
            kind, parts = document.xref_get_key(form, "XFA")
        if kind == "array":
            xrefs = [int(found["xref"]) for found in _STREAM.finditer(parts) if found["name"] == "datasets"]
        else:
            xrefs = [int(parts.split()[0])] if kind == "xref" else []
        packets = [document.xref_stream(xref) for xref in xrefs]
    except library_errors():
        return []
    return [line for packet in packets if packet and len(packet) <= _MOST_BYTES for line in _leaves(packet)]


def _leaves(packet: bytes) -> list[str]:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True)
    try:
        root = etree.fromstring(packet, parser)
    except etree.XMLSyntaxError:
        return []
    result = []
    for element in root.iter("{*}data"):
        for leaf in element.iter(etree.Element):
            text = " ".join((leaf.text or "").split())
            if text and not len(leaf):
                name = _CAPTION.sub(" ", etree.QName(leaf).localname).strip()
                result.append(f"{name}: {text}")
    return result

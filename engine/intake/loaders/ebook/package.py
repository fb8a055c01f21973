"""What an EPUB says about itself: its chapters in reading order, their names, whether it is locked."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from engine.documents import FileState, Reason
from engine.intake.encodings import safe
from engine.intake.loaders import LoadFailed
from engine.intake.loaders.ooxml import BrokenPart, Package, below, child_of, value_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CHAPTER_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document"})
_TOC_TYPE = "application/x-dtbncx+xml"
# Fonts made useless outside their book; anybody may read its text.
_FONT_OBFUSCATION = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})


@dataclass(frozen=True, slots=True)
class Book:
    """``chapters`` are names in the archive, in reading order; ``labels`` are what people call them.

    ``contents`` are the pages that are this table themselves.
    """

    chapters: tuple[str, ...]
    labels: dict[str, str]
    contents: frozenset[str]
    title: str
    metadata: dict[str, Any]


def open_book(package: Package) -> Book:
    """Read the package document and the table of contents.

    Raises:
        LoadFailed: it has no package document, no reading order, or its text is locked.
    """
    root_name, root = _package_document(package)
    folder = posixpath.dirname(root_name)
    items = {
        value_of(item, "id") or "": (resolved(folder, value_of(item, "href") or ""), item)
        for item in below(child_of(root, "manifest"), "item")
    }
    spine = child_of(root, "spine")
    chapters = [
        items[reference][0]
        for entry in below(spine, "itemref")
        if (reference := value_of(entry, "idref") or "") in items and _is_chapter(items[reference][1])
    ]
    if not chapters:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "EPUB"}))
    _refuse_locked(package, chapters)
    metadata = child_of(root, "metadata")
    found: dict[str, Any] = {}
    for name in ("title", "creator", "language", "publisher", "date"):
        value = next((_flat(element) for element in below(metadata, name) if _flat(element)), "")
        if value:
            found[name] = value
    contents = [
        name for name, item in items.values() if "nav" in (value_of(item, "properties") or "").split()
    ]
    labels = _labels(package, items, contents, value_of(spine, "toc"))
    title = str(found.get("title", ""))
    return Book(tuple(dict.fromkeys(chapters)), labels, frozenset(contents), title, found)


def resolved(folder: str, href: str) -> str:
    """A reference as the archive's name of what it points to, without the place in it."""
    try:
        path = urlsplit(href).path
    except ValueError:
        path = href
    return posixpath.normpath(posixpath.join("/", folder, unquote(path))).lstrip("/")


def _package_document(package: Package) -> "tuple[str, Element]":
    names: list[str] = []
    container = package.root_or_none("META-INF/container.xml")
    names += [unquote(value_of(item, "full-path") or "") for item in below(container, "rootfile")]
    # Without it the only package document is the right one.
    names += [name for name in package.names() if name.lower().endswith(".opf")]
    for name in names:
        root = package.root_or_none(name)
        if root is not None and child_of(root, "spine") is not None:
            return name, root
    raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "EPUB"}))


def _is_chapter(item: "Element") -> bool:
    kind = (value_of(item, "media-type") or "").lower()
    name = (value_of(item, "href") or "").lower().partition("#")[0]
    return kind in _CHAPTER_TYPES or name.endswith((".xhtml", ".html", ".htm"))


def _refuse_locked(package: Package, chapters: list[str]) -> None:
    """Raise LoadFailed for a book whose text only a shop's own program can show."""
    try:
        root = package.root("META-INF/encryption.xml")
    except BrokenPart:
        return
    locked = set()
    for data in below(root, "EncryptedData"):
        method = child_of(data, "EncryptionMethod")
        if value_of(method, "Algorithm") not in _FONT_OBFUSCATION:
            locked |= {resolved("", value_of(item, "URI") or "") for item in below(data, "CipherReference")}
    if locked.intersection(chapters):
        raise LoadFailed(FileState.UNSUPPORTED, Reason("drm_protected"))


def _labels(
    package: Package, items: "dict[str, tuple[str, Element]]", navigation: list[str], toc: str | None
) -> dict[str, str]:
    """Name in the archive → its first entry in the table of contents, the newer kind before the older one."""
    labels: dict[str, str] = {}
    older = [name for name, item in items.values() if value_of(item, "media-type") == _TOC_TYPE]
    older += [items[toc][0]] if toc in items else []
    for name, read in [*((name, _navigation) for name in navigation), *((name, _ncx) for name in older)]:
        root = package.root_or_none(name)
        for href, label in read(root) if root is not None else ():
            if label:
                labels.setdefault(resolved(posixpath.dirname(name), href), label)
    return labels


def _navigation(root: "Element") -> Iterator[tuple[str, str]]:
    for part in below(root, "nav"):
        if (value_of(part, "type") or "toc") == "toc":
            yield from ((value_of(link, "href") or "", _flat(link)) for link in below(part, "a"))


def _ncx(root: "Element") -> Iterator[tuple[str, str]]:
    for point in below(root, "navPoint"):
        label = child_of(point, "navLabel", "text")
        yield value_of(child_of(point, "content"), "src") or "", _flat(label) if label is not None else ""


def _flat(element: "Element") -> str:
    return " ".join(safe("".join(map(str, element.itertext()))).split())

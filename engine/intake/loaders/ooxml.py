"""The packages of today's Office: parts, their relationships, and what their elements are called.

Elements are told apart by their local names: Strict files use other namespaces for the same things.
"""

import errno
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote

from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed, Source

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_LARGEST_PART = 128 << 20
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FILE_NAME = re.compile(r"\S*\.[A-Za-z0-9]{2,5}|\w+://\S+")
_NAMED_BY_PROGRAM = re.compile(
    r"(?:picture|image|img|graphic|chart|diagram|table|shape|object|logo|图片|图像|图形|图表|图示|表格|对象|形状|矩形"
    r"|文本框|截图|屏幕截图)[\s\d_-]*",
    re.IGNORECASE,
)
_DESCRIBED_BY_PROGRAM = re.compile(
    r"description (?:automatically )?generated|generated description|AI-generated"
    r"|描述已自动生成|自动生成的描述|自动生成的说明|AI 生成的内容",
    re.IGNORECASE,
)
_SENTENCE_HAN, _SENTENCE_WORDS = 6, 4


class BrokenPart(Exception):
    """A part is not there, damaged, or not XML."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship to another part of the package: the last word of its type, and the part's name."""

    type: str
    part: str


class Package:
    """The parts of a file, read from its ZIP archive when they are asked for. A context manager."""

    def __init__(self, source: Source) -> None:
        """Open the archive.

        Raises:
            LoadFailed: it is no archive, or its directory is damaged.
        """
        from lxml import etree

        # No entities: a document that refers to others is out to read files or to fill the memory.
        self._parser = etree.XMLParser(
            resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
        )
        self._stream = source.open()
        try:
            self._archive = zipfile.ZipFile(self._stream)
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as exc:
            self._stream.close()
            raise LoadFailed(FileState.DAMAGED, Reason("damaged_archive")) from exc
        # Names of parts are compared without case; some programs write them one way and refer another way.
        self._entries = {entry.filename.lower(): entry for entry in self._archive.infolist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()
        self._stream.close()

    def has(self, name: str) -> bool:
        return name.lower() in self._entries

    def names(self) -> list[str]:
        return [entry.filename for entry in self._entries.values()]

    def root(self, name: str) -> "Element":
        """The root element of a part.

        Raises:
            BrokenPart: it is missing or unreadable.
            LoadFailed: its entry in the archive has a password, or it is too large.
        """
        from lxml import etree

        try:
            return etree.fromstring(self.read(name), self._parser)
        except (etree.XMLSyntaxError, ValueError) as exc:
            raise BrokenPart(name) from exc

    def read(self, name: str) -> bytes:
        """The bytes of a part; raises as :meth:`root` does."""
        entry = self._entries.get(name.lower())
        if entry is None:
            raise BrokenPart(name)
        if entry.file_size > _LARGEST_PART:
            raise LoadFailed(FileState.OVER_BUDGET, Reason("too_large", {"limit_mb": _LARGEST_PART >> 20}))
        try:
            return self._archive.read(entry)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as exc:
            raise BrokenPart(name) from exc
        except OSError as exc:
            if exc.errno != errno.EINVAL:
                raise
            raise BrokenPart(name) from exc  # it is said to stand before the start of the file
        except RuntimeError as exc:  # zipfile's word for an entry with a password
            raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed")) from exc

    def root_or_none(self, name: str | None) -> "Element | None":
        """:meth:`root` of a part that may be missing or damaged."""
        try:
            return self.root(name) if name is not None else None
        except BrokenPart:
            return None

    def relations(self, part: str) -> dict[str, Relation]:
        """What ``part`` refers to, by relationship id; empty when its list is missing or damaged."""
        folder, _, base = part.rpartition("/")
        listed = self.root_or_none(f"{folder}/_rels/{base}.rels".lstrip("/"))
        found: dict[str, Relation] = {}
        for item in () if listed is None else listed:
            target = item.get("Target") or ""
            if item.get("TargetMode") == "External" or not target:
                continue
            where = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            found[item.get("Id") or ""] = Relation((item.get("Type") or "").rpartition("/")[2], where)
        return found


def name_of(element: "Element") -> str:
    """The local name; empty for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value_of(element: "Element | None", name: str = "val") -> str | None:
    """An attribute, whatever its namespace."""
    if element is None:
        return None
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def child_of(element: "Element | None", *names: str) -> "Element | None":
    """The first child of that name, its first child of the next name, and so on."""
    for name in names:
        if element is None:
            return None
        element = next((child for child in element if name_of(child) == name), None)
    return element


def below(element: "Element | None", *names: str) -> "Iterator[Element]":
    """The elements of these names at any depth, in order."""
    return (found for found in (() if element is None else element.iter()) if name_of(found) in names)


def number_of(text: str | None, otherwise: int = 0) -> int:
    """A whole number from an attribute."""
    try:
        return int(text) if text is not None else otherwise
    except ValueError:
        return otherwise


def is_on(element: "Element | None") -> bool:
    """Whether a switch such as ``<w:vanish/>`` is there and not turned off."""
    return element is not None and value_of(element) not in ("0", "false", "off")


def shown_alternative(element: "Element") -> "Element | None":
    """The branch of an AlternateContent to read: it holds the same thing for newer and older programs."""
    choice = child_of(element, "Choice")
    return choice if choice is not None else child_of(element, "Fallback")


def core_properties(package: Package) -> dict[str, Any]:
    """Title, author and dates from the file's properties."""
    wanted = ("title", "subject", "creator", "keywords", "created", "modified")
    core = package.root_or_none("docProps/core.xml")
    items = () if core is None else core
    return {name_of(item): item.text for item in items if name_of(item) in wanted and item.text}


def holds_han(text: str) -> bool:
    return _HAN.search(text) is not None


def described(text: str | None) -> str:
    """An alternative text in one line if a person wrote a sentence; else nothing.

    Programs fill it with "Picture 3", file names and guesses of their own.
    """
    flat = " ".join((text or "").split())
    if _FILE_NAME.fullmatch(flat) or _NAMED_BY_PROGRAM.fullmatch(flat) or _DESCRIBED_BY_PROGRAM.search(flat):
        return ""
    says = len(_HAN.findall(flat)) >= _SENTENCE_HAN or len(flat.split()) >= _SENTENCE_WORDS
    return flat if says else ""

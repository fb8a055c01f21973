"""Which documents a question is asked of: folder, type, date and name, as given or understood.

A filter chooses among the candidates; what their scores are measured against stays the whole library.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from engine.document_filter import DocumentFilter, period
from engine.errors import FilterInvalid
from engine.index.library import Library
from engine.intake.kinds import SUFFIXES
from engine.normalise import normalise

KINDS = ("pdf", "word", "markdown", "html", "text", "slides", "sheet", "ebook", "mail")
"""Kinds of documents, which stand for all their suffixes in ``--type``."""

_DATED = ("date", "modified", "modDate", "created", "creationDate", "creation-date")
"""Where loaders put a document's own date: front matter, mail and e-books; Office; PDF; OpenDocument."""

_WRITTEN = re.compile(r"(?:D:)?((?:19|20)\d\d)[-/.年]?(\d{2})?[-/.月]?(\d{2})?")
_FIRST, _LAST = date.min, date.max


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as filters see it, as it is stored; what is compared is normalised when it is needed."""

    holder: int
    stored_path: str
    stored_folder: str
    stored_title: str
    kind: str
    mtime_ns: int
    metadata: str

    @property
    def path(self) -> str:
        return normalise(self.stored_path)

    @property
    def folder(self) -> str:
        return _slashed(self.stored_folder)

    @property
    def title(self) -> str:
        return normalise(self.stored_title)

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.stored_path).suffix.removeprefix(".").lower()

    @property
    def day(self) -> date:
        return own_date(json.loads(self.metadata)) or _day_of(self.mtime_ns)

    def is_called(self, pattern: str) -> bool:
        """Whether a pattern fits its file's name (its path, if it has a slash), or is a part of that."""
        wanted = _slashed(pattern)
        name = self.path if "/" in wanted else PurePosixPath(self.path).name
        if any(mark in wanted for mark in "*?["):
            return fnmatchcase(name, wanted)
        return wanted in name or wanted in self.title


def parse(
    *,
    folders: Sequence[str] = (),
    types: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
    names: Sequence[str] = (),
) -> DocumentFilter:
    """A filter from what was typed: ``types`` may hold commas, dates are a year, a month or a day.

    Raises:
        FilterInvalid: a value that means nothing, with the name of its option.
    """
    for option, values in (("--in", folders), ("--name", names)):
        for value in values:
            if not value.strip("/\\ .") and value.strip() != ".":
                raise FilterInvalid(option=option, value=value)
    wanted = [word.strip().lower().removeprefix(".") for value in types for word in re.split("[,，]", value)]
    known = {suffix.removeprefix(".") for suffix in SUFFIXES} | set(KINDS) | {"doc", "xls", "ppt", "wps"}
    for word in wanted:
        if word not in known:
            raise FilterInvalid(option="--type", value=word)
    first = None if since is None else period(since, "--since")[0]
    last = None if until is None else period(until, "--until")[1]
    if first and last and first > last:
        raise FilterInvalid(option="--since, --until", value=f"{since} – {until}")
    return DocumentFilter(tuple(folders), tuple(dict.fromkeys(wanted)), first, last, tuple(names))


def rows(chosen: DocumentFilter, library: Library) -> list[int]:
    """Row ids of the chunks of a library that a filter leaves, in order."""
    ids = json.dumps(sorted(document_ids(chosen, library)))
    query = "SELECT id FROM chunks WHERE document_id IN (SELECT value FROM json_each(?)) ORDER BY id"
    return [row for (row,) in library.db.execute(query, (ids,))]


def document_ids(chosen: DocumentFilter, library: Library) -> set[int]:
    """The documents that a filter leaves; of a copy the one that holds its text."""
    named = None if chosen.documents is None else set(library.document_ids(chosen.documents))
    if named is not None and not chosen.has_conditions:
        return named
    found = {each.holder for each in _entries(library.db) if _admits(chosen, each)}
    return found if named is None else found & named


def _admits(chosen: DocumentFilter, entry: Entry) -> bool:
    if chosen.folders and not any(_is_below(entry, folder) for folder in chosen.folders):
        return False
    if chosen.types and not {entry.suffix, entry.kind} & set(chosen.types):
        return False
    if chosen.names and not any(entry.is_called(name) for name in chosen.names):
        return False
    if not chosen.since and not chosen.until:
        return True
    return (chosen.since or _FIRST) <= entry.day <= (chosen.until or _LAST)


def own_date(metadata: Mapping[str, Any]) -> date | None:
    """The date that a document says it is of; None where it says none that can be one."""
    for key in _DATED:
        match = _WRITTEN.match(str(metadata.get(key) or "").strip())
        if match is not None:
            year, month, day = (int(part or 1) for part in match.groups())
            try:
                return date(year, month, day)
            except ValueError:
                continue
    return None


def matching(libraries: Iterable[Library], chosen: DocumentFilter) -> tuple[int, int]:
    """How many documents with text a filter leaves, and how many there are."""
    left = total = 0
    for library in libraries:
        with_text = {row for (row,) in library.db.execute("SELECT DISTINCT document_id FROM chunks")}
        total += len(with_text)
        left += len(with_text & document_ids(chosen, library))
    return left, total


def entries(libraries: Iterable[Library]) -> Iterator[Entry]:
    """Every document of the libraries."""
    for library in libraries:
        yield from _entries(library.db)


def _entries(db: sqlite3.Connection) -> Iterator[Entry]:
    found = db.execute(
        "SELECT coalesce(d.copy_of, d.id), d.path, f.path, d.title, d.kind, d.mtime_ns, d.metadata"
        " FROM documents d JOIN folders f ON f.id = d.folder_id"
    )
    return (Entry(*row) for row in found)


@lru_cache(maxsize=256)
def _slashed(path: str) -> str:
    """A path or a pattern, normalised, with the slashes that stored paths have."""
    return normalise(path.replace("\\", "/"))


def _is_below(entry: Entry, folder: str) -> bool:
    """Whether a document lies in a folder: in the library's folder of that name, or below it at that path."""
    wanted = _slashed(folder).removeprefix("./").rstrip("/")
    if wanted in ("", "."):
        return True
    path, whole = entry.path, entry.folder
    places = (path, f"{whole.rsplit('/', 1)[-1]}/{path}", f"{whole}/{path}")
    return any(place == wanted or place.startswith(wanted + "/") for place in places)


def _day_of(mtime_ns: int) -> date:
    """The day of a file's time on this machine's clock."""
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC).astimezone().date()
    except (OverflowError, ValueError, OSError):
        return _FIRST

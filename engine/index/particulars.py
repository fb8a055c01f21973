"""``library.json`` beside library.sqlite: what a library is, for the day when its SQLite file cannot be read.

Name, folders and choices (profile, patterns, embedder); nothing of its documents.
"""

import json
import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engine.errors import StorageFailed
from engine.index.library import Library
from engine.index.replacing import write_file

FILE = "library.json"

_PASSING = frozenset(
    {
        *("generation", "remains", "last_error", "last_sync", "embedder_coming", "vectors_expected"),
        "terms_version",
    }
)
"""Facts that say how it stands, not what it is."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Particulars:
    """``folders`` by their ids, ``facts`` as in the table meta, ``name`` among them."""

    folders: Mapping[int, str] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        return self.facts.get("name")


def note(library: Library) -> None:
    """Bring the file up to date; a place that cannot be written is no reason to stop anything."""
    if library.folder is None:
        return
    try:
        found = _of(library)
    except sqlite3.DatabaseError as exc:
        _log.info("the particulars of a library cannot be read: %s", exc)
        return
    if found == read(library.folder):
        return
    text = json.dumps(asdict(found), ensure_ascii=False, indent=1, sort_keys=True)
    try:
        write_file(library.folder / FILE, text.encode("utf-8", "surrogatepass"))
    except StorageFailed as exc:
        _log.info("the particulars of a library were not noted: %s", exc)


def _of(library: Library) -> Particulars:
    facts = dict(library.db.execute("SELECT key, value FROM meta ORDER BY key"))
    folders = {number: str(path) for number, path in library.folders().items()}
    return Particulars(folders, {key: value for key, value in facts.items() if key not in _PASSING})


def read(folder: Path) -> Particulars | None:
    """What was noted; None when it was not, or cannot be read."""
    try:
        found = json.loads((folder / FILE).read_bytes().decode("utf-8", "surrogatepass"))
        folders = {int(number): str(path) for number, path in found["folders"].items()}
        return Particulars(folders, {str(key): str(value) for key, value in found["facts"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None

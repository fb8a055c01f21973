"""What the data folder holds, by what it is, with its size on disk."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.paths import Home

PlaceKind = Literal["libraries", "history", "settings", "logs", "crash", "proof", "models"]

PROOF = "proof"
"""The folder of the last proof's report."""

_PATTERNS: dict[PlaceKind, tuple[str, ...]] = {
    "libraries": ("libraries", "kept-aside", ".draft-*"),
    "history": ("history.sqlite*", ".history.sqlite*"),
    "settings": ("settings.yaml*", ".settings.yaml*", "window.ini*", "model-*.json", ".model-*.json*"),
    "logs": ("logs",),
    "crash": ("crash",),
    "proof": (PROOF,),
}
"""By name: a data folder that a person chose may hold other things, which are not the program's."""


@dataclass(frozen=True, slots=True)
class Place:
    """``path`` is where it lies, ``size`` its bytes; 0 where there is nothing yet."""

    kind: PlaceKind
    path: Path
    size: int


def places(home: Home) -> tuple[Place, ...]:
    """All kinds, models last."""
    found = [Place(kind, _path(home, kind), sum(map(size_of, entries(home, kind)))) for kind in _PATTERNS]
    return (*found, Place("models", home.models, size_of(home.models)))


def entries(home: Home, kind: PlaceKind) -> Iterator[Path]:
    """The files and folders of a kind that are there."""
    for pattern in _PATTERNS[kind]:
        yield from sorted(home.root.glob(pattern))


def all_entries(home: Home) -> Iterator[Path]:
    """Everything that comes from a person's documents, questions and choices; the model files do not."""
    for kind in _PATTERNS:
        yield from entries(home, kind)


def size_of(path: Path) -> int:
    """Bytes of a file or of all files in a folder; what cannot be looked at counts for nothing."""
    try:
        if not path.is_dir():
            return path.stat().st_size
        return sum(inner.stat().st_size for inner in path.rglob("*") if inner.is_file())
    except OSError:
        return 0


def _path(home: Home, kind: PlaceKind) -> Path:
    return home.root / _PATTERNS[kind][0].rstrip("*")

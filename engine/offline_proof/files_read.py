"""The files that were read, by what they are; those that are nothing of the program's stand by name."""

import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import resources

Kind = Literal["program", "libraries", "model", "document", "working", "system", "other"]
KINDS: tuple[Kind, ...] = ("document", "model", "working", "program", "libraries", "system", "other")

_SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc",
    "/proc",
    "/sys",
    "/dev",
    "/run",
    "/var/cache/fontconfig",
    "/opt",
    "/var/lib/dbus",
)


@dataclass(frozen=True, slots=True)
class FilesRead:
    """Paths by kind, sorted."""

    by_kind: dict[Kind, tuple[str, ...]]

    def counts(self) -> dict[str, int]:
        return {kind: len(self.by_kind[kind]) for kind in KINDS}


def sort(paths: Iterable[str], models: Path, working: Path) -> FilesRead:
    """``working`` is the rehearsal's own folder; paths that are not absolute are left out."""
    places: list[tuple[Path, Kind]] = [
        (working, "working"),
        (resources.path("samples"), "document"),
        (models, "model"),
        (Path(__file__).parents[2] / "models" / "bge-small-zh-v1.5", "model"),
        *((Path(sysconfig.get_path(name)), "libraries") for name in ("stdlib", "purelib", "platlib")),
        *((Path(prefix), "libraries") for prefix in (sys.prefix, sys.base_prefix)),
        (Path(__file__).parents[2], "program"),
        *((Path(name), "system") for name in _SYSTEM),
    ]
    places = [place for named in places for place in {named, (named[0].resolve(), named[1])}]
    found: dict[Kind, set[str]] = {kind: set() for kind in KINDS}
    for path in paths:
        if path.startswith("/") or Path(path).is_absolute():
            found[_kind(Path(path), places)].add(path)
    return FilesRead({kind: tuple(sorted(found[kind])) for kind in KINDS})


def _kind(path: Path, places: list[tuple[Path, Kind]]) -> Kind:
    """The first place that holds it, however the path goes there."""
    for seen in (path, path.resolve()):
        for place, kind in places:
            if seen == place or place in seen.parents:
                return kind
    return "other"

"""Which entries of a folder are read, and why others are left out on purpose."""

import json
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from pathspec import GitIgnoreSpec

from engine.documents import Reason
from engine.errors import FolderTooBroad, PatternInvalid
from engine.index.library import Library

IGNORED_NAMES = frozenset({"thumbs.db", "desktop.ini", "node_modules", "__pycache__", "$recycle.bin"})

_DEVICES = ("/proc", "/sys", "/dev")


class Selection:
    """``include`` and ``exclude`` are patterns as in .gitignore, relative to each folder of a library.

    Without ``include`` every file counts. ``hidden`` takes in hidden files and folders. ``home`` is the data
    folder of this program, which is never read: its log would change with every reading.
    """

    def __init__(
        self,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        hidden: bool = False,
        home: Path | None = None,
    ) -> None:
        """Raises PatternInvalid."""
        self.include, self.exclude, self.hidden = _lines(include), _lines(exclude), hidden
        self._wanted, self._unwanted = _compiled(self.include), _compiled(self.exclude)
        self._never = _system_folders() | ({home} if home is not None else set())

    @classmethod
    def of(cls, library: Library, home: Path | None = None) -> "Selection":
        """What was chosen for a library."""
        chosen = json.loads(library.meta("selection", "{}"))
        return cls(
            chosen.get("include", ()), chosen.get("exclude", ()), bool(chosen.get("hidden")), home
        )  # fmt: skip

    def keep(self, library: Library) -> None:
        """Choose it for a library; raises StorageFailed."""
        chosen = {"include": self.include, "exclude": self.exclude, "hidden": self.hidden}
        library.set_meta("selection", json.dumps(chosen, ensure_ascii=False))

    def of_name(self, name: str) -> Reason | None:
        """Why an entry of this name is left out whatever it is, or None."""
        if name.startswith(("~$", ".~lock.")):
            return Reason("lock_file")
        if name.startswith(".") and not self.hidden:
            return Reason("hidden")
        if name.lower() in IGNORED_NAMES:
            return Reason("ignored")
        return None

    def of_folder(self, path: Path, relative: str, info: os.stat_result) -> Reason | None:
        """Why a folder is left out with all that is in it, or None."""
        if path in self._never:
            return Reason("ignored")
        if self._is_hidden(info):
            return Reason("hidden")
        return _by_pattern(self.exclude, self._unwanted, relative + "/")

    def of_file(self, relative: str, info: os.stat_result) -> Reason | None:
        """Why a file is left out, or None."""
        if self._is_hidden(info):
            return Reason("hidden")
        if (reason := _by_pattern(self.exclude, self._unwanted, relative)) is not None:
            return reason
        if self._wanted is not None and not self._wanted.match_file(relative):
            return Reason("not_included")
        return None

    def reaches(self, inside: PurePosixPath) -> bool:
        """Whether a look through a folder comes by ``inside``, a path in it."""
        folders = [str(inside), *map(str, inside.parents)][:-1]
        return all(self.of_name(part) is None for part in inside.parts) and all(
            _by_pattern(self.exclude, self._unwanted, folder + "/") is None for folder in folders
        )

    def _is_hidden(self, info: os.stat_result) -> bool:
        # Only Windows has attributes.
        attributes = getattr(info, "st_file_attributes", 0)
        return bool(attributes & stat.FILE_ATTRIBUTE_HIDDEN) and not self.hidden


def ensure_narrow(folder: Path) -> None:
    """Nobody's documents are a whole disk or the devices of a system.

    Raises:
        FolderTooBroad: the folder is one of those.
    """
    real = Path(os.path.realpath(folder))
    if real == real.parent or any(real.is_relative_to(device) for device in _DEVICES if os.name == "posix"):
        raise FolderTooBroad(path=str(folder))


def _system_folders() -> set[Path]:
    """What programs keep in a person's home, where it has no hidden name."""
    name = {"win32": "AppData", "darwin": "Library"}.get(sys.platform)
    return {Path.home() / name} if name else set()


def _lines(patterns: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for line in patterns if line.strip() and not line.startswith("#"))


def _compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec | None:
    try:
        return GitIgnoreSpec.from_lines(patterns) if patterns else None
    except ValueError as exc:
        raise PatternInvalid(pattern=" ".join(map(str, patterns)), detail=str(exc)) from exc


def _by_pattern(patterns: tuple[str, ...], spec: GitIgnoreSpec | None, relative: str) -> Reason | None:
    found = spec.check_file(relative) if spec is not None else None
    if found is None or not found.include or found.index is None:
        return None
    return Reason("excluded_by_pattern", {"pattern": patterns[found.index]})

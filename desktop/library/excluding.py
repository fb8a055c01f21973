"""Leaves single files out of a knowledge base, and takes them in again."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop.engine_bridge import EngineBridge
from desktop.library.indexing import Indexing
from desktop.library.places import path_on_disk
from engine.commands import ChangeLibrary
from engine.events import Event, FileReport, TaskDone, TaskFailed
from engine.standing import LibrarySummary

if TYPE_CHECKING:
    from desktop.library.file_actions import FileActions

_SPECIAL = re.compile(r"([\\*?\[\]])")


def pattern_of(document: str, folders: Sequence[str]) -> str | None:
    """The exclude pattern (as in .gitignore) that this document alone meets; None without its folder."""
    path = path_on_disk(document, folders)
    for folder in map(Path, folders):
        if path is not None and path.is_relative_to(folder):
            # A folder that is a single file is known by its name.
            inside = path.name if path == folder else path.relative_to(folder).as_posix()
            escaped = _SPECIAL.sub(r"\\\1", inside)
            # Blanks at the end of a pattern do not count unless they are escaped.
            return "/" + re.sub(r" +$", lambda blanks: "\\ " * len(blanks.group()), escaped)
    return None


def is_left_out(file: FileReport, folders: Sequence[str]) -> bool:
    """Whether the file was left out by its own pattern, and not by one that means others, too."""
    reason = file.reason
    if reason is None or reason.code != "excluded_by_pattern":
        return False
    return reason.params.get("pattern") == pattern_of(file.path, folders)


class Excluding(QObject):
    """Changes the exclude patterns of the shown knowledge base (``shown``) and has it synced.

    Signals:
        problem_found(str, object): code and params of why it could not be done.
    """

    problem_found = Signal(str, object)

    def __init__(
        self,
        bridge: EngineBridge,
        indexing: Indexing,
        files: "FileActions",
        shown: Callable[[], LibrarySummary | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._indexing, self._shown = bridge, indexing, shown
        files.leaving_out_wanted.connect(self._on_leaving_out_wanted)
        files.taking_in_wanted.connect(self._on_taking_in_wanted)

    @Slot(object)
    def _on_leaving_out_wanted(self, documents: tuple[str, ...]) -> None:
        if (library := self._shown()) is not None:
            new = self._patterns(documents, library)
            self._change(library, tuple(dict.fromkeys((*library.exclude, *new))))

    @Slot(object)
    def _on_taking_in_wanted(self, documents: tuple[str, ...]) -> None:
        if (library := self._shown()) is not None:
            gone = set(self._patterns(documents, library))
            self._change(library, tuple(line for line in library.exclude if line not in gone))

    def _patterns(self, documents: Sequence[str], library: LibrarySummary) -> list[str]:
        found = (pattern_of(document, library.folders) for document in documents)
        return [pattern for pattern in found if pattern is not None]

    def _change(self, library: LibrarySummary, exclude: tuple[str, ...]) -> None:
        if exclude != library.exclude and not self._indexing.is_busy():
            command = ChangeLibrary(self._bridge.new_task(), library.name, exclude=exclude)
            self._bridge.send(command, partial(self._on_event, library))

    def _on_event(self, library: LibrarySummary, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        elif isinstance(event, TaskDone):
            folders = [path for path in map(Path, library.folders) if path.is_absolute()]
            self._indexing.index(folders, library.name)

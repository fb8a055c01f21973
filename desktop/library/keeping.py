"""Keeps knowledge bases in step with their folders: at the start, after a change, and now and then."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from desktop.library.controller import LibraryController
from engine.standing import LibrarySummary

START_S = 1.0
"""Between the first list and the first sync: the window comes first, and by then the watches stand."""
ROUND_S = 30 * 60.0
"""How often everything is looked through, for what no event told."""
HEARTBEAT_S = 60.0
ASLEEP_S = 180.0
"""A heart that beats so late has slept, and nobody watched the folders meanwhile."""
AWAKE_S = 10.0
"""From there to the sync: network drives come back a little later than the machine."""
REST_FACTOR, LONGEST_REST_S = 2.0, 60.0
"""After a change was synced, the next one waits: one that never ends takes a third of the time at most."""
BUSY_S, LONGEST_BUSY_S = 5.0, 60.0
"""How soon it is tried again when another program writes; twice as late each time."""


class Watcher(Protocol):
    """The watcher of folders as the window sees it (:class:`engine.watching.watcher.FolderWatcher`)."""

    def watch(self, wanted: Mapping[str, Sequence[Path]]) -> None: ...

    def close(self) -> None: ...


WatcherFactory = Callable[[Callable[[str, frozenset[Path]], None]], Watcher]


@dataclass(frozen=True, slots=True)
class _Due:
    """A sync that waits until ``at`` (monotonic clock); without ``below`` it looks at everything."""

    at: float
    below: frozenset[Path] = frozenset()

    def joined(self, other: "_Due") -> "_Due":
        everything = not self.below or not other.below
        return _Due(min(self.at, other.at), frozenset() if everything else self.below | other.below)


class Keeping(QObject):
    """Sends quiet syncs of what is not paused.

    Before each, the knowledge bases are listed: another program may have renamed or removed one, and a sync
    by its old name would make it anew.

    Signals:
        _changed(str, object): from the watcher's thread, queued: a knowledge base and the folders in it.
    """

    _changed = Signal(str, object)

    def __init__(
        self, library: LibraryController, make_watcher: WatcherFactory, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._due: dict[str, _Due] = {}
        self._known: set[str] = set()
        self._rests: dict[str, float] = {}
        self._busy_s = BUSY_S
        self._is_list_awaited = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)
        self._rounds = QTimer(self)
        self._rounds.setInterval(int(ROUND_S * 1000))
        self._rounds.timeout.connect(self._on_round)
        self._rounds.start()
        self._heart = QTimer(self)
        self._heart.setInterval(int(HEARTBEAT_S * 1000))
        self._heart.timeout.connect(self._on_heartbeat)
        self._heart.start()
        # The clock on the wall: the monotonic one stands still on some systems while the machine sleeps.
        self._beat_at = time.time()
        self._changed.connect(self._on_changed, Qt.ConnectionType.QueuedConnection)
        library.libraries_listed.connect(self._on_listed)
        library.indexing.synced.connect(self._on_synced)
        library.indexing.put_off.connect(self._on_put_off)
        self._watcher = make_watcher(self._changed.emit)

    def close(self) -> None:
        """Nothing is watched or sent any more."""
        self._timer.stop()
        self._rounds.stop()
        self._heart.stop()
        self._watcher.close()

    @Slot(object)
    def _on_listed(self, libraries: tuple[LibrarySummary, ...]) -> None:
        active = {library.name: _folders(library) for library in libraries if not library.paused}
        active = {name: folders for name, folders in active.items() if folders}
        self._watcher.watch(active)
        new = active.keys() - self._known
        self._known = set(active)
        if new:
            self._want(new, START_S)
        if self._is_list_awaited:
            self._is_list_awaited = False
            self._send(active, _by_last_use(libraries, self._library.current))

    def _send(self, active: Mapping[str, Sequence[Path]], order: Iterable[str]) -> None:
        now = time.monotonic()
        waiting = {name: due for name, due in self._due.items() if name in active}
        self._due = {name: due for name, due in waiting.items() if due.at > now}
        for name in order:
            if name in waiting and name not in self._due:
                self._library.indexing.sync_quietly(active[name], name, sorted(waiting[name].below))
        self._set_timer()

    def _want(self, names: Iterable[str], after_s: float = 0.0, below: frozenset[Path] = frozenset()) -> None:
        for name in names:
            due = _Due(time.monotonic() + after_s, below)
            self._due[name] = due.joined(self._due[name]) if name in self._due else due
        self._set_timer()

    def _set_timer(self) -> None:
        if self._due:
            rest_s = min(due.at for due in self._due.values()) - time.monotonic()
            self._timer.start(max(0, int(rest_s * 1000) + 1))

    @Slot()
    def _look(self) -> None:
        self._is_list_awaited = True
        self._library.list_summaries()

    @Slot(str, object)
    def _on_changed(self, name: str, folders: frozenset[Path]) -> None:
        self._want((name,), max(0.0, self._rests.get(name, 0.0) - time.monotonic()), folders)

    @Slot()
    def _on_round(self) -> None:
        self._want(self._known)

    @Slot()
    def _on_heartbeat(self) -> None:
        """After a sleep everything is looked through."""
        last, self._beat_at = self._beat_at, time.time()
        if self._beat_at - last > ASLEEP_S:
            self._want(self._known, AWAKE_S)

    @Slot(str, object, object)
    def _on_synced(self, name: str, below: tuple[Path, ...], seconds: float) -> None:
        self._known.add(name)
        self._busy_s = BUSY_S
        if below:
            self._rests[name] = time.monotonic() + min(seconds * REST_FACTOR, LONGEST_REST_S)

    @Slot(str, object)
    def _on_put_off(self, name: str, below: tuple[Path, ...]) -> None:
        self._want((name,), self._busy_s, frozenset(below))
        self._busy_s = min(self._busy_s * 2, LONGEST_BUSY_S)


def _folders(library: LibrarySummary) -> list[Path]:
    """Those that lie on this machine: a knowledge base that came from another one may have others."""
    return [folder for folder in map(Path, library.folders) if folder.is_absolute()]


def _by_last_use(libraries: Sequence[LibrarySummary], shown: str | None) -> list[str]:
    ordered = sorted(libraries, key=lambda library: library.last_sync or "", reverse=True)
    return [library.name for library in sorted(ordered, key=lambda library: library.name != shown)]

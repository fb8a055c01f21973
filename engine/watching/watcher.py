"""Which folders of which libraries are watched, and how far each can be."""

import logging
import os
import threading
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.watching.bursts import Bursts, OnChange
from engine.watching.directory import Place, WatchedDirectory
from engine.watching.shares import is_share

_log = logging.getLogger(__name__)

QUIET_S, LONGEST_S = 1.0, 5.0
CHECK_S = 3.0
"""How often is looked whether a folder is there and its watch still alive; of neither comes an event."""
RESCAN_S = 600.0
"""How often a folder is named of whose changes no event tells."""
LATE_S = 1.0
"""A folder that took longer than this until it was watched may have changed meanwhile."""

_JOIN_S = 0.3


@dataclass(frozen=True, slots=True)
class _Claim:
    """A library wants to hear of a folder, which may be a single file."""

    library: str
    folder: Path


class FolderWatcher:
    """Calls ``on_change(library, directories)`` after something changed in the folders of a library.

    The call comes from a thread of its own when nothing has changed for ``quiet_s``, at most ``longest_s``
    after the first change. The directories lie in the library's folders, or are folders: where it is not
    known what changed, the whole folder is named. That is so when it comes back, when it goes, and when
    events were lost. A folder that the operating system cannot watch, or of which it may not hear
    everything (a network share), is named every ``rescan_s``. ``ignored`` are directories whose changes do
    not count: the program's own, should they lie in a library's folder.
    """

    def __init__(
        self,
        on_change: OnChange,
        ignored: Sequence[Path] = (),
        *,
        quiet_s: float = QUIET_S,
        longest_s: float = LONGEST_S,
        check_s: float = CHECK_S,
        rescan_s: float = RESCAN_S,
    ) -> None:
        self._bursts = Bursts(on_change, quiet_s, longest_s)
        self._ignored = tuple(os.path.realpath(path) for path in ignored)
        self._check_s, self._rescan_s = check_s, rescan_s
        self._wanted: dict[_Claim, float] = {}  # since when
        self._wake = threading.Event()
        self._is_closed = False
        # From here on, the attendant's own.
        self._places: dict[_Claim, Place | None] = {}
        self._claims: dict[Place, tuple[_Claim, ...]] = {}
        self._watched: dict[Place, WatchedDirectory] = {}
        self._outgoing: list[WatchedDirectory] = []
        self._unwatchable: set[Place] = set()
        self._rescans: dict[Place, float] = {}
        self._attendant = threading.Thread(target=self._attend, name="zhiye-watcher", daemon=True)
        self._attendant.start()

    def watch(self, wanted: Mapping[str, Sequence[Path]]) -> None:
        """Watch these folders of these libraries from now on, and no others. Returns at once."""
        now = time.monotonic()
        claims = [_Claim(library, folder) for library, folders in wanted.items() for folder in folders]
        self._wanted = {claim: self._wanted.get(claim, now) for claim in claims}
        self._wake.set()

    def close(self) -> None:
        """No call begins after this. A folder that does not answer does not hold it up."""
        self._is_closed = True
        self._wake.set()
        self._bursts.close(_JOIN_S)
        self._attendant.join(_JOIN_S)

    # -- the attendant's thread -------------------------------------------------------------------

    def _attend(self) -> None:
        while not self._is_closed:
            try:
                self._look()
            except Exception:  # without this thread no folder would be watched any more
                _log.exception("the folders could not be looked at")
            self._wake.wait(self._check_s)
            self._wake.clear()
        for watched in (*self._watched.values(), *self._outgoing):
            watched.stop()

    def _look(self) -> None:
        """Bring what is watched in line with what is wanted and with what is there."""
        while self._outgoing:
            self._outgoing.pop().stop()
        wanted = self._wanted
        before, self._places = self._places, {claim: _place_of(claim.folder) for claim in wanted}
        claims: dict[Place, list[_Claim]] = defaultdict(list)
        for claim, place in self._places.items():
            if place is not None:
                claims[place].append(claim)
        self._claims = {place: tuple(found) for place, found in claims.items()}
        for place in self._watched.keys() - self._claims.keys():
            self._watched.pop(place).stop()
        self._unwatchable &= self._claims.keys()
        self._rescans = {place: due for place, due in self._rescans.items() if place in self._claims}
        for place in self._claims:
            self._attend_to(place)
        now = time.monotonic()
        for claim, place in self._places.items():
            is_late = claim not in before and now - wanted[claim] > LATE_S
            if is_late or before.get(claim, place) != place:
                self._tell(claim)

    def _attend_to(self, place: Place) -> None:
        watched = self._watched.get(place)
        if watched is None:
            if place not in self._unwatchable:
                self._begin(place)
        elif not watched.is_listening():
            self._watched.pop(place).stop()
            self._begin(place)
            self._tell_all(place)
        elif watched.moved:
            del self._watched[place]
            self._begin(place)
            # It may not have said yet all that it heard before the new one began to listen.
            self._outgoing.append(watched)
            moved = set(watched.moved)
            self._listener(place)(moved, moved)
        if place in self._rescans and time.monotonic() >= self._rescans[place]:
            self._rescans[place] = time.monotonic() + self._rescan_s
            self._tell_all(place)

    def _begin(self, place: Place) -> None:
        """Have a directory watched, or see to it that it is looked through now and then."""
        try:
            self._watched[place] = WatchedDirectory(place, self._listener(place))
            reason = "may not be told of every change" if is_share(place.path) else ""
        except OSError as exc:
            # Not tried again while it is there: each time, watchdog leaves a file descriptor open.
            self._unwatchable.add(place)
            reason = f"cannot be watched ({exc.strerror or type(exc).__name__})"
        if not reason:
            self._rescans.pop(place, None)
        elif place not in self._rescans:
            _log.warning("a folder %s: looked through every %.0f s", reason, self._rescan_s)
            self._rescans[place] = time.monotonic() + self._rescan_s

    # -- news -------------------------------------------------------------------------------------

    def _listener(self, place: Place) -> Callable[[set[str], set[str]], None]:
        def listen(paths: set[str], directories: set[str]) -> None:
            if all(self._is_ignored(path) for path in paths):
                return
            for claim in self._claims.get(place, ()):
                if place.is_recursive:
                    inside = {_inside(directory, place.path, claim.folder) for directory in directories}
                    self._bursts.add(claim.library, claim.folder, inside)
                elif any(_is_named(path, claim.folder) for path in paths):
                    self._tell(claim)

        return listen

    def _is_ignored(self, path: str) -> bool:
        return any(path == own or path.startswith(own + os.sep) for own in self._ignored)

    def _tell_all(self, place: Place) -> None:
        for claim in self._claims.get(place, ()):
            self._tell(claim)

    def _tell(self, claim: _Claim) -> None:
        self._bursts.add(claim.library, claim.folder, {claim.folder})


def _place_of(folder: Path) -> Place | None:
    """What has to be watched for a folder; None when it is not there, or does not let itself be seen."""
    # Not Path.is_dir(), which raises where there are no rights or no network.
    real = os.path.realpath(folder)
    if os.path.isdir(real):  # noqa: PTH112
        return Place(Path(real), True)
    return Place(Path(real).parent, False) if os.path.exists(real) else None  # noqa: PTH110


def _inside(directory: str, root: Path, folder: Path) -> Path:
    """``directory`` below the real ``root``, as it is called in ``folder``; anything else is all of it."""
    path = Path(directory)
    return folder / path.relative_to(root) if path.is_relative_to(root) else folder


def _is_named(path: str, file: Path) -> bool:
    return _name(Path(path)) == _name(Path(os.path.realpath(file)))


def _name(path: Path) -> str:
    """macOS gives names back in another Unicode form than they were written in."""
    return os.path.normcase(unicodedata.normalize("NFC", path.name))

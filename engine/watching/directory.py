"""One directory that the operating system watches, through watchdog."""

import os
import stat
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

_CHANGES: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileClosedEvent,  # after writing
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
"""Not: opened, and closed without writing. Reading a document is no change of it."""

_JOIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """A real directory, with all below it or by itself."""

    path: Path
    is_recursive: bool

    def identity(self) -> tuple[int, int] | None:
        """What tells the directory from another one of the same name; None when it is not there."""
        try:
            info = self.path.stat()
        except OSError:
            return None
        return (info.st_dev, info.st_ino) if stat.S_ISDIR(info.st_mode) else None


class WatchedDirectory(FileSystemEventHandler):
    """Calls ``on_event(paths, directories)`` from a thread of watchdog's for every change.

    ``paths`` were changed; ``directories`` are those in which something changed: a directory that was
    created, moved or deleted itself is among them, with the one around it.

    It has an observer to itself: one that is busy with a large tree would hold up the news of all others.

    Raises:
        OSError: the operating system does not watch it (gone, no rights, no watches left).
    """

    def __init__(self, place: Place, on_event: Callable[[set[str], set[str]], None]) -> None:
        self._place, self._on_event = place, on_event
        self._identity = place.identity()
        self.moved: set[str] = set()
        """Directories that came or went: what is below them is heard of for certain by a new watch only."""
        self._observer = Observer()
        self._observer.schedule(self, str(place.path), recursive=place.is_recursive, event_filter=_CHANGES)
        try:
            self._observer.start()
        except OSError:
            self.stop()
            raise

    def is_listening(self) -> bool:
        """Whether changes still arrive.

        They do not when the directory is another one now, and when a thread of watchdog's has ended: a
        deleted directory ends the emitter, a directory that vanishes while it is listed ends the thread
        that reads from inotify with a KeyError.
        """
        threads: list[object] = [self._observer, *self._observer.emitters]
        threads += [getattr(emitter, "_inotify", None) for emitter in self._observer.emitters]
        is_alive = all(thread.is_alive() for thread in threads if isinstance(thread, threading.Thread))
        return is_alive and self._place.identity() == self._identity

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.is_synthetic:
            return  # lies inside a directory that was moved, which has been named
        paths = {os.fsdecode(path) for path in (event.src_path, event.dest_path) if path}
        directories = set(paths) if event.is_directory else set()
        if not isinstance(event, DirModifiedEvent):
            directories |= {os.path.dirname(path) for path in paths}  # noqa: PTH120
            if event.is_directory and sys.platform.startswith("linux"):
                # A tree that is moved here is not watched, one that leaves still is, and for one that is
                # made here there may be no watches left.
                self.moved |= paths
        self._on_event(paths, directories)

    def stop(self) -> None:
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join(_JOIN_S)

"""The libraries of one home that are open here, by their names.

Each is opened when first asked for and followed when another process renames or removes it. One owner:
nothing here may be called from two threads.
"""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from engine import shelf
from engine.errors import CodedError, LibraryNameTaken, LibraryUnknown, WrongUse
from engine.index import unfinished
from engine.index.database import storage_error
from engine.index.library import Library
from engine.shelf import WriteLock

_log = logging.getLogger(__name__)


class Libraries:
    """``folder`` holds a folder for each; ``model`` with its ``dimension`` is what new ones are made with.

    ``damaged`` holds the folder names of libraries that could not be opened, with the reason: one broken
    file must not take the others with it. ``hidden`` are those whose name another one has.
    """

    def __init__(self, folder: Path, model: str, dimension: int, threads: int) -> None:
        self._folder, self._model, self._dimension, self._threads = folder, model, dimension, threads
        self._opened: dict[str, Library] = {}
        self.damaged: dict[str, CodedError] = {}
        self.hidden: dict[str, str] = {}
        self._files: dict[str, int] = {}
        """By folder name, which file on disk is open; a repair puts another one in its place."""
        shelf.sweep(folder)

    def make_with(self, model: str, dimension: int) -> None:
        """New libraries are made with this embedder from now on."""
        self._model, self._dimension = model, dimension

    def names(self) -> list[str]:
        """Names of all libraries that can be opened, sorted."""
        self._follow_others()
        self.hidden.clear()
        known = self._known_ids()
        for folder in sorted(self._folder.iterdir()):
            if folder.name in known or not shelf.is_library(folder):
                continue
            try:
                self._take_in(Library(folder, dimension=self._dimension, threads=self._threads))
            except (CodedError, sqlite3.DatabaseError) as exc:
                error = exc if isinstance(exc, CodedError) else storage_error(exc, str(folder))
                _log.warning("a library cannot be opened: %s", error)
                self.damaged[folder.name] = error
        return sorted(self._opened)

    def _take_in(self, library: Library) -> None:
        """Keep a library open; raises sqlite3.DatabaseError when its name cannot be read."""
        try:
            name = library.name
        except sqlite3.DatabaseError:
            library.close()
            raise
        if name in self._opened or not name:
            library.close()
            if name:
                self.hidden[shelf.id_of(library)] = name
            return
        self._keep(name, library)
        self._set_aside_unfinished(library)

    def _keep(self, name: str, library: Library) -> None:
        self._opened[name] = library
        self._files[shelf.id_of(library)] = shelf.file_number(library)

    def _known_ids(self) -> set[str]:
        return {*map(shelf.id_of, self._opened.values()), *self.damaged}

    def _follow_others(self) -> None:
        """Another process may have renamed, removed or repaired what is open here."""
        for known, library in list(self._opened.items()):
            is_gone = self._files[shelf.id_of(library)] != shelf.file_number(library)
            try:
                name = known if is_gone else library.name
            except sqlite3.DatabaseError:  # found out when it is used; the others are not affected
                continue
            if name == known and not is_gone:
                continue
            del self._opened[known]
            if is_gone or name in self._opened:
                library.close()
            else:
                self._opened[name] = library

    def _set_aside_unfinished(self, library: Library) -> None:
        """What ended the program last time is not read again by itself."""
        try:
            with WriteLock(library):
                if count := unfinished.set_aside(library):
                    _log.warning("%s files were being read when the program ended", count)
        # Another process is reading right now, the disk is read-only or the table cannot be read.
        except (CodedError, OSError, sqlite3.DatabaseError):
            _log.info("the files in work could not be looked at")

    def open(self, name: str) -> Library:
        """An existing library; raises LibraryUnknown, or what keeps it from being opened."""
        if name not in self.names():
            raise self._damage_of(name) or LibraryUnknown(name=name)
        return self._opened[name]

    def _damaged_folder(self, name: str) -> Path | None:
        return shelf.closed_folder(name, [self._folder / found for found in self.damaged])

    def _damage_of(self, name: str) -> CodedError | None:
        folder = self._damaged_folder(name)
        return None if folder is None else self.damaged[folder.name]

    def for_writing(self, name: str) -> Library:
        """A library that is created when it is new; raises what keeps it from being opened."""
        if name not in self.names():
            if (damage := self._damage_of(name)) is not None:
                raise damage
            folder = self._folder / shelf.free_id(name, self._known_ids())
            library = Library(folder, dimension=self._dimension, threads=self._threads)
            library.set_meta("name", name)
            library.set_meta("model", self._model)
            self._keep(name, library)
        return self._opened[name]

    def chosen(self, names: tuple[str, ...]) -> list[Library]:
        """The libraries of these names, each once, or all of them when none is named."""
        return [self.open(name) for name in dict.fromkeys(names or self.names())]

    def rename(self, old: str, new: str) -> None:
        """Give a library another name.

        Raises:
            LibraryUnknown, LibraryDamaged, LibraryBusy: as it is now, it cannot be renamed.
            LibraryNameTaken: there is one of the new name.
            WrongUse: the new name is blank or is no text.
            StorageFailed: it keeps the old name.
        """
        library = self.open(old)
        self.check_name(new)
        with WriteLock(library):
            shelf.rename(library, new)
        self._follow_others()

    def check_name(self, name: str) -> None:
        """Raises WrongUse for a name that is blank or no text, LibraryNameTaken where there is one of it."""
        if not name.strip() or not _is_text(name):
            raise WrongUse(detail=repr(name))
        if name in self.names() or self._damaged_folder(name) is not None:
            raise LibraryNameTaken(name=name)

    def remove(self, name: str, forget: Callable[[str], None]) -> None:
        """Delete a library from disk, also one that cannot be opened; ``forget`` is called with its id first.

        Raises:
            LibraryUnknown, LibraryBusy: nothing has been removed.
            TeamStoreUnreachable: the same; what it shares would stay on the server.
            StorageFailed: something of it is left; removing it again or the next start takes that away.
        """
        opened = name in self.names()
        damaged = None if opened else self._damaged_folder(name)
        if damaged is not None:
            folder = damaged
            forget(folder.name)
            del self.damaged[folder.name]
        else:
            library = self.open(name)
            folder = self._folder / shelf.id_of(library)
            with WriteLock(library):
                library.drop_team_copy()
                # First: once the library is gone, nobody would come back for what quotes it.
                forget(folder.name)
                library.close()
                del self._opened[name]
        shelf.discard(folder)

    def release(self, folder: Path) -> None:
        """Close the library in this folder and forget what is known of it: its files will be others."""
        self.damaged.pop(folder.name, None)
        self.hidden.pop(folder.name, None)
        for name, library in list(self._opened.items()):
            if library.folder == folder:
                library.close()
                del self._opened[name]

    def close(self) -> None:
        for library in self._opened.values():
            library.close()
        self._opened.clear()


def _is_text(name: str) -> bool:
    """Whether a name can be stored: an argument that is not valid UTF-8 has lone surrogates."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True

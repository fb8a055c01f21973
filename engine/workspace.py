"""What one owner works with: the open libraries, the embedder, the chat model and the runs.

Everything is opened when first asked for. The owner is the engine thread in the window and the main
thread on the command line; nothing here may be called from two threads.
"""

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from engine import native, shelf
from engine.answer.generation import Generator
from engine.chat_model import ChatModel
from engine.config import Settings
from engine.documents import Answer
from engine.earlier_embedders import EarlierEmbedders
from engine.errors import (
    CodedError,
    LibraryNameTaken,
    LibraryUnknown,
    WrongUse,
)
from engine.index import unfinished
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from engine.intake.pool import ParsingPool
from engine.paths import Home
from engine.runs import Runs
from engine.shelf import WriteLock
from engine.trace import ask_record
from models.catalogue import catalogue
from models.store import ModelStore

EMBEDDER = "bge-small-zh-v1.5"

_log = logging.getLogger(__name__)


class Workspace:
    """``home`` and ``settings`` stay the same for its life.

    ``damaged`` holds the folder names of libraries that could not be opened, with the reason: one broken
    file must not take the others with it.
    """

    def __init__(self, home: Home, settings: Settings) -> None:
        self.home = home.create()
        shelf.sweep(home.libraries)
        self.settings = settings
        self.models = ModelStore(home.models)
        self.threads = native.thread_count(settings.threads)
        self._libraries: dict[str, Library] = {}
        self.damaged: dict[str, CodedError] = {}
        self._embedder: Embedder | None = None
        self._embedder_error: CodedError | None = None
        self.earlier_embedders = EarlierEmbedders(self.models, self.threads)
        self._chat_model = ChatModel(self.models, home, settings)
        self._runs: Runs | None = None
        self.passwords: list[str] = []
        """What people entered for encrypted files; in memory only, for the life of the program."""
        self._reading: list[ParsingPool] = []

    # -- reading ----------------------------------------------------------------------------------

    @contextmanager
    def readers(self, settings: Settings) -> Iterator[ParsingPool]:
        """Parsing processes for one job."""
        with ParsingPool(settings) as pool:
            self._reading.append(pool)
            try:
                yield pool
            finally:
                self._reading.remove(pool)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """No file is read meanwhile: a chat model that shares its cores is ten times slower."""
        for pool in self._reading:
            pool.pause()
        try:
            yield
        finally:
            for pool in self._reading:
                pool.resume()

    # -- libraries --------------------------------------------------------------------------------

    def library_names(self) -> list[str]:
        """Names of all libraries that can be opened, sorted."""
        self._follow_others()
        known = self._known_ids()
        for folder in sorted(self.home.libraries.iterdir()):
            if folder.name in known or not shelf.is_library(folder):
                continue
            try:
                library = Library(folder, dimension=self.dimension, threads=self.threads)
            except CodedError as exc:
                _log.warning("a library cannot be opened: %s", exc)
                self.damaged[folder.name] = exc
                continue
            if library.name in self._libraries or not library.name:
                library.close()
            else:
                self._libraries[library.name] = library
                self._set_aside_unfinished(library)
        return sorted(self._libraries)

    def _known_ids(self) -> set[str]:
        return {*map(shelf.id_of, self._libraries.values()), *self.damaged}

    def _follow_others(self) -> None:
        """Another process may have renamed or removed what is open here."""
        for known, library in list(self._libraries.items()):
            try:
                name = library.name
            except sqlite3.DatabaseError:  # found out when it is used; the others are not affected
                continue
            is_gone = library.folder is not None and not library.folder.is_dir()
            if name == known and not is_gone:
                continue
            del self._libraries[known]
            if is_gone or name in self._libraries:
                library.close()
            else:
                self._libraries[name] = library

    def _set_aside_unfinished(self, library: Library) -> None:
        """What ended the program last time is not read again by itself."""
        try:
            with self.write_lock(library):
                if count := unfinished.set_aside(library):
                    _log.warning("%s files were being read when the program ended", count)
        except CodedError:  # another process is reading right now, or the disk is read-only
            _log.info("the files in work could not be looked at")

    def library(self, name: str) -> Library:
        """An existing library; raises LibraryUnknown, or what keeps it from being opened."""
        if name not in self.library_names():
            raise self._damage_of(name) or LibraryUnknown(name=name)
        return self._libraries[name]

    def _damaged_folder(self, name: str) -> Path | None:
        return shelf.closed_folder(name, [self.home.libraries / found for found in self.damaged])

    def _damage_of(self, name: str) -> CodedError | None:
        folder = self._damaged_folder(name)
        return None if folder is None else self.damaged[folder.name]

    def library_for_writing(self, name: str) -> Library:
        """A library that is created when it is new; raises what keeps it from being opened."""
        if name not in self.library_names():
            if (damage := self._damage_of(name)) is not None:
                raise damage
            folder = self.home.libraries / shelf.free_id(name, self._known_ids())
            library = Library(folder, dimension=self.dimension, threads=self.threads)
            library.set_meta("name", name)
            library.set_meta("model", EMBEDDER)
            self._libraries[name] = library
        return self._libraries[name]

    def settings_of(self, library: Library) -> Settings:
        """The settings, with the library's own way of cutting documents where it has one."""
        profile = library.meta("profile")
        return self.settings.model_copy(update={"profile": profile}) if profile else self.settings

    def chosen(self, names: tuple[str, ...]) -> list[Library]:
        """The libraries of these names, each once, or all of them when none is named."""
        return [self.library(name) for name in dict.fromkeys(names or self.library_names())]

    def rename_library(self, old: str, new: str) -> None:
        """Give a library another name.

        Raises:
            LibraryUnknown, LibraryDamaged, LibraryBusy: as it is now, it cannot be renamed.
            LibraryNameTaken: there is one of the new name.
            WrongUse: the new name is blank or is no text.
            StorageFailed: it keeps the old name.
        """
        library = self.library(old)
        if not new.strip() or not _is_text(new):
            raise WrongUse(detail=repr(new))
        if new in self._libraries or self._damaged_folder(new) is not None:
            raise LibraryNameTaken(name=new)
        with self.write_lock(library):
            shelf.rename(library, new)
        self._follow_others()

    def remove_library(self, name: str) -> None:
        """Delete a library from disk with the runs that quote it, also one that cannot be opened.

        The documents are not touched.

        Raises:
            LibraryUnknown, LibraryBusy: nothing has been removed.
            StorageFailed: something of it is left; removing it again or the next start takes that away.
        """
        opened = name in self.library_names()
        damaged = None if opened else self._damaged_folder(name)
        if damaged is not None:
            folder = damaged
            self._forget_runs(folder.name)
            del self.damaged[folder.name]
        else:
            library = self.library(name)
            folder = self.home.libraries / shelf.id_of(library)
            with self.write_lock(library):
                # The runs first: once the library is gone, nobody would come back for them.
                self._forget_runs(folder.name)
                library.close()
                del self._libraries[name]
        shelf.discard(folder)

    def write_lock(self, library: Library) -> WriteLock:
        """Held while a library is written, so that the window and the command line take turns."""
        return WriteLock(library)

    # -- models -----------------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        return next(m.dimension for m in catalogue().models if m.id == EMBEDDER) or 0

    def embedder(self) -> Embedder | None:
        """The embedder, or None when it cannot be used; ``embedder_error`` then says why."""
        if self._embedder is None and self._embedder_error is None:
            try:
                folder = self.models.ensure_verified(EMBEDDER)
                self._embedder = BgeEmbedder(folder, EMBEDDER, self.dimension, self.threads)
            except CodedError as exc:
                _log.warning("no embedder: %s", exc)
                self._embedder_error = exc
        return self._embedder

    @property
    def embedder_error(self) -> CodedError | None:
        return self._embedder_error

    def generator(self) -> Generator:
        """The chat model; raises as :meth:`engine.chat_model.ChatModel.load` does."""
        return self._chat_model.load()

    @property
    def loaded_generator(self) -> Generator | None:
        return self._chat_model.loaded

    # -- runs -------------------------------------------------------------------------------------

    @property
    def runs(self) -> Runs:
        if self._runs is None:
            self._runs = Runs(self.home.history)
        return self._runs

    def keep_run(self, answer: Answer, libraries: Sequence[Library]) -> None:
        """Save a question with its trace, unless the settings say not to; raises StorageFailed."""
        if self.settings.save_runs:
            record = ask_record(answer, [library.name for library in libraries], self.settings)
            if any(library.folder is not None and not library.folder.is_dir() for library in libraries):
                return  # removed meanwhile by another process: its text must not come back
            names = {hit.library for hit in (*answer.hits, *answer.nearest)}
            names |= {citation.library for citation in answer.citations}
            asked = {library.name: shelf.id_of(library) for library in libraries}
            # One that was renamed while it answered is in the hits by its old name.
            quoted = [asked[name] for name in names] if names <= asked.keys() else asked.values()
            self.runs.save(answer.question, answer.refused, answer.model, record, quoted)

    def _forget_runs(self, library_id: str) -> None:
        if self.home.history.exists():
            self.runs.forget_library(library_id)

    def close(self) -> None:
        """Close everything explicitly; native libraries must not be torn down by the interpreter."""
        for library in self._libraries.values():
            library.close()
        self._libraries.clear()
        self._chat_model.close()
        if self._runs is not None:
            self._runs.close()
            self._runs = None


def _is_text(name: str) -> bool:
    """Whether a name can be stored: an argument that is not valid UTF-8 has lone surrogates."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True

"""What one owner works with: the open libraries, the embedder, the chat model and the runs.

Everything is opened when first asked for. The owner is the engine thread in the window and the main
thread on the command line; nothing here may be called from two threads.
"""

import hashlib
import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from engine import native
from engine.answer import generation
from engine.answer.generation import Generator
from engine.answer.proof import prove
from engine.config import Settings
from engine.documents import Answer
from engine.errors import CodedError, LibraryBusy, LibraryUnknown, ModelMissing, StorageFailed
from engine.index import unfinished
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from engine.intake.pool import ParsingPool
from engine.paths import Home
from engine.runs import Runs
from engine.trace import ask_record
from models.catalogue import catalogue
from models.gguf import read_header
from models.store import ModelStore

EMBEDDER = "bge-small-zh-v1.5"
LARGE_MODEL_BYTES = 800_000_000
"""From this file size on, a model of the user's own gets the prompt for larger models."""

_log = logging.getLogger(__name__)


class Workspace:
    """``home`` and ``settings`` stay the same for its life.

    ``damaged`` holds the folder names of libraries that could not be opened, with the reason: one broken
    file must not take the others with it.
    """

    def __init__(self, home: Home, settings: Settings) -> None:
        self.home = home.create()
        self.settings = settings
        self.models = ModelStore(home.models)
        self.threads = native.thread_count(settings.threads)
        self._libraries: dict[str, Library] = {}
        self.damaged: dict[str, CodedError] = {}
        self._embedder: Embedder | None = None
        self._embedder_error: CodedError | None = None
        self._generator: Generator | None = None
        self._generator_error: CodedError | None = None
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
        known = {*map(_folder_name, self._libraries), *self.damaged}
        for folder in sorted(self.home.libraries.iterdir()):
            if folder.name in known or not (folder / "library.sqlite").is_file():
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
        if name not in self._libraries and name not in self.library_names():
            raise self.damaged.get(_folder_name(name)) or LibraryUnknown(name=name)
        return self._libraries[name]

    def library_for_writing(self, name: str) -> Library:
        """A library that is created when it is new; raises what keeps it from being opened."""
        if name not in self.library_names():
            folder = self.home.libraries / _folder_name(name)
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

    def remove_library(self, name: str) -> None:
        """Delete a library from disk, also one that cannot be opened; the documents are not touched."""
        self.library_names()
        folder = self.home.libraries / _folder_name(name)
        if self.damaged.pop(_folder_name(name), None) is None:
            library = self.library(name)
            with self.write_lock(library):
                library.close()
                del self._libraries[name]
        try:
            shutil.rmtree(folder)
        except OSError as exc:
            raise StorageFailed(path=str(folder), detail=exc.strerror or str(exc)) from exc

    def write_lock(self, library: Library) -> "WriteLock":
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

    def chat_model_id(self) -> str:
        """The chat model that would be used; raises ModelMissing when there is none."""
        chosen = self.settings.model or self.models.default_chat(native.free_memory())
        if chosen is None:
            raise ModelMissing(model="chat")
        return chosen

    def generator(self) -> Generator:
        """The chat model, loaded once a child process has shown that this machine can run it.

        Raises a ModelError or GenerationFailed; the same error again without another try, because a load
        that failed once costs seconds each time.
        """
        if self._generator_error is not None:
            raise self._generator_error
        if self._generator is None:
            try:
                path, name, prompt = self._chat_file()
                prove(path, self.home)
                self._generator = generation.load(path, name, prompt, self.settings.threads)
            except ModelMissing:
                raise
            except CodedError as exc:
                self._generator_error = exc
                raise
        return self._generator

    def _chat_file(self) -> tuple[Path, str, str]:
        """File, id and prompt name of the chat model, checked before any native code sees it."""
        if self.settings.model_path is not None:
            path, name = self.settings.model_path, self.settings.model_path.stem
            read_header(path)
        else:
            name = self.chat_model_id()
            path = self.models.ensure_verified(name)
        entry = next((m for m in catalogue().models if m.id == name), None)
        by_size = "large" if path.stat().st_size > LARGE_MODEL_BYTES else "small"
        return path, name, (entry.prompt if entry and entry.prompt else by_size)

    @property
    def loaded_generator(self) -> Generator | None:
        return self._generator

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
            self.runs.save(answer.question, answer.refused, answer.model, record)

    def close(self) -> None:
        """Close everything explicitly; native libraries must not be torn down by the interpreter."""
        for library in self._libraries.values():
            library.close()
        self._libraries.clear()
        if self._generator is not None:
            self._generator.close()
            self._generator = None
        if self._runs is not None:
            self._runs.close()
            self._runs = None


class WriteLock:
    """A lock file beside the library; raises LibraryBusy at once when another process holds it."""

    def __init__(self, library: Library) -> None:
        self._name = library.name
        self._lock = None if library.folder is None else FileLock(library.folder / ".writing", timeout=0)

    def __enter__(self) -> None:
        try:
            if self._lock is not None:
                self._lock.acquire()
        except Timeout as exc:
            raise LibraryBusy(name=self._name) from exc

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.release()


def _folder_name(name: str) -> str:
    """The library's folder: its id is made from the name, which may hold anything."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]

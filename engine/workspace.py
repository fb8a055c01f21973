"""What one owner works with: the open libraries, the embedder, the chat model and the runs.

Everything is opened when first asked for. The owner is the engine thread in the window and the main
thread on the command line; nothing here may be called from two threads.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from engine import native, shelf
from engine.answer.generation import Generator
from engine.chat.model import ChatModel
from engine.config import Settings
from engine.embedders import loading as embedder_loading
from engine.embedders.earlier import EarlierEmbedders
from engine.embedders.precision import PrecisionTrial
from engine.errors import CodedError
from engine.history.recording import Recording
from engine.history.records import RunSummary
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from engine.intake.pool import ParsingPool
from engine.libraries import Libraries
from engine.paths import Home
from engine.runs import Runs
from engine.settings.file import SettingsFile
from engine.settings.standing import CHAT_MODEL
from engine.trace import ask_record
from models.store import ModelStore

_log = logging.getLogger(__name__)


class Workspace:
    """``home`` stays the same for its life; ``given`` are the settings of the command line, those that were
    set explicitly come before what the settings file of the home says."""

    def __init__(self, home: Home, given: Settings) -> None:
        self.home = home.create()
        self.given = given
        self.settings_file = SettingsFile(home)
        self.settings = settings = self.settings_file.beneath(given)
        self.models = ModelStore(home.models)
        self.threads = native.thread_count(settings.threads)
        self.libraries = Libraries(home.libraries, settings.embedder, self.dimension, self.threads)
        self._embedder: Embedder | None = None
        self._embedder_error: CodedError | None = None
        self._earlier_embedders = EarlierEmbedders(self.models, self.threads)
        self._chat_model = ChatModel(self.models, home, settings)
        self._runs: Runs | None = None
        self.passwords: list[str] = []
        """What people entered for encrypted files; in memory only, for the life of the program."""
        self.told_unread: set[str] = set()
        """Chat models of which people know that they do not judge their evidence before they write."""
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
        """No file is read meanwhile: a chat model that shares its cores is ten times slower. Nor is the model
        unloaded."""
        for pool in self._reading:
            pool.pause()
        try:
            with self._chat_model.in_use():
                yield
        finally:
            for pool in self._reading:
                pool.resume()

    def take_settings(self) -> None:
        """Use what the settings file says now. A chat model that was loaded otherwise is closed, and loaded
        anew when it is next asked for."""
        before = self.settings
        wanted = self.settings_file.beneath(self.given)
        self.settings = wanted.model_copy(update={"embedder": before.embedder})
        if any(getattr(wanted, name) != getattr(before, name) for name in CHAT_MODEL):
            self.threads = native.thread_count(wanted.threads)
            native.limit_threads(self.threads)
            self.renew_chat_model()
        if wanted.embedder != before.embedder:
            self.take_embedder()

    def renew_chat_model(self) -> None:
        """Free the chat model; the next one who needs it loads what the settings name then, also where an
        earlier one could not be loaded."""
        self._chat_model.close()
        self._chat_model = ChatModel(self.models, self.home, self.settings)

    def take_embedder(self) -> None:
        """Use the embedder that the settings file names from now on; libraries change over when they are next
        indexed, and answer with the one before until then."""
        wanted = self.settings_file.beneath(self.given).embedder
        self.settings = self.settings.model_copy(update={"embedder": wanted})
        self._embedder = self._embedder_error = None
        self._earlier_embedders = EarlierEmbedders(self.models, self.threads)
        self.libraries.make_with(wanted, self.dimension)

    def settings_of(self, library: Library) -> Settings:
        """The settings, with the library's own way of cutting documents where it has one."""
        profile = library.meta("profile")
        return self.settings.model_copy(update={"profile": profile}) if profile else self.settings

    def remove_library(self, name: str) -> None:
        """Delete a library with the runs that quote it; raises as :meth:`Libraries.remove`.

        The documents are not touched.
        """
        self.libraries.remove(name, self._forget_runs)

    # -- models -----------------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        """Of the chosen embedder's vectors, also while its files are not here."""
        return self.models.known.find(self.settings.embedder).dimension or 0

    def embedder(self) -> Embedder | None:
        """The chosen embedder, or None when it cannot be used; ``embedder_error`` then says why."""
        if self._embedder is None and self._embedder_error is None:
            try:
                self._embedder = embedder_loading.load(
                    self.models, self.settings.embedder, self.threads, self._in_its_precision
                )
            except CodedError as exc:
                _log.warning("no embedder: %s", exc)
                self._embedder_error = exc
        return self._embedder

    def _in_its_precision(
        self, folder: Path, model_id: str, dimension: int, threads: int, weights: str
    ) -> Embedder:
        trial = PrecisionTrial(self.home, folder)
        made = BgeEmbedder(folder, model_id, dimension, threads, weights)
        made.settle_by(trial)
        return made

    def question_embedders(
        self, libraries: Sequence[Library]
    ) -> tuple[Embedder | None, tuple[Embedder, ...]]:
        """What questions to these libraries are embedded with: first the chosen one, then those of libraries
        that have not changed over yet. While the chosen one cannot be used, another one stands first."""
        present = self.embedder()
        others = self._earlier_embedders.of(libraries, present)
        if present is None and others:
            return others[0], others[1:]
        return present, others

    @property
    def embedder_error(self) -> CodedError | None:
        return self._embedder_error

    def generator(self) -> Generator:
        """The chat model; raises as :meth:`engine.chat.model.ChatModel.load` does."""
        return self._chat_model.load()

    def rest_chat_model(self) -> str | None:
        """Free the chat model when nothing has needed it for as long as the settings say; its id if so.

        The next one who needs it loads it again. One of a server is not ours to free.
        """
        minutes = self.settings.unload_after_minutes
        loaded = self._chat_model.loaded
        if not minutes or loaded is None or self.chat_server is not None:
            return None
        if self._chat_model.idle_s() < 60 * minutes:
            return None
        self._chat_model.close()
        _log.info("the chat model was freed after %d minutes of rest", minutes)
        return loaded.model_id

    @property
    def chat_server(self) -> str | None:
        """The address of the chat server that answers instead of a file of this program."""
        return self._chat_model.server

    def default_chat(self) -> str | None:
        """The id of the chat model that is loaded when one is asked for; None where there is none."""
        return self._chat_model.default()

    @property
    def loaded_generator(self) -> Generator | None:
        return self._chat_model.loaded

    # -- runs -------------------------------------------------------------------------------------

    @property
    def runs(self) -> Runs:
        if self._runs is None:
            self._runs = Runs(self.home.history)
        return self._runs

    def keep_run(
        self, recording: Recording, libraries: Sequence[Library], qid: str | None = None
    ) -> RunSummary | CodedError | None:
        """Save a question with its trace, unless the settings say not to (None).

        Returns why it could not be saved: that must not keep the answer from anybody.
        """
        try:
            return self._save_run(recording, libraries, qid)
        except CodedError as exc:
            _log.warning("a run was not saved: %s", exc)
            return exc

    def _save_run(
        self, recording: Recording, libraries: Sequence[Library], qid: str | None
    ) -> RunSummary | None:
        if not self.settings.save_runs:
            return None
        if any(library.folder is not None and not library.folder.is_dir() for library in libraries):
            return None  # removed meanwhile by another process: its text must not come back
        answer = replace(recording.answer, qid=qid)
        record = ask_record(answer, [library.name for library in libraries], self.settings, recording.record)
        names = {hit.library for hit in (*answer.hits, *answer.nearest)}
        names |= {citation.library for citation in answer.citations}
        asked = {library.name: shelf.id_of(library) for library in libraries}
        # One that was renamed while it answered is in the hits by its old name; and where nothing was
        # found, the question belongs to all that were asked.
        is_known = names and names <= asked.keys()
        quoted = [asked[name] for name in names] if is_known else asked.values()
        run = self.runs.save(
            answer.question, answer.refused, answer.model, record, quoted,
            state=recording.state, thread=recording.thread, replaces=recording.replaces,
        )  # fmt: skip
        return self.runs.get(run)

    def _forget_runs(self, library_id: str) -> None:
        if self.home.history.exists():
            self.runs.forget_library(library_id)

    @contextmanager
    def closed_storage(self) -> Iterator[None]:
        """Nothing in the home is open meanwhile: its files are being deleted."""
        self.libraries.close()
        if self._runs is not None:
            self._runs.close()
            self._runs = None
        try:
            yield
        finally:
            self.home.create()
            self.libraries = Libraries(
                self.home.libraries, self.settings.embedder, self.dimension, self.threads
            )

    def close(self) -> None:
        """Close everything explicitly; native libraries must not be torn down by the interpreter."""
        self.libraries.close()
        self._chat_model.close()
        if self._runs is not None:
            self._runs.close()
            self._runs = None

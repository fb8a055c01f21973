"""The chat model of this machine: which file or local server it is, and loading it once."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine import native
from engine.answer.generation import Generator, llama, server
from engine.answer.proof import prove
from engine.chat import context_length, speed
from engine.config import Settings
from engine.errors import CodedError, ModelMissing
from engine.paths import Home
from models.catalogue import catalogue
from models.gguf import read_header
from models.store import ModelStore

LARGE_MODEL_BYTES = 800_000_000
"""From this file size on, a model of the user's own gets the prompt for larger models."""


class ChatModel:
    """Loaded when first asked for; ``loaded`` is None until then, and after :meth:`close`."""

    def __init__(
        self,
        models: ModelStore,
        home: Home,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._models, self._home, self._settings = models, home, settings
        self._clock = clock
        self._last_use, self._users = clock(), 0
        self._error: CodedError | None = None
        self.loaded: Generator | None = None

    @property
    def server(self) -> str | None:
        """The address of the chat server that answers; None where a file does."""
        return self._settings.server if self._is_served else None

    def default(self) -> str | None:
        """The id of the model that the settings name, else of what fits this memory; None without any."""
        return self._settings.model or self._models.default_chat(native.free_memory())

    def load(self) -> Generator:
        """The chat model, loaded once a child process has shown that this machine can run it.

        Raises a ModelError, GenerationFailed or ServerNotLocal; the same error again without another try
        unless trying again may help, because a load that failed once costs seconds each time.
        """
        if self._error is not None:
            raise self._error
        if self.loaded is None:
            try:
                self.loaded = self._server() if self._is_served else self._own()
            except ModelMissing:
                raise
            except CodedError as exc:
                if not exc.retryable:
                    self._error = exc
                raise
        self._last_use = self._clock()
        return self.loaded

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Somebody works with the model, or may: it does not rest meanwhile."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            self._last_use = self._clock()

    def idle_s(self) -> float:
        """Seconds since anybody last used it."""
        return 0.0 if self._users else self._clock() - self._last_use

    @property
    def _is_served(self) -> bool:
        """Whether a server answers: one is set, and no model of this program was asked for by name."""
        settings = self._settings
        return settings.server is not None and settings.model is None and settings.model_path is None

    def _server(self) -> Generator:
        assert self._settings.server is not None
        return server.connect(self._settings.server, self._settings, self._home)

    def _own(self) -> Generator:
        path, name, prompt = self._file()
        threads = native.thread_count(self._settings.threads)
        prove(path, self._home, threads)
        length = context_length.choose(
            read_header(path), path.stat().st_size, native.free_memory(), self._settings
        )
        return llama.load(path, name, prompt, threads, length, speed.of_model(path, self._home))

    def _file(self) -> tuple[Path, str, str]:
        """File, id and prompt name of the chat model, checked before any native code sees it."""
        if self._settings.model_path is not None:
            path, name = self._settings.model_path, self._settings.model_path.stem
            read_header(path)
        else:
            name = self._id()
            path = self._models.ensure_verified(name)
        entry = next((m for m in catalogue().models if m.id == name), None)
        by_size = "large" if path.stat().st_size > LARGE_MODEL_BYTES else "small"
        return path, name, (entry.prompt if entry and entry.prompt else by_size)

    def _id(self) -> str:
        chosen = self.default()
        if chosen is None:
            raise ModelMissing(model="chat")
        return chosen

    def close(self) -> None:
        """Close it explicitly; native libraries must not be torn down by the interpreter."""
        if self.loaded is not None:
            self.loaded.close()
            self.loaded = None

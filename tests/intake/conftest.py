"""Real files for the intake's tests, made in ``tmp_path``."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.config import Settings
from engine.documents import Chunk, Page
from engine.intake.chunking.tokens import EmbedderTokens, embedder_tokens
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile
from engine.intake.reading import answer

HASH = "ab" * 32


@pytest.fixture(scope="session")
def counter() -> EmbedderTokens:
    return embedder_tokens()


@pytest.fixture
def make_pdf(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """``make_pdf()`` gives an empty document; it is closed after the test."""
    import pymupdf

    made = []

    def make() -> Any:
        made.append(pymupdf.open())
        return made[-1]

    yield make
    for document in made:
        if not document.is_closed:
            document.close()


class Reading:
    """All that was said about one file."""

    def __init__(self, path: Path, recognised: tuple[Page, ...] = (), **settings: Any) -> None:
        request = ReadFile(path, HASH, recognised=recognised)
        self.messages = list(answer(request, Settings(**settings)))
        self.pages: list[Page] = [m.page for m in self.messages if isinstance(m, PageRead)]
        self.chunks: list[Chunk] = [c for m in self.messages if isinstance(m, ChunksRead) for c in m.chunks]
        done = self.messages[-1]
        assert isinstance(done, ReadDone)
        assert sum(isinstance(m, ReadDone) for m in self.messages) == 1
        self.done = done
        self.state = done.state.value
        self.reason = done.reason.code if done.reason else None

    @property
    def text(self) -> str:
        return "".join(chunk.text[chunk.overlap :] for chunk in self.chunks)


@pytest.fixture
def reading() -> type[Reading]:
    return Reading

"""A folder, its library and what it takes to bring the one up to date with the other."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import pipeline
from engine.answer import retrieval
from engine.cancel import CancelToken
from engine.config import Settings
from engine.documents import SearchHit
from engine.events import Event, IngestFinished, Notice
from engine.index.library import Library
from engine.intake.changes import Again
from engine.intake.scope import Scope
from engine.intake.selection import Selection
from tests.fakes import FakeEmbedder, InlineReader


class Desk:
    """``ingest()`` brings the library up to date once, with doubles for the embedder and the reader."""

    def __init__(self, place: Path, library: Library | None = None) -> None:
        self.folder = place / "资料 一"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.library = library or Library(place / "库", dimension=64)
        self.library.set_meta("name", "库")
        self.embedder: FakeEmbedder | None = FakeEmbedder()
        self.reader: InlineReader = InlineReader()
        self.settings = Settings()
        self.selection = Selection()
        self.passwords: list[str] = []
        self.events: list[Event] = []
        self._written = 0

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        # A file that is as young as its reading would be compared again, and people's files are older.
        self._written += 1
        moment = time.time() - 3600 + self._written
        os.utime(path, (moment, moment))
        return path

    def steps(
        self,
        *folders: Path,
        token: CancelToken | None = None,
        retry: bool = False,
        names: frozenset[str] = frozenset(),
        below: tuple[Path, ...] = (),
        deep: bool = False,
    ) -> Iterator[Event | None]:
        return pipeline.ingest(
            7, self.library, Scope(folders or (self.folder,), below, self.selection), reader=self.reader,
            embedder=self.embedder, settings=self.settings, token=token or CancelToken(),
            passwords=self.passwords, again=Again(retry, names, bool(self.passwords), deep),
        )  # fmt: skip

    def ingest(self, *folders: Path, **chosen: Any) -> IngestFinished:
        """One whole round; what was read and embedded in it stands in ``reader`` and ``embedder``."""
        self.reader.paths.clear()
        if self.embedder is not None:
            self.embedder.embedded.clear()
        self.events = [event for event in self.steps(*folders, **chosen) if event is not None]
        assert all(event.task_id == 7 for event in self.events)
        last = self.events[-1]
        assert isinstance(last, IngestFinished)
        return last

    @property
    def read(self) -> list[str]:
        return [path.name for path in self.reader.paths]

    @property
    def embedded(self) -> list[str]:
        return [] if self.embedder is None else self.embedder.embedded

    def notices(self) -> list[str]:
        return [event.code for event in self.events if isinstance(event, Notice)]

    def found(self, question: str) -> tuple[SearchHit, ...]:
        return retrieval.search(question, [self.library], self.embedder, self.settings, 10)

    def contents(self) -> list[tuple[Any, ...]]:
        """Every chunk without its row id, in order of document and place."""
        return sorted(
            (s.document, s.chunk.ordinal, s.chunk.id, s.chunk.text, s.vector_key, s.title)
            for s in self.library.all_chunks()
        )

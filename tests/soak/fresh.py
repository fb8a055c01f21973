"""A fresh index of a folder, made here and in memory; what was read or embedded once is remembered."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine import pipeline
from engine.cancel import CancelToken
from engine.config import Settings
from engine.documents import SourceDocument
from engine.index.embedding import Embedder, Vectors
from engine.index.library import Library
from engine.intake.messages import ReadDone, ReadFile, ReadMessage, ReadRequest
from engine.intake.scanner import content_hash
from engine.intake.scope import Scope
from tests.fakes import InlineReader
from tests.soak import snapshot


class RememberingEmbedder:
    """Embeds each text once, and alone."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model_id, self.precision = embedder.model_id, embedder.precision
        self.dimension, self.step_tokens = embedder.dimension, embedder.step_tokens
        self._known: dict[str, Vectors] = {}

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed_passages([text])[0]
        return np.stack([self._known[text] for text in texts])

    def embed_query(self, question: str) -> Vectors:
        return self._embedder.embed_query(question)


class RememberingReader(InlineReader):
    """Reads each file once, as long as its bytes and its name stay.

    ``names`` are files that are read under another name than they have: that of the time when their
    passages were cut and embedded, which a rename leaves as they are. Only a title that is the name of the
    file is the present one.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.names: Mapping[Path, str] = {}
        self._known: dict[tuple[str, str], list[ReadMessage | None]] = {}

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        assert isinstance(request, ReadFile), "no page of these documents is a picture"
        name = self.names.get(request.path, request.path.name)
        key = name, content_hash(request.path)
        if key not in self._known:
            with tempfile.TemporaryDirectory() as place:
                path = Path(place) / name
                shutil.copyfile(request.path, path)
                self._known[key] = list(super().answer(replace(request, path=path), token))
        for message in self._known[key]:
            match message:
                case ReadDone(document=SourceDocument(title_from_name=True) as document):
                    yield replace(message, document=replace(document, title=request.path.stem))
                case _:
                    yield message


class FreshIndex:
    """Makes fresh indexes of ``folder``."""

    def __init__(self, folder: Path, embedder: Embedder, settings: Settings | None = None) -> None:
        self._folder, self._settings = folder, settings or Settings()
        self._embedder = RememberingEmbedder(embedder)
        self._reader = RememberingReader(self._settings)

    def library(self, name: str = "fresh", names: Mapping[Path, str] | None = None) -> Library:
        """A library in memory that was made from the folder as it is now.

        ``names`` as for :class:`RememberingReader`.
        """
        self._reader.names = names or {}
        library = Library(None, dimension=self._embedder.dimension)
        library.set_meta("name", name)
        for _ in pipeline.ingest(
            0, library, Scope((self._folder,)), reader=self._reader, embedder=self._embedder,
            settings=self._settings, token=CancelToken(),
        ):  # fmt: skip
            pass
        return library

    def snapshot(self, names: Mapping[Path, str] | None = None) -> snapshot.Snapshot:
        """What such a library holds."""
        with closing(self.library(names=names)) as library:
            return snapshot.take(library)

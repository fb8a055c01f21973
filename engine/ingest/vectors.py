"""Vectors for what was read: only for text that the library has none for."""

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from engine.cancel import CancelToken
from engine.events import Event, FileProgress, Notice
from engine.index import embedders
from engine.index.embedding import Embedder, Vectors, batches, vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord
from engine.ingest.tally import Tally


@dataclass(frozen=True)
class VectorMaker:
    """``embedder`` None: the lexical lane only. ``watch`` is called between two batches."""

    task_id: int
    library: Library
    embedder: Embedder | None
    token: CancelToken
    tally: Tally
    watch: Callable[[], None]

    def make(self, record: FileRecord) -> Generator[Event | None, None, None]:
        """Give the record each chunk's vector key, and the vectors that the library does not have."""
        chunks = record.chunks
        if self.embedder is None or not chunks:
            return
        inputs = [chunk.prefix + chunk.text for chunk in chunks]
        keys = [vector_key(self.embedder.model_id, self.embedder.precision, text) for text in inputs]
        have = self.library.known_vectors(keys)
        # Text that occurs twice in a document is embedded once.
        missing = list({key: i for i, key in enumerate(keys) if key not in have}.values())
        self.tally.reused += len(keys) - len(missing)
        vectors: dict[str, Vectors] = {}
        for batch in batches([chunks[i].tokens for i in missing], self.embedder.step_tokens):
            self.token.check()
            self.watch()
            begun = time.monotonic()
            chosen = [missing[i] for i in batch]
            made = self.embedder.embed_passages([inputs[i] for i in chosen])
            vectors.update(zip((keys[i] for i in chosen), made, strict=True))
            self.tally.embed += time.monotonic() - begun
            self.tally.embedded += len(chosen)
            yield FileProgress(
                self.task_id, record.report.path, record.report.pages, len(vectors), len(missing)
            )
        record.keys, record.vectors = keys, vectors

    def complete(self) -> Iterator[Event | None]:
        """Embed what was indexed by another embedder, or while none could be loaded."""
        if self.embedder is None:
            yield Notice(self.task_id, "lexical_only")
            return
        yield from self._change_over(self.embedder)
        waiting: dict[str, list[tuple[int, str, int]]] = defaultdict(list)  # by key: same text, one vector
        for chunk in self.library.chunks_without_vectors():
            waiting[vector_key(self.embedder.model_id, self.embedder.precision, chunk[1])].append(chunk)
        have = self.library.known_vectors(waiting)
        if have:
            self.library.add_vectors({row: key for key in have for row, _, _ in waiting[key]}, {})
        missing = [key for key in waiting if key not in have]
        for batch in batches([waiting[key][0][2] for key in missing], self.embedder.step_tokens):
            self.token.check()
            begun = time.monotonic()
            keys = [missing[i] for i in batch]
            made = self.embedder.embed_passages([waiting[key][0][1] for key in keys])
            self.library.add_vectors(
                {row: key for key in keys for row, _, _ in waiting[key]}, dict(zip(keys, made, strict=True))
            )
            self.tally.embed += time.monotonic() - begun
            self.tally.embedded += len(keys)
            yield None
        self.tally.reused += sum(map(len, waiting.values())) - len(missing)

    def _change_over(self, embedder: Embedder) -> Iterator[Event | None]:
        """Vectors of this embedder for all that another one embedded, whose vectors are used until then."""
        for params in embedders.strangers([self.library], embedder):
            yield Notice(self.task_id, "vectors_made_anew", params)
        if not embedders.begin_change(self.library, embedder):
            return
        for waiting in embedders.missing(self.library, embedder):
            for batch in batches([tokens for _, _, tokens in waiting], embedder.step_tokens):
                self.token.check()
                begun = time.monotonic()
                keys, inputs, _ = zip(*(waiting[i] for i in batch), strict=True)
                made = embedder.embed_passages(inputs)
                embedders.keep(self.library, embedder, dict(zip(keys, made, strict=True)))
                self.tally.embed += time.monotonic() - begun
                self.tally.embedded += len(keys)
                yield None
            yield None
        embedders.finish_change(self.library, embedder)

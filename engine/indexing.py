"""One file into the index: read in the parsing process, embedded here, written in one transaction."""

import time
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.cancel import CancelToken
from engine.documents import Chunk, FileState, Page, Reason
from engine.events import Event, FileProgress, FileReport, Notice
from engine.index.embedding import Embedder, Vectors, batches, vector_key
from engine.index.library import Library, StoredFile
from engine.index.writing import FileRecord
from engine.intake import changes, scanner
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile, ReadMessage, ReadRequest
from engine.intake.scanner import FoundFile


class Reader(Protocol):
    """Answers requests elsewhere; ``None`` means that nothing came for a moment."""

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]: ...


@dataclass
class Tally:
    """The figures of one ingest: vectors made and reused, chunks removed, seconds by stage."""

    embedded: int = 0
    reused: int = 0
    removed: int = 0
    parse: float = 0.0
    embed: float = 0.0
    write: float = 0.0


@dataclass
class Indexer:
    """Takes files into one library for one task.

    ``embedder`` None: the lexical lane only. ``reading`` is stored with every document that is read.
    """

    task_id: int
    library: Library
    reader: Reader
    embedder: Embedder | None
    token: CancelToken
    reading: str
    retry_failed: bool = False
    tally: Tally = field(default_factory=Tally)

    def take_in(
        self, folder_id: int, found: FoundFile, name: str, stored: StoredFile | None
    ) -> Generator[Event | None, None, FileReport]:
        """Read, embed and write one file, called ``name``; unchanged content costs one hash."""
        begun = time.monotonic()
        try:
            digest = scanner.content_hash(found.path)
        except OSError as exc:
            report = FileReport(name, FileState.UNREADABLE, scanner.os_reason(exc))
            self.settle(folder_id, found, report)
            return report
        if stored is not None and changes.same_content(stored, digest, self.retry_failed):
            self.library.touch(stored, found.size, found.mtime_ns)
            return stored.report

        pages: list[Page] = []
        chunks: list[Chunk] = []
        done = ReadDone(FileState.SET_ASIDE, Reason("loader_crashed"))
        for message in self.reader.answer(ReadFile(found.path, digest), self.token):
            self.token.check()
            match message:
                case PageRead():
                    pages.append(message.page)
                    yield FileProgress(self.task_id, name, len(pages), 0, 0)
                case ChunksRead():
                    chunks.extend(message.chunks)
                    yield None
                case ReadDone():
                    done = message
                case None:
                    yield None
        self.tally.parse += time.monotonic() - begun

        keys, vectors = yield from self._embed(name, len(pages), chunks)

        begun = time.monotonic()
        report = FileReport(
            name,
            done.state,
            done.reason,
            len(pages),
            len(chunks),
            done.missing_pages,
            done.from_ocr,
            done.document.encoding if done.document else None,
        )
        self.tally.removed += self.library.write_document(
            FileRecord(
                folder_id=folder_id,
                path=found.relative,
                size=found.size,
                mtime_ns=found.mtime_ns,
                content_hash=digest,
                report=report,
                reading=self.reading,
                dropped=done.dropped,
                document=done.document,
                pages=pages,
                chunks=chunks,
                keys=keys,
                vectors=vectors,
            )
        )
        self.tally.write += time.monotonic() - begun
        return report

    def settle(self, folder_id: int, found: FoundFile, report: FileReport) -> None:
        """Store a state that came without reading."""
        self.tally.removed += changes.write_state(self.library, folder_id, found, report)

    def _embed(
        self, path: str, pages: int, chunks: Sequence[Chunk]
    ) -> Generator[Event | None, None, tuple[list[str], dict[str, Vectors]]]:
        """The key of every chunk's vector, and the vectors that the library does not have."""
        if self.embedder is None or not chunks:
            return [], {}
        inputs = [chunk.prefix + chunk.text for chunk in chunks]
        keys = [vector_key(self.embedder.model_id, self.embedder.precision, text) for text in inputs]
        have = self.library.known_vectors(keys)
        # Text that occurs twice in a document is embedded once.
        missing = list({key: i for i, key in enumerate(keys) if key not in have}.values())
        self.tally.reused += len(keys) - len(missing)
        vectors: dict[str, Vectors] = {}
        for batch in batches([chunks[i].tokens for i in missing]):
            self.token.check()
            begun = time.monotonic()
            chosen = [missing[i] for i in batch]
            made = self.embedder.embed_passages([inputs[i] for i in chosen])
            vectors.update(zip((keys[i] for i in chosen), made, strict=True))
            self.tally.embed += time.monotonic() - begun
            self.tally.embedded += len(chosen)
            yield FileProgress(self.task_id, path, pages, len(vectors), len(missing))
        return keys, vectors

    def complete_vectors(self) -> Iterator[Event | None]:
        """Embed what was indexed while no embedder could be loaded."""
        if self.embedder is None:
            yield Notice(self.task_id, "lexical_only")
            return
        waiting: dict[str, list[tuple[int, str, int]]] = defaultdict(list)  # by key: same text, one vector
        for chunk in self.library.chunks_without_vectors():
            waiting[vector_key(self.embedder.model_id, self.embedder.precision, chunk[1])].append(chunk)
        have = self.library.known_vectors(waiting)
        if have:
            self.library.add_vectors({row: key for key in have for row, _, _ in waiting[key]}, {})
        missing = [key for key in waiting if key not in have]
        for batch in batches([waiting[key][0][2] for key in missing]):
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

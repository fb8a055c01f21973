"""Files into the index: read in parsing processes, embedded here, written in one transaction each.

While one file is embedded, the next ones are read: as many as the reader can read at once.
"""

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from engine.cancel import CancelToken
from engine.documents import WITH_TEXT, Chunk, FileState, Page, Reason
from engine.events import Event, FileFinished, FileProgress, FileReport, FileStarted
from engine.index import copies, keeping, pictures, staging, unfinished
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.index.writing import FileRecord
from engine.ingest.tally import Tally
from engine.ingest.vectors import VectorMaker
from engine.intake import changes, scanner
from engine.intake.changes import Again, Candidate
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile, ReadMessage, ReadRequest

_LOOK_AHEAD = 32
"""Most files that wait behind the one in work, most of them settled without reading."""


class Reader(Protocol):
    """Answers up to ``at_once`` requests at the same time, elsewhere; each is on its way at the call.

    ``None`` among the messages means that nothing came for a moment.
    """

    at_once: int

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]: ...

    def watch(self) -> None:
        """Look after those that read ahead; :meth:`answer` does so by itself while somebody listens."""


@dataclass
class _Waiting:
    """A file whose turn comes: settled by ``report``, or with ``messages`` on their way.

    Without either it is looked at when its turn comes: a file before it has the same bytes.
    """

    candidate: Candidate
    report: FileReport | None = None
    record: FileRecord | None = None
    messages: Iterator[ReadMessage | None] | None = None


@dataclass
class Indexer:
    """Takes files into one library for one task.

    ``embedder`` None: the lexical lane only. ``reading`` is stored with every document that is read.
    ``passwords`` are tried on encrypted files. ``settled`` holds every file that has reached its state so
    far, by its name; ``locked`` are those that stay as they were read when their password was known.
    """

    task_id: int
    library: Library
    reader: Reader
    embedder: Embedder | None
    token: CancelToken
    reading: str
    again: Again = field(default_factory=Again)
    passwords: tuple[str, ...] = ()
    tally: Tally = field(default_factory=Tally)
    settled: dict[str, tuple[Candidate, FileReport]] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    total: int = 0
    _being_read: set[tuple[str, str]] = field(default_factory=set)
    """Content hash and suffix of the files that are with the reader."""
    _shifts: int = 0
    """:attr:`Library.shifts` when the candidates were looked up."""

    @property
    def vectors(self) -> VectorMaker:
        """Makes the vectors of what is read."""
        return VectorMaker(
            self.task_id, self.library, self.embedder, self.token, self.tally, self.reader.watch
        )

    def take_in(self, candidates: Sequence[Candidate]) -> Iterator[Event | None]:
        """Read, embed and write what has to be."""
        self.total = len(candidates)
        self._shifts = self.library.shifts
        ahead = iter(candidates)
        waiting: deque[_Waiting] = deque()
        yield from self._look_ahead(ahead, waiting)
        while waiting:
            self.token.check()
            item = waiting.popleft()
            if item.report is None and item.messages is None:
                item = yield from self._begin(item.candidate)
            if item.report is None:
                yield FileStarted(self.task_id, item.candidate.name)
                yield from self._index(item, ahead, waiting)
            else:
                yield from self._look_ahead(ahead, waiting)
            assert item.report is not None
            yield self.settle(item.candidate, item.report)

    def look_again(self) -> None:
        """Bring the reports up to date after documents have changed places: which is a copy of which."""
        if self.library.shifts == self._shifts:
            return
        now = {(file.folder_id, file.path): file.report for file in self.library.files()}
        for name, (candidate, _) in self.settled.items():
            self.settled[name] = candidate, replace(now[candidate.place], path=name)

    def settle(self, candidate: Candidate, report: FileReport) -> FileFinished:
        """A file has reached its state, perhaps another one than before."""
        self.settled[candidate.name] = candidate, report
        return FileFinished(self.task_id, report, len(self.settled), self.total)

    def read_again(self, candidate: Candidate) -> Generator[Event | None, None, FileReport]:
        """Read one file now, whatever is known of it."""
        item = yield from self._begin(candidate, forced=True)
        if item.report is None:
            yield from self._index(item, iter(()), deque())
        assert item.report is not None
        return item.report

    # -- one file ---------------------------------------------------------------------------------

    def _look_ahead(
        self, ahead: Iterator[Candidate], waiting: deque[_Waiting]
    ) -> Generator[Event | None, None, None]:
        """Hand out what comes next, as far as there are processes without work."""
        while (
            len(waiting) < _LOOK_AHEAD
            and sum(w.messages is not None for w in waiting) < self.reader.at_once
        ):  # fmt: skip
            candidate = next(ahead, None)
            if candidate is None:
                return
            waiting.append((yield from self._begin(candidate)))

    def _begin(
        self, candidate: Candidate, *, forced: bool = False
    ) -> Generator[Event | None, None, _Waiting]:
        """Settle a file without reading if that is possible, else send it to the reader."""
        candidate = self._as_it_is_now(candidate)
        found, stored = candidate.found, candidate.stored
        if not forced and changes.is_back(candidate, self.again):
            return _Waiting(candidate, self._as_stored(candidate))
        report = None if forced else changes.settled_without_reading(candidate, self.again)
        if report is not None:
            return _Waiting(candidate, self._without_reading(candidate, report))
        try:
            known_digest = None if forced else candidate.digest
            digest = known_digest or (yield from scanner.hashing(found.path))
        except OSError as exc:
            scanner.ensure_there(found.folder)
            report = FileReport(candidate.name, FileState.UNREADABLE, scanner.os_reason(exc))
            return _Waiting(candidate, self._without_reading(candidate, report))
        if not forced and stored is not None and changes.same_content(stored, digest, self.again):
            self.library.touch(stored, found.size, found.mtime_ns)
            return _Waiting(candidate, self._as_stored(candidate))
        bytes_ = digest, found.path.suffix.lower()
        if not forced:
            if bytes_ in self._being_read:
                return _Waiting(candidate)
            if (report := self._as_copy(candidate, digest)) is not None:
                return _Waiting(candidate, report)
            self._being_read.add(bytes_)
        known = stored is not None and stored.content_hash == digest
        seen = pictures.stored(self.library, stored.id) if known and stored is not None else ()
        record = FileRecord(
            candidate.folder_id, found.relative, found.size, found.mtime_ns, digest,
            FileReport(candidate.name, FileState.SET_ASIDE), self.reading,
        )  # fmt: skip
        request = ReadFile(found.path, digest, self.passwords, seen)
        return _Waiting(candidate, None, record, self.reader.answer(request, self.token))

    def _index(
        self, item: _Waiting, ahead: Iterator[Candidate], waiting: deque[_Waiting]
    ) -> Generator[Event | None, None, None]:
        """Receive, embed and write one file; the reader gets the next one as soon as it is free."""
        record = item.record
        assert record is not None and record.content_hash is not None
        bytes_ = record.content_hash, item.candidate.found.path.suffix.lower()
        item.candidate = self._as_it_is_now(item.candidate)
        unfinished.begin(self.library, record)
        try:
            yield from self._receive(item, record)
            if record.report.state is FileState.UNREADABLE:
                scanner.ensure_there(item.candidate.found.folder)
                if keeping.can_keep(item.candidate.stored, record.report):
                    yield from self._look_ahead(ahead, waiting)
                    item.report = self._without_reading(item.candidate, record.report)
                    return
            if not scanner.is_as_found(item.candidate.found):
                # What was read may be other bytes than what was hashed: the next round reads it again.
                record.content_hash = None
            yield from self._look_ahead(ahead, waiting)
            if changes.is_only_locked(item.candidate, record):
                item.report = self._keep(item.candidate)
                return
            yield from self.vectors.make(record)
            begun = time.monotonic()
            self.tally.removed += self.library.write_document(record)
            self.tally.write += time.monotonic() - begun
        finally:
            unfinished.end(self.library)
            self._being_read.discard(bytes_)
        item.report = record.report

    def _as_it_is_now(self, candidate: Candidate) -> Candidate:
        """With what is known of the file after documents have changed places."""
        if self.library.shifts == self._shifts:
            return candidate
        stored = self.library.stored_file(*candidate.place)
        return replace(candidate, stored=stored and changes.dated(stored, self.reading))

    def _as_copy(self, candidate: Candidate, digest: str) -> FileReport | None:
        """What is known of a file with the bytes of another one, which is read once for both."""
        found, stored = candidate.found, candidate.stored
        original = copies.original(self.library.db, digest, found.relative, self.reading)
        if original is None or (stored is not None and stored.id == original):
            return None
        record = FileRecord(
            candidate.folder_id, found.relative, found.size, found.mtime_ns, digest,
            FileReport(candidate.name, FileState.INDEXED), self.reading,
        )  # fmt: skip
        self.tally.removed += self.library.write_copy(record, original)
        now = self.library.stored_file(*candidate.place)
        assert now is not None, "it has just been written"
        return replace(now.report, path=candidate.name)

    def _keep(self, candidate: Candidate) -> FileReport:
        """What was read of a file when its password was known stays as it is."""
        stored = candidate.stored
        assert stored is not None
        self.locked.add(candidate.name)
        self.library.touch(stored, candidate.found.size, candidate.found.mtime_ns)
        return self._as_stored(candidate)

    def _as_stored(self, candidate: Candidate) -> FileReport:
        """What is known of the file holds; the mark that it could not be read goes."""
        stored = candidate.stored
        assert stored is not None
        report = keeping.release(self.library, stored) if keeping.is_kept(stored) else stored.report
        return replace(report, path=candidate.name)

    def _without_reading(self, candidate: Candidate, report: FileReport) -> FileReport:
        """Note a state that came without reading; a file that may well come back keeps what is known."""
        stored = candidate.stored
        if stored is not None and keeping.can_keep(stored, report):
            return replace(keeping.keep(self.library, stored, report), path=candidate.name)
        if stored is None or replace(report, path=stored.report.path) != stored.report:
            self.tally.removed += changes.write_state(
                self.library, candidate.folder_id, candidate.found, report
            )
        return report

    def _receive(self, item: _Waiting, record: FileRecord) -> Generator[Event | None, None, None]:
        begun = time.monotonic()
        name = item.candidate.name
        pages: list[Page] = []
        chunks: list[Chunk] = []
        staged = 0
        done = ReadDone(FileState.SET_ASIDE, Reason("loader_crashed"))
        staging.clear(self.library)
        for message in item.messages or ():
            self.token.check()
            match message:
                case PageRead():
                    pages.append(message.page)
                    if len(pages) >= staging.STAGE_FROM:
                        staging.add(self.library, pages)
                        staged += len(pages)
                        pages = []
                    yield FileProgress(self.task_id, name, staged + len(pages), 0, 0)
                case ChunksRead():
                    chunks.extend(message.chunks)
                    yield None
                case ReadDone():
                    done = message
                case None:
                    yield None
        self.tally.parse += time.monotonic() - begun
        if done.state not in WITH_TEXT:
            chunks = []  # what came before the end was known says nothing
        record.document, record.dropped = done.document, done.dropped
        record.pages, record.are_pages_staged, record.chunks = pages, staged > 0, chunks
        record.report = FileReport(
            name,
            done.state,
            done.reason,
            staged + len(pages),
            len(chunks),
            done.missing_pages,
            done.from_ocr,
            done.document.encoding if done.document else None,
            done.recognisable,
        )

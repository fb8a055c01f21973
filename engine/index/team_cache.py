"""The vectors of a library that is shared with a team: SQLite first, then the server.

SQLite stays the truth and every write is committed there before it is sent, so what a crash or a lost
connection leaves is a server that is behind. It is brought up to date when the library is next used: rows are
compared by id and mark, what is missing or other is sent, what is surplus is deleted. While the server does
not answer, nothing is lost and passages are found by their words. One library, on one machine, writes to a
collection.
"""

import contextlib
import json
import os
import sqlite3
import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import seal
from engine.errors import TeamStoreUnreachable
from engine.index.milvus import MilvusStore, Passage, connect, mark_of
from engine.index.replacing import write_file
from engine.index.stored_vectors import StoredVectors
from engine.index.team_target import TeamTarget
from engine.index.vector_store import Moments

TOKEN_VARIABLE = "ZHIYE_TEAM_TOKEN"
"""Environment variable with the server's token, which is stored nowhere."""

_RETRY_S = 30.0
"""How long a server that did not answer is left alone; each try costs seconds."""

_SUMS = struct.Struct("<8sqqqI")  # magic, generation, count, dimension, CRC-32
_MAGIC = b"ZHIYETS1"


class TeamCache:
    """The shared counterpart of :class:`engine.index.cache.VectorCache`.

    ``sums`` is the file for the sums of all vectors, from which scores are standardised without asking the
    server; None: they are made anew each time. ``problem`` is why the server was not reached last.
    """

    def __init__(
        self, db: sqlite3.Connection, stored: StoredVectors, sums: Path | None, target: TeamTarget
    ) -> None:
        self.target = target
        self._db, self._stored, self._sums = db, stored, sums
        self._store: MilvusStore | None = None
        self._generation = -1
        self._allowed: seal.Allowed | None = None
        self._not_before = 0.0
        self.problem: TeamStoreUnreachable | None = None
        self._forget_lost_sums()

    def _forget_lost_sums(self) -> None:
        """SQLite may have lost its last transactions in a power cut, which the server has."""
        noted = self._noted()
        if self._sums is not None and noted is not None and noted[0] > self._stored.newest()[0]:
            with contextlib.suppress(OSError):
                self._sums.unlink()

    def store(self, generation: int) -> MilvusStore:
        """The store on the server, brought up to this generation; raises TeamStoreUnreachable."""
        if self.problem is not None and time.monotonic() < self._not_before:
            raise self.problem
        if self._store is None or self._store.dimension != self._stored.dimension:
            self._store = self._connected()
        if self._generation != generation:
            self._bring_up(self._store)
            self._generation = generation
        self.problem = None
        return self._store

    def _connected(self) -> MilvusStore:
        target = self.target
        try:
            self._allowed = self._allowed or seal.allow(target.host, target.port)
            # A certificate names the host; without one the address that was looked up is enough.
            host = target.address if target.scheme == "https" else self._allowed.first
            client = connect(f"{target.scheme}://{host}", os.environ.get(TOKEN_VARIABLE, ""), target.address)
        except OSError as exc:  # the name is not known
            lost = TeamStoreUnreachable(host=target.address, detail=exc.strerror or str(exc))
            self._lose(lost)
            raise lost from exc
        except TeamStoreUnreachable as exc:
            self._lose(exc)
            raise
        store = MilvusStore(
            client, target.address, target.collection, self._stored.dimension, self._passages, self._lose
        )
        self._generation = self._read_sums(store)
        return store

    def _lose(self, problem: TeamStoreUnreachable) -> None:
        self.problem = problem
        self._not_before = time.monotonic() + _RETRY_S
        self._hang_up()

    def _hang_up(self) -> None:
        store, self._store, self._generation = self._store, None, -1
        if store is not None:
            store.close()

    def _bring_up(self, store: MilvusStore) -> None:
        for surplus, missing in self._differences(store):
            store.remove(surplus + missing)
            for ids, vectors in self._stored.blocks(missing):
                store.add(ids, vectors)
        store.sums = Moments(store.dimension)
        for _, vectors in self._stored.blocks(self._stored.ids()):
            store.sums.count(vectors, +1)

    def _differences(self, store: MilvusStore) -> Iterator[tuple[list[int], list[int]]]:
        """Rows that the server should not have, and those that it lacks or has in another form."""
        last = 0
        for page in store.pages():
            highest = max(page)
            marks = {row: passage["mark"] for row, passage in self._between(last, highest).items()}
            yield (
                [row for row in page if row not in marks],
                [row for row, mark in marks.items() if page.get(row) != mark],
            )
            last = highest
        while found := list(self._between(last, None)):
            yield [], found
            last = found[-1]

    def _between(self, above: int, highest: int | None) -> dict[int, Passage]:
        """Rows with a vector in order of their ids, up to ``highest`` or a few thousand."""
        return self._described(
            "c.id > ? AND (?2 IS NULL OR c.id <= ?2) AND c.vector_key IS NOT NULL"
            " ORDER BY c.id LIMIT iif(?2 IS NULL, 4096, -1)",
            (above, highest),
        )

    def _passages(self, ids: Sequence[int]) -> dict[int, Passage]:
        return self._described("c.id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),))

    def _described(self, condition: str, values: tuple[object, ...]) -> dict[int, Passage]:
        query = (
            "SELECT c.id, c.vector_key, d.path, c.page, c.section, c.text"
            f" FROM chunks c JOIN documents d ON d.id = c.document_id WHERE {condition}"
        )
        found: dict[int, Passage] = {}
        for row, key, document, page, section, text in self._db.execute(query, values):
            found[row] = {
                "mark": mark_of(key or "", document, page, section, text),
                "text": text, "document": document, "page": page, "section": _section_text(section),
            }  # fmt: skip
        return found

    def follow(self, old: Sequence[int], new: Sequence[int], generation: int) -> None:
        """Send what was just committed; a server that does not answer gets it when it is there again."""
        if self._store is None or self._generation != generation - 1 or not (old or new):
            return  # a document that only moved: its rows are compared when the store is next asked for
        store = self._store
        try:
            store.remove(old)
            for ids, vectors in self._stored.blocks(new):
                store.add(ids, vectors)
        except TeamStoreUnreachable:
            return
        self._generation = generation

    def save(self, generation: int, build: bool) -> None:
        """Bring the server up to date and note the sums; raises StorageFailed."""
        try:
            self._write_sums(self.store(generation), generation)
        except TeamStoreUnreachable:
            return  # kept as ``problem``

    def _write_sums(self, store: MilvusStore, generation: int) -> None:
        if self._sums is None:
            return
        data = store.sums.to_bytes()
        head = (_MAGIC, generation, len(store), store.dimension, zlib.crc32(data))
        write_file(self._sums, _SUMS.pack(*head) + data)

    def _read_sums(self, store: MilvusStore) -> int:
        """The generation that the file's sums and the server's rows are of; -1 where that is not known."""
        noted = self._noted()
        if noted is None or noted[1:3] != (len(store), store.dimension):
            return -1
        store.sums.from_bytes(noted[3])
        return noted[0]

    def _noted(self) -> tuple[int, int, int, bytes] | None:
        """Generation, count, dimension and sums in the file."""
        try:
            content = b"" if self._sums is None else self._sums.read_bytes()
            magic, generation, count, dimension, checksum = _SUMS.unpack(content[: _SUMS.size])
        except (OSError, struct.error):
            return None
        data = content[_SUMS.size :]
        if magic != _MAGIC or zlib.crc32(data) != checksum:
            return None
        return generation, count, dimension, data

    def drop(self) -> None:
        """Take the library off the server; raises TeamStoreUnreachable."""
        (self._store or self._connected()).drop()
        self.close()

    def close(self) -> None:
        """End the connection; nobody else is reached from here."""
        self._hang_up()
        if self._allowed is not None:
            seal.withdraw(self.target.host, self.target.port)
            self._allowed = None


def _section_text(section: str) -> str:
    """A stored path of headings, JSON, as people read it."""
    return " › ".join(json.loads(section))

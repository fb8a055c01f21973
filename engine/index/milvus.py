"""A vector store on a Milvus server, which a team reaches over the office network.

One collection a library: the row id, the vector, and what the passage is (text, document, page, section), so
that a team's own tools can search it too. The index is FLAT with inner products, which is exact: ids and
scores are those of the store in memory. Reads ask for strong consistency, so that what was written is found;
on a cluster that costs a little time. pymilvus is imported when a library is shared, not before.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.errors import TeamPartMissing, TeamStoreUnreachable
from engine.index.embedding import Vectors
from engine.index.vector_store import Ids, Moments, check_query, check_vectors

Passage = Mapping[str, Any]
"""The fields of a row without its vector."""

_TEXTS = {"mark": 32, "text": 65_535, "document": 8_192, "section": 8_192}
"""Text fields with their longest value in bytes of UTF-8; 65,535 is the server's limit."""

_STRONG = "Strong"
_BLOCK = 1000
"""Rows in one request: 4 MB of 64 that are allowed."""

_MOST_HITS = 16_384
"""The server's limit."""

_PATIENCE_S = 5.0
_PATIENCE_WRITING_S = 60.0


def connect(uri: str, token: str, host: str) -> Any:
    """A client of the server at ``uri``; ``host`` is what people call it.

    Raises:
        TeamPartMissing: pymilvus is not installed.
        TeamStoreUnreachable: nobody answers, or the token is not accepted.
    """
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")  # pymilvus would read a .env it finds on its way
    try:
        from pymilvus import MilvusClient
    except ImportError as exc:
        raise TeamPartMissing(host=host, detail=str(exc)) from exc
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # it prints every failure with its request
    with asking(host):
        return MilvusClient(uri=uri, token=token, timeout=_PATIENCE_S)


@contextmanager
def asking(host: str) -> Iterator[None]:
    """Whatever goes wrong between here and the server is TeamStoreUnreachable."""
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except MilvusException as exc:
        detail = str(exc).strip().partition("\n")[0][:200]
        raise TeamStoreUnreachable(host=host, detail=detail) from exc


def mark_of(key: str, document: str, page: int, section: str, text: str) -> str:
    """What is the same as long as nothing in a row has changed."""
    material = "\x1f".join((key, document, str(page), section, text))
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class MilvusStore:
    """A collection, made when it is not there or holds another dimension.

    ``passages`` gives the fields of rows by id; ``lost`` is told when the server does not answer. ``sums``
    are those of the rows that are there, for whoever made the store to set.
    """

    def __init__(
        self,
        client: Any,
        host: str,
        collection: str,
        dimension: int,
        passages: Callable[[Sequence[int]], Mapping[int, Passage]],
        lost: Callable[[TeamStoreUnreachable], None],
    ) -> None:
        self.dimension = dimension
        self._client, self._host, self._collection = client, host, collection
        self._passages, self._lost = passages, lost
        self.sums = Moments(dimension)
        with self._asking():
            self._ensure_collection()
            self._count = self._counted()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            with asking(self._host):
                yield
        except TeamStoreUnreachable as exc:
            self._lost(exc)
            raise

    def _ensure_collection(self) -> None:
        if self._client.has_collection(self._collection, timeout=_PATIENCE_S):
            fields = self._client.describe_collection(self._collection, timeout=_PATIENCE_S)["fields"]
            if any(int(f["params"].get("dim", 0)) == self.dimension for f in fields):
                self._client.load_collection(self._collection, timeout=_PATIENCE_WRITING_S)
                return
            self._client.drop_collection(self._collection, timeout=_PATIENCE_S)
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("id", DataType.INT64, is_primary=True)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=self.dimension)
        schema.add_field("page", DataType.INT64)
        for name, length in _TEXTS.items():
            schema.add_field(name, DataType.VARCHAR, max_length=length)
        index = self._client.prepare_index_params()
        index.add_index("vector", index_type="FLAT", metric_type="IP")
        self._client.create_collection(
            self._collection, schema=schema, index_params=index, consistency_level=_STRONG,
            timeout=_PATIENCE_WRITING_S,
        )  # fmt: skip

    def _counted(self) -> int:
        (found,) = self._query(filter="", output_fields=["count(*)"])
        return int(found["count(*)"])

    def _query(self, **wanted: Any) -> list[dict[str, Any]]:
        found = self._client.query(
            self._collection, consistency_level=_STRONG, timeout=_PATIENCE_WRITING_S, **wanted
        )
        return list(found)

    def __len__(self) -> int:
        return self._count

    def ids(self) -> Ids:
        """All ids, ascending."""
        rows = [row for page in self.pages() for row in page]
        return np.asarray(rows, dtype=np.int64)

    def pages(self) -> Iterator[dict[int, str]]:
        """Ids, ascending, with their rows' marks, in pages."""
        with self._asking():
            pages = self._client.query_iterator(
                self._collection, batch_size=_BLOCK * 10, output_fields=["id", "mark"],
                consistency_level=_STRONG, timeout=_PATIENCE_WRITING_S,
            )  # fmt: skip
            while page := pages.next():
                yield dict(sorted((int(row["id"]), str(row["mark"])) for row in page))
            pages.close()

    def add(self, ids: Sequence[int] | Ids, vectors: Vectors) -> None:
        """Send vectors with their passages; sent again after a broken connection they are there once.

        Raises:
            TeamStoreUnreachable: some may be there.
            IndexMismatch: another dimension.
        """
        check_vectors(ids, vectors, self.dimension)
        for start in range(0, len(ids), _BLOCK):
            block = [int(row) for row in ids[start : start + _BLOCK]]
            passages, its_vectors = self._passages(block), vectors[start : start + _BLOCK]
            rows = [
                {"id": row, "vector": vector, **_fitting(passages[row])}
                for row, vector in zip(block, its_vectors, strict=True)
            ]
            with self._asking():
                self._client.upsert(self._collection, rows, timeout=_PATIENCE_WRITING_S)
            self._count += len(rows)
            self.sums.count(its_vectors, +1)

    def remove(self, ids: Sequence[int] | Ids) -> None:
        """Remove rows; ids that are not there are ignored. Raises TeamStoreUnreachable: some may be gone."""
        for start in range(0, len(ids), _BLOCK):
            block = [int(row) for row in ids[start : start + _BLOCK]]
            with self._asking():
                found = self._query(filter=f"id in {block}", output_fields=["id", "vector"])
                if not found:
                    continue
                rows = [int(row["id"]) for row in found]
                self._client.delete(self._collection, ids=rows, timeout=_PATIENCE_WRITING_S)
            self._count -= len(rows)
            self.sums.count(np.asarray([row["vector"] for row in found], dtype=np.float32), -1)

    def search(self, query: Vectors, k: int) -> tuple[Ids, Vectors]:
        """Ids and inner products of the nearest vectors, best first; at most 16,384.

        Raises:
            TeamStoreUnreachable, IndexMismatch.
        """
        check_query(query, self.dimension)
        return self._searched(query, min(k, len(self), _MOST_HITS), "")

    def scores(self, query: Vectors, ids: Sequence[int] | Ids) -> tuple[Ids, Vectors]:
        """Those of ``ids`` that are there and their inner products with the query.

        Raises:
            TeamStoreUnreachable, IndexMismatch.
        """
        check_query(query, self.dimension)
        found = [(np.zeros(0, np.int64), np.zeros(0, np.float32))]
        for start in range(0, len(ids), _BLOCK):
            block = [int(row) for row in ids[start : start + _BLOCK]]
            found.append(self._searched(query, len(block), f"id in {block}"))
        rows, products = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(products)

    def _searched(self, query: Vectors, k: int, among: str) -> tuple[Ids, Vectors]:
        if k <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        with self._asking():
            (hits,) = self._client.search(
                self._collection, data=[query], limit=k, filter=among,
                search_params={"metric_type": "IP"}, consistency_level=_STRONG, timeout=_PATIENCE_S,
            )  # fmt: skip
        ids = np.asarray([hit["id"] for hit in hits], dtype=np.int64)
        return ids, np.asarray([hit["distance"] for hit in hits], dtype=np.float32)

    def moments(self, query: Vectors) -> tuple[int, float, float]:
        """Count, sum and sum of squares of the query's inner products, from sums that are kept here."""
        check_query(query, self.dimension)
        return len(self), *self.sums.of(query)

    def drop(self) -> None:
        """Take the collection off the server; raises TeamStoreUnreachable."""
        with self._asking():
            self._client.drop_collection(self._collection, timeout=_PATIENCE_WRITING_S)

    def close(self) -> None:
        """End the connection."""
        self._client.close()


def _fitting(passage: Passage) -> dict[str, Any]:
    """Texts cut to what their fields hold."""
    cut = {
        name: passage[name].encode("utf-8", "replace")[:length].decode("utf-8", "ignore")
        for name, length in _TEXTS.items()
    }
    return {**passage, **cut}

"""Vector stores in memory: FAISS's exact inner-product search over float32 or half-precision vectors.

FAISS never sees a path (it cannot open Chinese ones on Windows) and never writes a file (it may report
success on a full disk): bytes go through Python. Removing is O(n) in FAISS, so removed ids
are marked, left out of results, and taken out many at a time.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine import native
from engine.errors import IndexDamaged, IndexMismatch
from engine.index.embedding import Vectors
from engine.index.vector_store import Ids, Moments, check_query, check_vectors

MOST_MARKED = 1000
"""Removed ids at which they are taken out; a search asks for as many results more."""

_BLOCK = 1000
"""Vectors looked up at a time. FAISS uses threads above it, where a missing id must not be met."""


class FlatStore:
    """FAISS IndexIDMap2(IndexFlatIP): the vectors as they are.

    ``code_unit``: bytes of what FAISS counts in its file, numbers here.
    """

    code_unit = 4

    def __init__(self, dimension: int, threads: int = 1) -> None:
        self.dimension = dimension
        self._faiss = native.faiss(threads)
        self._index = self._faiss.IndexIDMap2(self._empty())
        self._marked: set[int] = set()
        self.sums = Moments(dimension)

    def _empty(self) -> Any:
        return self._faiss.IndexFlatIP(self.dimension)

    def _as_stored(self, vectors: Vectors) -> Vectors:
        return vectors

    def __len__(self) -> int:
        return int(self._index.ntotal) - len(self._marked)

    def ids(self) -> Ids:
        """All ids, in the order in which they came."""
        ids: Ids = self._faiss.vector_to_array(self._index.id_map).astype(np.int64)
        return ids[~np.isin(ids, list(self._marked))] if self._marked else ids

    def reserve(self, count: int) -> None:
        """Make room for ``count`` vectors in an empty store, which else grows by doubling."""
        inner = self._faiss.downcast_index(self._index.index)
        inner.codes.resize(count * self.code_size)
        inner.codes.resize(0)

    @property
    def code_size(self) -> int:
        """Bytes of a vector in memory."""
        return int(self._index.sa_code_size())

    def vectors(self, ids: Sequence[int] | Ids) -> Vectors:
        """The stored vectors of ``ids``, shape (n, dimension); raises KeyError when one is not there."""
        found = [vectors for _, vectors in self._present(ids)]
        together = np.concatenate(found) if found else np.zeros((0, self.dimension), np.float32)
        if len(together) != len(ids):
            raise KeyError(f"{len(ids) - len(together)} ids are not there")
        return together

    def _present(self, ids: Sequence[int] | Ids) -> Iterator[tuple[Ids, Vectors]]:
        """Those of the ids that are there, with their vectors, block by block."""
        wanted = np.asarray([row for row in ids if row not in self._marked], dtype=np.int64)
        for start in range(0, len(wanted), _BLOCK):
            block = wanted[start : start + _BLOCK]
            try:
                yield block, self._index.reconstruct_batch(block)
            except RuntimeError:  # it does not say which one is missing
                known = np.asarray([row for row in block.tolist() if self._has(row)], dtype=np.int64)
                if len(known):
                    yield known, self._index.reconstruct_batch(known)

    def _has(self, row: int) -> bool:
        try:
            self._index.reconstruct(row)
        except RuntimeError:
            return False
        return True

    def add(self, ids: Sequence[int] | Ids, vectors: Vectors) -> None:
        """Add vectors of shape (n, dimension); raises IndexMismatch for another shape."""
        check_vectors(ids, vectors, self.dimension)
        if not len(vectors):
            return
        if not self._marked.isdisjoint(ids):
            self._take_out()
        stored = self._as_stored(np.ascontiguousarray(vectors, dtype=np.float32))
        self._index.add_with_ids(stored, np.asarray(ids, dtype=np.int64))
        self.sums.count(stored, +1)

    def remove(self, ids: Sequence[int] | Ids) -> None:
        """Remove vectors; ids that are not there are ignored."""
        for known, vectors in self._present(ids):
            self.sums.count(vectors, -1)
            self._marked.update(known.tolist())
        if len(self._marked) > MOST_MARKED:
            self._take_out()

    def _take_out(self) -> None:
        if self._marked:
            self._index.remove_ids(np.asarray(sorted(self._marked), dtype=np.int64))
            self._marked.clear()

    def search(self, query: Vectors, k: int) -> tuple[Ids, Vectors]:
        """Ids and inner products of the ``min(k, len(self))`` nearest vectors, best first.

        Raises:
            IndexMismatch: the query has another dimension.
        """
        check_query(query, self.dimension)
        k = min(k, len(self))
        if k <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        scores, ids = self._index.search(query.reshape(1, -1), k + len(self._marked))
        left = ~np.isin(ids[0], list(self._marked))
        return ids[0][left][:k], scores[0][left][:k]

    def scores(self, query: Vectors, ids: Sequence[int] | Ids) -> tuple[Ids, Vectors]:
        """Those of ``ids`` that are there and their inner products with the query.

        Raises:
            IndexMismatch: the query has another dimension.
        """
        check_query(query, self.dimension)
        found = [(known, vectors @ query) for known, vectors in self._present(ids)]
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        rows, products = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(products)

    def moments(self, query: Vectors) -> tuple[int, float, float]:
        """Count, sum and sum of squares of the query's inner products with every vector, exactly.

        Raises:
            IndexMismatch: the query has another dimension.
        """
        check_query(query, self.dimension)
        return len(self), *self.sums.of(query)

    # -- bytes ------------------------------------------------------------------------------------

    def codes(self) -> tuple[Ids, NDArray[np.uint8]]:
        """Ids and their vectors' bytes as FAISS holds them, shape (n, bytes); valid until the next write."""
        self._take_out()
        inner = self._faiss.downcast_index(self._index.index)
        shape = (len(self), self.code_size)
        if not len(self):
            return self.ids(), np.zeros(shape, np.uint8)
        codes = self._faiss.rev_swig_ptr(inner.codes.data(), shape[0] * shape[1])
        return self.ids(), codes.reshape(shape)

    def add_codes(self, ids: Ids, codes: NDArray[np.uint8]) -> None:
        """Add what :meth:`codes` gave; ``sums`` do not count it."""
        self._index.add_sa_codes(codes, ids)

    def to_bytes(self) -> bytes:
        """The FAISS index serialised by FAISS itself, for the portable layout."""
        self._take_out()
        data: bytes = self._faiss.serialize_index(self._index).tobytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes, dimension: int, path: str) -> Self:
        """Read what :meth:`to_bytes` wrote, here or elsewhere; ids that it does not hold are line numbers.

        Raises:
            IndexDamaged: not a FAISS index, another kind of index, zero or non-finite vectors.
            IndexMismatch: the vectors have another dimension.
        """
        store = cls(dimension)
        faiss = store._faiss
        try:
            index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
        except (RuntimeError, MemoryError) as exc:  # a wrong length is memory asked for
            raise IndexDamaged(path=path, detail="not a FAISS index") from exc
        if index.d != dimension:
            raise IndexMismatch(path=path, found=index.d, expected=dimension)
        has_ids = isinstance(index, faiss.IndexIDMap2)
        inner = faiss.downcast_index(index.index) if has_ids else index
        if type(inner) is not type(store._empty()):
            raise IndexDamaged(path=path, detail=f"{type(inner).__name__} is not what is expected")
        if has_ids:
            store._index = index
        elif inner.ntotal:
            numbers = np.arange(inner.ntotal, dtype=np.int64)
            store._index.add_with_ids(inner.reconstruct_n(0, inner.ntotal), numbers)
        for _, vectors in store._present(store.ids()):
            if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
                raise IndexDamaged(path=path, detail="zero or non-finite vectors")
            store.sums.count(vectors, +1)
        return store


class HalfStore(FlatStore):
    """FAISS IndexIDMap2(IndexScalarQuantizer) with QT_fp16: half the memory, and faster to scan.

    What is added is rounded first, so that scores and moments are of the same vectors. Measured: see
    tests/bench/README.md, Scale. FAISS counts bytes in its file.
    """

    code_unit = 1

    def _empty(self) -> Any:
        kind = self._faiss.ScalarQuantizer.QT_fp16
        return self._faiss.IndexScalarQuantizer(self.dimension, kind, self._faiss.METRIC_INNER_PRODUCT)

    def _as_stored(self, vectors: Vectors) -> Vectors:
        return vectors.astype(np.float16).astype(np.float32)

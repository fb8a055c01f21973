"""What a library needs of a vector store, whichever engine is behind it.

Ids are SQLite row ids of chunks; vectors have length 1, so that an inner product is a cosine. SQLite holds
the truth (:mod:`engine.index.stored_vectors`): a store can be thrown away at any time. One owner, not
thread-safe.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import IndexMismatch
from engine.index.embedding import Vectors

Ids = NDArray[np.int64]

_TOGETHER = 512
"""Vectors that are counted at a time."""


class VectorStore(Protocol):
    """Exact inner-product search over vectors of one dimension.

    Every call raises IndexMismatch for vectors of another dimension; a store on a server raises
    TeamStoreUnreachable as well.
    """

    @property
    def dimension(self) -> int: ...

    def __len__(self) -> int: ...

    def ids(self) -> Ids:
        """All ids, in no order."""

    def add(self, ids: Sequence[int] | Ids, vectors: Vectors) -> None:
        """Add vectors of shape (n, dimension) under ids that are not there yet."""

    def remove(self, ids: Sequence[int] | Ids) -> None:
        """Remove vectors; ids that are not there are ignored."""

    def search(self, query: Vectors, k: int) -> tuple[Ids, Vectors]:
        """Ids and inner products of the ``min(k, len(self))`` nearest vectors, best first, never padded."""

    def scores(self, query: Vectors, ids: Sequence[int] | Ids) -> tuple[Ids, Vectors]:
        """Those of ``ids`` that are there and their inner products with the query, in no order."""

    def moments(self, query: Vectors) -> tuple[int, float, float]:
        """Count, sum and sum of squares of the query's inner products with every vector, without a scan."""


class Moments:
    """Sum and Gram matrix of vectors, from which the moments of their inner products follow exactly.

    sum(q·v) = q·S and sum((q·v)²) = qᵀGq, in float64, so that adding and removing does not wear them out.
    """

    def __init__(self, dimension: int) -> None:
        self._sum = np.zeros(dimension)
        self._gram = np.zeros((dimension, dimension))
        self._waiting: list[tuple[int, Vectors]] = []

    def count(self, vectors: Vectors, sign: int) -> None:
        """Vectors of shape (n, dimension) have come (``sign`` 1) or gone (-1)."""
        # The Gram matrix is large: for a few vectors at a time it would cost more than all else.
        self._waiting.append((sign, vectors))
        if sum(len(few) for _, few in self._waiting) >= _TOGETHER:
            self._settle()

    def _settle(self) -> None:
        for sign in (1, -1):
            vectors = [few for its_sign, few in self._waiting if its_sign == sign]
            if vectors:
                wide = np.concatenate(vectors).astype(np.float64)
                self._sum += sign * wide.sum(axis=0)
                self._gram += sign * (wide.T @ wide)
        self._waiting.clear()

    def of(self, query: Vectors) -> tuple[float, float]:
        """Sum and sum of squares of the query's inner products."""
        self._settle()
        q = query.astype(np.float64)
        return float(q @ self._sum), float(q @ self._gram @ q)

    def to_bytes(self) -> bytes:
        """Sum and matrix as float64, little-endian."""
        self._settle()
        return self._sum.astype("<f8").tobytes() + self._gram.astype("<f8").tobytes()

    def from_bytes(self, data: bytes) -> None:
        """Take over what :meth:`to_bytes` gave."""
        numbers = np.frombuffer(data, "<f8").astype(np.float64)
        self._sum = numbers[: len(self._sum)]
        self._gram = numbers[len(self._sum) :].reshape(self._gram.shape)
        self._waiting.clear()

    @staticmethod
    def size_bytes(dimension: int) -> int:
        """Length of :meth:`to_bytes`."""
        return 8 * dimension * (dimension + 1)


def check_vectors(ids: Sequence[int] | Ids, vectors: Vectors, dimension: int) -> None:
    """Raises IndexMismatch unless there is one vector of this dimension for each id."""
    if vectors.ndim != 2 or vectors.shape[1] != dimension or len(ids) != len(vectors):
        raise IndexMismatch(path="-", found=list(vectors.shape), expected=[len(ids), dimension])


def check_query(query: Vectors, dimension: int) -> None:
    """Raises IndexMismatch for a query of another dimension."""
    if query.shape != (dimension,):
        raise IndexMismatch(path="-", found=list(query.shape), expected=[dimension])

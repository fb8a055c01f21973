"""Half precision, and vectors that stay on the disk, against exact float32 search of a million vectors."""

import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from engine import native, paths
from engine.config import DEFAULT_EMBEDDER
from engine.index.embedding import BgeEmbedder, Vectors
from engine.index.store import FlatStore, HalfStore
from models.store import ModelStore
from tests.bench.measuring import Row

_CMRC = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "qa" / "cmrc2018"
DIMENSION = 512
QUESTIONS = 100
PASSAGES = 2000
"""Real passages, or clusters, that the million is made of."""

NOISE = 0.5
"""Length of what is added to a vector to get another one."""

_BLOCK = 10_000
_DEEPEST = 100

Search = Callable[[Vectors], NDArray[np.int64]]
"""A question's vector to the ids of the nearest, best first."""


def rows(size: int) -> Iterator[Row]:
    """Latency, memory and recall for two kinds of vectors."""
    numbers = np.random.default_rng(5)
    centres = unit(numbers.standard_normal((PASSAGES, DIMENSION), np.float32))
    questions = unit(centres[:QUESTIONS] + _noise(QUESTIONS, numbers))
    yield from _rows("clusters", size, centres, questions)
    if _CMRC.is_dir():
        yield from _rows("bge vectors with noise", size, *_real())


def _rows(name: str, size: int, centres: Vectors, questions: Vectors) -> Iterator[Row]:
    exact: list[NDArray[np.int64]] = []
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "vectors"
        with file.open("wb") as out:
            for _, block in _blocks(size, centres):
                out.write(block.tobytes())
        for label, make in (
            ("float32, FAISS flat", lambda: _in_faiss(FlatStore, size, centres)),
            ("float16, FAISS QT_fp16", lambda: _in_faiss(HalfStore, size, centres)),
            ("float32, numpy memmap", lambda: _mapped(file)),
        ):
            gc.collect()
            before = _own_memory()
            search = make()
            search(questions[0])
            memory, times, found = _own_memory() - before, [], []
            for question in questions:
                begun = time.perf_counter()
                found.append(search(question))
                times.append(1000 * (time.perf_counter() - begun))
            exact = exact or found
            recall = ", ".join(f"recall@{k} {_recall(found, exact, k):.4f}" for k in (10, _DEEPEST))
            p95 = sorted(times)[int(0.95 * len(times))]
            yield Row(
                f"{label}: {size:,} {name}",
                f"p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms",
                f"{recall}, {memory >> 20} MiB",
            )
            del search


def _recall(found: list[NDArray[np.int64]], exact: list[NDArray[np.int64]], k: int) -> float:
    return statistics.mean(len(np.intersect1d(a[:k], b[:k])) / k for a, b in zip(found, exact, strict=True))


def _blocks(size: int, centres: Vectors) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
    """The same vectors each time: every centre again and again, each time with other noise."""
    numbers = np.random.default_rng(7)
    for start in range(0, size, _BLOCK):
        ids = np.arange(start, min(start + _BLOCK, size))
        yield ids, unit(centres[ids % len(centres)] + _noise(len(ids), numbers))


def _in_faiss(kind: type[FlatStore], size: int, centres: Vectors) -> Search:
    store = kind(DIMENSION, native.thread_count())
    store.reserve(size)
    for ids, vectors in _blocks(size, centres):
        store.add(ids, vectors)
    return lambda question: store.search(question, _DEEPEST)[0]


def _mapped(file: Path) -> Search:
    vectors = np.memmap(file, np.float32, "r").reshape(-1, DIMENSION)

    def search(question: Vectors) -> NDArray[np.int64]:
        scores = vectors @ question
        best = np.argpartition(-scores, _DEEPEST)[:_DEEPEST]
        return best[np.argsort(-scores[best])]

    return search


def _real() -> tuple[Vectors, Vectors]:
    """Vectors of passages and of questions, by the shipped embedder."""
    folder = ModelStore(paths.home().models).ensure_verified(DEFAULT_EMBEDDER)
    embedder = BgeEmbedder(folder, DEFAULT_EMBEDDER, DIMENSION, native.thread_count())
    whole = [str(json.loads(line)["text"]) for line in _lines("corpus.jsonl")]
    texts = [text[start : start + 200] for text in whole for start in range(0, len(text), 200)][:PASSAGES]
    questions = [str(json.loads(line)["question"]) for line in _lines("questions.jsonl")][:QUESTIONS]
    return embedder.embed_passages(texts), np.stack([embedder.embed_query(text) for text in questions])


def _lines(name: str) -> list[str]:
    return (_CMRC / name).read_text(encoding="utf-8").splitlines()


def _own_memory() -> int:
    """Resident bytes, without those of mapped files."""
    memory = psutil.Process().memory_info()
    return int(memory.rss - memory.shared)


def unit(vectors: NDArray[np.float32]) -> Vectors:
    """Of length 1."""
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def _noise(count: int, numbers: np.random.Generator) -> Vectors:
    return NOISE * unit(numbers.standard_normal((count, DIMENSION), np.float32))

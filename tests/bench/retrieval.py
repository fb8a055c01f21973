"""Retrieval at 10,000 and 100,000 chunks against FAISS's scan alone; synthetic vectors, random words."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine import config, native
from engine.answer import retrieval
from engine.documents import Chunk, FileState, Page, PageSpan, SourceDocument
from engine.events import FileReport
from engine.index import embedders
from engine.index.embedding import Vectors
from engine.index.library import Library
from engine.index.writing import FileRecord
from tests.bench.measuring import Row, alternating, median_ms, ratio, seconds

SIZES = 10_000, 100_000
PER_DOCUMENT = 50


class _Queries:
    """An embedder that answers from a table: the model's own time is not retrieval."""

    model_id, precision, dimension, step_tokens = "synthetic", "fp32", 512, 512

    def __init__(self) -> None:
        self._numbers = np.random.default_rng(3)

    def embed_passages(self, texts: list[str]) -> Vectors:
        raise NotImplementedError

    def embed_query(self, question: str) -> Vectors:
        return unit(self._numbers.normal(size=512))


def unit(vector: np.ndarray) -> Vectors:
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def run() -> Iterator[Row]:
    for size in SIZES:
        with tempfile.TemporaryDirectory() as place:
            words = _words()
            fill(Path(place), size, words)
            yield from _measure(Path(place), size, words)


def fill(place: Path, size: int, words: "_words") -> None:
    """A library of ``size`` chunks of 180 words."""
    numbers = np.random.default_rng(1)
    library = Library(place, dimension=512, threads=native.thread_count())
    library.set_meta("name", "bench")
    embedders.note_made_by(library, embedders.identity(_Queries()))
    folder_id = library.folder_id(Path("/bench"))
    for first in range(0, size, PER_DOCUMENT):
        texts = ["".join(words.sample(180)) for _ in range(PER_DOCUMENT)]
        chunks = [
            Chunk(f"{first + i}", i, 1, 1, (PageSpan(1, 0, len(text)),), text, tokens=400)
            for i, text in enumerate(texts)
        ]
        keys = [f"{first + i}" for i in range(PER_DOCUMENT)]
        library.write_document(FileRecord(
            folder_id=folder_id, path=f"{first}.md", size=1, mtime_ns=1, content_hash="",
            report=FileReport(f"{first}.md", FileState.INDEXED),
            document=SourceDocument("markdown", f"第{first}号"),
            pages=[Page(1, "")], chunks=chunks, keys=keys,
            vectors={key: unit(numbers.normal(size=512)) for key in keys},
        ))  # fmt: skip
    library.checkpoint()
    library.close()


def _measure(place: Path, size: int, words: "_words") -> Iterator[Row]:
    opened = Library(place, dimension=512, threads=native.thread_count())
    yield Row(f"opening {size:,} chunks", f"{1000 * seconds(lambda: opened.store):.0f} ms")
    embedder, settings = _Queries(), config.Settings()
    questions = iter(["".join(words.sample(8)) for _ in range(200)])

    def ours() -> None:
        hits = retrieval.search(next(questions), [opened], embedder, settings, 5)
        assert all(hit.dense is not None for hit in hits), "no dense lane: nothing to compare"

    def bare() -> None:
        opened.store.search(embedder.embed_query(""), 200)

    own, plain = alternating(ours, bare, rounds=60)
    yield Row(
        f"retrieval at {size:,} chunks", f"{median_ms(own)}, p95 {median_ms([_p95(own)])}",
        f"FAISS scan alone {median_ms(plain)}, p95 {median_ms([_p95(plain)])}, ratio {ratio(own, plain)}",
    )  # fmt: skip
    opened.close()


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


class _words:
    """Two-character words, a few common and most rare, as in a real text."""

    def __init__(self) -> None:
        self._random = random.Random(2)
        characters = [chr(code) for code in range(0x4E00, 0x4E00 + 1500)]
        self._words = [
            self._random.choice(characters) + self._random.choice(characters) for _ in range(20_000)
        ]
        self._weights = [1 / (rank + 10) for rank in range(len(self._words))]

    def sample(self, count: int) -> list[str]:
        return self._random.choices(self._words, self._weights, k=count)

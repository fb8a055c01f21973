"""Bringing a library up to date: what a look at an unchanged folder, renames, edits and removals cost.

Most of it is measured with an embedder that costs nothing, so that the figures are those of everything else.
"""

import hashlib
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from engine import config, native, paths, pipeline
from engine.cancel import CancelToken
from engine.events import IngestFinished
from engine.index.embedding import BgeEmbedder, Embedder, Vectors
from engine.index.library import Library
from engine.ingest.indexing import Reader
from engine.intake.pool import ParsingPool
from engine.intake.scope import Scope
from models.store import ModelStore
from tests.bench.measuring import Row, seconds
from tests.fakes import InlineReader
from tests.indexed import put

FILES, FOLDERS = 10_000, 10
CHUNKS, PER_DOCUMENT = 100_000, 50
DIMENSION = 512


class NumberEmbedder:
    """Random numbers, the same for the same text."""

    model_id, precision, dimension, step_tokens = "synthetic", "fp32", DIMENSION, 512

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        seeds = (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts)
        rows = (np.random.default_rng(seed).standard_normal(DIMENSION, np.float32) for seed in seeds)
        numbers = np.stack(list(rows))
        vectors: Vectors = numbers / np.linalg.norm(numbers, axis=1, keepdims=True)
        return vectors

    def embed_query(self, question: str) -> Vectors:
        vector: Vectors = self.embed_passages([question])[0]
        return vector


class Bench:
    """A folder with its library in ``place``."""

    def __init__(self, place: Path, embedder: Embedder, reader: Reader) -> None:
        self.folder = place / "资料"
        self.library = Library(place / "库", dimension=DIMENSION, threads=native.thread_count())
        self.library.set_meta("name", "bench")
        self._embedder, self._reader = embedder, reader

    def sync(self, *below: Path) -> IngestFinished:
        steps = pipeline.ingest(
            0, self.library, Scope((self.folder,), below), reader=self._reader, embedder=self._embedder,
            settings=config.Settings(), token=CancelToken(),
        )  # fmt: skip
        return next(event for event in steps if isinstance(event, IngestFinished))

    def timed(self, name: str, wanted: str, *below: Path) -> Row:
        """One sync as a row."""
        begun = time.process_time()
        result = self.sync(*below)
        cpu = time.process_time() - begun
        figure = f"{1000 * result.seconds['total']:.0f} ms, {1000 * cpu:.0f} ms of CPU"
        return Row(name, figure, f"{wanted}{result.embedded} embedded")


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as place:
        yield from _small_files(Path(place))
    with tempfile.TemporaryDirectory() as place:
        yield from _opening(Path(place))
    with tempfile.TemporaryDirectory() as place:
        yield from _commits(Path(place))


def _small_files(place: Path) -> Iterator[Row]:
    bench = Bench(place, NumberEmbedder(), InlineReader())
    with closing(bench.library):
        for number in range(FILES):
            path = bench.folder / f"{number % FOLDERS:02}" / f"记录 {number:05}.txt"
            _write(path, f"第{number}号记录：第{number}项费用为{number * 7}元，由第{number % 97}科审核。")
        first = bench.sync()
        yield Row("taking in 10,000 small files", f"{first.seconds['total']:.1f} s", "read in this process")
        bench.sync()
        yield bench.timed("the same 10,000 files again, unchanged", "≤ 1.5 s wanted, ")

        some = bench.folder / "03"
        for file in sorted(some.iterdir()):
            file.rename(file.with_name(f"改名 {file.name}"))
        yield bench.timed("1,000 of them renamed", "≤ 2 s wanted, ")
        some.rename(bench.folder / "搬走")
        yield bench.timed("their folder moved", "≤ 2 s wanted, ")
        numbers = sorted((bench.folder / "04").iterdir(), reverse=True)
        for file in numbers:
            number = int(file.stem.split()[1]) + FOLDERS
            file.rename(file.with_name(f"记录 {number:05}.txt"))
        yield bench.timed("1,000 renumbered, each to the name of the next", "")

        edited = bench.folder / "05" / "记录 00005.txt"
        _write(edited, "第五号记录改了。")
        yield bench.timed("one file edited, all folders looked at", "")
        _write(edited, "第五号记录又改了。")
        yield bench.timed("one file edited, its folder looked at", "", edited.parent)

        shutil.rmtree(bench.folder / "06")
        purge = _timed_calls(bench.library, "checkpoint")
        yield bench.timed("1,000 files removed", "")
        yield Row("of it purge and vector store", f"{1000 * sum(purge):.0f} ms")


def _opening(place: Path) -> Iterator[Row]:
    embedder = NumberEmbedder()
    chance = random.Random(5)
    with closing(Library(place, dimension=DIMENSION)) as library:
        for number in range(CHUNKS // PER_DOCUMENT):
            texts = [f"第{number}号第{n}段，数额{chance.randrange(10**9)}元。" for n in range(PER_DOCUMENT)]
            put(library, f"{number:05}.txt", texts, embedder, title=f"第{number}号")
        library.checkpoint()
    threads = native.thread_count()

    def opened() -> None:
        with closing(Library(place, dimension=DIMENSION, threads=threads)) as library:
            assert len(library.store) == CHUNKS

    opened()
    yield Row("opening a library of 100,000 passages", f"{1000 * seconds(opened):.0f} ms", "≤ 2 s wanted")
    (place / "index.faiss").unlink()
    yield Row("the same, its vector store made anew", f"{1000 * seconds(opened):.0f} ms", "without embedding")


def _commits(place: Path) -> Iterator[Row]:
    folder = ModelStore(paths.home().models).ensure_verified(config.DEFAULT_EMBEDDER)
    embedder = BgeEmbedder(folder, config.DEFAULT_EMBEDDER, DIMENSION, native.thread_count())
    chance = random.Random(6)
    characters = "经费预算合同采购审批报销差旅部门制度管理办法规定期限"
    words = ["".join(chance.choices(characters, k=2)) for _ in range(900)]
    with ParsingPool(config.Settings()) as reader:
        bench = Bench(place, embedder, reader)
        with closing(bench.library):
            for number in range(10):
                lines = ("".join(chance.choices(words, k=20)) + "。" for _ in range(60))
                _write(bench.folder / f"{number:02}.txt", "\n".join(lines))
            result = bench.sync()
    parse, embed, write = (result.seconds[part] for part in ("parse", "embed", "write"))
    rest = result.seconds["total"] - parse - embed
    yield Row(
        "commit overhead", f"{100 * write / embed:.1f} % of the time of embedding",
        f"≤ 10 % wanted; {result.chunks} passages, {embed:.1f} s",
    )  # fmt: skip
    yield Row("all that is neither reading nor embedding", f"{100 * rest / embed:.1f} %", "of the same time")


def _write(path: Path, text: str) -> None:
    """A file whose time lies so far back that it says something."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    info = path.stat()
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns - 60 * 10**9))


def _timed_calls(library: Library, method: str) -> list[float]:
    """From now on the seconds of each call of a method."""
    found: list[float] = []
    call: Callable[..., object] = getattr(library, method)
    setattr(library, method, lambda *args, **named: found.append(seconds(lambda: call(*args, **named))))
    return found

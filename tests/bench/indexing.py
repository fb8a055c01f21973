"""A mixed folder of 300 documents into an index, end to end, against LangChain and LlamaIndex.

``python -m tests.bench indexing --rivals PYTHON``: PYTHON is an interpreter with the packages of the
dependency group ``bench``, which are no part of the product. Each run is a process of its own, one after the
other in turn; neither imports nor loading the model count. Growth needs no rivals.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import config, native, paths
from engine.embedders.precision import PrecisionTrial
from engine.paths import Home
from models.store import ModelStore
from tests.bench import mixed_folder
from tests.bench.measuring import Row, ratio

DOCUMENTS = 300
ROUNDS = 3
GROWTH = 75, 150, 300, 600


@dataclass(frozen=True)
class Rival:
    """``size`` and ``overlap`` in the splitter's own unit, characters or tokens."""

    name: str
    size: int
    overlap: int
    what: str


RIVALS = (
    # What their own guides say; of a Chinese chunk of that size bge reads about half.
    Rival("langchain", 1000, 200, "LangChain, chunks as documented"),
    Rival("llamaindex", 1024, 200, "LlamaIndex, chunks as documented"),
    # Cut so that the embedder reads everything.
    Rival("langchain", 400, 80, "LangChain, chunks that bge reads whole"),
    Rival("llamaindex", 512, 80, "LlamaIndex, chunks that bge reads whole"),
)


def run() -> Iterator[Row]:
    folder = ModelStore(paths.home().models).ensure_verified(config.DEFAULT_EMBEDDER)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        characters = mixed_folder.make(place / "mixed", DOCUMENTS)
        yield Row("mixed folder", f"{DOCUMENTS} documents", f"{characters:,} characters, six formats")
        trial = PrecisionTrial(Home(place / "home").create(), folder, after=0)
        trial.verdict()
        trial.wait()
        if python := os.environ.get("ZHIYE_BENCH_RIVALS"):
            yield from _against(python, folder, place)
        yield from _growth(place)


def _against(python: str, model: Path, place: Path) -> Iterator[Row]:
    threads = str(native.thread_count())
    own: list[dict[str, Any]] = []
    theirs: dict[Rival, list[dict[str, Any]]] = {rival: [] for rival in RIVALS}
    for _ in range(ROUNDS):
        own.append(_ours(place, place / "mixed"))
        for rival, figures in theirs.items():
            arguments = (
                rival.name,
                place / "mixed",
                place / "out",
                model,
                threads,
                rival.size,
                rival.overlap,
            )
            script = Path(__file__).with_name("rivals.py")
            figures.append(_figures([python, str(script), *map(str, arguments)]))
    seconds = [figures["seconds"] for figures in own]
    worked = [figures["processor"] for figures in own]
    yield Row("indexing it", _spread(seconds), _about(own[-1]))
    for rival, figures in theirs.items():
        other = [each["seconds"] for each in figures]
        yield Row(
            rival.what, _spread(other),
            f"{ratio(other, seconds)} times ours, by processor time "
            f"{ratio([each['processor'] for each in figures], worked)}; {figures[-1]['chunks']} chunks, "
            f"loading {figures[-1]['loading']:.1f} s",
        )  # fmt: skip


def _growth(place: Path) -> Iterator[Row]:
    """Seconds a document at growing numbers of them."""
    for count in GROWTH:
        folder = place / f"mixed-{count}"
        mixed_folder.make(folder, count)
        figures = _ours(place, folder)
        yield Row(
            f"indexing {count} documents", f"{figures['seconds']:.1f} s",
            f"{1000 * figures['seconds'] / figures['tokens']:.2f} ms a token; {_about(figures)}",
        )  # fmt: skip


def _ours(place: Path, folder: Path) -> dict[str, Any]:
    """One run into a new library; what the processor's trial found is kept."""
    for old in (place / "home").glob("librar*"):
        shutil.rmtree(old)
    return _figures([sys.executable, "-m", "tests.bench.indexing_child", str(place / "home"), str(folder)])


def _figures(command: list[str]) -> dict[str, Any]:
    output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    figures: dict[str, Any] = json.loads(output.strip().rpartition("\n")[2])
    return figures


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"{ordered[len(ordered) // 2]:.1f} s ({ordered[0]:.1f}–{ordered[-1]:.1f})"


def _about(figures: dict[str, Any]) -> str:
    stages = ", ".join(f"{name} {figures['stages'][name]:.1f} s" for name in ("parse", "embed", "write"))
    return f"{figures['precision']}, {figures['chunks']} chunks, {figures['tokens']:,} tokens; {stages}"

"""A library of 20,000 passages written as a pack and taken in, each in a process of its own."""

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.config import Settings
from engine.documents import Chunk, FileState, Page, PageSpan, SourceDocument
from engine.events import FileReport
from engine.index.embedding import Vectors, vector_key
from engine.index.library import Library
from engine.index.pack import archive, export, load
from engine.index.pack.origin import Origin
from engine.index.writing import FileRecord
from engine.intake import boxes
from tests.bench.measuring import Row

SIZE, PER_DOCUMENT, PER_PAGE, LENGTH = 20_000, 50, 5, 180
_MODEL = "bge-small-zh-v1.5"
_PAPER = (595.0, 842.0)
_CODE = """
import resource, sys, time
from pathlib import Path
from tests.bench import packs
getattr(packs, sys.argv[1])(*map(Path, sys.argv[2:]))
print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def run() -> Iterator[Row]:
    """Peaks are those of whole processes; the first row says what the program takes by itself."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        _, own = _child("nothing")
        yield Row("memory of the modules that packs need", f"{own} MiB")
        _child("make", home / "library")
        seconds, peak = _child("pack", home / "library", home / "a.zhiye")
        size = (home / "a.zhiye").stat().st_size / 1e6
        stored = (home / "library" / "library.sqlite").stat().st_size / 1e6
        yield Row(
            f"export of {SIZE:,} passages",
            f"{seconds:.1f} s of CPU, peak {peak} MiB",
            f"{size:.0f} MB of {stored:.0f}",
        )
        seconds, peak = _child("take_in", home / "a.zhiye", home / "there")
        yield Row(f"import of {SIZE:,} passages", f"{seconds:.1f} s of CPU, peak {peak} MiB")


def _child(what: str, *paths: Path) -> tuple[float, int]:
    """Seconds of processor time, and the peak in MiB of the process (Linux counts in KiB)."""
    command = [sys.executable, "-c", _CODE, what, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    seconds, peak = done.stdout.split()[-2:]
    return float(seconds), int(peak) >> 10


def nothing() -> None:
    """What is left is importing this module."""


def pack(library_folder: Path, file: Path) -> None:
    library = Library(library_folder, dimension=512)
    for _ in export.write(library, file, program="bench", reading="bench", settings=Settings()):
        pass
    library.close()


def take_in(file: Path, folder: Path) -> None:
    with archive.Reader(file) as found:
        origin = load.check_origin(file, found.manifest, Origin.of_catalogue(_MODEL))
        for _ in load.read(found, file, folder, "bench", origin, 1):
            pass


def make(folder: Path) -> None:
    """Documents of ten pages with glyph boxes, five passages a page, of random words."""
    numbers, words = np.random.default_rng(1), random.Random(1)
    library = Library(folder, dimension=512)
    library.set_meta("name", "bench")
    library.set_meta("model", _MODEL)
    folder_id = library.folder_id(Path("/bench"))
    for first in range(0, SIZE, PER_DOCUMENT):
        texts = [
            "".join(chr(words.randint(0x4E00, 0x57FF)) for _ in range(LENGTH)) for _ in range(PER_DOCUMENT)
        ]
        chunks = [_chunk(first, i, text) for i, text in enumerate(texts)]
        keys = [vector_key(_MODEL, "fp32", chunk.prefix + chunk.text) for chunk in chunks]
        library.write_document(FileRecord(
            folder_id=folder_id, path=f"{first}.pdf", size=1, mtime_ns=1, content_hash=f"{first:064x}",
            report=FileReport(f"{first}.pdf", FileState.INDEXED, pages=PER_DOCUMENT // PER_PAGE),
            document=SourceDocument("pdf", f"第{first}号"), reading="bench",
            pages=[
                _page(1 + at // PER_PAGE, "".join(texts[at : at + PER_PAGE]))
                for at in range(0, PER_DOCUMENT, PER_PAGE)
            ],
            chunks=chunks, keys=keys, vectors={key: _unit(numbers.normal(size=512)) for key in keys},
        ))  # fmt: skip
    library.close()


def _chunk(first: int, number: int, text: str) -> Chunk:
    page, at = 1 + number // PER_PAGE, number % PER_PAGE * LENGTH
    spans = (PageSpan(page, at, at + LENGTH),)
    return Chunk(f"{first + number:020x}", number, page, page, spans, text, "标题\n", 0, 200, ("章", "节"))


def _page(number: int, text: str) -> Page:
    glyphs = [
        (60 + 12 * (i % 40), 60 + 16 * (i // 40), 71 + 12 * (i % 40), 72 + 16 * (i // 40))
        for i in range(len(text))
    ]
    return Page(number, text, str(number), size=_PAPER, boxes=boxes.pack(glyphs, _PAPER))


def _unit(vector: np.ndarray) -> Vectors:
    return (vector / np.linalg.norm(vector)).astype(np.float32)

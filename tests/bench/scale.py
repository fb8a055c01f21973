"""Libraries of 10,000 to 1,000,000 chunks: opening, rebuilding, writing, removing; and half precision.

A million chunks need 8 GiB of disk in the temporary folder and 6 GiB of memory.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine import native
from engine.index.cache import store_kind
from engine.index.library import Library
from tests.bench import precision
from tests.bench.measuring import Row

DIMENSION = 512
SIZES = (10_000, 100_000, 1_000_000)
PER_DOCUMENT = 50
_BLOCK = 10_000


def run() -> Iterator[Row]:
    for size in SIZES:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "library"
            _make_library(folder, size)
            yield from _library_rows(folder, size)
    yield from precision.rows(SIZES[-1])


def _library_rows(folder: Path, size: int) -> Iterator[Row]:
    kind = store_kind(size, DIMENSION, native.total_memory()).__name__
    _, idle = _in_child(folder, "")
    for name, code in (
        ("building the store from SQLite", "library.store"),
        ("writing its file", "library.store; begin(); library.checkpoint()"),
        ("opening", "library.store"),
        ("opening, the file 2 % behind", "library.store"),
        ("1,000 documents removed one by one", _REMOVE),
    ):
        if "behind" in name:
            _add(folder, size // 50)
        taken, peak = _in_child(folder, code)
        yield Row(
            f"{name}, {size:,} chunks", f"{taken:.2f} s",
            f"peak memory {(peak - idle) >> 20} MiB above that without a store, {kind}",
        )  # fmt: skip


_REMOVE = """
rows = library.store.ids().reshape(-1, 10)[:1000]
begin()
for document in rows:
    library.store.remove(document)
library.store.search(np.ones(512, np.float32), 200)
"""
"""What the store does of it, with one search at the end."""


def _in_child(folder: Path, code: str) -> tuple[float, int]:
    """Seconds of ``code``, or of what follows its ``begin()``, and peak resident bytes of a fresh process."""
    script = f"""
import resource, sys, time
from pathlib import Path
import numpy as np
from engine import native
from engine.index.library import Library
begun = 0.0
def begin():
    global begun
    begun = time.perf_counter()
native.faiss(native.thread_count())
library = Library(Path(sys.argv[1]), dimension={DIMENSION}, threads=native.thread_count())
begin()
{code}
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
    output = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        capture_output=True, text=True, encoding="utf-8", check=True,
    ).stdout  # fmt: skip
    taken, peak = output.splitlines()[-1].split()
    return float(taken), int(peak)


def _make_library(folder: Path, size: int) -> None:
    """A library of ``size`` chunks of one sentence with vectors, without terms and index.faiss."""
    library = Library(folder, dimension=DIMENSION)
    library.set_meta("name", "scale")
    library.folder_id(Path("/scale"))
    library.close()
    _add(folder, size)


def _add(folder: Path, count: int) -> None:
    library = Library(folder, dimension=DIMENSION)
    first = int(library.db.execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()[0])
    numbers = np.random.default_rng(first + 1)
    for start in range(first, first + count, _BLOCK):
        rows = range(start, min(start + _BLOCK, first + count))
        vectors = precision.unit(numbers.standard_normal((len(rows), DIMENSION), np.float32))
        with library.transaction():
            library.db.executemany(
                "INSERT OR IGNORE INTO documents (id, folder_id, path, size, mtime_ns, state)"
                " VALUES (?1, 1, ?1, 1, 1, 'indexed')",
                ((row // PER_DOCUMENT + 1,) for row in rows),
            )
            library.db.executemany(
                "INSERT INTO chunks (document_id, chunk, ordinal, page, page_end, spans, section, text,"
                " prefix, overlap, tokens, vector_key) VALUES (?, ?, ?, 1, 1, '[]', '[]', ?, '', 0, 400, ?)",
                (
                    (row // PER_DOCUMENT + 1, str(row), row % PER_DOCUMENT, "字" * 400, f"{row * 7919:064x}")
                    for row in rows
                ),
            )
            library.db.executemany(
                "INSERT INTO vectors VALUES (?, ?)",
                ((f"{row * 7919:064x}", vector.tobytes()) for row, vector in zip(rows, vectors, strict=True)),
            )
            library.raise_generation()
    library.close()

"""Putting right what can be put right without reading a document or embedding text."""

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from engine.errors import NoSpace, StorageFailed
from engine.health import inside
from engine.index import mending, particulars, staging, unfinished
from engine.index.library import Library
from engine.index.replacing import replace
from engine.index.salvage import Salvaged, salvage

_ASIDE = "library.sqlite.damaged-"


def mend(library: Library, *, terms: bool) -> Iterator[None]:
    """Put a library in order that SQLite can read; it was opened for this, and its write lock is held.

    ``terms``: the lexical index is made anew, too.

    Raises:
        StorageFailed: what was in work is as it was.
    """
    db = library.db
    unusable: list[str] = []
    for keys in mending.unusable_vectors(db):
        unusable += keys
        yield None
    with library.transaction():
        ownerless = mending.ownerless_rows(db)
        if ownerless:
            # Their documents are read again by the next sync, and their vectors wait for it.
            mending.expect_names(db)
            mending.drop_ownerless_rows(db)
        mending.drop_lost_copies(db)
        mending.drop_vectors(db, unusable)
        if mending.unnamed_vectors(db):
            mending.drop_unnamed_vectors(db)
        if terms or ownerless:
            mending.make_terms_anew(db)
        db.execute("INSERT OR REPLACE INTO meta VALUES ('remains', '1')")
        library.raise_generation()
    yield None
    unfinished.set_aside(library)
    staging.clear(library)
    for file in inside.left_files(library):
        with suppress(OSError):  # said again by the next check
            shutil.rmtree(file) if file.is_dir() else file.unlink()
    (Path(library.file).parent / "index.faiss").unlink(missing_ok=True)
    yield from library.cleaning()
    library.save_store()
    yield None


def rescue(
    folder: Path, dimension: int, threads: int, release: Callable[[], None]
) -> Generator[None, None, tuple[Salvaged, Path]]:
    """Put a fresh library.sqlite in the place of a damaged one, which is kept beside it.

    Its lock is held; ``release`` closes it where this program has it open, which a question between two
    steps may have done. Returns what was saved, and where the damaged file is.

    Raises:
        StorageFailed, NoSpace: nothing has changed.
    """
    source = damaged_file(folder)
    size = source.stat().st_size if source.exists() else 0
    free = shutil.disk_usage(folder).free
    if free < size:
        raise NoSpace(path=str(folder), needed_mb=(size >> 20) + 1, free_mb=free >> 20)
    place = folder / inside.WORKPLACE
    shutil.rmtree(place, ignore_errors=True)
    figures = Salvaged()
    fresh = Library(place, dimension=dimension, threads=threads)
    try:
        for step in salvage(source, fresh, particulars.read(folder)):
            figures = step or figures
            yield None
        fresh.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        fresh.close()
        release()
        aside = _exchange(place / "library.sqlite", source, folder)
    except OSError as exc:
        raise StorageFailed(path=str(folder), detail=exc.strerror or str(exc)) from exc
    finally:
        fresh.close()
        shutil.rmtree(place, ignore_errors=True)
    return figures, aside


def damaged_file(folder: Path) -> Path:
    """The file to save from: library.sqlite, or what an earlier repair that was ended had put aside."""
    file = folder / "library.sqlite"
    earlier = sorted(path for path in folder.glob(_ASIDE + "*") if not path.name.endswith(("-wal", "-shm")))
    return file if file.exists() or not earlier else earlier[-1]


def _exchange(fresh: Path, source: Path, folder: Path) -> Path:
    """The damaged file goes aside, never away; the fresh one comes in one step."""
    file = folder / "library.sqlite"
    aside = _free_name(folder)
    for of_other_rows in ("index.faiss", "team.sums"):
        (folder / of_other_rows).unlink(missing_ok=True)
    log = file.with_name(file.name + "-wal")
    if log.exists():  # SQLite would take it for the log of the fresh file
        replace(log, aside.with_name(aside.name + "-wal"))
    file.with_name(file.name + "-shm").unlink(missing_ok=True)
    if file.exists():
        try:
            os.link(file, aside)
        except OSError:  # not every file system has links; then there is a moment without the file
            replace(file, aside)
    replace(fresh, file)
    return aside if source == file else source


def _free_name(folder: Path) -> Path:
    """Where the damaged file goes; no earlier one is ever overwritten."""
    stem = _ASIDE + datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(place for name in names if not (place := folder / name).exists())

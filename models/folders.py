"""Embedders that people bring as a folder: known by their structure, and by their hashes from then on."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from models import structure
from models.catalogue import Catalogue, CatalogueModel
from models.errors import ModelBusy, ModelError, ModelStructureWrong, ModelUnreadable
from models.locking import exclusive
from models.structure import Structure
from models.verification import (
    Report,
    Seen,
    copy_files,
    demand_hashes,
    demand_space,
    hash_files,
    still_as_seen,
)


def recognise(folder: Path, known: Catalogue) -> CatalogueModel:
    """The embedder of the catalogue that this folder holds.

    Raises ModelStructureWrong where it holds none of them, else as :func:`models.structure.check`.
    """
    size = structure.hidden_size(folder)
    entries = [entry for entry in known.models if entry.structure]
    for entry in entries:
        if entry.dimension == size:
            structure.check(folder, entry.id, _structure(entry))
            return entry
    names = ", ".join(entry.id for entry in entries)
    raise ModelStructureWrong(path=str(folder), model=names, detail=f"hidden_size {size}")


def copy_in(folder: Path, target: Path, report: Report) -> dict[str, Seen]:
    """Put a copy in the place of ``target`` and return its hashes.

    Raises ModelBusy, ModelDiskFull or OSError, with nothing changed.
    """
    incoming, replaced = (target.with_name(f".{target.name}.{end}") for end in ("incoming", "replaced"))
    with exclusive(target.with_name(f".{target.name}.lock")) as held:
        if not held:
            raise ModelBusy(model=target.name)
        try:
            shutil.rmtree(incoming, ignore_errors=True)  # left by a process that was killed
            names = structure.files_of(folder)
            demand_space(target.parent, size_of(folder))
            seen = copy_files(folder, incoming, names, report)
            if target.exists():
                shutil.rmtree(replaced, ignore_errors=True)
                target.rename(replaced)
            incoming.rename(target)
            return seen
        finally:
            if replaced.exists() and not target.exists():
                replaced.rename(target)
            for left in (incoming, replaced):
                shutil.rmtree(left, ignore_errors=True)


def size_of(folder: Path) -> int:
    """Bytes of the files that belong to the embedder; raises OSError."""
    return sum((folder / name).stat().st_size for name in structure.files_of(folder))


def check(path: Path, entry: CatalogueModel, recorded: Mapping[str, Seen], report: Report) -> dict[str, Seen]:
    """The hashes of a folder whose structure is right, equal to those on record where there are any.

    Raises ModelDamaged where they are not, OSError, and as :func:`models.structure.check`.
    """
    structure.check(path, entry.id, _structure(entry))
    seen = hash_files(path, structure.files_of(path), report)
    if recorded:
        demand_hashes(path, seen, {name: file.sha256 for name, file in recorded.items()})
    return seen


def is_as_recorded(path: Path, recorded: Mapping[str, Seen]) -> bool:
    """Whether no file has changed, come or gone since the folder was hashed."""
    return sorted(recorded) == structure.files_of(path) and still_as_seen(path, recorded)


def problem_of(path: Path, entry: CatalogueModel) -> str | None:
    """The code of what is wrong with the folder's structure."""
    try:
        structure.check(path, entry.id, _structure(entry))
    except ModelError as exc:
        return exc.code
    except OSError:
        return ModelUnreadable.code
    return None


def _structure(entry: CatalogueModel) -> Structure:
    assert entry.structure is not None
    return entry.structure

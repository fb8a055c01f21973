"""What a person brings as a model, looked at before a byte of it is copied."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from models import folders
from models.catalogue import Catalogue, CatalogueModel
from models.errors import (
    ModelNotFoundIn,
    ModelNotInCatalogue,
    ModelsSeveral,
    ModelTooLarge,
    ModelUnreadable,
)
from models.gguf import GgufHeader, read_header

_DEEP = 3
_MOST_ENTRIES = 5000
_USUAL_CONTEXT = 4096
_GB = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Arrival:
    """A model on its way: ``entry`` is what the catalogue says it must be, None for an unknown one.

    Of a file, the catalogue's size is what it is known by here; its hash decides when it is copied.
    """

    path: Path
    entry: CatalogueModel | None
    architecture: str
    memory_needed: int


def look(path: Path, known: Catalogue) -> Arrival:
    """Find the model in ``path``, a file or a folder, and read what it says of itself.

    Raises:
        ModelNotFoundIn, ModelsSeveral: a folder that does not hold exactly one.
        ModelError: the file is no model, or is not whole (:func:`models.gguf.read_header`,
            :func:`models.folders.recognise`).
    """
    try:
        model = _only_model(path, known) if path.is_dir() else path
        if model.is_dir():
            entry = folders.recognise(model, known)
            return Arrival(model, entry, "bert", entry.memory_needed)
        header, size = read_header(model), model.stat().st_size
    except OSError as exc:
        raise ModelUnreadable(path=str(path), detail=exc.strerror or str(exc)) from exc
    by_size = _by_size(known).get(size)
    needed = by_size.memory_needed if by_size else memory_needed(size, header)
    return Arrival(model, by_size, header.architecture, needed)


def demand_expected(arrival: Arrival, total_memory: int) -> None:
    """Raise ModelTooLarge or ModelNotInCatalogue for what a person should know before it is copied."""
    if arrival.memory_needed > total_memory:
        raise too_large(arrival.path.name, arrival.memory_needed, total_memory)
    if arrival.entry is None:
        raise ModelNotInCatalogue(path=str(arrival.path), architecture=arrival.architecture)


def too_large(model: str, needed: int, total: int) -> ModelTooLarge:
    """The error of a model that needs ``needed`` of ``total`` bytes of memory."""
    return ModelTooLarge(model=model, needed_gb=f"{needed / _GB:.1f}", total_gb=f"{total / _GB:.1f}")


def memory_needed(size: int, header: GgufHeader) -> int:
    """Bytes of memory for a GGUF file of ``size`` bytes with the usual context of 4,096 tokens.

    1.3 × file + keys and values + 0.5 GB, which is within 7 % of what the catalogue states for its files of
    0.5 and 1.1 GB.
    """
    return int(1.3 * size) + (header.cache_bytes or 0) * _USUAL_CONTEXT + 500_000_000


def _only_model(folder: Path, known: Catalogue) -> Path:
    if _is_embedder(folder):
        return folder
    found = sorted(islice(_models_below(folder, _DEEP), _MOST_ENTRIES))
    sizes = _by_size(known)
    # Beside others of any kind, the one that the catalogue knows is meant.
    expected = [path for path in found if path.is_dir() or path.stat().st_size in sizes]
    chosen = expected or found
    if not chosen:
        raise ModelNotFoundIn(path=str(folder))
    if len(chosen) > 1:
        raise ModelsSeveral(path=str(folder), names=[path.name for path in chosen[:6]])
    return chosen[0]


def _models_below(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = list(islice(folder.iterdir(), _MOST_ENTRIES))
    except OSError:
        if depth == _DEEP:
            raise
        return  # a stick's own folders may be closed to people
    for path in entries:
        if path.name.startswith("."):
            continue
        if path.is_dir():
            if _is_embedder(path):
                yield path
            elif depth > 1:
                yield from _models_below(path, depth - 1)
        elif path.suffix.lower() == ".gguf":
            yield path


def _is_embedder(folder: Path) -> bool:
    return (folder / "config.json").is_file() and (folder / "modules.json").is_file()


def _by_size(known: Catalogue) -> dict[int, CatalogueModel]:
    return {model.size: model for model in known.models if len(model.files) == 1}

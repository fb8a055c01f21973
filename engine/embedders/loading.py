"""From the id of an embedder to the embedder: its files found, verified, loaded and checked."""

from collections.abc import Callable
from pathlib import Path

from engine.errors import EmbedderMissing, EmbedderUnusable
from engine.index.embedding import BgeEmbedder, Embedder
from models.errors import ModelMissing, ModelUnknown, ModelUnreadable
from models.store import ModelStore

Make = Callable[[Path, str, int, int, str], Embedder]
"""Folder, id, dimension, threads and hash of the weights, or "", to an embedder; raises EmbedderUnusable."""


def load(models: ModelStore, model_id: str, threads: int, make: Make = BgeEmbedder) -> Embedder:
    """Load an embedder of the catalogue.

    Raises:
        ModelUnknown: the catalogue has no embedder of this id.
        EmbedderMissing: it is one that people add, and it is not on this machine.
        ModelError, EmbedderUnusable: its files cannot be used.
    """
    entry = models.known.find(model_id)
    if entry.role != "embedder" or entry.dimension is None:
        raise ModelUnknown(model=model_id)
    try:
        folder = models.ensure_verified(model_id)
        weights = models.weights_hash(model_id)
    except ModelMissing as exc:
        if entry.bundled_folder:
            raise EmbedderUnusable(path=entry.bundled_folder, detail="files are missing") from exc
        raise EmbedderMissing(model=model_id) from exc
    except OSError as exc:
        raise ModelUnreadable(path=str(models.folder), detail=exc.strerror or str(exc)) from exc
    return make(folder, model_id, entry.dimension, threads, weights)

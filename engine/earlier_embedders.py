"""Embedders of earlier libraries: while their files are there, an old index answers until it is made anew."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.errors import CodedError
from engine.index import embedders
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from models.store import ModelStore

_log = logging.getLogger(__name__)

Load = Callable[[Path, str, int, int], Embedder]
"""Folder, id, dimension and threads to an embedder; raises EmbedderUnusable."""


class EarlierEmbedders:
    """Loads each of them at most once; one that cannot be loaded is not tried again."""

    def __init__(self, models: ModelStore, threads: int, load: Load = BgeEmbedder) -> None:
        self._models, self._threads, self._load = models, threads, load
        self._loaded: dict[str, Embedder | None] = {}

    def of(self, libraries: Sequence[Library], present: Embedder | None) -> tuple[Embedder, ...]:
        """Those of the libraries that the present embedder did not make; none without one."""
        if present is None:
            return ()
        for library in libraries:
            model_id = embedders.made_by(library).split("/")[0]
            if model_id not in self._loaded and not embedders.fits(library, present):
                self._loaded[model_id] = self._try(model_id)
        return tuple(embedder for embedder in self._loaded.values() if embedder is not None)

    def _try(self, model_id: str) -> Embedder | None:
        entry = next((m for m in self._models.known.models if m.id == model_id), None)
        if entry is None or entry.role != "embedder" or entry.dimension is None:
            return None
        try:
            folder = self._models.ensure_verified(model_id)
            return self._load(folder, model_id, entry.dimension, self._threads)
        except CodedError as exc:
            _log.info("an earlier embedder is not there: %s", exc)
            return None

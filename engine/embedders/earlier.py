"""Embedders of earlier libraries: while their files are there, an old index answers until it is made anew."""

import logging
from collections.abc import Sequence

from engine.embedders import loading as embedder_loading
from engine.embedders.loading import Make
from engine.errors import CodedError
from engine.index import embedders
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from models.store import ModelStore

_log = logging.getLogger(__name__)


class EarlierEmbedders:
    """Loads each of them at most once; one that cannot be loaded is not tried again."""

    def __init__(self, models: ModelStore, threads: int, make: Make = BgeEmbedder) -> None:
        self._models, self._threads, self._make = models, threads, make
        self._loaded: dict[str, Embedder | None] = {}

    def of(self, libraries: Sequence[Library], present: Embedder | None) -> tuple[Embedder, ...]:
        """Those of the libraries that the present embedder did not make."""
        for library in libraries:
            model_id = embedders.made_by(library).split("/")[0]
            # Other vectors under the present one's own id are of other weights, or normalised otherwise.
            is_present = present is not None and (
                present.model_id == model_id or embedders.fits(library, present)
            )
            if model_id not in self._loaded and not is_present and embedders.has_vectors(library):
                self._loaded[model_id] = self._try(model_id)
        return tuple(embedder for embedder in self._loaded.values() if embedder is not None)

    def _try(self, model_id: str) -> Embedder | None:
        try:
            return embedder_loading.load(self._models, model_id, self._threads, self._make)
        except CodedError as exc:
            _log.info("an earlier embedder is not there: %s", exc)
            return None

"""Which embedder the vectors of a pack come from."""

from dataclasses import dataclass
from typing import Self

from engine import normalise
from engine.index import embedders
from engine.index.embedding import Embedder
from engine.index.library import Library
from models.catalogue import catalogue

_WEIGHTS = ".safetensors"
_PRECISION = "fp32"
"""What every embedder of the catalogue computes in."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What must be the same for two vectors to be comparable. ``weights`` is the SHA-256 of the embedder's
    weights as the catalogue has it; None where the catalogue has none."""

    model_id: str
    precision: str
    dimension: int
    normaliser: int
    weights: str | None

    @classmethod
    def of(cls, library: Library) -> Self:
        """That of a library's vectors; an early library says the model only, the rest is as it was then."""
        model_id, *rest = embedders.made_by(library).split("/")
        precision, dimension, normaliser = rest or (_PRECISION, library.dimension, normalise.VERSION)
        return cls(model_id, precision, int(dimension), int(normaliser), weights_of(model_id))

    @classmethod
    def of_embedder(cls, embedder: Embedder) -> Self:
        return cls(
            embedder.model_id, embedder.precision, embedder.dimension, normalise.VERSION,
            weights_of(embedder.model_id),
        )  # fmt: skip

    @classmethod
    def of_catalogue(cls, model_id: str) -> Self:
        """That of an embedder of the catalogue; raises ModelUnknown."""
        dimension = catalogue().find(model_id).dimension or 0
        return cls(model_id, _PRECISION, dimension, normalise.VERSION, weights_of(model_id))

    def __str__(self) -> str:
        return f"{self.model_id}/{self.precision}/{self.dimension}/{self.normaliser}"


def weights_of(model_id: str) -> str | None:
    """The SHA-256 of an embedder's weights."""
    for model in catalogue().models:
        if model.id == model_id:
            return next((file.sha256 for file in model.files if file.name.endswith(_WEIGHTS)), None)
    return None

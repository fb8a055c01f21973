"""The embedder of an old library is loaded when its files are there, and only then."""

from pathlib import Path

import pytest

from engine.embedders.earlier import EarlierEmbedders
from engine.errors import EmbedderUnusable
from engine.index.embedding import Embedder
from engine.index.library import Library
from models.store import ModelStore
from tests.builders import memory_library
from tests.fakes import FakeEmbedder

KNOWN, CHAT = "bge-small-zh-v1.5", "qwen2.5-coder-0.5b-instruct-q4_k_m"


def embedder_of(model_id: str) -> FakeEmbedder:
    made = FakeEmbedder(512)
    made.model_id = model_id
    return made


class Loader:
    """Stands for the loading of a model; ``broken``: its files cannot be used."""

    def __init__(self, *, broken: bool = False) -> None:
        self.asked: list[str] = []
        self.broken = broken

    def __call__(self, folder: Path, model_id: str, dimension: int, threads: int, weights: str) -> Embedder:
        self.asked.append(model_id)
        if self.broken:
            raise EmbedderUnusable(path=str(folder), detail="test")
        assert dimension == 512
        return embedder_of(model_id)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelStore:
    monkeypatch.setattr(ModelStore, "ensure_verified", lambda self, model_id: tmp_path / model_id)
    return ModelStore(tmp_path)


def library_of(model_id: str, stated: str | None = None) -> Library:
    made = memory_library({"a.txt": "年假"}, embedder_of(model_id))
    made.set_meta("model", stated or model_id)
    return made


def test_the_embedder_of_an_old_library_is_loaded_once(models: ModelStore) -> None:
    load = Loader()
    earlier, old = EarlierEmbedders(models, 1, load), library_of(KNOWN)
    present = embedder_of("present")
    for _ in range(2):
        (found,) = earlier.of([old], present)
        assert found.model_id == KNOWN
    assert load.asked == [KNOWN]


@pytest.mark.parametrize("model_id", ["never-heard-of", CHAT])
def test_what_is_no_known_embedder_is_never_loaded(models: ModelStore, model_id: str) -> None:
    load, old = Loader(), library_of("x", model_id)
    assert EarlierEmbedders(models, 1, load).of([old], embedder_of("present")) == ()
    assert load.asked == []


def test_the_old_one_is_loaded_while_the_present_one_is_not_there(models: ModelStore) -> None:
    load = Loader()
    (found,) = EarlierEmbedders(models, 1, load).of([library_of(KNOWN)], None)
    assert found.model_id == KNOWN


def test_nothing_is_loaded_for_libraries_of_the_present_embedder_or_without_vectors(
    models: ModelStore,
) -> None:
    load, old, bare = Loader(), library_of(KNOWN), Library(None, dimension=512)
    bare.set_meta("model", KNOWN)
    assert EarlierEmbedders(models, 1, load).of([old, bare], embedder_of(KNOWN)) == ()
    assert EarlierEmbedders(models, 1, load).of([bare], embedder_of("present")) == ()
    assert EarlierEmbedders(models, 1, load).of([bare], None) == ()
    assert load.asked == []


def test_the_present_one_is_not_loaded_twice_for_vectors_of_other_weights(models: ModelStore) -> None:
    load, other_weights = Loader(), embedder_of(KNOWN)
    other_weights.precision = "fp32-0123456789ab"
    assert EarlierEmbedders(models, 1, load).of([library_of(KNOWN)], other_weights) == ()
    assert load.asked == []


def test_one_that_cannot_be_loaded_is_not_tried_again(models: ModelStore) -> None:
    load, old = Loader(broken=True), library_of(KNOWN)
    earlier = EarlierEmbedders(models, 1, load)
    assert earlier.of([old], embedder_of("present")) == earlier.of([old], embedder_of("present")) == ()
    assert load.asked == [KNOWN]

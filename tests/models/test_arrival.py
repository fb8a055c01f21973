"""What a person brings is looked at before it is copied: a file, a stick, an embedder's folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from models import arrival
from models.arrival import look
from models.catalogue import Catalogue
from models.errors import (
    ModelNotFoundIn,
    ModelNotGguf,
    ModelNotInCatalogue,
    ModelsSeveral,
    ModelTooLarge,
    ModelUnreadable,
)
from tests import tiny_bert
from tests.models.conftest import MODEL_ID

ROOM = 1 << 40


@pytest.fixture
def content(make_gguf: Callable[..., bytes]) -> bytes:
    """Longer than what nobody knows."""
    return make_gguf(padding=b"\2" * 100)


@pytest.fixture
def known(make_catalogue: Callable[..., Catalogue]) -> Catalogue:
    return make_catalogue()


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "U盘"
    folder.mkdir()
    return folder


def test_a_file_of_the_catalogues_size_is_expected(known: Catalogue, content: bytes, stick: Path) -> None:
    file = stick / "改过名.gguf"
    file.write_bytes(content)
    found = look(file, known)
    assert found.entry is known.models[0] and found.memory_needed == known.models[0].memory_needed
    arrival.demand_expected(found, ROOM)


def test_an_unknown_file_is_named_with_what_its_header_says(known: Catalogue, gguf_file: Path) -> None:
    found = look(gguf_file, known)
    assert found.entry is None
    with pytest.raises(ModelNotInCatalogue) as caught:
        arrival.demand_expected(found, ROOM)
    assert caught.value.params == {"path": str(gguf_file), "architecture": "qwen2"}


def test_a_model_larger_than_the_memory_is_told_before_it_is_copied(
    known: Catalogue, gguf_file: Path
) -> None:
    with pytest.raises(ModelTooLarge) as caught:
        arrival.demand_expected(look(gguf_file, known), 400_000_000)
    assert caught.value.params == {"model": "外来模型.gguf", "needed_gb": "0.5", "total_gb": "0.4"}


def test_what_is_no_model_is_refused(known: Catalogue, stick: Path) -> None:
    page = stick / "模型.gguf"
    page.write_bytes(b"<!doctype html>" * 20)
    with pytest.raises(ModelNotGguf):
        look(page, known)
    with pytest.raises(ModelUnreadable):
        look(stick / "没有.gguf", known)


def test_on_a_stick_the_only_model_is_found_in_its_folders(
    known: Catalogue, gguf_file: Path, stick: Path
) -> None:
    (stick / "说明.txt").write_text("x", encoding="utf-8")
    (stick / "资料" / "模型").mkdir(parents=True)
    file = gguf_file.rename(stick / "资料" / "模型" / "m.gguf")
    assert look(stick, known).path == file


def test_beside_others_the_known_one_is_meant(
    known: Catalogue, gguf_file: Path, content: bytes, stick: Path
) -> None:
    gguf_file.rename(stick / "a.gguf")
    (stick / f"{MODEL_ID}.gguf").write_bytes(content)
    assert look(stick, known).path.name == f"{MODEL_ID}.gguf"


def test_of_several_a_person_has_to_choose(
    known: Catalogue, make_gguf: Callable[..., bytes], stick: Path
) -> None:
    for name in ("a.gguf", "b.gguf"):
        (stick / name).write_bytes(make_gguf())
    with pytest.raises(ModelsSeveral) as caught:
        look(stick, known)
    assert caught.value.params["names"] == ["a.gguf", "b.gguf"]


def test_a_folder_without_any_is_told(known: Catalogue, stick: Path) -> None:
    (stick / ".隐藏.gguf").write_bytes(b"x")
    with pytest.raises(ModelNotFoundIn):
        look(stick, known)


def test_an_embedders_folder_is_known_on_its_own_and_on_a_stick(tiny_berts: Mapping[str, Path]) -> None:
    folder = tiny_berts[tiny_bert.BASE]
    found = look(folder, tiny_bert.known())
    assert found.entry is not None and found.entry.id == tiny_bert.BASE
    with pytest.raises(ModelsSeveral):  # the two stand-ins lie side by side
        look(folder.parent, tiny_bert.known())


def test_the_memory_of_an_unknown_model_is_estimated_near_what_the_catalogue_states() -> None:
    from models.catalogue import catalogue
    from models.gguf import GgufHeader

    for name, cache in (
        ("qwen2.5-0.5b-instruct-q4_k_m", 12 << 10),
        ("qwen2.5-1.5b-instruct-q4_k_m", 28 << 10),
    ):
        entry = catalogue().find(name)
        header = GgufHeader(3, 1, "qwen2", None, 32768, True, cache)
        assert arrival.memory_needed(entry.size, header) == pytest.approx(entry.memory_needed, rel=0.07)

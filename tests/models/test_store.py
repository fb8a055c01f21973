import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from models import store as store_module
from models.catalogue import Catalogue, CatalogueModel
from models.errors import (
    ModelDamaged,
    ModelDiskFull,
    ModelIncomplete,
    ModelMissing,
    ModelNotGguf,
    ModelPermanent,
    ModelUnknown,
)
from models.status import model_status
from models.store import ModelStore

ID = "tiny-q4"
MakeCatalogue = Callable[..., Catalogue]


@pytest.fixture
def store(tmp_path: Path, make_catalogue: MakeCatalogue) -> ModelStore:
    return ModelStore(tmp_path / "模型", make_catalogue())


def put(store: ModelStore, name: str, data: bytes) -> Path:
    store.folder.mkdir(exist_ok=True)
    path = store.folder / name
    path.write_bytes(data)
    return path


def forbid_hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    def hashed(*_: object) -> None:
        raise AssertionError("the file was hashed again")

    monkeypatch.setattr(store_module, "check_files", hashed)
    monkeypatch.setattr(store_module, "hash_file", hashed)


def test_an_empty_store_knows_what_is_missing(store: ModelStore) -> None:
    with pytest.raises(ModelMissing):
        store.locate(ID)
    with pytest.raises(ModelUnknown):
        store.locate("other")
    assert store.installed() == []
    assert store.default_chat(10**10) is None


@pytest.mark.parametrize("model_id", ["../secret", "..", "/etc/passwd", ""])
def test_an_id_cannot_lead_out_of_the_folder(store: ModelStore, model_id: str) -> None:
    put(store, "a.gguf", b"x")
    (store.folder.parent / "secret.gguf").write_bytes(b"x")
    with pytest.raises(ModelUnknown):
        store.locate(model_id)


def test_a_verified_model_is_not_hashed_twice(
    store: ModelStore, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(store, f"{ID}.gguf", content)
    assert not store.is_verified(ID)
    assert store.ensure_verified(ID) == path
    assert store.is_verified(ID)
    forbid_hashing(monkeypatch)
    assert store.ensure_verified(ID) == path


def test_a_changed_file_loses_its_verification(store: ModelStore, content: bytes) -> None:
    path = put(store, f"{ID}.gguf", content)
    store.verify(ID)
    path.write_bytes(content[:-1] + b"\7")
    os.utime(path, ns=(0, 0))
    assert not store.is_verified(ID)
    with pytest.raises(ModelDamaged):
        store.ensure_verified(ID)
    assert not store.is_verified(ID)


def test_a_file_cut_short_is_incomplete(store: ModelStore, content: bytes) -> None:
    put(store, f"{ID}.gguf", content[:-8])
    with pytest.raises(ModelIncomplete):
        store.verify(ID)


def test_verification_reports_progress(store: ModelStore, content: bytes) -> None:
    put(store, f"{ID}.gguf", content)
    seen: list[tuple[int, int]] = []
    store.verify(ID, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(content), len(content))


@pytest.mark.parametrize("marker", ["", "{", '{"files": []}', '{"files": {"tiny-q4.gguf": {}}}', "[1]"])
def test_a_torn_marker_counts_for_nothing(store: ModelStore, content: bytes, marker: str) -> None:
    put(store, f"{ID}.gguf", content)
    (store.folder / f"{ID}.verified.json").write_text(marker, encoding="utf-8")
    assert not store.is_verified(ID)
    store.ensure_verified(ID)
    assert store.is_verified(ID)


def test_the_embedder_that_ships_is_checked_and_stays(tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "models")
    folder = store.ensure_verified("bge-small-zh-v1.5")
    assert (folder / "model.safetensors").is_file()
    assert store.is_verified("bge-small-zh-v1.5")
    with pytest.raises(ModelPermanent):
        store.remove("bge-small-zh-v1.5")


def test_an_added_file_gets_its_name_as_id(store: ModelStore, gguf_file: Path) -> None:
    added = store.add(gguf_file)
    assert (added.id, added.verified, added.entry) == ("外来模型", True, None)
    assert store.locate("外来模型").read_bytes() == gguf_file.read_bytes()
    assert [model.id for model in store.installed()] == ["外来模型"]
    assert not list(store.folder.glob(".*"))


def test_an_added_file_with_known_bytes_becomes_that_model(
    store: ModelStore, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "下载 (1).gguf"
    file.write_bytes(content)
    assert store.add(file).id == ID
    assert store.is_verified(ID)


def test_a_known_name_with_other_bytes_gets_another_id(
    store: ModelStore, tmp_path: Path, make_gguf: Callable[..., bytes]
) -> None:
    file = tmp_path / f"{ID}.gguf"
    file.write_bytes(make_gguf())
    added = store.add(file)
    assert added.id.startswith(f"{ID}-")
    with pytest.raises(ModelMissing):
        store.locate(ID)


def test_what_is_no_model_is_not_added(store: ModelStore, tmp_path: Path) -> None:
    page = tmp_path / "qwen.gguf"
    page.write_text("<html></html>", encoding="utf-8")
    with pytest.raises(ModelNotGguf):
        store.add(page)
    assert not store.folder.exists()


def test_a_full_disk_leaves_nothing_behind(
    store: ModelStore, gguf_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    with pytest.raises(ModelDiskFull) as caught:
        store.add(gguf_file)
    assert caught.value.params["free_mb"] == 0
    assert list(store.folder.iterdir()) == []


def test_a_dropped_file_is_found_and_verified(store: ModelStore, make_gguf: Callable[..., bytes]) -> None:
    put(store, "my-model.GGUF", make_gguf())
    (model,) = store.installed()
    assert (model.id, model.verified, model.problem) == ("my-model", False, None)
    assert store.default_chat(0) == "my-model"
    store.verify("my-model")
    assert store.is_verified("my-model")


def test_decay_of_an_added_file_is_noticed(store: ModelStore, gguf_file: Path) -> None:
    path = store.add(gguf_file).path
    facts = path.stat()
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    with pytest.raises(ModelDamaged):
        store.verify("外来模型")


def test_bad_files_are_listed_with_their_problem(store: ModelStore, content: bytes) -> None:
    put(store, "page.gguf", b"<html>")
    put(store, "half.gguf.part1of2", content)
    put(store, f"{ID}.gguf", content + b"\0")
    problems = {model.id: model.problem for model in store.installed()}
    assert problems == {
        ID: "model_damaged",
        "page": "model_not_gguf",
        "half.gguf": "model_part_only",
    }
    assert store.default_chat(10**10) is None


def test_remove_takes_file_and_marker(store: ModelStore, content: bytes) -> None:
    put(store, f"{ID}.gguf", content)
    store.verify(ID)
    store.remove(ID)
    assert list(store.folder.iterdir()) == []


def test_the_default_follows_the_free_memory(
    tmp_path: Path, make_chat: Callable[..., CatalogueModel], make_gguf: Callable[..., bytes]
) -> None:
    big, small = make_gguf(entries={"general.name": "big"}), make_gguf(entries={"general.name": "small"})
    known = Catalogue((make_chat("big", big, free_memory=6000), make_chat("small", small, order=2)))
    store = ModelStore(tmp_path / "m", known)
    put(store, "big.gguf", big)
    put(store, "mine.gguf", make_gguf())
    assert store.default_chat(6000) == "big"
    assert store.default_chat(2000) == "big"  # it fits, and is the only one of the catalogue here
    assert store.default_chat(10) == "mine"
    put(store, "small.gguf", small)
    assert store.default_chat(2000) == "small"
    assert store.default_chat(6000) == "big"


def test_status_rows_keep_their_shape(store: ModelStore, content: bytes, gguf_file: Path) -> None:
    put(store, f"{ID}.gguf", content)
    store.add(gguf_file)
    rows = model_status(store, free_memory=10**10)
    keys = ["id", "role", "path", "size", "licence", "installed", "verified", "memory_needed", "default"]
    assert all(list(row)[: len(keys)] == keys for row in rows)
    known, added = rows
    assert (known["installed"], known["verified"], known["default"]) == (True, False, True)
    assert (added["id"], added["verified"], added["licence"]) == ("外来模型", True, None)

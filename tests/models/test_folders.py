"""The larger embedders: folders that people add, known by structure and by their own hashes from then on."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from models import acquire, folders, verification
from models.errors import (
    ModelBusy,
    ModelDamaged,
    ModelDiskFull,
    ModelError,
    ModelFileMissing,
    ModelIncomplete,
    ModelLinkOutside,
    ModelMissing,
    ModelNotFetched,
    ModelNotSafetensors,
    ModelPointer,
    ModelStorageFailed,
    ModelStructureWrong,
)
from models.locking import exclusive
from models.status import model_status
from models.store import ModelStore
from models.structure import REQUIRED, WEIGHTS
from tests import tiny_bert
from tests.tiny_bert import BASE, LARGE

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "模型 库", tiny_bert.known())


@pytest.fixture
def folder(tmp_path: Path, tiny_berts: Mapping[str, Path]) -> Path:
    """A copy of the base model's folder that a test may change."""
    return shutil.copytree(tiny_berts[BASE], tmp_path / "下载" / "向量模型")


def visible(store: ModelStore) -> list[str]:
    names = (path.relative_to(store.folder).as_posix() for path in store.folder.rglob("*") if path.is_file())
    return sorted(name for name in names if not name.endswith(".lock"))


def edit_json(path: Path, change: Callable[[Any], object]) -> None:
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def decay(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


# -- adding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model_id", [BASE, LARGE])
def test_a_folder_is_known_by_its_structure(
    store: ModelStore, tiny_berts: Mapping[str, Path], model_id: str
) -> None:
    source = tiny_berts[model_id]
    shown: list[tuple[int, int]] = []
    added = store.add(source, lambda done, total: shown.append((done, total)))
    assert (added.id, added.path, added.role) == (model_id, store.folder / model_id, "embedder")
    assert (added.checked_by, added.verified, added.problem) == ("structure", False, None)
    assert store.is_verified(model_id)
    names = [path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()]
    assert visible(store) == sorted([*(f"{model_id}/{name}" for name in names), f"{model_id}.verified.json"])
    assert all((added.path / name).read_bytes() == (source / name).read_bytes() for name in names)
    assert shown == sorted(shown)
    assert shown[-1] == (added.size, added.size)


def test_only_what_belongs_to_the_model_is_copied(store: ModelStore, folder: Path) -> None:
    (folder / ".git").mkdir()
    for name in ("pytorch_model.bin", "modeling.py", ".git/config", "adapter_config.json"):
        (folder / name).write_bytes(b"x")
    store.add(folder)
    assert not [
        name for name in visible(store) if name.endswith((".bin", ".py", "config", "adapter_config.json"))
    ]


def test_the_larger_models_are_listed_before_and_after(store: ModelStore, folder: Path) -> None:
    def row() -> dict[str, Any]:
        (found,) = (row for row in model_status(store, 0, BASE) if row["id"] == BASE)
        return {key: found[key] for key in ("installed", "verified", "checked_by", "default", "problem")}

    assert row() == {
        "installed": False, "verified": False, "checked_by": None, "default": False, "problem": None,
    }  # fmt: skip
    store.add(folder)
    assert row() == {
        "installed": True, "verified": False, "checked_by": "structure", "default": True, "problem": None,
    }  # fmt: skip
    small = next(row for row in model_status(store, 0, BASE) if row["id"] == "bge-small-zh-v1.5")
    assert (small["default"], small["installed"]) == (False, True)


def test_a_hubs_cache_of_links_is_taken(store: ModelStore, folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "models--BAAI--bge-base-zh-v1.5"
    snapshot = cache / "snapshots" / "f03589ce"
    shutil.copytree(folder, snapshot)
    (cache / "blobs").mkdir()
    (snapshot / WEIGHTS).rename(cache / "blobs" / "0123")
    (snapshot / WEIGHTS).symlink_to(Path("../../blobs/0123"))
    added = store.add(snapshot)
    assert not (added.path / WEIGHTS).is_symlink()
    assert (added.path / WEIGHTS).read_bytes() == (folder / WEIGHTS).read_bytes()


def test_a_link_that_leads_out_is_refused(store: ModelStore, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "别处.md"
    secret.write_text("秘密", encoding="utf-8")
    (folder / "README.md").symlink_to(secret)
    with pytest.raises(ModelLinkOutside) as caught:
        store.add(folder)
    assert caught.value.params["path"].endswith("README.md")
    assert not store.folder.exists()


# -- what is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REQUIRED)
def test_a_missing_file_is_named(store: ModelStore, folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelFileMissing) as caught:
        store.add(folder)
    assert caught.value.params == {"path": str(folder), "name": name}
    assert not store.folder.exists()


def test_a_pickle_is_never_taken(store: ModelStore, folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelNotSafetensors):
        store.add(folder)


def set_key(name: str, **values: object) -> Callable[[Path], None]:
    return lambda folder: edit_json(folder / name, lambda value: value.update(values))


def first_module(**values: object) -> Callable[[Path], None]:
    return lambda folder: edit_json(folder / "modules.json", lambda modules: modules[0].update(values))


def another_word(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        vocabulary = tokenizer["model"]["vocab"]
        vocabulary["新词"] = vocabulary.pop("秘")

    edit_json(folder / "tokenizer.json", change)


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (set_key("config.json", hidden_size=512), "hidden_size 512"),
        (set_key("config.json", num_hidden_layers=6), "num_hidden_layers 6 instead of 1"),
        (set_key("config.json", architectures=["XLMRobertaModel"]), "architectures"),
        (set_key("config.json", vocab_size=5), "vocab_size 5"),
        (set_key("1_Pooling/config.json", pooling_mode_mean_tokens=True), "pooling is not cls"),
        (set_key("1_Pooling/config.json", pooling_mode="mean"), "pooling is not cls"),
        (set_key("1_Pooling/config.json", word_embedding_dimension=5), "embedding_dimension 5"),
        (first_module(type="custom_st.Transformer"), "the modules are not"),
        (first_module(type="sentence_transformers.models.StaticEmbedding"), "the modules are not"),
        (first_module(path="../其他"), "the modules are not"),
        (lambda folder: (folder / "modules.json").write_text("[1]"), "the modules are not"),
        (lambda folder: (folder / "modules.json").write_text("{"), "not JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "hidden_size None"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "the vocabulary is another one"),
        (another_word, "the vocabulary is another one"),
    ],
)
def test_another_model_is_refused_with_the_reason(
    store: ModelStore, folder: Path, change: Callable[[Path], None], detail: str
) -> None:
    change(folder)
    with pytest.raises(ModelStructureWrong) as caught:
        store.add(folder)
    assert detail in caught.value.params["detail"]
    assert BASE in caught.value.params["model"]
    assert not store.folder.exists()


def test_the_weights_of_another_size_are_refused(
    store: ModelStore, folder: Path, tiny_berts: Mapping[str, Path]
) -> None:
    shutil.copy(tiny_berts[LARGE] / WEIGHTS, folder / WEIGHTS)
    with pytest.raises(ModelStructureWrong) as caught:
        store.add(folder)
    assert "1024] instead of" in caught.value.params["detail"]


def test_the_small_models_folder_is_not_one_of_them(store: ModelStore) -> None:
    with pytest.raises(ModelStructureWrong) as caught:
        store.add(tiny_bert.SMALL_FOLDER)
    assert caught.value.params["detail"] == "hidden_size 512"


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", WEIGHTS])
def test_a_pointer_in_place_of_a_file_is_told(store: ModelStore, folder: Path, name: str) -> None:
    (folder / name).write_bytes(POINTER)
    with pytest.raises(ModelPointer) as caught:
        store.add(folder)
    assert caught.value.params["path"] == str(folder / name)


def test_weights_cut_short_are_told(store: ModelStore, folder: Path) -> None:
    os.truncate(folder / WEIGHTS, 1_000_000)
    with pytest.raises(ModelIncomplete) as caught:
        store.add(folder)
    assert caught.value.params["size"] == 1_000_000


# -- all or nothing ---------------------------------------------------------------------------------------


def test_a_full_disk_changes_nothing(
    store: ModelStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    with pytest.raises(ModelDiskFull):
        store.add(folder)
    assert visible(store) == []


@pytest.mark.parametrize("step", ["copy", "rename"])
def test_a_failure_on_the_way_leaves_the_earlier_one(
    store: ModelStore, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    store.add(folder)
    before, weights = visible(store), store.weights_hash(BASE)
    other = tiny_bert.make(tmp_path / "另一个", BASE, seed=2)

    def fails(*_: object) -> None:
        raise OSError(5, "broken")

    if step == "copy":
        monkeypatch.setattr(verification, "copy_file", fails)
    else:
        rename = Path.rename
        monkeypatch.setattr(
            Path, "rename", lambda at, to: fails() if "incoming" in at.name else rename(at, to)
        )
    with pytest.raises(ModelStorageFailed):
        store.add(other)
    monkeypatch.undo()
    store.verify(BASE)
    assert (visible(store), store.weights_hash(BASE)) == (before, weights)


def test_what_a_killed_process_left_is_cleared(store: ModelStore, folder: Path) -> None:
    left = store.folder / f".{BASE}.incoming" / "alt.bin"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"x")
    store.add(folder)
    assert not left.parent.exists()
    assert not (store.folder / BASE / "alt.bin").exists()


def test_two_at_once_do_not_meet(store: ModelStore, folder: Path) -> None:
    with exclusive(store.folder / f".{BASE}.lock") as held:
        assert held
        with pytest.raises(ModelBusy):
            store.add(folder)


# -- from then on -----------------------------------------------------------------------------------------


def test_the_recorded_hashes_hold(store: ModelStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = store.add(folder).path
    os.utime(path / WEIGHTS, ns=(1, 1))
    assert not store.is_verified(BASE)
    assert store.ensure_verified(BASE) == path
    monkeypatch.setattr(folders, "hash_files", lambda *_: pytest.fail("hashed again"))
    assert store.ensure_verified(BASE) == path


@pytest.mark.parametrize("name", [WEIGHTS, "vocab.txt"])
def test_other_bytes_are_never_taken_for_those_that_were_added(
    store: ModelStore, folder: Path, name: str
) -> None:
    path = store.add(folder).path
    decay(path / name)
    for _ in range(2):
        with pytest.raises(ModelDamaged) as caught:
            store.ensure_verified(BASE)
        assert caught.value.params["path"] == str(path / name)
    (model,) = (model for model in store.installed() if model.id == BASE)
    assert (model.checked_by, model.verified) == (None, False)


def test_a_file_that_comes_or_goes_is_noticed(store: ModelStore, folder: Path) -> None:
    path = store.add(folder).path
    (path / "vocab.txt").unlink()
    with pytest.raises(ModelDamaged):
        store.ensure_verified(BASE)
    (path / "tokenizer.json").unlink()
    with pytest.raises(ModelFileMissing):
        store.ensure_verified(BASE)
    (model,) = (model for model in store.installed() if model.id == BASE)
    assert model.problem == "model_file_missing"


def test_a_folder_put_there_by_hand_is_recorded_at_its_first_use(store: ModelStore, folder: Path) -> None:
    shutil.copytree(folder, store.folder / BASE)
    (model,) = (model for model in store.installed() if model.id == BASE)
    assert (model.checked_by, model.problem) == (None, None)
    store.ensure_verified(BASE)
    decay(store.folder / BASE / WEIGHTS)
    with pytest.raises(ModelDamaged):
        store.ensure_verified(BASE)


def test_another_training_takes_the_place_and_has_another_hash(
    store: ModelStore, folder: Path, tmp_path: Path
) -> None:
    store.add(folder)
    first = store.weights_hash(BASE)
    store.add(tiny_bert.make(tmp_path / "另一个", BASE, seed=2))
    assert store.is_verified(BASE)
    assert len(first) == 64
    assert store.weights_hash(BASE) not in (first, "")
    assert store.weights_hash("bge-small-zh-v1.5") == ""


def test_removing_takes_folder_and_record(store: ModelStore, folder: Path) -> None:
    store.add(folder)
    store.remove(BASE)
    assert visible(store) == []
    with pytest.raises(ModelMissing):
        store.locate(BASE)


def test_it_cannot_be_fetched(store: ModelStore) -> None:
    with pytest.raises(ModelNotFetched) as caught:
        acquire.acquire(store, BASE, (), lambda event: None)
    assert caught.value.params["publisher"] == "BAAI/bge-base-zh-v1.5"


def test_a_folder_that_cannot_be_read_is_told(
    store: ModelStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise PermissionError(13, "locked")

    monkeypatch.setattr("models.structure.read_shapes", locked)
    with pytest.raises(ModelError) as caught:
        store.add(folder)
    assert (caught.value.code, caught.value.params["path"]) == ("model_unreadable", str(folder))

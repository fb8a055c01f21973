"""The settings that a person has changed: kept, layered, mended, and never in the way of a start."""

import stat
from pathlib import Path

import pytest
import yaml

from engine.config import Settings
from engine.errors import SettingInvalid, SettingUnknown, StorageFailed
from engine.paths import Home
from engine.settings import file as settings_file
from engine.settings.file import Damage, SettingsFile


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家 目录").create()


@pytest.fixture
def kept(home: Home) -> SettingsFile:
    return SettingsFile(home)


def in_file(kept: SettingsFile) -> dict[str, object]:
    values: dict[str, object] = yaml.safe_load(kept.path.read_text(encoding="utf-8"))
    return {name: value for name, value in values.items() if name != "version"}


def backups(home: Home) -> list[Path]:
    return sorted(home.root.glob("settings.yaml.bak-*"))


def test_only_what_is_not_as_the_default_is_kept(kept: SettingsFile) -> None:
    kept.change(
        {"top_k": 8, "mode": "balanced", "server_model": "通义 7B", "model_path": Path("/模型/a.gguf")}
    )
    assert in_file(kept) == {"top_k": 8, "server_model": "通义 7B", "model_path": "/模型/a.gguf"}
    kept.change({"top_k": 5, "server_model": None})
    assert in_file(kept) == {"model_path": "/模型/a.gguf"}
    assert SettingsFile(Home(kept.path.parent)).read() == {"model_path": Path("/模型/a.gguf")}


def test_the_command_line_comes_before_the_file_and_the_file_before_the_defaults(kept: SettingsFile) -> None:
    kept.change({"top_k": 8, "mode": "strict"})
    both = kept.beneath(Settings(top_k=5))
    assert (both.top_k, both.mode, both.rerank) == (5, "strict", True), "a default given by name counts, too"


def test_a_kept_value_that_cannot_stand_beside_a_given_one_steps_back(kept: SettingsFile) -> None:
    kept.change({"chunk_size": 300, "chunk_overlap": 150, "top_k": 8})
    both = kept.beneath(Settings(chunk_size=100))
    assert (both.chunk_size, both.chunk_overlap, both.top_k) == (100, None, 8)
    assert kept.read()["chunk_overlap"] == 150, "for this time only"


def test_values_that_need_one_another_are_checked_together(kept: SettingsFile) -> None:
    kept.change({"chunk_overlap": 200, "chunk_size": 480})
    with pytest.raises(SettingInvalid) as caught:
        kept.change({"chunk_size": 200})
    assert caught.value.params["name"] == "chunk_size"
    assert in_file(kept) == {"chunk_overlap": 200, "chunk_size": 480}


@pytest.mark.parametrize(
    ("name", "value"),
    [("top_k", 0), ("top_k", "八"), ("mode", "easy"), ("ocr", "vielleicht"), ("threads", -1)],
)
def test_a_value_that_is_not_possible_changes_nothing(kept: SettingsFile, name: str, value: object) -> None:
    kept.change({"top_k": 7})
    before = kept.path.read_bytes()
    with pytest.raises(SettingInvalid) as caught:
        kept.change({"rerank": False, name: value})
    assert (caught.value.params["name"], caught.value.params["value"]) == (name, str(value))
    assert kept.path.read_bytes() == before


@pytest.mark.parametrize("name", ["topk", "home", "version", ""])
def test_what_is_no_setting_cannot_be_set(kept: SettingsFile, name: str) -> None:
    with pytest.raises(SettingUnknown):
        kept.change({name: 1})
    assert not kept.path.exists()


def test_one_or_all_go_back_to_their_defaults(kept: SettingsFile) -> None:
    kept.change({"top_k": 8, "mode": "strict", "ocr": False})
    kept.reset(frozenset({"mode"}))
    assert kept.read() == {"top_k": 8, "ocr": False}
    kept.reset()
    assert kept.read() == {}
    assert kept.take_damage() is None


DAMAGED = {
    "nothing at all": b"",
    "zeros after a power failure": b"\0" * 200,
    "a torn line": b'{"top_k":',
    "a list": b"[]",
    "another encoding": "mode: 严格\n".encode("gbk"),
    "endless nesting": b"[" * 20_000,
    "a number of ten thousand digits": b"top_k: " + b"9" * 10_000,
    "far too large": b"# \n" * (1 << 19),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_file_that_is_no_settings_file_is_set_aside_and_told_once(
    home: Home, kept: SettingsFile, content: bytes
) -> None:
    kept.path.write_bytes(content)
    assert kept.beneath(Settings()) == Settings()
    (backup,) = backups(home)
    assert backup.read_bytes() == content
    assert kept.read() == {}
    assert kept.take_damage() == Damage("settings_set_aside", {"path": str(backup)})
    assert kept.take_damage() is None
    kept.change({"top_k": 6})
    assert kept.read() == {"top_k": 6}


def test_a_folder_of_that_name_is_set_aside_too(home: Home, kept: SettingsFile) -> None:
    kept.path.mkdir()
    (kept.path / "里面.txt").write_text("x", encoding="utf-8")
    assert kept.read() == {}
    assert (backups(home)[0] / "里面.txt").exists()


def test_bad_values_give_way_and_good_ones_and_foreign_ones_stay(home: Home, kept: SettingsFile) -> None:
    text = '{"top_k":"八","n_ctx":-1,"theme":null,"model_path":123,"mode":"strict","temperature":0.5}'
    kept.path.write_text(text, encoding="utf-8")
    settings = kept.beneath(Settings())
    assert settings == Settings(mode="strict", temperature=0.5)
    (backup,) = backups(home)
    told = {"names": ("model_path", "top_k"), "path": str(backup)}
    assert kept.take_damage() == Damage("settings_mended", told)
    assert backup.read_text(encoding="utf-8") == text
    assert in_file(kept) == {"n_ctx": -1, "theme": None, "mode": "strict", "temperature": 0.5}
    kept.change({"top_k": 9})
    assert in_file(kept)["n_ctx"] == -1, "a newer version may want it again"
    assert kept.take_damage() is None


def test_a_file_that_may_not_be_written_is_used_and_left_alone(kept: SettingsFile) -> None:
    kept.change({"top_k": 9})
    kept.path.chmod(stat.S_IRUSR)
    before = kept.path.read_bytes()
    assert kept.read() == {"top_k": 9}
    with pytest.raises(StorageFailed):
        kept.change({"top_k": 3})
    assert kept.path.read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file(kept: SettingsFile, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.change({"top_k": 9})

    def full(*_: object) -> None:
        raise StorageFailed(path="x", detail="No space left on device")

    monkeypatch.setattr(settings_file, "write_file", full)
    with pytest.raises(StorageFailed):
        kept.change({"top_k": 3})
    assert kept.read() == {"top_k": 9}


def test_two_backups_in_one_second_have_two_names(home: Home, kept: SettingsFile) -> None:
    for _ in range(3):
        kept.path.write_bytes(b"[]")
        kept.read()
    assert len(backups(home)) == 3


def test_the_path_of_a_model_counts_from_the_home(home: Home, kept: SettingsFile) -> None:
    kept.path.write_text("model_path: 模型/a.gguf\n", encoding="utf-8")
    assert kept.read() == {"model_path": home.root / "模型" / "a.gguf"}

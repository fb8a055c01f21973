from pathlib import Path
from typing import Any

import pytest

from engine import config
from engine.config import Settings
from engine.errors import ConfigInvalid, NotReadable
from engine.intake.chunking.profiles import PROFILES, ProfileName


def write(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    file = tmp_path / "设置 一.yaml"
    file.write_text(text, encoding=encoding)
    return file


def test_without_a_file_the_defaults_stand() -> None:
    settings = config.load(None)
    assert settings == Settings()
    assert settings.cut == PROFILES["general"]
    assert settings.top_k == 5
    assert (settings.fusion, settings.dense_weight, settings.mode) == ("standardised", None, "balanced")


def test_a_file_and_what_is_given_on_top(tmp_path: Path) -> None:
    file = write(tmp_path, "top_k: 8\nmode: strict\nsave_runs: false\n")
    settings = config.load(file, mode="loose", model=None, fail_on_error=None)
    assert (settings.top_k, settings.mode, settings.save_runs) == (8, "loose", False)
    assert settings.fail_on_error is False


def test_relative_paths_count_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "配置").mkdir()
    file = write(tmp_path / "配置", "home: ../数据\nmodel_path: 模型/千问.gguf\n")
    settings = config.load(file)
    assert settings.home == (tmp_path / "数据").resolve()
    assert settings.model_path == (tmp_path / "配置" / "模型" / "千问.gguf").resolve()
    absolute = (tmp_path / "别处").resolve()
    assert config.load(write(tmp_path, f"home: '{absolute}'\n")).home == absolute


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_file_gives_the_defaults(tmp_path: Path, text: str) -> None:
    assert config.load(write(tmp_path, text)) == Settings()


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    assert config.load(write(tmp_path, "top_k: 3\n", "utf-8-sig")).top_k == 3


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("topk: 5\n", "topk"),
        ("top_k: 八\n", "top_k"),
        ("top_k: 0\n", "top_k"),
        ("top_k: null\n", "top_k"),
        ("chunk_size: 512\n", "chunk_size"),
        ("chunk_size: 0\n", "chunk_size"),
        ("chunk_overlap: -1\n", "chunk_overlap"),
        ("chunk_size: 100\nchunk_overlap: 51\n", "chunk_overlap"),
        ("dense_weight: .nan\n", "dense_weight"),
        ("temperature: 3\n", "temperature"),
        ("mode: easy\n", "mode"),
        ("version: 2\n", "version"),
        ("threads: 0\n", "threads"),
        ("file_timeout_s: 0\n", "file_timeout_s"),
    ],
)
def test_a_bad_value_or_an_unknown_key_is_named(tmp_path: Path, text: str, key: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(ConfigInvalid) as caught:
        config.load(file)
    assert (caught.value.params["path"], caught.value.params["key"]) == (str(file), key)
    assert caught.value.params["problem"]


@pytest.mark.parametrize(
    "text", ["- top_k\n", "5\n", "text\n", "top_k: [\n", "a: b: c\n", "\ttop_k: 1\n", "1: 2\n"]
)
def test_a_file_that_is_no_mapping_is_named(tmp_path: Path, text: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(ConfigInvalid) as caught:
        config.load(file)
    assert caught.value.params["path"] == str(file)
    assert "\n" not in caught.value.params["problem"]


def test_a_file_that_is_not_there_or_is_no_utf8(tmp_path: Path) -> None:
    for file in (tmp_path / "没有.yaml", tmp_path, write(tmp_path, "mode: 严格\n", "gbk")):
        with pytest.raises(NotReadable) as caught:
            config.load(file)
        assert caught.value.params == {"path": str(file)}


def test_a_bad_value_given_on_top_is_named_too() -> None:
    with pytest.raises(ConfigInvalid) as caught:
        config.load(None, mode="easy")
    assert (caught.value.params["path"], caught.value.params["key"]) == ("-", "mode")


@pytest.mark.parametrize(("size", "overlap"), [(32, 16), (480, 240), (480, 0), (101, 50)])
def test_half_of_a_chunk_may_be_repeated(size: int, overlap: int) -> None:
    cut = Settings(chunk_size=size, chunk_overlap=overlap).cut
    assert (cut.size, cut.overlap) == (size, overlap)


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().top_k = 3  # type: ignore[misc]


def test_every_setting_has_an_explanation() -> None:
    plain: set[str] = {"version", "temperature"}
    fields: dict[str, Any] = Settings.model_fields
    assert {name for name, field in fields.items() if not field.description} == plain


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_profile_decides_what_is_not_set_by_itself(profile: ProfileName) -> None:
    assert Settings(profile=profile).cut == PROFILES[profile]
    assert Settings(profile=profile, chunk_size=64).cut.overlap <= 32, "a small size keeps its room"
    assert Settings(profile=profile, chunk_overlap=0).cut.size == PROFILES[profile].size


def test_an_embedder_is_chosen_by_its_id(tmp_path: Path) -> None:
    assert config.load(None).embedder == "bge-small-zh-v1.5"
    assert config.load(write(tmp_path, "embedder: bge-large-zh-v1.5\n")).embedder == "bge-large-zh-v1.5"


@pytest.mark.parametrize("name", ["bge-huge-zh", "qwen2.5-coder-0.5b-instruct-q4_k_m", ""])
def test_an_embedder_that_nobody_knows_is_refused_by_name(name: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        config.load(None, embedder=name)
    assert caught.value.params["key"] == "embedder"
    assert "bge-base-zh-v1.5" in caught.value.params["problem"]


def test_a_server_on_this_machine_is_set_by_three_keys(tmp_path: Path) -> None:
    text = "server: http://127.0.0.1:11434\nserver_protocol: ollama\nserver_model: qwen2.5:1.5b\n"
    settings = config.load(write(tmp_path, text))
    assert settings.server == "http://127.0.0.1:11434"
    assert (settings.server_protocol, settings.server_model) == ("ollama", "qwen2.5:1.5b")
    assert (Settings().server, Settings().server_protocol) == (None, "openai")


def test_lengths_that_no_machine_has_are_refused_and_those_unset_are_derived(tmp_path: Path) -> None:
    assert Settings().max_tokens == 1200
    assert (Settings().context_budget, Settings().context_length) == (None, None)
    for text in ("context_length: 512\n", "context_budget: 100\n", "server_protocol: grpc\n"):
        with pytest.raises(ConfigInvalid):
            config.load(write(tmp_path, text))

"""``zhiye settings``."""

from pathlib import Path

from engine.config import Settings
from engine.paths import home as home_of
from tests.cli import shapes
from tests.cli.conftest import Run


def value(zhiye: Run, name: str) -> object:
    found = {each["name"]: each for each in zhiye("settings", "--json").record["settings"]}
    return found[name]["value"]


def test_all_settings_are_listed_with_what_they_may_be(zhiye: Run) -> None:
    for command in (["settings"], ["settings", "list"]):
        listed = zhiye(*command, "--json").record["settings"]
        assert {each["name"] for each in listed} == Settings.model_fields.keys() - {"home", "version"}
        keys = {"name", "kind", "value", "default", "effect", "choices", "least", "most", "above_least"}
        assert listed[0].keys() == keys | {"optional", "automatic", "changed", "fixed"}
    lines = zhiye("settings").out.splitlines()
    assert str(home_of().root / "settings.yaml") in lines[0]
    assert any(line.startswith("top_k = 5（默认 5）") for line in lines)


def test_what_is_set_stays_and_goes_back(zhiye: Run) -> None:
    for name, text, expected in (
        ("top_k", "8", 8),
        ("ocr", "false", False),
        ("mode", "strict", "strict"),
        ("server_model", "7", "7"),
        ("temperature", "0.5", 0.5),
    ):
        assert zhiye("settings", "set", name, text).code == 0
        assert value(zhiye, name) == expected
    assert zhiye("settings", "reset", "top_k").code == 0
    assert (value(zhiye, "top_k"), value(zhiye, "mode")) == (5, "strict")
    assert zhiye("settings", "--json", "reset").code == 0
    assert value(zhiye, "mode") == "balanced"


def test_every_command_uses_what_is_set_and_its_options_come_first(zhiye: Run, tmp_path: Path) -> None:
    assert zhiye("settings", "set", "top_k", "8").code == 0
    file = tmp_path / "设置.yaml"
    file.write_text("top_k: 3\n", encoding="utf-8")
    listed = zhiye("settings", "--config", file, "--json").record["settings"]
    (top_k,) = (each for each in listed if each["name"] == "top_k")
    assert (top_k["value"], top_k["fixed"], top_k["changed"]) == (3, True, True)


def test_a_model_file_counts_from_the_folder_one_is_in(zhiye: Run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert zhiye("settings", "set", "model_path", "模型.gguf").code == 0
    assert value(zhiye, "model_path") == str(tmp_path / "模型.gguf")


def test_what_cannot_be_is_refused_by_name(zhiye: Run) -> None:
    for words, code in (
        (["set", "top_k", "99"], "setting_invalid"),
        (["set", "nonsense", "1"], "setting_unknown"),
        (["reset", "nonsense"], "setting_unknown"),
        (["set", "server", "http://example.com"], "server_not_local"),
        (["set", "top_k"], "wrong_use"),
        (["list", "top_k"], "wrong_use"),
        (["forget"], "wrong_use"),
    ):
        result = zhiye("settings", *words, "--json")
        assert result.code == 2
        shapes.check_error(result.record, code)


def test_a_damaged_file_is_told_once_and_the_command_goes_on(zhiye: Run) -> None:
    home = home_of().create()
    (home.root / "settings.yaml").write_bytes(b"\0" * 200)
    first, second = zhiye("settings", "--json"), zhiye("settings", "--json")
    assert (first.code, second.code) == (0, 0)
    assert "设置文件已损坏" in first.err
    assert "设置文件" not in second.err

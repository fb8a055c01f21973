"""``zhiye doctor [NAME] [--repair]``: findings, their words, exit codes, and what a repair leaves."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.workspace import Workspace
from models.errors import ModelMissing
from tests.cli import shapes
from tests.cli.conftest import QUESTION, Result, Run
from tests.fakes import FakeEmbedder, FakeGenerator


@pytest.fixture
def doctor(
    zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """On a machine with nothing to complain of."""
    monkeypatch.setattr("engine.native.free_memory", lambda: 8 << 30)
    return lambda *arguments: zhiye("doctor", *arguments)


@pytest.fixture
def file(private_home: Path, indexed: Path) -> Path:
    (folder,) = (private_home / "libraries").iterdir()
    return folder / "library.sqlite"


def codes(result: Result) -> dict[str, bool]:
    """The findings' codes, and whether they were repaired."""
    for finding in result.record["findings"]:
        shapes.has(finding, shapes.FINDING)
        assert finding["message"] and finding["advice"]
    return {finding["code"]: finding["repaired"] for finding in result.record["findings"]}


def spoil(file: Path) -> None:
    file.write_bytes(bytes(4096) + file.read_bytes()[4096:])


def test_a_damaged_library_is_exit_code_4_until_it_is_repaired(
    doctor: Callable[..., Result], zhiye: Run, indexed: Path, file: Path, embedder: FakeEmbedder
) -> None:
    spoil(file)
    result = doctor("--json")
    assert (result.code, codes(result)) == (4, {"library_damaged": False})
    assert result.record["findings"][0]["library"] == "制度"
    assert "doctor --repair" in result.record["findings"][0]["advice"]
    assert zhiye("search", QUESTION, "--library", "制度", "--json").code == 4
    result = doctor("制度", "--repair", "--json")
    assert (result.code, result.record["ok"]) == (0, True)
    assert codes(result) == {"library_damaged": True, "library_salvaged": True}
    embedder.embedded.clear()
    assert zhiye("sync", "制度", "--json").record["counts"] == {"indexed": 3}
    assert embedder.embedded == []
    assert zhiye("search", QUESTION, "--json").record["hits"][0]["document"] == "保密.md"
    assert doctor("--json").record["findings"] == []


def test_words_for_people_name_the_library_and_what_was_repaired(
    doctor: Callable[..., Result], file: Path
) -> None:
    spoil(file)
    out = doctor("--repair").out
    assert "已修复：“制度”：知识库文件" in out
    assert "一切正常" in out
    assert "一切正常" in doctor().out


@pytest.mark.parametrize("arguments", [["制度", "--repair"], ["--repair", "制度"]])
def test_a_name_may_stand_on_either_side(
    doctor: Callable[..., Result], file: Path, arguments: list[str]
) -> None:
    assert doctor(*arguments, "--json").code == 0


def test_one_library_is_looked_at_alone(
    doctor: Callable[..., Result], zhiye: Run, tmp_path: Path, private_home: Path, file: Path
) -> None:
    (tmp_path / "别的").mkdir()
    (tmp_path / "别的" / "一.txt").write_text("访客须登记。", encoding="utf-8")
    zhiye("ingest", tmp_path / "别的")
    spoil(file)
    assert doctor("别的", "--json").record["ok"]
    assert doctor("没有", "--json").code == 2


def test_a_missing_model_is_exit_code_3_and_less_than_a_damaged_library(
    doctor: Callable[..., Result], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(self: Workspace) -> None:
        raise ModelMissing(model="chat")

    monkeypatch.setattr(Workspace, "generator", missing)
    result = doctor("--json")
    assert (result.code, codes(result)) == (3, {"model_missing": False})
    spoil(file)
    assert doctor("--json").code == 4


def test_what_only_costs_time_or_space_is_no_failure(doctor: Callable[..., Result], file: Path) -> None:
    file.with_name("index.faiss").unlink()
    result = doctor("--json")
    assert (result.code, codes(result)) == (0, {"cache_missing": False})
    assert not result.record["ok"]


def test_status_tells_generation_and_what_ended_the_last_sync(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (library,) = zhiye("status", "--json").record["libraries"]
    assert (library["generation"] > 0, library["last_error"]) == (True, None)

    def full(*args: object, **kwargs: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("engine.index.writing.insert", full)
        (indexed / "新.txt").write_text("新的一页。", encoding="utf-8")
        result = zhiye("sync", "制度", "--json")
        shapes.check_error(result.record, "storage_failed")
    (library,) = zhiye("status", "--json").record["libraries"]
    assert library["last_error"]["code"] == "storage_failed"
    assert "disk is full" in zhiye("status").out
    assert zhiye("sync", "制度", "--json").code == 0
    assert zhiye("status", "--json").record["libraries"][0]["last_error"] is None

"""The other commands: inspect, runs, models, libraries, remove and doctor; and what goes for all."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.answer import searching
from engine.intake.ocr import models as ocr_models
from engine.paths import home as home_of
from engine.shelf import WriteLock
from engine.workspace import Workspace
from tests.cli import shapes
from tests.cli.conftest import QUESTION, REPLY, Run
from tests.conftest import ROOT
from tests.fakes import FakeGenerator
from tests.models.conftest import gguf_bytes

# -- inspect --------------------------------------------------------------------------------------


def test_inspect_shows_pages_and_chunks(zhiye: Run, folder: Path) -> None:
    result = zhiye("inspect", folder / "保密.md", "--json")
    assert result.code == 0
    record = result.record
    shapes.has(record, shapes.INSPECT)
    assert (record["state"], record["reason"], record["title"]) == ("indexed", None, "保密制度")
    (page,) = record["pages"]
    shapes.has(page, shapes.INSPECT_PAGE)
    assert page["number"] == 1
    for chunk in record["chunks"]:
        shapes.has(chunk, shapes.INSPECT_CHUNK)
        for span in chunk["spans"]:
            shapes.has(span, shapes.SPAN)
            start, end = span["span"]
            assert page["text"][start:end].split() == chunk["text"].split()
    assert zhiye("libraries", "--json").record == {"libraries": []}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes among files here")
def test_inspect_does_not_wait_for_a_pipe(zhiye: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "管道.txt")
    for path in (tmp_path / "管道.txt", tmp_path):
        result = zhiye("inspect", path, "--json")
        assert (result.code, result.record["error"]["code"]) == (2, "not_readable")


def test_inspect_says_why_a_file_cannot_be_read(zhiye: Run, folder: Path) -> None:
    bad = folder / "坏.pdf"
    bad.write_bytes(b"%PDF-1.7 torn")
    result = zhiye("inspect", bad, "--json")
    assert result.code == 0
    assert (result.record["state"], result.record["pages"], result.record["chunks"]) == ("damaged", [], [])
    assert result.record["reason"]
    assert "坏.pdf: 损坏" in zhiye("inspect", bad).out


@pytest.mark.parametrize("name", ["没有.pdf", "."])
def test_inspect_of_nothing_is_wrong_use(zhiye: Run, folder: Path, name: str) -> None:
    result = zhiye("inspect", folder / name, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "not_readable")


# -- runs -----------------------------------------------------------------------------------------


def test_runs_are_listed_shown_and_cleared(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    zhiye("ask", QUESTION, "--json")
    zhiye("ask", "红烧肉怎么做", "--json")
    runs = zhiye("runs", "list", "--json").record["runs"]
    assert [(run["question"], run["refused"]) for run in runs] == [("红烧肉怎么做", True), (QUESTION, False)]
    for form in (["show", runs[1]["id"], "--json"], ["show", "--json", runs[1]["id"]]):
        shown = zhiye("runs", *form).record
        assert shown["question"] == QUESTION
        shapes.check_answer(shown["trace"])
        assert shown["trace"]["answer"] == REPLY
        assert shown["trace"]["libraries"] == ["制度"]
        assert shown["trace"]["settings"]["top_k"] == 5
    assert REPLY in zhiye("runs", "show", runs[1]["id"]).out
    assert zhiye("runs", "clear", "--json").record == {"cleared": 2}
    assert zhiye("runs", "list", "--json").record == {"runs": []}


@pytest.mark.parametrize("arguments", [["show"], ["show", "77"], ["show", "eins"], ["delete"]])
def test_runs_used_wrongly(zhiye: Run, arguments: list[str]) -> None:
    result = zhiye("runs", *arguments, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")


def test_runs_are_not_kept_when_the_settings_say_so(
    zhiye: Run, indexed: Path, generator: FakeGenerator, tmp_path: Path
) -> None:
    config = tmp_path / "设置.yaml"
    config.write_text("save_runs: false\n", encoding="utf-8")
    zhiye("ask", QUESTION, "--config", config, "--json")
    assert zhiye("runs", "list", "--json").record == {"runs": []}


# -- models ---------------------------------------------------------------------------------------


def test_models_are_listed_added_verified_and_removed(zhiye: Run, tmp_path: Path) -> None:
    def ids() -> dict[str, bool]:
        return {row["id"]: row["installed"] for row in zhiye("models", "list", "--json").record["models"]}

    rows = zhiye("models", "list", "--json").record["models"]
    for row in rows:
        shapes.has(row, shapes.MODEL)
    assert {row["role"] for row in rows} == {"embedder", "chat"}
    assert not any(row["installed"] for row in rows if row["role"] == "chat")

    file = tmp_path / "自己的.gguf"
    file.write_bytes(gguf_bytes())
    assert zhiye("models", "add", file, "--json").code == 0
    assert ids()["自己的"]
    assert zhiye("models", "verify", "--json").code == 0
    assert zhiye("models", "remove", "--json", "自己的").code == 0
    assert "自己的" not in ids()


def test_a_damaged_model_makes_verify_exit_with_3(zhiye: Run, tmp_path: Path, private_home: Path) -> None:
    file = tmp_path / "自己的.gguf"
    file.write_bytes(gguf_bytes())
    zhiye("models", "add", file, "--json")
    (private_home / "models" / "自己的.gguf").write_bytes(b"kaputt")
    result = zhiye("models", "verify", "--json")
    assert result.code == 3
    assert "自己的" in result.err


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code"),
    [
        (["get"], 2, "wrong_use"),
        (["add"], 2, "wrong_use"),
        (["get", "没有这个"], 3, "model_unknown"),
        (["remove", "没有这个"], 3, "model_unknown"),
        (["remove", "bge-small-zh-v1.5"], 2, "model_permanent"),
        (["add", "没有.gguf"], 3, None),
    ],
)
def test_models_used_wrongly(zhiye: Run, arguments: list[str], exit_code: int, code: str | None) -> None:
    result = zhiye("models", *arguments, "--json")
    assert result.code == exit_code
    shapes.check_error(result.record, code or result.record["error"]["code"])


# -- libraries, remove, doctor --------------------------------------------------------------------


def test_libraries_are_listed_and_removed(zhiye: Run, indexed: Path) -> None:
    (library,) = zhiye("libraries", "--json").record["libraries"]
    shapes.has(library, shapes.LIBRARY)
    assert (library["name"], library["folders"]) == ("制度", [str(indexed)])
    assert library["counts"] == {"indexed": 3}
    assert library["chunks"] >= 3
    assert library["bytes"] > 0
    assert "制度：3 个文件" in zhiye("libraries").out
    assert zhiye("remove", "制度", "--json").record == {"removed": "制度"}
    assert zhiye("libraries", "--json").record == {"libraries": []}
    assert (indexed / "保密.md").is_file()
    shapes.check_error(zhiye("remove", "制度", "--json").record, "library_unknown")


def test_a_busy_library_exits_with_4(zhiye: Run, indexed: Path) -> None:
    from engine.config import Settings

    other = Workspace(home_of(), Settings())
    with WriteLock(other.libraries.open("制度")):
        for arguments in (["ingest", indexed], ["remove", "制度"]):
            result = zhiye(*arguments, "--json")
            assert result.code == 4
            shapes.check_error(result.record, "library_busy")
    other.close()


def test_doctor_finds_nothing_wrong_where_nothing_is(
    zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.native.free_memory", lambda: 8 << 30)
    result = zhiye("doctor", "--json")
    assert result.code == 0
    record = result.record
    shapes.has(record, shapes.DOCTOR)
    shapes.has(record["machine"], shapes.MACHINE)
    assert (record["ok"], record["findings"]) == (True, [])
    assert record["machine"]["torch_cuda"] is None
    assert record["machine"]["threads"] >= 1
    assert all({"id", "verified"} <= model.keys() for model in record["models"])
    assert "bge-small-zh-v1.5" in {model["id"] for model in record["models"]}


def test_doctor_names_what_is_wrong_and_what_to_do(
    zhiye: Run, indexed: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.native.free_memory", lambda: 1 << 30)
    monkeypatch.setitem(ocr_models._FILES, "Rec", "gone.onnx")
    ocr_models.load.cache_clear()
    (folder,) = (private_home / "libraries").iterdir()
    with sqlite3.connect(folder / "library.sqlite") as db:
        db.execute("UPDATE chunks SET vector_key = NULL WHERE id = 1")
        db.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    db.close()
    torn = private_home / "libraries" / "0123456789ab"
    torn.mkdir()
    (torn / "library.sqlite").write_bytes(b"kein SQLite" * 999)
    record = zhiye("doctor", "--json").record
    assert not record["ok"]
    for finding in record["findings"]:
        shapes.has(finding, shapes.FINDING)
        assert finding["message"] and finding["advice"]
        assert finding["repaired"] is False
    found = {finding["code"]: finding["library"] for finding in record["findings"]}
    assert found == {
        "model_missing": None,
        "little_memory": None,
        "ocr_unavailable": None,
        "chunks_without_vectors": "制度",
        "vectors_unnamed": "制度",
        "library_damaged": None,
    }
    assert "片段没有向量" in zhiye("doctor").out
    ocr_models.load.cache_clear()


def test_a_damaged_library_does_not_keep_the_others_from_answering(
    zhiye: Run, indexed: Path, private_home: Path, generator: FakeGenerator
) -> None:
    torn = private_home / "libraries" / "0123456789ab"
    torn.mkdir()
    (torn / "library.sqlite").write_bytes(b"kein SQLite" * 999)
    assert zhiye("ask", QUESTION, "--json").record["answer"] == REPLY


# -- settings and what goes for all commands ------------------------------------------------------


@pytest.mark.parametrize(
    ("yaml", "named"),
    [
        ("topk: 3\n", "topk"),
        ("top_k: 0\n", "top_k"),
        ("top_k: viele\n", "top_k"),
        ("fusion: wild\n", "fusion"),
        ("chunk_size: 100\nchunk_overlap: 90\n", "chunk_overlap"),
        ("- a\n", "mapping"),
        ("top_k: [\n", "-"),
    ],
)
def test_a_settings_file_is_refused_by_name(zhiye: Run, tmp_path: Path, yaml: str, named: str) -> None:
    config = tmp_path / "设置.yaml"
    config.write_text(yaml, encoding="utf-8")
    result = zhiye("libraries", "--config", config, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "config_invalid")
    assert named in result.record["error"]["message"]
    assert "设置.yaml" in result.record["error"]["message"]


def test_a_settings_file_that_is_not_there_is_not_readable(zhiye: Run, tmp_path: Path) -> None:
    shapes.check_error(
        zhiye("libraries", "--config", tmp_path / "没有.yaml", "--json").record, "not_readable"
    )


def test_settings_of_a_file_are_used(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    config = tmp_path / "设置.yaml"
    config.write_text("top_k: 1\nfusion: rrf\n", encoding="utf-8")
    (hit,) = zhiye("search", QUESTION, "--config", config, "--json").record["hits"]
    assert hit["score"] < 0.05


def test_relative_paths_of_a_settings_file_count_from_the_file(
    zhiye: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "别处" / "设置.yaml"
    config.parent.mkdir()
    config.write_text("home: 数据\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    zhiye("ingest", folder, "--config", config, "--json")
    assert (tmp_path / "别处" / "数据" / "libraries").is_dir()
    assert not (folder / "数据").exists()
    assert zhiye("libraries", "--json").record == {"libraries": []}


def test_home_on_the_command_line_wins(zhiye: Run, folder: Path, tmp_path: Path) -> None:
    zhiye("ingest", folder, "--home", tmp_path / "家", "--json")
    assert len(zhiye("libraries", "--home", tmp_path / "家", "--json").record["libraries"]) == 1
    assert zhiye("libraries", "--json").record == {"libraries": []}


def test_a_home_that_cannot_be_used_exits_with_5(zhiye: Run, folder: Path) -> None:
    result = zhiye("libraries", "--home", folder / "保密.md" / "家", "--json")
    assert result.code == 5
    shapes.check_error(result.record, "storage_failed")


@pytest.mark.parametrize(
    ("error", "exit_code", "code"),
    [
        (sqlite3.DatabaseError("database disk image is malformed"), 4, "library_damaged"),
        (OSError(28, "No space left on device"), 5, "storage_failed"),
        (ZeroDivisionError("oops"), 5, "internal"),
    ],
)
def test_whatever_breaks_scripts_get_a_typed_error(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, exit_code: int, code: str
) -> None:
    def breaks(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(searching, "search", breaks)
    result = zhiye("search", QUESTION, "--json")
    assert result.code == exit_code
    shapes.check_error(result.record, code)


def test_control_c_exits_with_130(zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(searching, "search", interrupted)
    assert zhiye("search", QUESTION, "--json").code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="names there are always Unicode")
def test_a_file_name_that_is_no_text_does_not_break_the_json(zhiye: Run, folder: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.txt")
    try:
        (folder / name).write_text("内容在这里。", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    result = zhiye("ingest", folder, "--json")
    assert result.code == 0
    assert len(result.record["files"]) == 4


def test_the_module_runs_as_a_process_of_its_own(folder: Path, private_home: Path) -> None:
    """The real entry point with the real parsing process, in a locale that is not UTF-8."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [sys.executable, "-m", "engine.cli", "inspect", str(folder / "保密.md"), "--json"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr.decode("utf-8", "replace")
    record = json.loads(result.stdout.decode("utf-8"))
    assert record["title"] == "保密制度"
    assert record["chunks"]

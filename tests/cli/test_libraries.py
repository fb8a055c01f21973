"""``zhiye status``, ``sync``, ``libraries`` and ``remove``."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.commands import IngestFolders
from engine.config import Settings
from engine.index.lexical import terms
from engine.jobs import indexing
from engine.paths import home as home_of
from engine.shelf import WriteLock
from engine.workspace import Workspace
from tests.cli import shapes
from tests.cli.conftest import QUESTION, Run
from tests.fakes import FakeEmbedder, FakeGenerator


@pytest.fixture
def elsewhere(zhiye: Run, indexed: Path, tmp_path: Path) -> Path:
    """A second library, 合同, beside 制度."""
    root = tmp_path / "合同"
    root.mkdir()
    (root / "采购.txt").write_text("采购合同的违约金为每日千分之三。", encoding="utf-8")
    assert zhiye("ingest", root, "--json").code == 0
    return root


@pytest.fixture
def other() -> Iterator[Workspace]:
    """Another process's view of the home."""
    made = Workspace(home_of(), Settings())
    yield made
    made.close()


def names(zhiye: Run) -> list[str]:
    return [library["name"] for library in zhiye("libraries", "--json").record["libraries"]]


# -- status ---------------------------------------------------------------------------------------


def test_status_has_every_figure(zhiye: Run, elsewhere: Path) -> None:
    both = zhiye("status", "--json").record["libraries"]
    for library in both:
        shapes.has(library, shapes.LIBRARY)
    assert [library["name"] for library in both] == ["制度", "合同"]
    for form in (["合同", "--json"], ["--json", "合同"]):
        (one,) = zhiye("status", *form).record["libraries"]
        assert (one["folders"], one["counts"]) == ([str(elsewhere)], {"indexed": 1})
        assert one["last_sync"].endswith("+00:00")
        assert (one["busy"], one["paused"]) == (False, False)
        assert one["bytes"] > 0
    shapes.check_error(zhiye("status", "没有", "--json").record, "library_unknown")


def test_status_says_who_is_busy_or_paused(zhiye: Run, elsewhere: Path, other: Workspace) -> None:
    zhiye("libraries", "pause", "合同")
    with WriteLock(other.libraries.open("制度")):
        busy = zhiye("status", "--json").record["libraries"]
        words = zhiye("status").out
    assert [(library["busy"], library["paused"]) for library in busy] == [(True, False), (False, True)]
    for word in ("正在写入", "已暂停", "已索引: 3", str(elsewhere), "上次同步"):
        assert word in words
    assert "正在写入" not in zhiye("status").out


def test_status_tells_of_a_library_that_cannot_be_opened(
    zhiye: Run, indexed: Path, private_home: Path
) -> None:
    torn = private_home / "libraries" / "0123456789ab"
    torn.mkdir()
    (torn / "library.sqlite").write_bytes(b"kein SQLite" * 999)
    result = zhiye("status", "--json")
    assert [library["name"] for library in result.record["libraries"]] == ["制度"]
    assert "0123456789ab" in result.err


# -- sync -----------------------------------------------------------------------------------------


def test_sync_follows_the_librarys_own_folders(zhiye: Run, elsewhere: Path, indexed: Path) -> None:
    (elsewhere / "新.txt").write_text("加急校准加收四成费用。", encoding="utf-8")
    (indexed / "访客.html").unlink()
    for form in (["合同", "--json"], ["--json", "合同"]):
        record = zhiye("sync", *form).record
        shapes.has(record, shapes.INGEST)
        assert (record["library"], record["counts"]) == ("合同", {"indexed": 2})
    result = zhiye("sync", "--json")
    assert result.code == 0
    found = {record["library"]: record for record in result.records}
    assert list(found) == ["制度", "合同"]
    assert (found["制度"]["removed"], found["合同"]["embedded"]) == (1, 0)
    assert "知识库“合同”：2 个文件" in zhiye("sync").out


def test_sync_of_nothing_does_nothing(zhiye: Run) -> None:
    result = zhiye("sync", "--json")
    assert (result.code, result.out) == (0, "")
    result = zhiye("sync", "没有", "--json")
    assert result.code == 2
    shapes.check_error(result.record, "library_unknown")
    assert names(zhiye) == []


def test_a_folder_that_is_not_there_stops_no_other_and_loses_nothing(
    zhiye: Run, elsewhere: Path, indexed: Path, tmp_path: Path
) -> None:
    before = zhiye("status", "制度", "--json").record
    shutil.move(indexed, tmp_path / "拔掉的U盘")
    (elsewhere / "新.txt").write_text("加急校准加收四成费用。", encoding="utf-8")
    result = zhiye("sync", "--json")
    failed, done = result.records
    assert result.code == 2
    assert failed["library"] == "制度"
    shapes.check_error({"error": failed["error"]}, "not_readable")
    assert (done["library"], done["counts"]) == ("合同", {"indexed": 2})
    (marked,) = zhiye("status", "制度", "--json").record["libraries"]
    assert marked["last_error"]["code"] == "not_readable"
    as_before = {key: marked[key] for key in ("bytes", "last_error")} | {"offline": [str(indexed)]}
    assert marked == {**before["libraries"][0], **as_before}
    assert zhiye("search", QUESTION, "--json").record["hits"]
    assert "制度：" in zhiye("sync").err

    alone = zhiye("sync", "制度", "--json")
    assert alone.code == 2
    shapes.check_error(alone.record, "not_readable")
    shutil.move(tmp_path / "拔掉的U盘", indexed)
    assert zhiye("sync", "制度", "--json").record["embedded"] == 0
    assert zhiye("status", "制度", "--json").record["libraries"][0]["offline"] == []


def test_what_is_read_of_the_folders_can_be_chosen(zhiye: Run, indexed: Path) -> None:
    before = zhiye("status", "制度", "--json").record["libraries"][0]["counts"]["indexed"]
    chosen = zhiye("libraries", "select", "制度", "--exclude", "*.md", "--exclude", "草稿/", "--json").record
    assert chosen == {"selected": "制度", "include": [], "exclude": ["*.md", "草稿/"], "hidden": False}
    result = zhiye("sync", "制度", "--json").record
    assert result["counts"]["excluded"] >= 1
    assert not [f for f in result["files"] if f["state"] == "indexed" and f["path"].endswith(".md")]
    refused = zhiye("libraries", "select", "制度", "--include", "!", "--json")
    shapes.check_error(refused.record, "pattern_invalid")
    zhiye("libraries", "select", "制度", "--exclude", "", "--hidden")
    summary = zhiye("status", "制度", "--json").record["libraries"][0]
    assert (summary["exclude"], summary["hidden"]) == ([], True)
    assert zhiye("sync", "制度", "--json").record["counts"]["indexed"] == before


def test_a_folder_that_has_moved_is_told_to_the_library(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    now_at = tmp_path / "别处" / "制度二"
    now_at.parent.mkdir()
    shutil.move(indexed, now_at)
    moved = zhiye("libraries", "move", "制度", str(indexed), str(now_at), "--json").record
    assert moved == {"moved": str(indexed), "to": str(now_at)}
    result = zhiye("sync", "制度", "--json").record
    assert (result["embedded"], result["removed"]) == (0, 0)
    assert zhiye("libraries", "move", "制度", str(indexed), str(now_at)).code == 2
    assert zhiye("libraries", "move", "制度", str(now_at), "/").code == 2
    assert zhiye("libraries", "move", "制度", str(now_at), str(now_at)).code == 2
    (noted,) = (home_of().libraries).glob("*/library.json")
    assert str(now_at) in noted.read_text(encoding="utf-8")


def test_a_folder_can_be_dropped_from_a_library(zhiye: Run, indexed: Path, elsewhere: Path) -> None:
    added = zhiye("ingest", str(elsewhere), "--library", "制度", "--json")
    before = added.record["chunks"]
    assert zhiye("libraries", "drop", "制度", str(elsewhere), "--json").record == {"dropped": str(elsewhere)}
    status = zhiye("status", "制度", "--json").record["libraries"][0]
    assert (status["folders"], status["chunks"] < before) == ([str(indexed)], True)
    assert elsewhere.is_dir()


def test_deep_compares_bytes(zhiye: Run, indexed: Path) -> None:
    file = indexed / "新.txt"
    for text in ("年假五天。", "年假九天。"):
        file.write_text(text, encoding="utf-8")
        os.utime(file, ns=(10**18, 10**18))
        if text == "年假五天。":
            zhiye("sync", "制度")
    assert zhiye("sync", "制度", "--json").record["removed"] == 0
    assert zhiye("sync", "制度", "--deep", "--json").record["removed"] > 0


def test_people_are_told_of_a_folder_that_another_library_holds(zhiye: Run, indexed: Path) -> None:
    assert "制度" in zhiye("ingest", str(indexed), "--library", "乙").err
    refused = zhiye("ingest", "/", "--json")
    assert refused.code == 2
    shapes.check_error(refused.record, "folder_too_broad")
    assert names(zhiye) == ["乙", "制度"]


def test_a_busy_or_damaged_library_stops_no_other(
    zhiye: Run, elsewhere: Path, other: Workspace, private_home: Path
) -> None:
    torn = private_home / "libraries" / "0123456789ab"
    torn.mkdir()
    (torn / "library.sqlite").write_bytes(b"kein SQLite" * 999)
    with WriteLock(other.libraries.open("制度")):
        result = zhiye("sync", "--json")
    assert result.code == 4
    busy, done, damaged = result.records
    assert (busy["library"], busy["error"]["code"]) == ("制度", "library_busy")
    shapes.has(done, shapes.INGEST)
    assert (damaged["library"], damaged["error"]["code"]) == (None, "library_damaged")


def test_a_disk_that_fails_is_a_typed_error_of_one_library(
    zhiye: Run, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = indexing.ingest

    def ingest(command: IngestFolders, *rest: object) -> object:
        if command.library == "制度":
            raise OSError(28, "No space left on device")
        return real(command, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(indexing, "ingest", ingest)
    failed, done = zhiye("sync", "--json").records
    assert failed["error"]["code"] == "storage_failed"
    assert done["library"] == "合同"


def test_sync_takes_the_options_of_reading(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    result = zhiye("sync", "--password-file", tmp_path / "没有.txt", "--json")
    shapes.check_error(result.record, "not_readable")
    (tmp_path / "密码.txt").write_text("一\n", encoding="utf-8")
    options = ["--no-ocr", "--retry-failed", "--password-file", tmp_path / "密码.txt"]
    assert zhiye("sync", "制度", *options, "--json").record["counts"] == {"indexed": 3}
    (indexed / "坏.pdf").write_bytes(b"%PDF-1.7 torn")
    config = tmp_path / "设置.yaml"
    config.write_text("fail_on_error: true\n", encoding="utf-8")
    assert zhiye("sync", "--config", config, "--json").code == 1


def test_a_single_file_is_synced_as_that_file(zhiye: Run, folder: Path) -> None:
    zhiye("ingest", folder / "保密.md", "--library", "一个", "--json")
    record = zhiye("sync", "一个", "--json").record
    assert [file["path"] for file in record["files"]] == ["保密.md"]


# -- libraries ------------------------------------------------------------------------------------


def test_a_paused_library_is_synced_when_it_is_named(zhiye: Run, elsewhere: Path) -> None:
    assert zhiye("libraries", "pause", "合同", "--json").record == {"paused": "合同"}
    (elsewhere / "新.txt").write_text("加急校准加收四成费用。", encoding="utf-8")
    result = zhiye("sync", "--json")
    assert [record["library"] for record in result.records] == ["制度"]
    assert "合同" in result.err
    assert zhiye("sync", "合同", "--json").record["counts"] == {"indexed": 2}
    assert zhiye("ingest", elsewhere, "--json").code == 0
    assert zhiye("status", "合同", "--json").record["libraries"][0]["paused"] is True
    assert zhiye("libraries", "--json", "resume", "合同").record == {"resumed": "合同"}
    assert len(zhiye("sync", "--json").records) == 2


def test_a_renamed_library_answers_under_its_new_name(
    zhiye: Run, elsewhere: Path, indexed: Path, embedder: FakeEmbedder
) -> None:
    embedder.embedded.clear()
    for form in (["rename", "制度", "人事"], ["rename", "--json", "人事", "规章"]):
        assert zhiye("libraries", *form).code == 0
    assert names(zhiye) == ["合同", "规章"]
    (hit, *_) = zhiye("search", QUESTION, "--library", "规章", "--json").record["hits"]
    assert hit["library"] == "规章"
    assert zhiye("sync", "规章", "--json").record["embedded"] == 0
    assert embedder.embedded == []
    assert "“规章”已改名为“制度二”" in zhiye("libraries", "rename", "规章", "制度二").out

    taken = zhiye("libraries", "rename", "制度二", "合同", "--json")
    assert taken.code == 2
    shapes.check_error(taken.record, "library_name_taken")
    zhiye("ingest", indexed, "--json")
    assert names(zhiye) == ["制度", "制度二", "合同"]


@pytest.mark.parametrize(
    "words", [["rename", "制度"], ["rename", "a", "b", "c"], ["pause"], ["list"], ["resume", "a", "b"]]
)
def test_libraries_used_wrongly(zhiye: Run, words: list[str]) -> None:
    result = zhiye("libraries", *words, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")


@pytest.mark.parametrize("words", [["rename", "没有", "乙"], ["pause", "没有"], ["resume", "没有"]])
def test_an_unknown_library_cannot_be_changed(zhiye: Run, words: list[str]) -> None:
    shapes.check_error(zhiye("libraries", *words, "--json").record, "library_unknown")


# -- remove ---------------------------------------------------------------------------------------

SENTINEL = "鑫犇淼焱垚"
SECRET = "# 绝密\n\n秘密级数据" + SENTINEL + "的保密期限为10年。\n"


def holding(home: Path, text: str) -> list[str]:
    """Files of the home in which the text stands as UTF-8."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


@pytest.mark.parametrize("renamed", [False, True], ids=["as it was named", "renamed after the question"])
def test_nothing_of_a_removed_librarys_text_is_left(
    zhiye: Run, elsewhere: Path, tmp_path: Path, private_home: Path, generator: FakeGenerator, renamed: bool
) -> None:
    generator.replies = [f"秘密级数据{SENTINEL}的保密期限为10年[1]。"] * 9
    secret = tmp_path / "绝密"
    secret.mkdir()
    (secret / "文.md").write_text(SECRET * 40, encoding="utf-8")
    assert zhiye("ingest", secret, "--json").code == 0
    asked = zhiye("ask", QUESTION, "--library", "绝密", "--debug", "--json").record
    assert SENTINEL in asked["answer"]
    assert SENTINEL in asked["hits"][0]["text"]
    zhiye("ask", "采购合同的违约金是多少？", "--library", "合同", "--json")
    stored = {"library.sqlite", "history.sqlite", "history.sqlite-wal", "library.sqlite-wal"}
    assert {name for name in holding(private_home, SENTINEL) if name in stored}
    assert len(zhiye("runs", "list", "--json").record["runs"]) == 2

    name = "绝密"
    if renamed:
        name = "改了名"
        zhiye("libraries", "rename", "绝密", name)
    assert zhiye("remove", name, "--json").record == {"removed": name}

    looked_for = [SENTINEL, *terms(SENTINEL)]
    assert len(looked_for) >= 4
    for text in looked_for:
        assert holding(private_home, text) == []
    (kept,) = zhiye("runs", "list", "--json").record["runs"]
    assert "违约金" in kept["question"]
    assert names(zhiye) == ["制度", "合同"]
    assert (secret / "文.md").read_text(encoding="utf-8") == SECRET * 40


def test_a_busy_library_keeps_its_runs(
    zhiye: Run, indexed: Path, generator: FakeGenerator, other: Workspace
) -> None:
    zhiye("ask", QUESTION, "--json")
    with WriteLock(other.libraries.open("制度")):
        assert zhiye("remove", "制度", "--json").code == 4
    assert len(zhiye("runs", "list", "--json").record["runs"]) == 1
    assert zhiye("remove", "制度", "--json").code == 0
    assert zhiye("runs", "list", "--json").record["runs"] == []


def test_removing_makes_no_history_where_there_is_none(zhiye: Run, indexed: Path, private_home: Path) -> None:
    assert zhiye("remove", "制度", "--json").code == 0
    assert not (private_home / "history.sqlite").exists()


def test_a_question_that_found_nothing_goes_with_the_library_that_was_asked(
    zhiye: Run, indexed: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "空"
    empty.mkdir()
    (empty / "空.txt").write_text("", encoding="utf-8")
    zhiye("ingest", empty)
    zhiye("ask", "KW77310042 是什么？", "--library", "空", "--no-model")
    zhiye("ask", QUESTION, "--library", "制度", "--no-model")
    before = zhiye("runs", "list", "--json").out
    assert "KW77310042" in before
    zhiye("remove", "空")
    after = zhiye("runs", "list", "--json").out
    assert "KW77310042" not in after and QUESTION in after

"""The library follows its folders: out of reach, in parts, with files that change and keep their time."""

import os
import time
from pathlib import Path

import pytest

from engine.errors import FolderTooBroad, NotReadable
from engine.index.folders import offline
from engine.intake import scanner
from tests.desk import Desk


@pytest.fixture
def other(desk: Desk, tmp_path: Path) -> Path:
    """A second folder of the library, on a drive that may be pulled out."""
    folder = tmp_path / "U盘"
    folder.mkdir()
    (folder / "盘上.txt").write_text("盘上的文件讲的是年假。", encoding="utf-8")
    desk.write("甲.txt", "差旅报销须在三十日内提交。")
    desk.ingest(desk.folder, folder)
    return folder


def test_a_folder_that_cannot_be_reached_keeps_its_index_and_is_marked(desk: Desk, other: Path) -> None:
    away = other.rename(other.with_name("weg"))
    desk.write("乙.txt", "新的文件。")
    result = desk.ingest(desk.folder, other)
    assert ([report.path for report in result.files], result.chunks) == (["乙.txt", "甲.txt"], 3)
    assert (desk.notices(), list(offline(desk.library))) == (["folder_offline"], [other])
    assert desk.found("盘上年假")[0].document == "盘上.txt"
    (since,) = desk.library.db.execute("SELECT offline_since FROM folders WHERE path = ?", (str(other),))
    desk.ingest(desk.folder, other)
    assert (
        desk.library.db.execute("SELECT offline_since FROM folders WHERE path = ?", (str(other),)).fetchone()
        == since
    ), "since when, not how lately looked for"
    away.rename(other)
    desk.ingest(desk.folder, other)
    assert (desk.notices(), offline(desk.library), desk.read) == ([], {}, [])


def test_without_any_folder_nothing_is_brought_up_to_date(desk: Desk, other: Path) -> None:
    before = desk.contents()
    other.rename(other.with_name("weg"))
    with pytest.raises(NotReadable):
        desk.ingest(other)
    assert (list(offline(desk.library)), desk.contents()) == ([other], before)


def test_a_new_folder_that_is_not_there_is_an_error(desk: Desk, other: Path) -> None:
    with pytest.raises(NotReadable):
        desk.ingest(desk.folder, other.with_name("没有"))
    assert len(desk.library.folders()) == 2


def test_a_whole_disk_is_refused(desk: Desk) -> None:
    with pytest.raises(FolderTooBroad):
        desk.ingest(Path("/"))
    assert desk.library.folders() == {}


def test_only_what_lies_below_is_brought_up_to_date(desk: Desk) -> None:
    for name in ("子/a.txt", "子/深/b.txt", "外.txt"):
        desk.write(name, f"{name}的内容。")
    desk.ingest()
    desk.write("子/c.txt", "新的内容。")
    desk.write("外二.txt", "也是新的。")
    (desk.folder / "子" / "深" / "b.txt").unlink()
    (desk.folder / "外.txt").unlink()
    result = desk.ingest(below=(desk.folder / "子",))
    assert sorted(report.path for report in result.files) == ["子/a.txt", "子/c.txt"]
    assert (desk.read, result.removed) == (["c.txt"], 1)
    there = {file.path for file in desk.library.files()}
    assert there == {"子/a.txt", "子/c.txt", "外.txt"}, "the rest is as it was"
    desk.ingest()
    assert {file.path for file in desk.library.files()} == {"子/a.txt", "子/c.txt", "外二.txt"}


def test_a_folder_below_that_has_gone_takes_its_files_along(desk: Desk) -> None:
    desk.write("子/a.txt", "内容。")
    desk.write("外.txt", "外面的内容。")
    desk.ingest()
    (desk.folder / "子").rename(desk.folder / "新")
    result = desk.ingest(below=(desk.folder / "子", desk.folder / "新"))
    assert (desk.read, desk.embedded, result.removed) == ([], [], 0)
    assert {file.path for file in desk.library.files()} == {"新/a.txt", "外.txt"}


def test_a_change_that_keeps_size_and_time_is_found_when_bytes_are_compared(desk: Desk) -> None:
    file = desk.write("a.txt", "年假五天。")
    desk.write("b.txt", "不变。")
    desk.ingest()
    before = file.stat()
    file.write_text("年假九天。", encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    desk.ingest()
    assert desk.read == []
    desk.ingest(deep=True)
    assert desk.read == ["a.txt"]
    assert "九天" in desk.found("年假九天")[0].text


def test_a_file_as_young_as_its_reading_is_compared_once_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its time has a grain: it may have changed in the same moment without another one."""
    file = desk.write("a.txt", "年假五天。")
    now = time.time_ns()
    os.utime(file, ns=(now, now))
    desk.ingest()
    file.write_text("年假九天。", encoding="utf-8")
    os.utime(file, ns=(now, now))
    desk.ingest()
    assert desk.read == ["a.txt"]
    os.utime(file, ns=(now - 10**10, now - 10**10))
    desk.ingest()
    monkeypatch.setattr(scanner, "hashing", None)
    desk.ingest()
    assert desk.read == []


def test_a_clock_that_went_back_loses_no_change(desk: Desk) -> None:
    """The file's time lies ahead of the clock, and every edit has an earlier one."""
    file = desk.write("a.txt", "第一版。")
    os.utime(file, (time.time() + 9_000, time.time() + 9_000))
    desk.ingest()
    for number in range(2, 4):
        desk.write("a.txt", f"第{number}版。")
        desk.ingest()
        assert desk.read == ["a.txt"]
        assert f"第{number}版" in desk.found("第几版")[0].text

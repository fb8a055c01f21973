"""The log read as entries: several lines, levels, search, and emptying it while it is written."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import log_entries, logs
from engine.log_entries import LogEntry
from engine.paths import Home

_log = logging.getLogger("engine.x")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    made = Home(tmp_path / "数据 一")
    logs.set_up(made)
    yield made
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_entries_have_their_level_source_and_all_lines(home: Home) -> None:
    _log.info("indexed %s", "制度.pdf")
    _log.warning("first\nsecond")
    first, second = log_entries.read(home.logs)
    assert (first.level, first.source, first.text) == ("INFO", "engine.x", "indexed 制度.pdf")
    assert second.text == "first\nsecond"
    assert len(second.at) == len("2025-06-01 09:00:00")


def test_an_exception_is_told_by_type_and_place_never_by_its_message(home: Home) -> None:
    try:
        raise ValueError("张三的工资")
    except ValueError:
        _log.exception("a job failed")
    (entry,) = log_entries.read(home.logs)
    assert entry.text.startswith("a job failed\nbuiltins.ValueError\n  at tests/test_log_entries.py:")
    assert "张三" not in entry.text


def test_errors_of_the_system_say_what_the_system_said(home: Home, tmp_path: Path) -> None:
    try:
        (tmp_path / "秘密.txt").read_bytes()
    except OSError:
        _log.exception("cannot read")
    (entry,) = log_entries.read(home.logs)
    assert "builtins.FileNotFoundError 2: No such file or directory" in entry.text
    assert "秘密" not in entry.text


def test_older_files_come_first(home: Home) -> None:
    for number, name in ((1, "zhiye.log.2"), (2, "zhiye.log.1")):
        line = f"2025-06-0{number} 09:00:00,000 INFO engine.x: {number}\n"
        (home.logs / name).write_text(line, encoding="utf-8")
    _log.info("3")
    assert [entry.text for entry in log_entries.read(home.logs)] == ["1", "2", "3"]


def test_levels_and_words_choose() -> None:
    entry = LogEntry("2025-06-01 09:00:00", "WARNING", "engine.thread", "Task failed: no_space")
    assert entry.is_at_least("INFO") and entry.is_at_least("WARNING") and not entry.is_at_least("ERROR")
    assert entry.says("TASK thread") and not entry.says("task other")


def test_an_emptied_log_is_written_on(home: Home) -> None:
    (home.logs / "zhiye.log.1").write_text("2025-06-01 09:00:00,000 INFO engine.x: old\n", encoding="utf-8")
    _log.info("before")
    logs.clear(home)
    assert log_entries.read(home.logs) == []
    _log.info("after")
    assert [entry.text for entry in log_entries.read(home.logs)] == ["after"]
    assert b"\0" not in (home.logs / "zhiye.log").read_bytes()


def test_no_log_is_no_error(tmp_path: Path) -> None:
    assert log_entries.read(tmp_path / "nowhere") == []

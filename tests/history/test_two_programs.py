"""history.sqlite under two processes at once, and after one that was killed."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.history import schema as history_schema
from engine.runs import Runs
from tests.conftest import ROOT

ASK = """
for n in range({count}):
    runs.save(f"别处{{n}}", False, None, {{"answer": "答"}}, ["库"], thread=1)
"""
DIE_WHILE_WRITING = """
with runs._writing():
    runs._db.execute("UPDATE turns SET superseded = 1")
    runs._db.execute("DELETE FROM runs")
    os._exit(9)
"""
DIE_BEFORE_WIPING = """
from engine.history import wiping
wiping.wipe = lambda *_: os._exit(9)
runs.forget_library("库")
"""


def program(file: Path, what: str) -> "subprocess.Popen[bytes]":
    code = f"import os, pathlib\nfrom engine.runs import Runs\nruns = Runs(pathlib.Path({str(file)!r}))\n"
    return subprocess.Popen([sys.executable, "-c", code + what], cwd=ROOT)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "家" / "history.sqlite"


def test_two_programs_write_one_thread_without_losing_a_turn(file: Path) -> None:
    runs = Runs(file)
    runs.save("第一", False, None, {})
    other = program(file, ASK.format(count=30))
    for n in range(30):
        runs.save(f"这里{n}", False, None, {}, thread=1)
    assert other.wait(60) == 0
    assert [run.place for run in runs.of_thread(1)] == list(range(1, 62))
    assert len(runs.threads()) == 1
    runs.close()


def test_two_programs_bring_one_old_history_up_to_date(file: Path) -> None:
    file.parent.mkdir()
    db = sqlite3.connect(file, isolation_level=None)
    history_schema.m001_runs(db)
    db.executemany(
        "INSERT INTO runs (asked_at, question, refused, trace) VALUES ('2024', ?, 0, '{}')",
        [(f"问{n}",) for n in range(200)],
    )
    db.close()
    programs = [program(file, "") for _ in range(2)]
    assert [each.wait(60) for each in programs] == [0, 0]
    runs = Runs(file)
    assert len(runs.threads()) == len(runs.list()) == 200
    runs.close()


def test_a_program_that_is_killed_while_it_writes_has_changed_nothing(file: Path) -> None:
    runs = Runs(file)
    runs.save("第一", False, None, {"answer": "答"})
    assert program(file, DIE_WHILE_WRITING).wait(60) == 9
    assert [(run.question, run.superseded) for run in runs.list()] == [("第一", False)]
    runs.save("第二", False, None, {}, thread=1)
    runs.close()


def test_what_a_killed_program_did_not_wipe_is_wiped_at_the_next_start(file: Path) -> None:
    runs = Runs(file)
    runs.save("绝密问题", False, None, {"answer": "绝密回答" * 300}, ["库"])
    runs.close()
    assert program(file, DIE_BEFORE_WIPING).wait(60) == 9
    assert "绝密回答" in _on_disk(file)
    again = Runs(file)
    assert again.list() == []
    assert "绝密" not in _on_disk(file)
    again.close()


def _on_disk(file: Path) -> str:
    return b"".join(path.read_bytes() for path in file.parent.iterdir()).decode("utf-8", "replace")

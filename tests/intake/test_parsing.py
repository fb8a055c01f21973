import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import seal
from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.intake import scratch
from engine.intake.messages import PageRead, ReadDone, ReadFile, ReadMessage
from engine.intake.parsing import ParsingProcess
from models.confinement import kernel, landlock


@pytest.fixture
def parsing() -> Iterator[ParsingProcess]:
    with ParsingProcess(Settings(file_timeout_s=1.0), reader="tests.intake.reader_double") as process:
        yield process


def run(parsing: ParsingProcess, name: str, token: CancelToken | None = None) -> list[ReadMessage]:
    messages = parsing.answer(ReadFile(Path(name), "hash"), token or CancelToken())
    return [message for message in messages if message is not None]


def end(messages: list[ReadMessage]) -> ReadDone:
    done = messages[-1]
    assert isinstance(done, ReadDone)
    return done


def is_running(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_child_reads_many_files(parsing: ParsingProcess) -> None:
    first, second = (end(run(parsing, name)).reason for name in ("a.md", "b.md"))
    assert first is not None
    assert first == second
    assert first.code == "hash"
    assert first.params["pid"] == parsing.pid != os.getpid()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("name", "signal_name"), [("毒.pdf", "139"), ("段错误.pdf", "SIGSEGV")])
def test_a_crash_costs_its_file_only(parsing: ParsingProcess, name: str, signal_name: str) -> None:
    assert end(run(parsing, "好.md")).state == "indexed"
    done = end(run(parsing, name))
    assert done.state == "set_aside"
    assert done.reason is not None
    assert (done.reason.code, done.reason.params) == ("loader_crashed", {"signal": signal_name})
    assert end(run(parsing, "好.md")).state == "indexed"


def test_silence_ends_in_over_budget_and_progress_does_not(parsing: ParsingProcess) -> None:
    assert len(run(parsing, "慢.pdf")) == 6
    begun = time.monotonic()
    messages = run(parsing, "死循环.pdf")
    assert time.monotonic() - begun < 10
    assert isinstance(messages[0], PageRead)
    assert end(messages).state == "over_budget"
    assert end(run(parsing, "好.md")).state == "indexed"


def test_the_caller_can_step_while_it_waits(parsing: ParsingProcess) -> None:
    run(parsing, "好.md")
    stream = parsing.answer(ReadFile(Path("死循环.pdf"), "hash"), CancelToken())
    next(stream)
    longest = 0.0
    for _ in range(5):
        begun = time.monotonic()
        assert next(stream) is None
        longest = max(longest, time.monotonic() - begun)
    stream.close()
    assert longest < 0.5


def test_cancel_ends_the_child(parsing: ParsingProcess) -> None:
    token = CancelToken()
    stream = parsing.answer(ReadFile(Path("死循环.pdf"), "hash"), token)
    while next(stream) is None:
        pass
    pid = parsing.pid
    token.cancel()
    with pytest.raises(Cancelled):
        next(stream)
    assert not is_running(pid)
    assert parsing.pid is None


def test_giving_up_on_the_stream_ends_the_child(parsing: ParsingProcess) -> None:
    stream = parsing.answer(ReadFile(Path("死循环.pdf"), "hash"), CancelToken())
    while next(stream) is None:
        pass
    pid = parsing.pid
    stream.close()
    assert not is_running(pid)


def test_close_leaves_no_child_and_can_be_repeated(parsing: ParsingProcess) -> None:
    run(parsing, "好.md")
    pid = parsing.pid
    parsing.close()
    parsing.close()
    assert not is_running(pid)
    assert end(run(parsing, "好.md")).state == "indexed"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupting_the_terminal_does_not_kill_the_child(parsing: ParsingProcess) -> None:
    run(parsing, "好.md")
    pid = parsing.pid
    assert pid is not None
    os.kill(pid, signal.SIGINT)
    assert end(run(parsing, "好.md")).state == "indexed"
    assert parsing.pid == pid


def test_a_child_killed_between_files_is_replaced(parsing: ParsingProcess) -> None:
    run(parsing, "好.md")
    assert parsing.pid is not None
    process = parsing._process
    assert process is not None
    process.kill()
    process.join()
    assert end(run(parsing, "好.md")).state == "indexed"


def test_the_child_is_sealed(parsing: ParsingProcess) -> None:
    done = end(run(parsing, "联网.html"))
    assert done.reason is not None
    assert done.reason.code == "OutsideConnection"


def test_an_attempt_in_the_child_counts_here(parsing: ParsingProcess) -> None:
    before = len(seal.attempts())
    run(parsing, "联网.html")
    assert ["192.0.2.7" in attempt.target for attempt in seal.attempts()[before:]] == [True]


@pytest.mark.skipif(kernel.processor() is None, reason="Linux on x86-64 or arm64")
def test_the_child_has_no_native_network_and_writes_to_its_own_folders_only(
    parsing: ParsingProcess, tmp_path: Path
) -> None:
    (tmp_path / "原生.html").write_bytes(b"x")
    reason = end(run(parsing, str(tmp_path / "原生.html"))).reason
    assert reason is not None
    found = dict(reason.params)
    folder = Path(str(found.pop("temporary")))
    assert folder.is_dir() and folder.stat().st_mode & 0o077 == 0
    assert found == {
        "socket": "PermissionError", "beside": "PermissionError" if landlock.version() else "written",
        "inside": "written", "core": 0, "files": 512, "largest": 2 << 30,
    }  # fmt: skip
    parsing.close()
    assert not folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_folders_of_a_killed_child_go_too(parsing: ParsingProcess, tmp_path: Path) -> None:
    (tmp_path / "原生.html").write_bytes(b"x")
    reason = end(run(parsing, str(tmp_path / "原生.html"))).reason
    assert reason is not None
    assert end(run(parsing, "毒.pdf")).state == "set_aside"
    assert not Path(str(reason.params["temporary"])).exists()


def test_folders_of_a_program_that_is_gone_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone, own, other = (tmp_path / f"zhiye-reading-{name}-x" for name in ("4194305", os.getpid(), "neu"))
    for folder in (gone, own, other):
        folder.mkdir()
    scratch.sweep()
    assert not gone.exists() and own.is_dir() and other.is_dir()


def test_real_files_through_the_real_reader(tmp_path: Path) -> None:
    (tmp_path / "说明.md").write_text("# 说明\n\n传真号为8800。\n", encoding="utf-8")
    with ParsingProcess(Settings()) as process:
        messages = run(process, str(tmp_path / "说明.md"))
        assert [type(message).__name__ for message in messages] == ["PageRead", "ChunksRead", "ReadDone"]
        assert end(run(process, str(tmp_path / "没有.md"))).state == "unreadable"

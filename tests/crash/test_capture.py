"""What nothing catches is kept in the home, with positions and versions and nothing else."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.crash import positions
from engine.crash.capture import CrashCapture
from engine.crash.reports import NATIVE, CrashFolder
from tests.conftest import ROOT

SECRET = "张三的工资是八千元"


@pytest.fixture
def folder(tmp_path: Path) -> CrashFolder:
    return CrashFolder(tmp_path / "张三 的家" / "crash")


@pytest.fixture
def capture(folder: CrashFolder, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    with CrashCapture(folder):
        yield


def fail() -> None:
    try:
        Path(f"/home/zhangsan/{SECRET}.docx").read_bytes()
    except OSError as exc:
        raise ValueError(SECRET) from exc


def caught() -> ValueError:
    with pytest.raises(ValueError, match=SECRET) as told:
        fail()
    return told.value


@pytest.mark.usefixtures("capture")
def test_a_slot_that_fails_leaves_types_positions_and_versions(folder: CrashFolder) -> None:
    error = caught()
    sys.excepthook(type(error), error, error.__traceback__)
    (report,) = folder.unseen()
    assert not report.fatal
    assert "builtins.FileNotFoundError" in report.text and "builtins.ValueError" in report.text
    assert "  at tests/crash/test_capture.py:" in report.text and " in fail\n" in report.text
    assert f"python {sys.version.split()[0]}" in report.text
    assert "zhangsan" not in report.text and "张三" not in report.text and str(ROOT) not in report.text


@pytest.mark.usefixtures("capture")
def test_a_thread_that_fails_is_kept_and_the_same_failure_only_once(folder: CrashFolder) -> None:
    for _ in range(3):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    (report,) = folder.unseen()
    assert " in fail\n" in report.text


def test_the_hooks_before_are_called_and_come_back(
    folder: CrashFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *each: told.append(each[1]))
    before = sys.excepthook
    error = caught()
    with CrashCapture(folder):
        sys.excepthook(type(error), error, error.__traceback__)
    assert told == [error] and sys.excepthook is before


@pytest.mark.usefixtures("capture")
def test_ctrl_c_is_no_crash(folder: CrashFolder) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert folder.unseen() == []


def test_an_orderly_end_leaves_nothing(folder: CrashFolder) -> None:
    with CrashCapture(folder):
        assert (folder.folder / NATIVE).is_file()
    assert list(folder.folder.iterdir()) == []


def test_a_fault_of_native_code_is_told_at_the_next_start_without_paths(folder: CrashFolder) -> None:
    script = (
        "import faulthandler, pathlib, sys\n"
        "from engine.crash.capture import CrashCapture\n"
        "from engine.crash.reports import CrashFolder\n"
        "CrashCapture(CrashFolder(pathlib.Path(sys.argv[1]))).__enter__()\n"
        "faulthandler._sigabrt()\n"
    )
    file = folder.folder.parent / "script.py"
    file.parent.mkdir(parents=True)
    file.write_text(script, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, str(file), str(folder.folder)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=False
    )
    assert ended.returncode != 0
    folder.take_in_native()
    (report,) = folder.unseen()
    assert report.fatal and "Fatal Python error: Aborted" in report.text
    assert "  at script.py:5 in <module>" in report.text
    assert "张三" not in report.text
    assert not (folder.folder / NATIVE).exists()


def test_what_leaves_the_main_function_has_ended_the_program(folder: CrashFolder) -> None:
    with pytest.raises(ValueError, match=SECRET), CrashCapture(folder):
        fail()
    (report,) = folder.unseen()
    assert report.fatal and "builtins.ValueError" in report.text and SECRET not in report.text
    assert not (folder.folder / NATIVE).exists()


def test_reports_that_ended_the_program_come_first_and_are_put_away_or_deleted(
    folder: CrashFolder,
) -> None:
    folder.write(["a.B"], fatal=True)
    folder.write(["c.D"], fatal=False)
    first, second = folder.unseen()
    assert (first.fatal, second.fatal) == (True, False)
    folder.put_away(first)
    folder.delete(second)
    assert folder.unseen() == []
    assert len(list(folder.folder.iterdir())) == 1


def test_no_more_than_twenty_reports_are_kept(folder: CrashFolder) -> None:
    for number in range(25):
        folder.write([f"a.B{number}"], fatal=False)
    assert len(list(folder.folder.iterdir())) == 20


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    folder = CrashFolder(tmp_path / "file" / "crash")
    assert folder.write(["a.B"], fatal=True) is None
    folder.take_in_native()
    assert folder.unseen() == []


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("C:\\Users\\张三\\zhiye\\engine\\thread.py", "engine/thread.py"),
        ("/home/zhang/zhiye/tests/desktop/test_window.py", "tests/desktop/test_window.py"),
        ("/home/zhang/.venv/lib/python3.11/site-packages/numpy/core/x.py", "numpy/core/x.py"),
        ("C:\\Python311\\Lib\\threading.py", "threading.py"),
        ("/usr/lib/python3.11/threading.py", "threading.py"),
        ("/home/zhang/secret.py", "secret.py"),
        ("<string>", "<string>"),
    ],
)
def test_source_files_are_told_from_their_package(file: str, told: str) -> None:
    assert positions.shortened(file) == told

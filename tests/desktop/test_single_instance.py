"""A second start of the program: who opens a window, who hands over, and what happens to the unfinished."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from PySide6.QtNetwork import QLocalSocket

from desktop import single_instance
from desktop.single_instance import FirstInstance, claim
from engine.errors import WindowNotAnswering

ROOT = Path(__file__).parents[2]

posix = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets and signals")

PROGRAM = """
    import sys
    from desktop import app, application, single_instance, window_controller
    from engine.commands import IngestFolders

    class Silent:
        def __init__(self, home, settings, on_event): pass
        def start(self): print("started", flush=True)
        def send(self, command):
            if isinstance(command, IngestFolders):
                print("index", *command.folders, flush=True)
        def stop(self, timeout): return True

    single_instance.PATIENCE_S = {patience}
    application.show_refusal = lambda words: print("refused:", words.title, flush=True)
    forward = window_controller.WindowController.come_forward
    def come_forward(self, folders):
        forward(self, folders)
        print("forward", self._window.isVisible(), self._window.isMinimized(), flush=True)
    window_controller.WindowController.come_forward = come_forward
    sys.exit(app.run([*sys.argv[1:], "--language", "zh"], Silent))
"""


class Program:
    """The window in a process of its own; ``line()`` waits for what it says."""

    def __init__(self, home: Path, *arguments: str, patience: float = 6.0) -> None:
        code = textwrap.dedent(PROGRAM.format(patience=patience))
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(home.parent)}
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code, "--home", str(home), *arguments],
            env=environment, cwd=home.parent, stdout=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> int:
        return self.process.wait(30)

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            os.kill(self.process.pid, getattr(signal, "SIGCONT", signal.SIGTERM))
        self.process.kill()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator:
    started: list[Program] = []

    def begin(*arguments: str, home: str = "家", patience: float = 6.0) -> Program:
        (tmp_path / home).mkdir(exist_ok=True)
        program = Program(tmp_path / home, *arguments, patience=patience)
        started.append(program)
        return program

    yield begin
    for program in started:
        program.kill()
    for home in ("家", "别家"):
        Path(single_instance._address(tmp_path / home)).unlink(missing_ok=True)


def test_a_second_start_hands_its_folders_over_and_ends(start, tmp_path):
    first = start()
    assert first.line() == "started"
    second = start("资料 一", str(tmp_path / "资料 二"))
    assert second.end() == 0
    assert second.line() == "", "it has no engine"
    assert first.line() == f"index {tmp_path / '资料 一'} {tmp_path / '资料 二'}"
    assert first.line() == "forward True False"
    third = start()
    assert third.end() == 0
    assert first.line() == "forward True False"


def test_another_data_folder_gets_a_window_of_its_own(start):
    assert start().line() == "started"
    assert start(home="别家").line() == "started"


@posix
def test_after_a_crash_the_next_start_is_the_first(start, tmp_path):
    first = start()
    assert first.line() == "started"
    address = Path(single_instance._address(tmp_path / "家"))
    assert address.is_socket() and not address.stat().st_mode & 0o077
    first.process.kill()
    assert first.end() < 0
    assert address.is_socket(), "a socket that nobody answers at is left"
    second = start()
    assert second.line() == "started"
    assert start().end() == 0
    assert second.line() == "forward True False"


@posix
def test_a_first_window_that_hangs_does_not_hold_the_second_for_ever(start):
    first = start()
    assert first.line() == "started"
    os.kill(first.process.pid, signal.SIGSTOP)
    second = start(patience=1.0)
    assert second.line() == "refused: 知页已经打开，但没有回应。"
    assert second.end() == 5


# -- in this process --------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "家"
    made.mkdir()
    return made


@pytest.fixture
def first(qapp, home: Path) -> Iterator[FirstInstance]:
    made = claim(home, ())
    assert made is not None
    yield made
    made.close()
    made.release()
    made.deleteLater()


def say(qtbot, home: Path, message: bytes) -> bytes:
    """What comes back for a message until the other side hangs up."""
    socket = QLocalSocket()
    socket.connectToServer(single_instance._address(home))
    assert socket.waitForConnected(2000)
    socket.write(message)
    socket.flush()
    qtbot.waitUntil(lambda: socket.state() == QLocalSocket.LocalSocketState.UnconnectedState, timeout=20_000)
    return bytes(socket.readAll().data())


@pytest.mark.parametrize(
    "message",
    [
        b"\n",
        b"GET / HTTP/1.1\r\n",
        b'{"folders": ["/tmp"]}\n',
        b'["relative/path"]\n',
        b"[1, 2]\n",
        json.dumps(["/tmp/\0"]).encode() + b"\n",
        b"\xff\xfe\n",
        b"[" * 200_000 + b"\n",
        json.dumps(["/a"] * 10_001).encode() + b"\n",
        b"x" * (4 << 20),
    ],
    ids=["empty", "http", "object", "relative", "numbers", "nul", "bytes", "nested", "many", "endless"],
)
def test_what_no_window_says_is_dropped(qtbot, first, home, message):
    summoned: list[tuple[Path, ...]] = []
    first.summoned.connect(summoned.append)
    assert say(qtbot, home, message) == b""
    assert summoned == []
    folder = str(Path("/资料").absolute())
    assert say(qtbot, home, json.dumps([folder, "/x\udcff"]).encode() + b"\n") == b"taken\n"
    assert summoned == [(Path(folder), Path("/x\udcff"))]


def test_who_connects_and_says_nothing_is_cut_off(qtbot, first, home, monkeypatch):
    monkeypatch.setattr(single_instance, "PATIENCE_S", 0.1)
    assert say(qtbot, home, b'["/half') == b""


def test_a_start_while_the_first_is_ending_takes_its_place(qapp, home):
    ending = FileLock(home / ".window", thread_local=False)
    ending.acquire()
    timer = threading.Timer(0.3, ending.release)
    timer.start()
    instance = claim(home, ())
    timer.join()
    assert instance is not None
    instance.close()
    instance.release()


def test_a_first_that_listens_to_nobody_is_reported(qapp, home, monkeypatch):
    monkeypatch.setattr(single_instance, "PATIENCE_S", 0.3)
    with FileLock(home / ".window"):
        begun = time.monotonic()
        with pytest.raises(WindowNotAnswering):
            claim(home, ())
        assert time.monotonic() - begun < 3


def test_a_data_folder_that_cannot_be_locked_still_gets_a_window(qapp, home, monkeypatch):
    def refuse(self: FileLock) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(FileLock, "acquire", refuse)
    instance = claim(home, ())
    assert instance is not None
    instance.close()
    instance.release()


@posix
def test_a_socket_that_somebody_else_made_is_not_spoken_to(home, monkeypatch):
    file = home / "socket"
    file.touch()
    assert single_instance._is_ours(str(file))
    monkeypatch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
    assert not single_instance._is_ours(str(file))
    assert not single_instance._is_ours(str(home / "没有"))


@posix
def test_one_data_folder_has_one_address_whatever_it_is_called(home, tmp_path):
    (tmp_path / "捷径").symlink_to(home, target_is_directory=True)
    address = single_instance._address(home)
    assert single_instance._address(tmp_path / "捷径") == address
    assert single_instance._address(tmp_path / "别家") != address
    assert len(os.fsencode(address)) < 100

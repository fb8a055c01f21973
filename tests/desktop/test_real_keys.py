"""The program as a person meets it: its own process on an X server of its own, Chinese typed key by key.

Runs wherever Xvfb and xdotool are. ``ZHIYE_PICTURES`` names a folder in which its pictures are kept.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

import resources

QUESTION = "出差住宿标准是多少"
SIZE = (1440, 900)
PATIENCE_S = 120.0
PICTURE_TOOLS = (("import", "-window", "root"), ("scrot", "--overwrite"))

pytestmark = [
    pytest.mark.embedder,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not all(map(shutil.which, ("Xvfb", "xdotool"))), reason="needs an X server and somebody who types"
    ),
]


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    """An X server with one screen of 1440 × 900, with a window manager where there is one."""
    read, write = os.pipe()
    screen = f"{SIZE[0]}x{SIZE[1]}x24"
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"],
        pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        name = f":{told.readline().strip()}"
    managers = [
        subprocess.Popen([found], env={**os.environ, "DISPLAY": name}, stderr=subprocess.DEVNULL)
        for found in [shutil.which("openbox")]
        if found
    ]
    yield name
    for process in (*managers, server):
        process.terminate()
        process.wait(10)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def program(display: str, home: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The window over a copy of the sample documents, without a chat model."""
    samples = tmp_path / "示例 资料"
    shutil.copytree(resources.path("samples"), samples)
    dropped = ("QT_IM_MODULE", "QT_IM_MODULES", "XMODIFIERS", "WAYLAND_DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment |= {
        "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "ZHIYE_MODELS": str(tmp_path / "none"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_RUNTIME_DIR": str(tmp_path),
    }  # fmt: skip
    with (tmp_path / "stderr.txt").open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "desktop", "--home", str(home), "--language", "zh", str(samples)],
            env=environment, stderr=stderr, cwd=Path(__file__).parents[2],
        )  # fmt: skip
        yield process
        if process.poll() is None:
            process.kill()
        process.wait(10)


def xdotool(display: str, *words: str) -> str:
    done = subprocess.run(
        ["xdotool", *words], env={**os.environ, "DISPLAY": display, "LC_ALL": "C.UTF-8"}, check=True,
        capture_output=True,
        encoding="utf-8", timeout=60,
    )  # fmt: skip
    return done.stdout.strip()


def wait_until(holds: Callable[[], bool], program: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert program.poll() is None, "the program has ended"
        assert time.monotonic() < deadline
        time.sleep(0.1)


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    """What the database says now; nothing while it is not there."""
    if not file.exists():
        return []
    try:
        database = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()
    except sqlite3.OperationalError:
        return []


def indexed(home: Path) -> int:
    found = list(home.glob("libraries/*/library.sqlite"))
    query = "SELECT count(*) FROM documents WHERE state = 'indexed'"
    return sum(int(str(count)) for file in found for (count,) in rows(file, query))


def picture(display: str, folder: Path, name: str) -> QImage | None:
    """The whole screen; None where no program can take a picture of it."""
    file = Path(os.environ.get("ZHIYE_PICTURES", folder)) / f"{name}.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    for tool in PICTURE_TOOLS:
        if shutil.which(tool[0]):
            subprocess.run([*tool, str(file)], env={**os.environ, "DISPLAY": display}, check=True)
            return QImage(str(file))
    return None


def assert_not_broken(image: QImage | None) -> None:
    """Its size, something in each third of it, and calm ground in between, none of it all."""
    if image is None:
        return
    assert (image.width(), image.height()) == SIZE
    for third in range(3):
        left = third * SIZE[0] // 3
        colours = Counter(
            image.pixel(x, y) for x in range(left, left + SIZE[0] // 3, 3) for y in range(0, SIZE[1], 3)
        )
        ground = colours.most_common(1)[0][1] / colours.total()
        assert 0.25 < ground < 0.99, (third, ground)
        assert len(colours) > 12, (third, len(colours))


def test_a_person_types_chinese_finds_passages_and_closes_the_window(program, display, home, tmp_path):
    xdotool(display, "search", "--sync", "--onlyvisible", "--pid", str(program.pid))
    documents = sum(1 for _ in resources.path("samples").glob("*.*"))
    wait_until(lambda: indexed(home) >= documents, program)
    time.sleep(1.5)
    assert_not_broken(picture(display, tmp_path, "1-indexed"))
    (window, *_) = xdotool(
        display, "search", "--onlyvisible", "--pid", str(program.pid), "--name", "知页"
    ).split()
    xdotool(display, "windowactivate" if shutil.which("openbox") else "windowfocus", "--sync", window)
    xdotool(display, "type", "--delay", "150", QUESTION)
    time.sleep(0.5)
    assert_not_broken(picture(display, tmp_path, "2-typed"))
    xdotool(display, "key", "ctrl+Return")
    asked = "SELECT question FROM runs"
    wait_until(lambda: bool(rows(home / "history.sqlite", asked)), program)
    assert rows(home / "history.sqlite", asked) == [(QUESTION,)]
    time.sleep(1.0)
    assert_not_broken(picture(display, tmp_path, "3-passages"))
    if shutil.which("openbox"):
        xdotool(display, "key", "--clearmodifiers", "alt+F4")
        assert program.wait(20) == 0
        assert b"Traceback" not in (tmp_path / "stderr.txt").read_bytes()

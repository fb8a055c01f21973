"""A reader for the parsing process that does what the file's name says."""

import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.config import Settings
from engine.documents import FileState, Page, Reason
from engine.intake.messages import PageRead, ReadDone, ReadFile, ReadMessage


def answer(request: ReadFile, settings: Settings) -> Iterator[ReadMessage]:
    path = request.path
    if path.stem == "毒":
        os._exit(139)
    if path.stem == "段错误":
        os.kill(os.getpid(), signal.SIGSEGV)
    if path.stem == "死循环":
        yield PageRead(Page(1, "第一页"))
        while True:
            time.sleep(10)
    if path.stem == "慢":
        for number in range(1, 6):
            time.sleep(0.3)
            yield PageRead(Page(number, "页"))
    if path.stem == "大":
        held = []
        while True:
            held.append(b"x" * (8 << 20))
            time.sleep(0.02)
    if path.stem == "联网":
        try:
            socket.create_connection(("192.0.2.7", 80), timeout=1)
        except Exception as exc:
            yield ReadDone(FileState.DAMAGED, Reason(type(exc).__name__))
            return
    if path.stem == "原生":
        yield ReadDone(FileState.INDEXED, Reason("hash", _bounds(path)))
        return
    print("qt" if any("PySide" in name for name in sys.modules) else "", end="")
    yield ReadDone(FileState.INDEXED, Reason(request.content_hash, {"pid": os.getpid()}))


def _bounds(path: Path) -> dict[str, object]:
    """What the system lets this process do beside the file, and its limits."""
    import resource

    return {
        "socket": _outcome(lambda: socket.socket().close()),
        "beside": _outcome(lambda: path.with_name("neu").write_bytes(b"x")),
        "inside": _outcome(lambda: Path(tempfile.gettempdir(), "neu").write_bytes(b"x")),
        "temporary": tempfile.gettempdir(),
        "core": resource.getrlimit(resource.RLIMIT_CORE)[1],
        "files": resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        "largest": resource.getrlimit(resource.RLIMIT_FSIZE)[1],
    }


def _outcome(work: Callable[[], object]) -> str:
    try:
        work()
    except OSError as exc:
        return type(exc).__name__
    return "written"

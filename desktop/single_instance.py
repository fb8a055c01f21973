"""One window for each data folder: a second start hands its folders to the first window and ends.

Who holds the lock file in the data folder is the first; a crash gives it up. The others reach the first
through a local socket that only this user may open.
"""

import getpass
import hashlib
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock, Timeout
from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from engine.errors import WindowNotAnswering

PATIENCE_S = 6.0
"""How long a second start waits: the first may be about to end, and the second then takes its place."""

_LONGEST_MESSAGE = 4 << 20
_MOST_PATHS = 10_000
_TAKEN = b"taken\n"
_POLL_S = 0.1
_log = logging.getLogger(__name__)


class FirstInstance(QObject):
    """Listens for later starts while the window is open.

    Signals:
        summoned(object): the program was started again with these folders and files, a tuple of Path.
    """

    summoned = Signal(object)

    def __init__(self, home: Path, lock: FileLock | None) -> None:
        super().__init__()
        self._lock = lock
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        if lock is not None:
            # The lock is ours, so whoever left a socket of this name is gone.
            QLocalServer.removeServer(_address(home))
        if not self._server.listen(_address(home)):
            _log.warning("later starts cannot reach this window: %s", self._server.errorString())

    def close(self) -> None:
        """Listen no more; the next start waits for :meth:`release` or the end of this process."""
        self._server.close()

    def release(self) -> None:
        """Let the next start be the first."""
        if self._lock is not None:
            self._lock.release()

    @Slot()
    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.setReadBufferSize(_LONGEST_MESSAGE)
            socket.readyRead.connect(self._on_ready)
            socket.disconnected.connect(socket.deleteLater)
            QTimer.singleShot(int(PATIENCE_S * 1000), socket, socket.abort)

    @Slot()
    def _on_ready(self) -> None:
        socket = self.sender()
        if not isinstance(socket, QLocalSocket):
            return
        if socket.canReadLine():
            paths = _read(bytes(socket.readLine().data()))
            if paths is None:
                _log.warning("a message that is not from another window was dropped")
                socket.abort()
                return
            socket.write(_TAKEN)
            socket.disconnectFromServer()
            self.summoned.emit(paths)
        elif socket.bytesAvailable() >= _LONGEST_MESSAGE:
            socket.abort()


def claim(home: Path, folders: Sequence[Path]) -> FirstInstance | None:
    """Be the first window of this data folder; None when there is one, which now has the ``folders``.

    Raises:
        WindowNotAnswering: there is one, and it does not answer.
    """
    lock = FileLock(home / ".window", timeout=0)
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            lock.acquire()
        except Timeout:
            pass
        except (OSError, NotImplementedError) as exc:
            _log.warning("this data folder cannot be locked: %s", exc)
            return FirstInstance(home, None)
        else:
            return FirstInstance(home, lock)
        if _hand_over(home, folders, end):
            return None
        if time.monotonic() > end:
            raise WindowNotAnswering(path=str(home))
        time.sleep(_POLL_S)


def _hand_over(home: Path, folders: Sequence[Path], end: float) -> bool:
    """Send the folders; whether they were taken. Waits until ``end`` (monotonic) for somebody who listens."""
    address = _address(home)
    if not _is_ours(address):
        return False
    _let_come_forward()
    socket = QLocalSocket()
    socket.connectToServer(address)
    if not socket.waitForConnected(int(_POLL_S * 1000)):
        return False
    socket.write(json.dumps([str(folder.absolute()) for folder in folders]).encode("ascii") + b"\n")
    answer = b""
    while not answer.endswith(b"\n"):
        rest_ms = int((end - time.monotonic()) * 1000)
        if rest_ms <= 0 or not socket.waitForReadyRead(rest_ms):
            break
        answer += socket.readAll().data()
    return answer == _TAKEN


def _is_ours(address: str) -> bool:
    """Whether the socket is this user's: anybody may make one of this name in a folder for all."""
    if not hasattr(os, "getuid"):
        return True  # Windows asks when it is opened
    try:
        return Path(address).stat().st_uid == os.getuid()
    except OSError:
        return False


def _let_come_forward() -> None:
    """Windows lets only the program in front bring another window to the front, unless it allows so."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)


def _read(line: bytes) -> tuple[Path, ...] | None:
    """The paths of a message; None when it is anything but a list of absolute paths."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or len(found) > _MOST_PATHS:
        return None
    if not all(isinstance(path, str) and "\0" not in path and Path(path).is_absolute() for path in found):
        return None
    return tuple(map(Path, found))


def _address(home: Path) -> str:
    """The socket of one data folder and user, in a folder that is this user's own where there is one.

    Not in the data folder: a Unix socket's path has about a hundred bytes.
    """
    user = str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()
    place = os.path.normcase(os.path.realpath(home))
    name = "zhiye-" + hashlib.sha256(f"{user}\0{place}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
    if sys.platform == "win32":
        return name
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir(), name))

"""The log: for support, never for surveillance. No question, answer or passage above DEBUG."""

import io
import logging
import logging.handlers
import sqlite3
import sys
import threading
from contextlib import suppress
from types import TracebackType

from engine.crash import positions
from engine.errors import CodedError
from engine.paths import Home

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_HANDLER = "zhiye"

FILE = "zhiye.log"


class _Formatter(logging.Formatter):
    """Writes of an exception where it arose, and not its message: that may quote a document."""

    def format(self, record: logging.LogRecord) -> str:
        # Whoever wrote the record before left the whole of the exception in it.
        before, record.exc_text = record.exc_text, None
        try:
            return super().format(record)
        finally:
            record.exc_text = before

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        if ei[1] is None:
            return ""
        return "\n".join(positions.of_exception(ei[1], _detail))


def _detail(error: BaseException) -> str:
    """What of an exception never comes from a document or a question."""
    if isinstance(error, CodedError):
        return error.code
    if isinstance(error, OSError):
        return f"{error.errno}: {error.strerror}" if error.errno else ""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorname", "")
    return ""


def set_up(home: Home, *, debug: bool = False) -> None:
    """Log to ``<home>/logs/zhiye.log`` (three files of 1 MB); a home that cannot be written is no error.

    Called again, it takes the place of the log before.
    """
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if handler.get_name() == _HANDLER]:
        root.removeHandler(old)
        old.close()
    try:
        home.logs.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            home.logs / FILE, maxBytes=1_000_000, backupCount=2, encoding="utf-8"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.set_name(_HANDLER)
    handler.setFormatter(logging.Formatter(_FORMAT) if debug else _Formatter(_FORMAT))
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    # Hub and image libraries chatter about files they open.
    for name in ("sentence_transformers", "transformers", "urllib3", "PIL", "markdown_it"):
        logging.getLogger(name).setLevel(logging.WARNING)


def clear(home: Home) -> None:
    """Empty the log; the program goes on writing to it. A file that cannot be changed stays as it is."""
    for handler in logging.getLogger().handlers:
        if handler.get_name() == _HANDLER and isinstance(handler, logging.FileHandler):
            with suppress(OSError):
                handler.acquire()
                try:
                    if handler.stream is not None:
                        handler.stream.truncate(0)
                finally:
                    handler.release()
    for file in home.logs.glob(f"{FILE}.*"):
        with suppress(OSError):
            file.unlink()


class _LogStream(io.TextIOBase):
    """A stand-in for the streams a windowed build does not have: writes go to the log."""

    def __init__(self, level: int) -> None:
        self._level = level
        self._inside = threading.local()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        # A log that cannot be written complains on this stream: that must not be logged in turn.
        if text.strip() and not getattr(self._inside, "writing", False):
            self._inside.writing = True
            try:
                logging.getLogger("stream").log(self._level, "%s", text.rstrip())
            finally:
                self._inside.writing = False
        return len(text)


def ensure_streams() -> None:
    """Give a process without a console streams that can be written, before anything prints to them."""
    if sys.stdout is None:
        sys.stdout = _LogStream(logging.INFO)
    if sys.stderr is None:
        sys.stderr = _LogStream(logging.WARNING)

"""The log: for support, never for surveillance. No question, answer or passage above DEBUG."""

import io
import logging
import logging.handlers
import sys

from engine.paths import Home

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def set_up(home: Home, *, debug: bool = False) -> None:
    """Log to ``<home>/logs/zhiye.log`` (three files of 1 MB); a home that cannot be written is no error."""
    root = logging.getLogger()
    try:
        home.logs.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            home.logs / "zhiye.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    # Hub and image libraries chatter about files they open.
    for name in ("sentence_transformers", "transformers", "urllib3", "PIL", "markdown_it"):
        logging.getLogger(name).setLevel(logging.WARNING)


class _LogStream(io.TextIOBase):
    """A stand-in for the streams a windowed build does not have: writes go to the log."""

    def __init__(self, level: int) -> None:
        self._level = level

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.strip():
            logging.getLogger("stream").log(self._level, "%s", text.rstrip())
        return len(text)


def ensure_streams() -> None:
    """Give a process without a console streams that can be written, before anything prints to them."""
    if sys.stdout is None:
        sys.stdout = _LogStream(logging.INFO)
    if sys.stderr is None:
        sys.stderr = _LogStream(logging.WARNING)

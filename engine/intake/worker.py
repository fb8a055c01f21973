"""The parsing process: reads one file after the other for its parent, and dies for it if need be."""

from engine import seal

seal.install()

import contextlib  # noqa: E402 - the seal comes before anything else
import ctypes  # noqa: E402
import gc  # noqa: E402
import importlib  # noqa: E402
import logging  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402
from multiprocessing.connection import Connection  # noqa: E402

import psutil  # noqa: E402

from engine.config import Settings  # noqa: E402

log = logging.getLogger(__name__)


_PR_SET_PDEATHSIG = 1

_HARD_LIMIT = 1.5
"""Share of ``file_memory_mb`` at which the system refuses memory, where the parent's watch was too late."""


def serve(connection: Connection, settings: Settings, reader: str) -> None:
    """Send what ``reader``'s ``answer`` says to each request, until one is None.

    ``reader`` is a module's name: functions of a test could not be handed to a spawned process.
    """
    seal.install()
    # Ctrl-C in a terminal reaches every process of the group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_modest(settings)
    # Without a handler Python would print warnings, and with them pieces of documents, to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    module = importlib.import_module(reader)
    # Characters and boxes by the hundred thousand, none of them in a cycle: with Python's own thresholds a
    # fifth of the time goes into looking for some (66 instead of 83 pages a second of a dense report).
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        while (request := connection.recv()) is not None:
            for message in module.answer(request, settings):
                connection.send(message)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        log.debug("the parent has gone")


def _be_modest(settings: Settings) -> None:
    """Give way to everything a person waits for, and never take all memory."""
    process = psutil.Process()
    with contextlib.suppress(psutil.Error, OSError):
        # 0x4000 is Windows' BELOW_NORMAL_PRIORITY_CLASS, which psutil knows there only.
        process.nice(0x4000 if sys.platform == "win32" else 5)
    if sys.platform.startswith("linux"):
        import resource

        # A child that stands still for a question never sees that its parent has crashed meanwhile.
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        limit = int(settings.file_memory_mb * _HARD_LIMIT) << 20
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

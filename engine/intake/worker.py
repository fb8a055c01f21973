"""The parsing process: reads one file after the other for its parent, and dies for it if need be."""

from engine import seal

seal.install()

import gc  # noqa: E402 - the seal comes before anything else
import importlib  # noqa: E402
import logging  # noqa: E402
import signal  # noqa: E402
from multiprocessing.connection import Connection  # noqa: E402

from engine.config import Settings  # noqa: E402
from engine.intake import confinement, scratch  # noqa: E402

log = logging.getLogger(__name__)


def serve(connection: Connection, settings: Settings, reader: str, folders: scratch.Scratch) -> None:
    """Send what ``reader``'s ``answer`` says to each request, until one is None.

    ``reader`` is a module's name: functions of a test could not be handed to a spawned process. Attempts to
    leave this machine are told of before the message that follows them.
    """
    seal.install()
    # Ctrl-C in a terminal reaches every process of the group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    scratch.use(folders)
    confinement.be_modest(settings)
    confinement.confine(folders)
    # Without a handler Python would print warnings, and with them pieces of documents, to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    module = importlib.import_module(reader)
    # Characters and boxes by the hundred thousand, none of them in a cycle: with Python's own thresholds a
    # fifth of the time goes into looking for some (66 instead of 83 pages a second of a dense report).
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    told = 0
    try:
        while (request := connection.recv()) is not None:
            for message in module.answer(request, settings):
                for attempt in seal.attempts()[told:]:
                    told += 1
                    connection.send(attempt)
                connection.send(message)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        log.debug("the parent has gone")

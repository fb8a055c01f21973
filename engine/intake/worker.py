"""The parsing process: reads one file after the other for its parent, and dies for it if need be."""

from engine import seal

seal.install()

import importlib  # noqa: E402 - the seal comes before anything else
import logging  # noqa: E402
import signal  # noqa: E402
from multiprocessing.connection import Connection  # noqa: E402

from engine.config import Settings  # noqa: E402

log = logging.getLogger(__name__)


def serve(connection: Connection, settings: Settings, reader: str) -> None:
    """Send what ``reader``'s ``answer`` says to each request, until one is None.

    ``reader`` is a module's name: functions of a test could not be handed to a spawned process.
    """
    seal.install()
    # Ctrl-C in a terminal reaches every process of the group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Without a handler Python would print warnings, and with them pieces of documents, to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    module = importlib.import_module(reader)
    try:
        while (request := connection.recv()) is not None:
            for message in module.answer(request, settings):
                connection.send(message)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        log.debug("the parent has gone")

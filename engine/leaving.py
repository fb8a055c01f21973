"""The end of a program whose engine does not end in time."""

import contextlib
import logging
import sqlite3

import psutil

from engine.paths import Home

_log = logging.getLogger(__name__)

_PATIENCE_S = 0.2


def prepare(home: Home) -> None:
    """Make ready for an end without ceremony: no child process goes on, and no file is blamed for it.

    The engine may be inside a call of several seconds (embedding, loading a model) with a file in hand.
    What ends the program then is the person who closed it; at the next start that file would be taken for
    the culprit and set aside.
    """
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            child.kill()
    for file in home.libraries.glob("*/library.sqlite"):
        try:
            with contextlib.closing(sqlite3.connect(file, timeout=_PATIENCE_S)) as db, db:
                db.execute("DELETE FROM work")
        except sqlite3.Error as exc:
            _log.warning("the file in work could not be taken back: %s", exc)

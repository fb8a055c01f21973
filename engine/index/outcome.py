"""How the last sync of a library ended, kept in it; and its typed errors."""

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime

from engine.errors import CodedError
from engine.index import particulars
from engine.index.database import storage_error
from engine.index.library import Library
from engine.standing import SyncError

_FACT = "last_error"

_log = logging.getLogger(__name__)


@contextmanager
def noted(library: Library) -> Iterator[None]:
    """Around a sync: keeps the error that ended it, forgets it when there is none; a stop changes nothing.

    Raises:
        StorageFailed, LibraryDamaged: what SQLite or the system raised, with the library's file.
    """
    try:
        yield
        if library.meta(_FACT):
            library.set_meta(_FACT, "")
    except CodedError as exc:
        _keep(library, exc)
        raise
    except (sqlite3.DatabaseError, OSError) as exc:
        error = storage_error(exc, library.file)
        _keep(library, error)
        raise error from exc
    finally:
        particulars.note(library)


def _keep(library: Library, error: CodedError) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    found = SyncError(now, error.code, error.params)
    try:
        library.set_meta(_FACT, json.dumps(asdict(found), ensure_ascii=False, default=str))
    except (CodedError, sqlite3.DatabaseError) as exc:  # a full disk has no room for it either
        _log.info("the error of a sync was not kept: %s", exc)


def last_error(library: Library) -> SyncError | None:
    """What ended the last sync; None when it went well."""
    try:
        return SyncError(**json.loads(library.meta(_FACT)))
    except (ValueError, TypeError):
        return None

"""All libraries and saved runs copied into one folder, while the program may go on writing.

Each backup is a folder of its own, ``zhiye-backup-`` and the time, inside the one that people name. It gets
its name when it is whole; until then it is a draft. Model files are not in it, nor index.faiss, which is made
from library.sqlite.
"""

import logging
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine import shelf
from engine.backup.database_copies import copy_database, fault, sha256, version_and_name
from engine.cancel import CancelToken
from engine.commands import BackUp
from engine.drafts import drafting, ensure_space, settle
from engine.errors import BackupInvalid, BackupTooNew, LibraryDamaged
from engine.events import BackedUp, Event, StepProgress
from engine.history import schema as history_schema
from engine.index import migrations
from engine.index.replacing import write_file
from engine.steps import in_thread
from engine.version import program_version
from engine.workspace import Workspace

PREFIX = "zhiye-backup-"
MANIFEST, HISTORY, LIBRARY = "backup.json", "history.sqlite", "library.sqlite"

FORMAT: Final = 1

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Copy(_Strict):
    """A database in a backup: bytes, SHA-256, and the version of its schema."""

    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z")]
    schema_version: Annotated[int, Field(ge=0)]


class LibraryCopy(Copy):
    """``id`` is the name of the library's folder, in the home and in the backup."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{12}\z")]
    name: Annotated[str, Field(min_length=1)]


class _Version(BaseModel):
    """What can be read of a backup of any version."""

    format: int
    program: str


class Manifest(_Strict):
    """What a backup holds; ``made_at`` is ISO 8601 in UTC."""

    format: Literal[1]
    program: str
    made_at: str
    libraries: list[LibraryCopy]
    history: Copy | None

    @property
    def size(self) -> int:
        """Bytes of everything in it."""
        return sum(copy.size for copy in (*self.libraries, *filter(None, [self.history])))


def library_file(folder: Path, library_id: str) -> Path:
    """Where a library lies in a backup."""
    return folder / "libraries" / library_id / LIBRARY


def back_up(command: BackUp, workspace: Workspace, token: CancelToken) -> Iterator[Event | None]:
    """Copy everything, each database as it is at one moment.

    A database that is damaged, or was made by a newer program, is left out, and said to be.

    Raises:
        NoSpace, StorageFailed: there is no new backup; earlier ones are untouched.
    """
    return _Backup(command, workspace, token).run()


class _Backup:
    def __init__(self, command: BackUp, workspace: Workspace, token: CancelToken) -> None:
        self._place, self._task_id, self._token = command.folder.absolute(), command.task_id, token
        home = workspace.home
        self._libraries = [item for item in sorted(home.libraries.iterdir()) if shelf.is_library(item)]
        self._history = home.history if home.history.exists() else None
        self._needed = sum(_bytes(item / LIBRARY) for item in self._libraries) + _bytes(home.history)
        self._left_out: list[str] = []
        self._done = 0

    def run(self) -> Iterator[Event | None]:
        ensure_space(self._place, self._needed)
        with drafting(self._place) as draft:
            made = draft / "backup"
            libraries, history = [], None
            for folder in self._libraries:
                target = library_file(made, folder.name)
                if (copied := (yield from self._copy(folder / LIBRARY, target, migrations.STEPS))) is None:
                    self._left_out.append(folder.name)
                else:
                    copy, name = copied
                    libraries.append(LibraryCopy(**copy.model_dump(), id=folder.name, name=name or ""))
            if self._history is not None:
                copied = yield from self._copy(self._history, made / HISTORY, history_schema.STEPS)
                if copied is None:
                    self._left_out.append(HISTORY)
                else:
                    history = copied[0]
            manifest = Manifest(
                format=FORMAT,
                program=program_version(),
                made_at=datetime.now(UTC).isoformat(timespec="seconds"),
                libraries=libraries,
                history=history,
            )
            write_file(made / MANIFEST, manifest.model_dump_json(indent=1).encode("utf-8"))
            folder = self._free_folder()
            settle(made, folder)
        yield BackedUp(
            self._task_id,
            folder,
            tuple(copy.name for copy in libraries),
            manifest.size,
            tuple(self._left_out),
        )

    def _copy(
        self, source: Path, target: Path, steps: tuple[object, ...]
    ) -> Generator[Event | None, None, tuple[Copy, str | None] | None]:
        """Copy and check one database; None for one that a restore would refuse, of which nothing is left."""
        try:
            yield from self._said(in_thread(partial(copy_database, source, target, self._token)), target)
            problem = yield from self._said(in_thread(partial(fault, target, self._token)), target)
        except LibraryDamaged as exc:
            problem = str(exc)
        version, name = version_and_name(target) if problem is None else (0, None)
        if name == "":
            problem = "a library without a name"
        if problem is not None or version > len(steps):
            _log.warning("left out of the backup: %s", problem or f"schema {version}")
            target.unlink(missing_ok=True)
            return None
        digest = yield from self._said(in_thread(partial(sha256, target, self._token)), target)
        self._done += target.stat().st_size
        return Copy(size=target.stat().st_size, sha256=digest, schema_version=version), name

    def _said(self, steps: Generator[None, None, _T], target: Path) -> Generator[Event | None, None, _T]:
        """The steps as progress in bytes; returns what they return."""
        try:
            while True:
                next(steps)
                done = min(self._done + _bytes(target), self._needed)
                yield StepProgress(self._task_id, "progress_backup", done >> 20, self._needed >> 20)
        except StopIteration as end:
            result: _T = end.value
            return result
        finally:
            steps.close()

    def _free_folder(self) -> Path:
        name = PREFIX + datetime.now(UTC).astimezone().strftime("%Y%m%d-%H%M%S")
        candidates = (self._place / (name if n == 1 else f"{name}-{n}") for n in count(1))
        return next(folder for folder in candidates if not folder.exists())


def find(folder: Path) -> tuple[Path, Manifest]:
    """The backup in this folder, or the last one of those inside it, with what it holds.

    Raises:
        BackupInvalid: there is none that is whole.
        BackupTooNew: a newer program made it.
    """
    inside = sorted(folder.glob(PREFIX + "*"), reverse=True)
    found = next((item for item in (folder, *inside) if (item / MANIFEST).is_file()), None)
    if found is None:
        raise BackupInvalid(path=str(folder), detail=MANIFEST)
    try:
        data = (found / MANIFEST).read_bytes()
        about = _Version.model_validate_json(data)
        if about.format > FORMAT:
            raise BackupTooNew(path=str(found), program=about.program)
        manifest = Manifest.model_validate_json(data)
    except (OSError, ValidationError) as exc:
        raise BackupInvalid(path=str(found / MANIFEST), detail=type(exc).__name__) from exc
    newest = max((copy.schema_version for copy in manifest.libraries), default=0)
    history = manifest.history.schema_version if manifest.history else 0
    if newest > len(migrations.STEPS) or history > len(history_schema.STEPS):
        raise BackupTooNew(path=str(found), program=manifest.program)
    return found, manifest


def _bytes(file: Path) -> int:
    """Bytes of a database with its log; 0 for one that is not there (yet)."""
    parts = (file, file.with_name(file.name + "-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())

"""The data folder moves to another disk: copied, compared, and only then used.

The copy is put together in a draft beside its place, so a half one is never taken for a whole. When it has
its name, the note of the new place (:func:`engine.paths.note_place`) is what decides: until it is written the
old folder counts, and afterwards the new one, so a crash on the way loses nothing. The old one is deleted at
the next start from the new one.
"""

import hashlib
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from engine import drafts, paths
from engine.backup.database_copies import copy_database
from engine.cancel import CancelToken
from engine.errors import HomeFixed, HomeTargetInvalid, StorageFailed
from engine.events import Event, StepProgress
from engine.history import wiping
from engine.paths import Home
from engine.privacy import places
from engine.privacy.messages import HomeMoved, MoveHome
from engine.shelf import FolderLock
from engine.workspace import Workspace

_BLOCK = 4 << 20
_MEGABYTE = 1_000_000
_ROOM = 64 * _MEGABYTE

_log = logging.getLogger(__name__)


def can_move(home: Home) -> bool:
    """Whether the place of this home is the program's to choose."""
    return home == paths.home() and not os.environ.get("ZHIYE_HOME")


def move(command: MoveHome, workspace: Workspace, token: CancelToken) -> Iterator[Event | None]:
    """Copy, compare, switch; ends with HomeMoved. What is written to the old folder afterwards is lost.

    Raises:
        HomeFixed, HomeTargetInvalid, NoSpace: nothing was copied.
        LibraryBusy: a library is being written to; nothing was copied.
        StorageFailed: the copy could not be made or is not as the original; the old folder stays in use.
        Cancelled: the same.
    """
    home, target = workspace.home, command.target.expanduser().absolute()
    if not can_move(home):
        raise HomeFixed(path=str(home.root))
    _check(home.root, target)
    with ExitStack() as held:
        for name in workspace.libraries.names():
            library = workspace.libraries.open(name)
            held.enter_context(FolderLock(library.folder, name))
            wiping.empty_log(library.db)
        files = list(_files(home))
        size = sum(file.stat().st_size for file in files)
        drafts.ensure_space(target, size + _ROOM)
        draft = held.enter_context(drafts.drafting(target.parent))
        copy = draft / "data"
        copy.mkdir(mode=0o700)
        done = 0
        for file in files:
            for count in _copy(file, copy / file.relative_to(home.root)):
                token.check()
                done += count
                yield StepProgress(
                    command.task_id, "progress_move", done // (2 * _MEGABYTE), size // _MEGABYTE
                )
        _copy_history(home, workspace, copy)
        drafts.settle(copy, target)
    paths.note_place(target, home.root)
    yield HomeMoved(command.task_id, target, size)


def remove_left_behind(home: Home) -> None:
    """Delete the folder that this one was moved from, once the program has started here."""
    place = paths.left_behind()
    if place is None or not can_move(home) or place == home.root:
        return
    old = Home(place)
    for entry in (*places.all_entries(old), old.root / "models", old.root / ".window"):
        with suppress(OSError):
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink(missing_ok=True)
    with suppress(OSError):
        old.root.rmdir()  # where nothing else is in it
    with suppress(OSError):
        paths.note_place(home.root)


def _check(root: Path, target: Path) -> None:
    old, new = root.resolve(), target.resolve()
    if new == old or old in new.parents or new in old.parents:
        raise HomeTargetInvalid(path=str(target))
    try:
        if target.exists() and any(target.iterdir()):
            raise HomeTargetInvalid(path=str(target))
    except OSError as exc:
        raise StorageFailed(path=str(target), detail=exc.strerror or str(exc)) from exc


def _files(home: Home) -> Iterator[Path]:
    """What is copied file by file: all but locks, and the history, which may grow meanwhile."""
    entries = [entry for entry in places.all_entries(home) if not entry.name.startswith("history.sqlite")]
    for entry in (*entries, home.root / "models"):
        for file in [entry] if entry.is_file() else sorted(entry.rglob("*")):
            is_lock = file.name in (".writing", "lock") or file.name.endswith((".lock", "-shm"))
            if file.is_file() and not file.is_symlink() and not is_lock:
                yield file


def _copy(source: Path, target: Path) -> Iterator[int]:
    """Copy a file and read the copy again; yields the bytes that were copied or read."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        there = hashlib.sha256()
        with source.open("rb") as old, target.open("xb") as new:
            while block := old.read(_BLOCK):
                there.update(block)
                new.write(block)
                yield len(block)
            new.flush()
            os.fsync(new.fileno())
        here = hashlib.sha256()
        with target.open("rb") as new:
            while block := new.read(_BLOCK):
                here.update(block)
                yield len(block)
        shutil.copystat(source, target)
    except OSError as exc:
        raise StorageFailed(path=str(target), detail=exc.strerror or str(exc)) from exc
    if here.digest() != there.digest():
        raise StorageFailed(path=str(target), detail="the copy differs")


def _copy_history(home: Home, workspace: Workspace, copy: Path) -> None:
    """The history as it is now."""
    with suppress(FileNotFoundError):
        if home.history.stat().st_size:
            workspace.runs.thread_count()  # brings an old file up to date first
            copy_database(home.history, copy / home.history.name, CancelToken())

"""A backup put into this home: all of it is copied and checked before anything here changes."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from engine import shelf
from engine.backup.database_copies import copy_file, fault
from engine.backup.making import HISTORY, LIBRARY, Copy, LibraryCopy, Manifest, find, library_file
from engine.cancel import CancelToken
from engine.commands import Restore
from engine.drafts import drafting, ensure_space, settle
from engine.errors import (
    BackupInvalid,
    CodedError,
    LibraryDamaged,
    LibraryNameTaken,
    LibraryNewer,
    StorageFailed,
)
from engine.events import Event, Restored, StepProgress
from engine.index import particulars
from engine.index.library import Library
from engine.runs import Runs
from engine.steps import in_thread
from engine.workspace import Workspace

KEPT_ASIDE = "kept-aside"
"""Folder in the home for damaged libraries that a backup took the place of."""


def restore(command: Restore, workspace: Workspace, token: CancelToken) -> Iterator[Event | None]:
    """Put the libraries of a backup in their places, and the runs that are not here among those that are.

    A library that is damaged here gives way; it is kept aside, never deleted.

    Raises:
        BackupInvalid, BackupTooNew, LibraryNameTaken, NoSpace, StorageFailed: nothing here has changed.
    """
    return _Restore(command, workspace, token).run()


class _Restore:
    def __init__(self, command: Restore, workspace: Workspace, token: CancelToken) -> None:
        self._folder, self._task_id = command.folder.absolute(), command.task_id
        self._workspace, self._token = workspace, token
        self._place = workspace.home.libraries
        self._kept_aside: list[Path] = []

    def run(self) -> Iterator[Event | None]:
        backup, manifest = find(self._folder)
        self._check_names(manifest)
        ensure_space(self._place, manifest.size)
        with drafting(self._place) as draft:
            yield from self._fetch(backup, manifest, draft)
            for copy in manifest.libraries:
                self._check_library(draft / copy.id, copy)
            runs = 0
            with ExitStack() as undo:
                for copy in manifest.libraries:
                    self._put(draft / copy.id, self._place / copy.id, undo)
                if manifest.history is not None:
                    with self._refusing():
                        found = Runs(draft / HISTORY)
                    with closing(found):
                        runs = self._workspace.runs.merge(found)
                undo.pop_all()  # all of it is here
        for copy in manifest.libraries:
            self._workspace.libraries.damaged.pop(copy.id, None)
        names = tuple(copy.name for copy in manifest.libraries)
        yield Restored(self._task_id, backup, names, runs, tuple(self._kept_aside))

    def _check_names(self, manifest: Manifest) -> None:
        """Raises LibraryNameTaken for a library that is here already, by its id or by its name."""
        libraries = self._workspace.libraries
        names = libraries.names()
        damaged = {found for found, error in libraries.damaged.items() if _is_lost(error)}
        stay = {folder.name for folder in self._place.iterdir() if shelf.is_library(folder)} - damaged
        closed = [self._place / found for found in libraries.damaged]
        for copy in manifest.libraries:
            others = [folder for folder in closed if folder.name != copy.id]
            if copy.name in names or copy.id in stay or shelf.closed_folder(copy.name, others) is not None:
                raise LibraryNameTaken(name=copy.name)

    def _fetch(self, backup: Path, manifest: Manifest, draft: Path) -> Iterator[Event | None]:
        """Copy everything into the draft; raises BackupInvalid for what is not as it was written."""
        wanted: list[tuple[Path, Path, Copy]] = [
            (library_file(backup, copy.id), draft / copy.id / LIBRARY, copy) for copy in manifest.libraries
        ]
        if manifest.history is not None:
            wanted.append((backup / HISTORY, draft / HISTORY, manifest.history))
        done = 0
        for source, target, copy in wanted:
            if not source.is_file() or source.stat().st_size != copy.size:
                raise BackupInvalid(path=str(source), detail="size")
            target.parent.mkdir(exist_ok=True)
            yield StepProgress(self._task_id, "progress_restore", done >> 20, manifest.size >> 20)
            digest = yield from in_thread(partial(copy_file, source, target, self._token))
            if digest != copy.sha256:
                raise BackupInvalid(path=str(source), detail="SHA-256")
            if (problem := (yield from in_thread(partial(fault, target, self._token)))) is not None:
                raise BackupInvalid(path=str(source), detail=problem)
            done += copy.size

    def _check_library(self, folder: Path, copy: LibraryCopy) -> None:
        """Open it once, which brings a library of an earlier program up to date; raises BackupInvalid."""
        with self._refusing(), closing(Library(folder, dimension=self._workspace.dimension)) as library:
            if library.name != copy.name:
                raise BackupInvalid(path=str(self._folder), detail=f"{copy.id}: {library.name}")
            if copy.id != shelf.library_id(copy.name):
                shelf.rename(library, copy.name)  # so that its folder says what it is called
            particulars.note(library)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """What cannot be opened although SQLite finds no fault in it is no library, or no history."""
        try:
            yield
        except LibraryDamaged as exc:
            raise BackupInvalid(path=str(self._folder), detail=str(exc)) from exc

    def _put(self, made: Path, target: Path, undo: ExitStack) -> None:
        if target.exists():
            aside = self._workspace.home.root / KEPT_ASIDE / f"{target.name}-{time.time_ns() // 1_000_000}"
            try:
                aside.parent.mkdir(exist_ok=True)
                target.rename(aside)
            except OSError as exc:
                raise StorageFailed(path=str(aside), detail=exc.strerror or str(exc)) from exc
            undo.callback(aside.rename, target)
            self._kept_aside.append(aside)
        settle(made, target)
        undo.callback(target.rename, made)


def _is_lost(error: CodedError) -> bool:
    """Whether what keeps a library from being opened is damage; one of a newer program is whole."""
    return isinstance(error, LibraryDamaged) and not isinstance(error, LibraryNewer)

"""Everything that came from a person is deleted from the data folder: what is left are the model files.

Files are deleted, not overwritten: on the disks of today that would reach other cells than those that held
them. Who has to fear for the disk itself encrypts it as a whole.
"""

import logging
import shutil
from contextlib import ExitStack, suppress
from pathlib import Path

from engine.errors import CodedError, StorageFailed
from engine.privacy import places
from engine.shelf import FolderLock
from engine.workspace import Workspace

_log = logging.getLogger(__name__)


def clear(workspace: Workspace) -> tuple[int, int]:
    """Delete all of it; returns how many libraries and conversations there were.

    Raises:
        LibraryBusy: a library is being written to; nothing has been deleted.
        TeamStoreUnreachable: what a library shares would stay on its server; nothing of it has been deleted.
        StorageFailed: something could not be deleted; what can be, is.
    """
    home = workspace.home
    names, threads = workspace.libraries.names(), 0
    _demand_quiet(workspace, names)
    with suppress(CodedError):  # a damaged history goes with the rest
        threads = workspace.runs.thread_count()
    for name in names:
        workspace.libraries.open(name).drop_team_copy()
    failed: list[Path] = []
    with workspace.closed_storage():
        for entry in list(places.all_entries(home)):
            if entry == home.logs:
                _empty_logs(entry)
            elif not _delete(entry):
                failed.append(entry)
    workspace.take_settings()
    if failed:
        raise StorageFailed(path=str(failed[0]), detail="in use")
    return len(names), threads


def _demand_quiet(workspace: Workspace, names: list[str]) -> None:
    with ExitStack() as locks:
        for name in names:
            library = workspace.libraries.open(name)
            locks.enter_context(FolderLock(library.folder, name))


def _empty_logs(folder: Path) -> None:
    """The file that is being written is emptied where it is, the others go."""
    for handler in logging.getLogger().handlers:
        # It opens its file again with the next line.
        if isinstance(handler, logging.FileHandler) and Path(handler.baseFilename).parent == folder:
            handler.close()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def _delete(entry: Path) -> bool:
    try:
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink(missing_ok=True)
    except OSError as exc:
        _log.warning("%s could not be deleted: %s", entry.name, exc.strerror)
        return False
    return True

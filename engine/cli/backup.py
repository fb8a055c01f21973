"""``zhiye backup DIR`` and ``zhiye restore DIR``: all libraries and saved runs, without the model files."""

import argparse

from engine.backup.making import back_up
from engine.backup.restoring import restore
from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.commands import BackUp, Restore
from engine.errors import LibraryDamaged
from engine.events import BackedUp, Restored
from engine.workspace import Workspace

_MEGABYTE = 1e6


def run_backup(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Make a new backup inside a folder; the exit code is 4 when something damaged had to be left out."""
    command = BackUp(0, options.folder)
    done = console.follow(back_up(command, workspace, CancelToken()), BackedUp)
    record = {
        "backup": str(done.folder),
        "libraries": list(done.libraries),
        "bytes": done.size,
        "left_out": list(done.left_out),
    }
    lines = [
        console.say(
            "backup_made", folder=str(done.folder), count=len(done.libraries),
            size_mb=f"{done.size / _MEGABYTE:.1f}",
        )
    ]  # fmt: skip
    if done.left_out:
        console.note(console.say("backup_left_out", names=done.left_out))
    console.result(record, lines)
    return LibraryDamaged.exit_code if done.left_out else 0


def run_restore(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Put a backup into this home; raises as :func:`engine.backup.restoring.restore`."""
    command = Restore(0, options.folder)
    done = console.follow(restore(command, workspace, CancelToken()), Restored)
    record = {
        "restored": list(done.libraries),
        "runs": done.runs,
        "backup": str(done.folder),
        "kept_aside": [str(folder) for folder in done.kept_aside],
    }
    lines = [
        console.say("backup_restored", folder=str(done.folder), count=len(done.libraries), runs=done.runs),
        *(console.say("damaged_kept_aside", path=str(folder)) for folder in done.kept_aside),
    ]
    console.result(record, lines)
    return 0

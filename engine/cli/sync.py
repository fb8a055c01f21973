"""``zhiye sync [NAME]``: libraries brought up to date with their own folders.

With a name it prints one object, the shape of ``ingest``, and fails as ``ingest`` does. Without a name it
takes every library that is not paused, by name, and prints one object a line: that shape, or ``{"library",
"error"}`` for one that cannot be brought up to date (a folder that is not there, another program writing to
it). Such a library stays as it was and stops no other; the exit code is that of the first of them.
"""

import argparse

from engine import jobs
from engine.cancel import CancelToken
from engine.cli import ingest
from engine.cli.console import Console
from engine.commands import IngestFolders
from engine.errors import CodedError
from engine.events import IngestFinished
from engine.jobs import indexing
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Raises what one named library cannot be brought up to date for."""
    ingest.take_passwords(options.password_file, workspace)
    if options.name is not None:
        result = _sync(options.name, options, workspace, console)
        return ingest.report(result, workspace, console)
    codes = []
    for name in workspace.libraries.names():
        if workspace.libraries.open(name).is_paused:
            console.note(console.say("sync_paused", name=name))
            continue
        try:
            result = _sync(name, options, workspace, console)
        except CodedError as exc:
            codes.append(_say_error(exc, name, console))
        except jobs.STORAGE_ERRORS as exc:
            codes.append(_say_error(jobs.failure(exc, workspace), name, console))
        else:
            codes.append(ingest.report(result, workspace, console))
    for error in workspace.libraries.damaged.values():  # nobody knows their names
        codes.append(_say_error(error, None, console))
    return next((code for code in codes if code > ingest.SOME_FAILED), max(codes, default=0))


def _sync(name: str, options: argparse.Namespace, workspace: Workspace, console: Console) -> IngestFinished:
    known = workspace.libraries.open(name).folders().values()
    folders = tuple(folder for folder in known if folder.is_absolute())
    command = IngestFolders(0, folders, name, options.retry_failed, deep=options.deep)
    return console.follow(indexing.ingest(command, workspace, CancelToken()), IngestFinished)


def _say_error(error: CodedError, name: str | None, console: Console) -> int:
    if console.as_json:
        console.record({"library": name, "error": console.error_record(error)})
    else:
        words = console.say(error.code, **error.params)
        console.note(words if name is None else console.say("sync_failed", name=name, error=words))
    return error.exit_code

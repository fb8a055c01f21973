"""``zhiye libraries [rename A B | pause NAME | resume NAME]``, ``zhiye status`` and ``zhiye remove``."""

import argparse

from engine import jobs
from engine.cli.console import Console
from engine.errors import WrongUse
from engine.events import LibrarySummary
from engine.trace import library_record
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """List the libraries, or change what one is called or whether ``sync`` takes it along.

    Raises:
        WrongUse: no such action, or too few or too many names.
        LibraryUnknown, LibraryNameTaken, LibraryBusy, StorageFailed: nothing has changed.
    """
    match options.words:
        case []:
            return _list(workspace, console)
        case ["rename", old, new]:
            workspace.libraries.rename(old, new)
            record, words = {"renamed": new, "from": old}, console.say("library_renamed", name=new, old=old)
        case ["pause", name]:
            workspace.libraries.open(name).set_paused(True)
            record, words = {"paused": name}, console.say("library_now_paused", name=name)
        case ["resume", name]:
            workspace.libraries.open(name).set_paused(False)
            record, words = {"resumed": name}, console.say("library_resumed", name=name)
        case _:
            raise WrongUse(detail=" ".join(options.words))
    console.result(record, [words])
    return 0


def _list(workspace: Workspace, console: Console) -> int:
    summaries = [jobs.summary(workspace, name) for name in workspace.libraries.names()]
    console.result(
        {"libraries": [library_record(summary) for summary in summaries]},
        [
            console.say("library_line", name=s.name, files=sum(s.counts.values()), chunks=s.chunks)
            for s in summaries
        ],
    )
    return 0


def run_status(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """How one library stands, or all; raises LibraryUnknown, or what keeps a named one from being opened.

    Those that cannot be opened are told of beside the result.
    """
    names = workspace.libraries.names() if options.name is None else [options.name]
    summaries = [jobs.summary(workspace, name) for name in names]
    lines = [line for summary in summaries for line in _status_lines(summary, console)]
    console.result({"libraries": [library_record(summary) for summary in summaries]}, lines)
    if options.name is None:
        for error in workspace.libraries.damaged.values():
            console.note(console.say(error.code, **error.params))
    return 0


def _status_lines(summary: LibrarySummary, console: Console) -> list[str]:
    """The figures, then a line for each folder and each state."""
    lines = [
        console.say(
            "status_line",
            name=summary.name,
            files=sum(summary.counts.values()),
            chunks=summary.chunks,
            size_mb=f"{summary.bytes / 1e6:.1f}",
            model=summary.model,
        ),
        "  " + console.say("status_synced", when=summary.last_sync or "-"),
    ]
    if summary.busy:
        lines.append("  " + console.say("status_busy"))
    if summary.paused:
        lines.append("  " + console.say("status_paused"))
    lines += [f"  {folder}" for folder in summary.folders]
    return lines + [f"  {console.say('state_' + s)}: {n}" for s, n in sorted(summary.counts.items())]


def run_remove(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Delete a library and the runs that quote it; raises as ``Workspace.remove_library``."""
    workspace.remove_library(options.name)
    console.result({"removed": options.name}, [console.say("library_removed", name=options.name)])
    return 0

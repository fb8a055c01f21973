"""``zhiye libraries [rename A B | pause NAME | resume NAME]``, ``zhiye status`` and ``zhiye remove``."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engine import jobs, summaries, team
from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.commands import ChangeLibrary, Command, ForgetFolder, MoveFolder
from engine.errors import CodedError, WrongUse
from engine.index import aliases, particulars
from engine.index.library import Library
from engine.intake.selection import Selection
from engine.standing import LibrarySummary
from engine.trace import library_record
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """List the libraries, or change one: its name, its folders, what is read of them, whether it is synced.

    Raises:
        WrongUse: no such action, or too few or too many names.
        LibraryUnknown, LibraryNameTaken, LibraryBusy, NotReadable, PatternInvalid, FolderTooBroad,
        AliasInvalid, StorageFailed: nothing has changed.
    """
    record: dict[str, Any]
    match options.words:
        case []:
            return _list(workspace, console)
        case ["rename", old, new]:
            workspace.libraries.rename(old, new)
            record, words = {"renamed": new, "from": old}, console.say("library_renamed", name=new, old=old)
        case ["select", name]:
            include, exclude = (
                None if each is None else tuple(each) for each in (options.include, options.exclude)
            )
            change = ChangeLibrary(0, name, include=include, exclude=exclude, hidden=options.hidden)
            _do(workspace, change)
            selection = Selection.of(workspace.libraries.open(name))
            record = {
                "selected": name, "include": list(selection.include), "exclude": list(selection.exclude),
                "hidden": selection.hidden,
            }  # fmt: skip
            words = console.say("library_selected", name=name)
        case ["move", name, folder, now_at]:
            _do(workspace, MoveFolder(0, name, Path(folder), Path(now_at)))
            record, words = {"moved": folder, "to": now_at}, console.say("folder_moved", name=name)
        case ["drop", name, folder]:
            _do(workspace, ForgetFolder(0, name, Path(folder)))
            record, words = {"dropped": folder}, console.say("folder_dropped", path=folder)
        case ["share", name, uri]:
            server = team.share(workspace.libraries.open(name), uri)
            record, words = {"shared": name, "team": server}, console.say(
                "library_shared", name=name, host=server
            )  # fmt: skip
        case ["unshare", name]:
            is_gone = team.unshare(workspace.libraries.open(name))
            record = {"unshared": name, "removed_there": is_gone}
            words = console.say("library_unshared" if is_gone else "library_unshared_left", name=name)
        case ["alias", name, *lines]:
            groups = _alias(workspace.libraries.open(name), lines, forget=options.clear)
            record = {"library": name, "aliases": [list(group) for group in groups]}
            joined = "; ".join(" = ".join(group) for group in groups)
            words = (
                console.say("library_aliases", name=name, groups=joined)
                if groups
                else console.say("library_no_aliases", name=name)
            )
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


def _alias(library: Library, lines: Sequence[str], *, forget: bool) -> tuple[aliases.Group, ...]:
    """Add groups of words to those of a library, or ``forget`` what it has first; raises AliasInvalid."""
    known = () if forget else aliases.read(library.db)
    groups = aliases.joined(known, aliases.parse(lines))
    if groups != aliases.read(library.db):
        library.set_meta(aliases.FACT, aliases.dump(groups))
        particulars.note(library)
    return groups


def _do(workspace: Workspace, command: Command) -> None:
    for _ in jobs.start(command, workspace, CancelToken()):
        pass


def _list(workspace: Workspace, console: Console) -> int:
    found, errors = summaries.of_all(workspace)
    console.result(
        {"libraries": [library_record(summary) for summary in found]},
        [
            console.say("library_line", name=s.name, files=sum(s.counts.values()), chunks=s.chunks)
            for s in found
        ],
    )
    _note(errors, console)
    return 0


def run_status(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """How one library stands, or all; raises LibraryUnknown, or what keeps a named one from being opened.

    Those that cannot be opened are told of beside the result.
    """
    errors: list[CodedError] = []
    if options.name is None:
        found, errors = summaries.of_all(workspace)
    else:
        found = [summaries.of(workspace, options.name)]
    lines = [line for summary in found for line in _status_lines(summary, console)]
    console.result({"libraries": [library_record(summary) for summary in found]}, lines)
    _note(errors, console)
    return 0


def _note(errors: Iterable[CodedError], console: Console) -> None:
    """What keeps libraries from being shown, beside the result."""
    for error in errors:
        console.note(console.say(error.code, **error.params))


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
    if summary.team is not None:
        lines.append("  " + console.say("status_team", host=summary.team))
    if (error := summary.last_error) is not None:
        words = console.say(error.code, **error.params)
        lines.append("  " + console.say("status_last_error", when=error.at, error=words))
    lines += [f"  {folder}" for folder in summary.folders]
    return lines + [f"  {console.say('state_' + s)}: {n}" for s, n in sorted(summary.counts.items())]


def run_remove(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Delete a library and the runs that quote it; raises as ``Workspace.remove_library``."""
    workspace.remove_library(options.name)
    console.result({"removed": options.name}, [console.say("library_removed", name=options.name)])
    return 0

"""``zhiye models list | get ID | add FILE|FOLDER | verify | remove ID``."""

import argparse
from pathlib import Path
from typing import Any

from engine import native
from engine.cli.console import Console
from engine.errors import WrongUse
from engine.workspace import Workspace
from models.errors import ModelError
from models.fetch import FetchProgress, start_acquisition
from models.status import model_status

_GIB = 1 << 30


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    store = workspace.models
    if options.action in ("get", "add", "remove") and options.model is None:
        raise WrongUse(detail="ID|FILE|FOLDER")
    if options.action == "get":
        _get(options.model, workspace, console)
    elif options.action == "add":
        store.add(Path(options.model).absolute())
    elif options.action == "remove":
        store.remove(options.model)
    elif options.action == "verify":
        return _verify(workspace, console)
    _show(workspace, console)
    return 0


def _get(model: str, workspace: Workspace, console: Console) -> None:
    """The download runs in a process of its own: this one stays sealed."""
    acquisition = start_acquisition(model, workspace.models.folder)
    shown = -1
    for event in acquisition.events():
        if isinstance(event, FetchProgress):
            share = 100 * event.done // max(1, event.total)
            if share >= shown + 5:
                shown = share
                console.note(console.say("progress_model", model=model, source=event.source, share=share))
        else:
            console.note(console.say("model_source_failed", source=event.source, reason=event.reason))


def _verify(workspace: Workspace, console: Console) -> int:
    """Check every installed model again; the exit code is 3 when one is damaged."""
    status = 0
    for model in workspace.models.installed():
        try:
            workspace.models.verify(model.id)
        except ModelError as exc:
            status = exc.exit_code
            console.note(f"{model.id}: {console.say(exc.code, **exc.params)}")
    _show(workspace, console)
    return status


def _show(workspace: Workspace, console: Console) -> None:
    rows = model_status(workspace.models, native.free_memory(), workspace.settings.embedder)
    console.result({"models": rows}, [_line(row, console) for row in rows])


def _line(row: dict[str, Any], console: Console) -> str:
    checked = {
        "hash": "model_state_ready",
        "structure": "model_state_structure",
        None: "model_state_unverified",
    }
    state = checked[row["checked_by"]] if row["installed"] else "model_state_missing"
    mark = "*" if row["default"] else " "
    return f"{mark} {row['id']:<40} {row['size'] / _GIB:6.2f} GiB  {console.say(state)}"

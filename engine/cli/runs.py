"""``zhiye runs list | show ID | clear``: saved questions with their traces."""

import argparse

from engine.cli.console import Console
from engine.errors import WrongUse
from engine.runs import Run
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if options.action == "clear":
        count = workspace.runs.clear()
        console.result({"cleared": count}, [console.say("runs_cleared", count=count)])
    elif options.action == "show":
        if options.id is None:
            raise WrongUse(detail="ID")
        found = workspace.runs.get(options.id)
        console.result(
            _record(found) | {"trace": found.trace}, [found.question, str(found.trace.get("answer"))]
        )
    else:
        found_runs = workspace.runs.list()
        console.result(
            {"runs": [_record(item) for item in found_runs]},
            [f"{item.id:>5}  {item.asked_at}  {item.question}" for item in found_runs],
        )
    return 0


def _record(item: Run) -> dict[str, object]:
    return {
        "id": item.id,
        "asked_at": item.asked_at,
        "question": item.question,
        "refused": item.refused,
        "model": item.model,
    }

"""``zhiye libraries`` and ``zhiye remove NAME``."""

import argparse

from engine import jobs
from engine.cli.console import Console
from engine.trace import library_record
from engine.workspace import Workspace


def run_list(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    summaries = [jobs.summary(workspace, name) for name in workspace.library_names()]
    console.result(
        {"libraries": [library_record(summary) for summary in summaries]},
        [
            console.say("library_line", name=s.name, files=sum(s.counts.values()), chunks=s.chunks)
            for s in summaries
        ],
    )
    return 0


def run_remove(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    workspace.remove_library(options.name)
    console.result({"removed": options.name}, [console.say("library_removed", name=options.name)])
    return 0

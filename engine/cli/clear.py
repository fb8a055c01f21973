"""``zhiye clear --all [--yes]``: nothing of documents, questions and settings is left in the data folder."""

import argparse
import sys

from engine.cli.console import Console
from engine.errors import WrongUse
from engine.privacy import clearing
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Ask a person first, unless ``--yes`` says so; raises WrongUse without a word of consent."""
    if not options.all:
        raise WrongUse(detail="--all")
    if not options.yes:
        if options.json or not sys.stdin.isatty():
            raise WrongUse(detail="--yes")
        console.note(console.say("clear_ask", path=str(workspace.home.root)))
        if input("> ").strip().lower() not in ("y", "yes", "是"):
            console.note(console.say("clear_kept"))
            return 0
    libraries, threads = clearing.clear(workspace)
    console.result(
        {"libraries": libraries, "conversations": threads, "home": str(workspace.home.root)},
        [console.say("cleared_all", libraries=libraries, threads=threads)],
    )
    return 0

"""``zhiye runs list | show ID | export ID | delete ID | clear``: saved questions with their traces."""

import argparse

from engine.cli.console import Console
from engine.errors import WrongUse
from engine.exporting import ExportFormat, writing
from engine.history.records import RunSummary
from engine.trace import run_record
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if options.action == "clear":
        count = workspace.runs.clear()
        console.result({"cleared": count}, [console.say("runs_cleared", count=count)])
    elif options.action == "show":
        found = workspace.runs.get(_id(options))
        console.result(
            run_record(found) | {"trace": found.trace}, [found.question, str(found.trace.get("answer"))]
        )
    elif options.action == "delete":
        _delete(options, workspace, console)
    elif options.action == "export":
        _export(options, workspace, console)
    else:
        found_runs = workspace.runs.list(options.thread, options.search)
        console.result(
            {"runs": [run_record(item) for item in found_runs]},
            [_line(item, console) for item in found_runs],
        )
    return 0


def _id(options: argparse.Namespace) -> int:
    if options.id is None:
        raise WrongUse(detail="ID")
    return int(options.id)


def _delete(options: argparse.Namespace, workspace: Workspace, console: Console) -> None:
    """One run, or a whole conversation."""
    if options.thread is not None and options.id is None:
        count = workspace.runs.delete_thread(options.thread)
    else:
        workspace.runs.delete(_id(options))
        count = 1
    console.result({"deleted": count}, [console.say("run_deleted", count=count)])


def _export(options: argparse.Namespace, workspace: Workspace, console: Console) -> None:
    """One answer, or those of a conversation that count; Markdown goes to stdout where no file is named."""
    if options.thread is not None and options.id is None:
        title = workspace.runs.thread(options.thread).title
        runs = workspace.runs.of_thread(options.thread)
    else:
        title, runs = None, (workspace.runs.get(_id(options)),)
    records = [run.dated_trace for run in runs]
    form = _format(options)
    if options.out is not None:
        file = options.out.absolute()
        writing.write(file, records, form, console.language, title)
        path = str(file)
        console.result(
            {"file": path, "format": form, "answers": len(records), "text": None},
            [console.say("answers_exported", count=len(records), path=path)],
        )
        return
    text = writing.exported(records, form, console.language, title).decode("utf-8")
    console.result({"file": None, "format": form, "answers": len(records), "text": text}, text.splitlines())


def _format(options: argparse.Namespace) -> ExportFormat:
    is_word = options.out is not None and options.out.suffix.lower() == ".docx"
    form: ExportFormat = options.format or ("docx" if is_word else "md")
    if form == "docx" and options.out is None:
        raise WrongUse(detail="--out")
    return form


def _line(item: RunSummary, console: Console) -> str:
    states = [console.say("run_stopped")] if item.state == "stopped" else []
    states += [console.say("run_superseded")] if item.superseded else []
    state = f"  [{', '.join(states)}]" if states else ""
    question = " ".join(item.question.split())
    return f"{item.id:>5}  {item.asked_at}  {question}{state}"

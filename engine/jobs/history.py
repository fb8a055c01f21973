"""The jobs on the history: its conversations listed, shown, changed, deleted and exported."""

from collections.abc import Iterator

from engine.answer_events import AnswersExported, ThreadShown, ThreadsListed
from engine.commands import (
    ChangeThread,
    ClearHistory,
    DeleteRun,
    DeleteThread,
    ExportAnswers,
    ListThreads,
    RateAnswer,
    ShowThread,
)
from engine.events import Event
from engine.exporting import writing
from engine.exporting.composition import Record
from engine.history import remembered
from engine.history.passages import Passages
from engine.history.records import Run, Turn
from engine.trace import answer_record
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def list_threads(command: ListThreads, workspace: Workspace) -> Steps:
    runs = workspace.runs
    yield ThreadsListed(command.task_id, runs.threads(command.search, command.limit), runs.thread_count())


def show(command: ShowThread, workspace: Workspace) -> Steps:
    """Raises WrongUse for a thread that is not there."""
    thread = workspace.runs.thread(command.thread)
    turns = []
    for run in workspace.runs.of_thread(command.thread, with_superseded=command.with_superseded):
        turns.append(_turn(run, workspace))
        yield None
    yield ThreadShown(command.task_id, thread, tuple(turns))


def _turn(run: Run, workspace: Workspace) -> Turn:
    passages = Passages(workspace.libraries, workspace.runs.quoted(run.id))
    return Turn(run.summary, remembered.answer(run.trace, passages.find))


def change(command: ChangeThread, workspace: Workspace) -> Steps:
    """Raises WrongUse for a thread that is not there."""
    workspace.runs.change_thread(command.thread, command.title, command.pinned)
    yield None


def delete_thread(command: DeleteThread, workspace: Workspace) -> Steps:
    """Raises as :meth:`engine.runs.Runs.delete_thread`."""
    workspace.runs.delete_thread(command.thread)
    yield None


def delete_run(command: DeleteRun, workspace: Workspace) -> Steps:
    """Raises as :meth:`engine.runs.Runs.delete`."""
    workspace.runs.delete(command.run)
    yield None


def clear(command: ClearHistory, workspace: Workspace) -> Steps:
    """Raises as :meth:`engine.runs.Runs.clear`."""
    workspace.runs.clear()
    yield ThreadsListed(command.task_id, (), 0)


def rate(command: RateAnswer, workspace: Workspace) -> Steps:
    """Raises WrongUse for a run that is not there."""
    workspace.runs.rate(command.run, command.rating, command.note)
    yield None


def export(command: ExportAnswers, workspace: Workspace) -> Steps:
    """Raises WrongUse where there is nothing to export, StorageFailed; the file is whole or as it was."""
    records: list[Record] = [answer_record(answer) for answer in command.answers]
    title = None
    if command.run is not None:
        records.append(workspace.runs.get(command.run).dated_trace)
    if command.thread is not None:
        title = workspace.runs.thread(command.thread).title
        records += [run.dated_trace for run in workspace.runs.of_thread(command.thread)]
    writing.write(command.file, records, command.format, command.language, title)
    yield AnswersExported(command.task_id, command.file, len(records))

"""The jobs on self-test questions: listed, marked, added, run and exported."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from engine import pipeline, shelf
from engine.answer import searching
from engine.answer_events import SourcesFound
from engine.cancel import CancelToken
from engine.errors import LibraryUnknown
from engine.evaluation.dataset import Question
from engine.evaluation.stages import Answered
from engine.events import Event, StepProgress
from engine.history.recording import Recording
from engine.history.records import Run
from engine.index.library import Library
from engine.self_test import exporting
from engine.self_test.marking import mark
from engine.self_test.measuring import measure, report
from engine.self_test.messages import (
    AddThreadToSelfTest,
    ExportSelfTest,
    FindSelfTestPassages,
    KeepSelfTestQuestion,
    ListSelfTest,
    RemoveSelfTestQuestions,
    RunSelfTest,
    SelfTestAdded,
    SelfTestCommand,
    SelfTestExported,
    SelfTestListed,
)
from engine.self_test.records import QuestionState
from engine.workspace import Workspace

Steps = Iterator[Event | None]

PASSAGES = 12
"""Passages that are offered for marking."""


def start(command: SelfTestCommand, workspace: Workspace, token: CancelToken) -> Steps:
    """The generator that does what a command on self-test questions asks."""
    match command:
        case ListSelfTest():
            return _listed(command.task_id, command.library, workspace)
        case KeepSelfTestQuestion():
            return keep(command, workspace)
        case RemoveSelfTestQuestions():
            return remove(command, workspace)
        case FindSelfTestPassages():
            return find(command, workspace)
        case AddThreadToSelfTest():
            return add_thread(command, workspace)
        case RunSelfTest():
            return run(command, workspace, token)
        case ExportSelfTest():
            return export(command, workspace, token)


def _listed(task_id: int, library: str, workspace: Workspace) -> Steps:
    store, id_ = workspace.runs.self_test, shelf.id_of(workspace.libraries.open(library))
    yield SelfTestListed(task_id, library, store.questions(id_), report(store.runs(id_)))


def keep(command: KeepSelfTestQuestion, workspace: Workspace) -> Steps:
    """Raises LibraryUnknown where the passage is no longer indexed, else as
    :meth:`engine.self_test.store.SelfTestStore.keep`."""
    library = workspace.libraries.open(command.library)
    made = None
    if command.passage is not None:
        if command.passage.library != library.name:
            raise LibraryUnknown(name=command.passage.library)
        made = mark(command.question, command.passage, library)
    state: QuestionState | None = "marked" if made else "absent" if command.absent else None
    workspace.runs.self_test.keep(shelf.id_of(library), command.question, state, made, command.id)
    yield from _listed(command.task_id, command.library, workspace)


def remove(command: RemoveSelfTestQuestions, workspace: Workspace) -> Steps:
    """Raises as :meth:`engine.self_test.store.SelfTestStore.remove`."""
    library = workspace.libraries.open(command.library)
    workspace.runs.self_test.remove(shelf.id_of(library), command.ids)
    yield from _listed(command.task_id, command.library, workspace)


def find(command: FindSelfTestPassages, workspace: Workspace) -> Steps:
    """Raises QuestionEmpty or QuestionTooLong, as every search."""
    libraries = [workspace.libraries.open(command.library)]
    embedder, others = workspace.question_embedders(libraries)
    hits, gate = searching.search(
        command.words, libraries, embedder, workspace.settings, PASSAGES, others=others
    )
    yield SourcesFound(command.task_id, hits, gate)


def add_thread(command: AddThreadToSelfTest, workspace: Workspace) -> Steps:
    """Raises WrongUse for a thread that is not there."""
    runs = workspace.runs
    ids = {library.name: shelf.id_of(library) for library in workspace.libraries.chosen(())}
    wanted: dict[str, list[str]] = defaultdict(list)
    for each in runs.of_thread(command.thread):
        if (library := _library_of(each, ids, runs.quoted(each.id))) is not None:
            wanted[library].append(str(each.trace.get("rewritten") or each.question))
    added = sum(runs.self_test.add(library, questions) for library, questions in wanted.items())
    yield SelfTestAdded(command.task_id, added)


def _library_of(run: Run, ids: Mapping[str, str], quoted: tuple[str, ...]) -> str | None:
    """The id of the library that an answer, or a refusal's nearest passages, quotes most."""
    shown = [*(run.trace.get("hits") or ()), *(run.trace.get("nearest") or ())]
    counts = Counter(ids.get(str(item.get("library"))) for item in shown)
    known = [library for library in quoted if library in ids.values()]
    return max(known, key=lambda library: counts[library], default=None)


def run(command: RunSelfTest, workspace: Workspace, token: CancelToken) -> Steps:
    """Ask all questions, keep what came of it and list it.

    Raises:
        ModelMissing, GenerationFailed, ProcessorUnsupported: answers were wished for, and the chat model
            cannot be used.
    """
    library = workspace.libraries.open(command.library)
    store, id_ = workspace.runs.self_test, shelf.id_of(library)
    embedder, others = workspace.question_embedders([library])
    if command.answers:
        workspace.generator()
    questions = store.questions(id_)
    total = sum(question.state != "unmarked" for question in questions)
    yield StepProgress(command.task_id, "progress_self_test", 0, total)

    def ask_one(question: Question) -> Answered:
        return _answered(question, library, workspace, token)

    steps = measure(
        questions, library, embedder, others, workspace.settings, ask_one if command.answers else None
    )
    while True:
        token.check()
        try:
            done = next(steps)
        except StopIteration as end:
            store.keep_run(id_, *end.value)
            break
        yield StepProgress(command.task_id, "progress_self_test", done, total)
    yield from _listed(command.task_id, command.library, workspace)


def _answered(question: Question, library: Library, workspace: Workspace, token: CancelToken) -> Answered:
    """One answer in one step: a question that a person asks meanwhile must not find the model half-way."""
    recording = Recording(question.question)
    embedder, others = workspace.question_embedders([library])
    with workspace.quiet():
        for event in pipeline.ask(
            0, question.question, [library], embedder=embedder, others=others,
            load_generator=workspace.generator, settings=workspace.settings, token=token,
            loaded=workspace.loaded_generator,
        ):  # fmt: skip
            token.check()
            recording.note(event)
    return Answered(recording.answer, recording.written)


def export(command: ExportSelfTest, workspace: Workspace, token: CancelToken) -> Steps:
    """Raises StorageFailed; each file is whole or not there."""
    library = workspace.libraries.open(command.library)
    questions = workspace.runs.self_test.questions(shelf.id_of(library))
    for _ in exporting.export(questions, library, command.folder):
        token.check()
        yield None
    count = sum(question.state != "unmarked" for question in questions)
    yield SelfTestExported(command.task_id, command.folder, count)

"""The jobs that need a model: answering a question, and loading what answers need before one is asked."""

from collections.abc import Iterator

from engine import pipeline
from engine.answer.generation import Generator
from engine.cancel import CancelToken
from engine.commands import AskQuestion, PrepareModels
from engine.errors import CodedError
from engine.events import AnswerFinished, Event, ModelsReady, Notice
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def ask(command: AskQuestion, workspace: Workspace, token: CancelToken) -> Steps:
    """Answer a question and keep the run; files are not read meanwhile."""
    with workspace.quiet():
        yield from _ask(command, workspace, token)


def _ask(command: AskQuestion, workspace: Workspace, token: CancelToken) -> Steps:
    libraries = workspace.libraries.chosen(command.libraries)
    problems: list[CodedError] = []

    def load_generator() -> Generator | None:
        if not command.use_model:
            return None
        try:
            return workspace.generator()
        except CodedError as exc:  # the passages alone are still an answer
            problems.append(exc)
            return None

    embedder, others = workspace.question_embedders(libraries)
    for event in pipeline.ask(
        command.task_id,
        command.question,
        libraries,
        embedder=embedder,
        others=others,
        load_generator=load_generator,
        settings=workspace.settings,
        token=token,
        chosen=command.chosen,
        previous=command.previous,
        loaded=workspace.loaded_generator,
    ):
        while problems:
            problem = problems.pop()
            yield Notice(command.task_id, problem.code, problem.params)
        if isinstance(event, AnswerFinished):
            error = workspace.keep_run(event.answer, libraries)
            if error is not None:
                yield Notice(command.task_id, "run_not_kept", error.params)
        yield event


def prepare_models(command: PrepareModels, workspace: Workspace) -> Steps:
    embedder = workspace.embedder()
    if workspace.embedder_error is not None:
        yield Notice(command.task_id, workspace.embedder_error.code, workspace.embedder_error.params)
    yield None
    model = None
    try:
        model = workspace.generator().model_id
    except CodedError as exc:
        yield Notice(command.task_id, exc.code, exc.params)
    yield ModelsReady(command.task_id, embedder.model_id if embedder else None, model)

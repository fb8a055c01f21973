"""The jobs that need a model: answering a question, and loading what answers need before one is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import pipeline
from engine.answer import reading
from engine.answer.generation import SEED, Generator, Seeded
from engine.answer_events import AnswerFinished, RunKept
from engine.cancel import Cancelled, CancelToken
from engine.commands import AskQuestion, PrepareModels
from engine.errors import CodedError
from engine.events import Event, ModelsReady, Notice
from engine.history.recording import Recording
from engine.index.library import Library
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def ask(command: AskQuestion, workspace: Workspace, token: CancelToken) -> Steps:
    """Answer a question and keep the run, with the text so far when it is stopped; files are not read
    meanwhile.

    Raises WrongUse when the conversation, or the run that is asked again, is not there.
    """
    with workspace.quiet():
        yield from _ask(command, workspace, token)


def _ask(command: AskQuestion, workspace: Workspace, token: CancelToken) -> Steps:
    libraries = workspace.libraries.chosen(command.libraries)
    recording = _recording(command, workspace)
    try:
        for event in _answer(command, recording, libraries, workspace, token):
            recording.note(event)
            if isinstance(event, AnswerFinished):
                kept = workspace.keep_run(recording, libraries)
                if isinstance(kept, CodedError):
                    yield Notice(command.task_id, "run_not_kept", kept.params)
                elif kept is not None:
                    event = replace(event, run=kept.id, thread=kept.thread)
            try:
                yield event
            except Cancelled:
                pass  # the token says so, too: whoever is at work tells what there is at its next look
    except (Cancelled, GeneratorExit) as stop:
        if recording.is_finished:
            raise
        kept = workspace.keep_run(recording, libraries)
        if isinstance(stop, Cancelled) and kept is not None and not isinstance(kept, CodedError):
            yield RunKept(command.task_id, kept.id, kept.thread)
        raise


def _recording(command: AskQuestion, workspace: Workspace) -> Recording:
    begins = command.thread is None and command.replaces is None
    if begins or not workspace.settings.save_runs:  # the history, which may be broken, is not looked into
        return Recording(command.question, command.previous)
    runs = workspace.runs
    previous = command.previous or runs.previous(command.thread, command.replaces)
    attempt = 0 if command.replaces is None else runs.attempts(command.replaces)
    return Recording(command.question, previous, command.thread, command.replaces, attempt)


def _answer(
    command: AskQuestion,
    recording: Recording,
    libraries: Sequence[Library],
    workspace: Workspace,
    token: CancelToken,
) -> Steps:
    notices: list[Notice | ModelsReady] = []

    def load_generator() -> Generator | None:
        token.check()
        if not command.use_model:
            return None
        was_loaded = workspace.loaded_generator is not None
        try:
            generator = workspace.generator()
        except CodedError as exc:  # the passages alone are still an answer
            notices.append(Notice(command.task_id, exc.code, exc.params))
            return None
        if not was_loaded:
            # It rested, or the question came before it was loaded: the window says what is there now.
            found = None if embedder is None else embedder.model_id
            notices.append(ModelsReady(command.task_id, found, generator.model_id))
        if not reading.can_judge(generator) and generator.model_id not in workspace.told_unread:
            workspace.told_unread.add(generator.model_id)
            notices.append(Notice(command.task_id, "reading_off", {"model": generator.model_id}))
        if isinstance(generator, Seeded):
            # What is answered again shall read differently, and the same way when it is tried once more.
            generator.seed = SEED + recording.attempt
        return generator

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
        previous=recording.previous,
        loaded=workspace.loaded_generator,
    ):
        while notices:
            yield notices.pop()
        yield event


def prepare_models(command: PrepareModels, workspace: Workspace) -> Steps:
    if (damage := workspace.settings_file.take_damage()) is not None:
        yield Notice(command.task_id, damage.code, damage.params)
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

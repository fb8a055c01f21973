"""``zhiye eval``: metrics over a set of questions."""

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.answer.generation import Generator
from engine.cli.ask import answer_one, load_generator
from engine.cli.console import Console
from engine.cli.scope import chosen_libraries, question_embedders
from engine.errors import NotReadable
from engine.evaluation import dataset, measure, report
from engine.evaluation.dataset import Question
from engine.evaluation.stages import Answered
from engine.history.recording import Recording
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.workspace import Workspace

_NOT_OF_THE_SETUP = {"version", "home", "model_path", "threads", "readers", "save_runs", "fail_on_error"}
"""Settings that change no figure, or that name places on this machine."""


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    questions = dataset.read_questions(options.questions)[: options.limit]
    with _libraries(options, workspace, console) as libraries:
        embedder, others = question_embedders(libraries, workspace, console)
        generator = load_generator(options, workspace, console) if options.answers else None

        def ask_one(question: Question) -> Answered:
            recording = Recording(question.question)
            answer = answer_one(recording, libraries, lambda: generator, workspace, None)
            return Answered(answer, recording.written)

        record = measure.evaluate(
            questions, libraries, embedder, workspace.settings, ask_one if options.answers else None,
            lambda done: console.tick("progress_questions", done, len(questions)), others,
        )  # fmt: skip
        record["setup"] = _setup(options, libraries, embedder, generator, workspace)
    if options.report is not None:
        report.write(record, options.report)
    console.result(record, report.table(record))
    return 0


def _setup(
    options: argparse.Namespace,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    generator: Generator | None,
    workspace: Workspace,
) -> dict[str, Any]:
    """What the figures were made with: two runs with the same are comparable."""
    try:
        digest = hashlib.sha256(options.questions.read_bytes()).hexdigest()[:12]
    except OSError as exc:
        raise NotReadable(path=str(options.questions)) from exc
    settings = workspace.settings.model_dump(mode="json", exclude=_NOT_OF_THE_SETUP)
    return {
        "set": f"{options.questions.name} {digest}",
        "limit": options.limit,
        "libraries": [f"{library.name}: {library.chunk_count()} chunks" for library in libraries],
        "left_out": None if options.leave_out is None else options.leave_out.name,
        "embedder": None if embedder is None else f"{embedder.model_id} {embedder.precision}",
        "chat_model": None if generator is None else generator.model_id,
        "answers": bool(options.answers),
        "settings": settings,
    }


@contextmanager
def _libraries(
    options: argparse.Namespace, workspace: Workspace, console: Console
) -> Iterator[list[Library]]:
    if options.corpus is None:
        with chosen_libraries(options, workspace) as chosen:
            yield chosen
        return
    left_out: list[str] = []
    if options.leave_out is not None:
        try:
            left_out = options.leave_out.read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as exc:
            raise NotReadable(path=str(options.leave_out)) from exc
    library = dataset.index_corpus(
        options.corpus, workspace.embedder(), workspace.settings, left_out,
        lambda done: console.tick("progress_documents", done, None),
    )  # fmt: skip
    try:
        yield [library]
    finally:
        library.close()

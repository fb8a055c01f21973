"""``zhiye eval``: metrics over a set of questions."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from engine.cli.ask import answer_one, load_generator
from engine.cli.console import Console
from engine.cli.scope import chosen_libraries
from engine.documents import Answer
from engine.errors import NotReadable
from engine.evaluation import dataset, measure, report
from engine.evaluation.dataset import Question
from engine.index.library import Library
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    questions = dataset.read_questions(options.questions)[: options.limit]
    with _libraries(options, workspace, console) as libraries:
        ask_one = None
        if options.answers:
            generator = load_generator(options, workspace, console)

            def ask_one(question: Question) -> Answer:
                return answer_one(question.question, libraries, lambda: generator, workspace, None)

        record = measure.evaluate(
            questions, libraries, workspace.embedder(), workspace.settings, ask_one,
            lambda done: console.tick("progress_questions", done, len(questions)),
        )  # fmt: skip
    if options.report is not None:
        report.write(record, options.report)
    console.result(record, report.table(record))
    return 0


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
        except OSError as exc:
            raise NotReadable(path=str(options.leave_out)) from exc
    library = dataset.index_corpus(
        options.corpus, workspace.embedder(), workspace.settings, left_out,
        lambda done: console.tick("progress_documents", done, None),
    )  # fmt: skip
    try:
        yield [library]
    finally:
        library.close()

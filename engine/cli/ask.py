"""``zhiye ask``: one answer, or with ``--batch`` one object a line while everything stays loaded."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from engine import pipeline
from engine.answer.evidence import place
from engine.answer.generation import Generator
from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.cli.scope import chosen_libraries
from engine.cli.search import hit_lines
from engine.documents import Answer
from engine.errors import CodedError, GenerationFailed, ModelMissing, ProcessorUnsupported, WrongUse
from engine.events import AnswerFinished
from engine.index.library import Library
from engine.jsonlines import read_objects
from engine.trace import answer_record
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if options.question is None and options.batch is None:
        raise WrongUse(detail="QUESTION")
    with chosen_libraries(options, workspace) as libraries:

        def load() -> Generator | None:
            return None if options.no_model else load_generator(options, workspace, console)

        if options.model is not None:
            load()  # a model asked for by name must be there, even if the question needs none
        if options.batch is not None:
            generator = load()
            return _run_batch(options.batch, libraries, generator, workspace, console)
        answer = answer_one(options.question, libraries, load, workspace, console)
        _keep_run(answer, libraries, workspace, console)
    console.result(answer_record(answer), _lines(answer, console))
    return 0


def load_generator(options: argparse.Namespace, workspace: Workspace, console: Console) -> Generator | None:
    """The chat model; where there is none or the machine cannot run it, the answer is made of quotes.

    One asked for by name must be there, and a damaged file is always an error: it can be mended.
    """
    try:
        return workspace.generator()
    except (ModelMissing, ProcessorUnsupported, GenerationFailed) as exc:
        if options.model is not None:
            raise
        console.note(console.say(exc.code, **exc.params))
        console.note(console.say("evidence_only"))
        return None


def _keep_run(answer: Answer, libraries: Sequence[Library], workspace: Workspace, console: Console) -> None:
    if (error := workspace.keep_run(answer, libraries)) is not None:
        console.note(console.say("run_not_kept", **error.params))


def answer_one(
    question: str,
    libraries: Sequence[Library],
    load: Callable[[], Generator | None],
    workspace: Workspace,
    console: Console | None,
    documents: frozenset[str] | None = None,
) -> Answer:
    """Run the pipeline to its end; ``documents`` restricts the question to those."""
    answer = None
    embedder, others = workspace.question_embedders(libraries)
    for event in pipeline.ask(
        0, question, libraries, embedder=embedder, others=others, load_generator=load,
        settings=workspace.settings, token=CancelToken(), documents=documents,
    ):  # fmt: skip
        if console is not None:
            console.progress(event)
        if isinstance(event, AnswerFinished):
            answer = event.answer
    assert answer is not None, "a question that raises nothing ends with its answer"
    return answer


def _run_batch(
    batch: Path,
    libraries: Sequence[Library],
    generator: Generator | None,
    workspace: Workspace,
    console: Console,
) -> int:
    """One JSON object a line; a question that fails has its error on its line and the rest goes on."""
    for item in read_objects(batch):
        documents = frozenset(item["documents"]) if item.get("documents") else None
        try:
            answer = answer_one(
                str(item.get("question") or ""), libraries, lambda: generator, workspace, None, documents
            )
        except CodedError as exc:
            console.record({"qid": item.get("qid"), "error": console.error_record(exc)})
            continue
        answer = replace(answer, qid=item.get("qid"))
        _keep_run(answer, libraries, workspace, console)
        console.record(answer_record(answer))
    return 0


def _lines(answer: Answer, console: Console) -> list[str]:
    lines = [answer.text]
    lines += [
        console.say("unverified_sentence", text=sentence.text)
        for sentence in answer.sentences
        if sentence.verdict == "unsupported"
    ]
    if answer.citations:
        lines += ["", console.say("heading_sources")]
        for citation in answer.citations:
            lines.append(f"[{citation.number}] {place(citation)}")
            lines.append(f"    {citation.quote[:120]}")
    if answer.refused and answer.nearest:
        lines += ["", console.say("heading_nearest"), *hit_lines(answer.nearest[:3])]
    return lines

"""``zhiye ask``: one answer; with ``--batch`` one object a line while everything stays loaded, with
``--chat`` one question after the other, each understood from those before it."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import pipeline
from engine.answer.evidence import place
from engine.answer.generation import Generator
from engine.answer.survey.table import markdown
from engine.answers import Answer, Gate, WhyNot
from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.cli.passages import hit_lines, source_lines
from engine.cli.scope import chosen_documents, chosen_libraries
from engine.document_filter import DocumentFilter
from engine.errors import CodedError, GenerationFailed, ModelMissing, ProcessorUnsupported, WrongUse
from engine.history.recording import Recording
from engine.index.library import Library
from engine.jsonlines import read_objects
from engine.trace import answer_record
from engine.workspace import Workspace

_TERMS, _FILES = 8, 5
"""Missing words and unreadable files that a refusal names."""


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if options.question is None and options.batch is None and not options.chat:
        raise WrongUse(detail="QUESTION")
    chosen = chosen_documents(options)
    with chosen_libraries(options, workspace) as libraries:

        def load() -> Generator | None:
            return None if options.no_model else load_generator(options, workspace, console)

        if options.model is not None:
            load()  # a model asked for by name must be there, even if the question needs none
        if options.batch is not None:
            generator = load()
            return _run_batch(options.batch, libraries, generator, workspace, console, chosen)
        if options.chat:
            return _run_chat(options.question, libraries, load, workspace, console, chosen)
        recording = Recording(options.question)
        with _kept(recording, libraries, workspace, console):
            answer = answer_one(recording, libraries, load, workspace, console, chosen)
    console.result(_record(answer, recording), _lines(answer, console))
    return 0


def _record(answer: Answer, recording: Recording) -> dict[str, Any]:
    return answer_record(answer) | {"run": recording.run, "thread": recording.thread}


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


@contextmanager
def _kept(
    recording: Recording,
    libraries: Sequence[Library],
    workspace: Workspace,
    console: Console,
    qid: str | None = None,
) -> Iterator[None]:
    """Keep the run when its answer is finished, and what there is of it when a person stops it."""
    try:
        yield
    except KeyboardInterrupt:
        workspace.keep_run(recording, libraries, qid)
        raise
    kept = workspace.keep_run(recording, libraries, qid)
    if isinstance(kept, CodedError):
        console.note(console.say("run_not_kept", **kept.params))
    elif kept is not None:
        recording.run, recording.thread = kept.id, kept.thread


def answer_one(
    recording: Recording,
    libraries: Sequence[Library],
    load: Callable[[], Generator | None],
    workspace: Workspace,
    console: Console | None,
    chosen: DocumentFilter | None = None,
) -> Answer:
    """Run the pipeline to its end for the recording's question; ``chosen`` restricts it."""
    embedder, others = workspace.question_embedders(libraries)
    for event in pipeline.ask(
        0, recording.question, libraries, embedder=embedder, others=others, load_generator=load,
        settings=workspace.settings, token=CancelToken(), chosen=chosen, previous=recording.previous,
        loaded=workspace.loaded_generator,
    ):  # fmt: skip
        recording.note(event)
        if console is not None:
            console.progress(event)
    assert recording.is_finished, "a question that raises nothing ends with its answer"
    return recording.answer


def _run_batch(
    batch: Path,
    libraries: Sequence[Library],
    generator: Generator | None,
    workspace: Workspace,
    console: Console,
    chosen: DocumentFilter,
) -> int:
    """One JSON object a line; a question that fails has its error on its line and the rest goes on."""
    for item in read_objects(batch):
        among = replace(chosen, documents=frozenset(item["documents"])) if item.get("documents") else chosen
        recording, qid = Recording(str(item.get("question") or "")), item.get("qid")
        try:
            with _kept(recording, libraries, workspace, console, qid):
                answer = answer_one(recording, libraries, lambda: generator, workspace, None, among)
        except CodedError as exc:
            console.record({"qid": qid, "error": console.error_record(exc)})
            continue
        console.record(_record(replace(answer, qid=qid), recording))
    return 0


def _run_chat(
    first: str | None,
    libraries: Sequence[Library],
    load: Callable[[], Generator | None],
    workspace: Workspace,
    console: Console,
    chosen: DocumentFilter,
) -> int:
    """One question a line until an empty one or the end; a question that fails is told of and the rest goes
    on.

    With ``--json`` one object a line. Follow-ups are understood from the question before them, and all of
    them are kept as one thread.
    """
    previous: tuple[str, ...] = ()
    thread = None
    for question in _questions(first, console):
        recording = Recording(question, previous, thread)
        try:
            with _kept(recording, libraries, workspace, console):
                answer = answer_one(recording, libraries, load, workspace, console, chosen)
        except CodedError as exc:
            console.fail(exc)
            continue
        previous, thread = (answer.rewritten or question,), recording.thread
        console.result(_record(answer, recording), [*_lines(answer, console), ""])
    return 0


def _questions(first: str | None, console: Console) -> Iterator[str]:
    if first is not None:
        yield first
    while True:
        console.prompt()
        line = sys.stdin.readline()
        if not line.strip():
            return
        yield line.strip()


def _lines(answer: Answer, console: Console) -> list[str]:
    lines = [answer.text]
    if answer.table is not None and answer.table.rows:
        lines += ["", *markdown(answer.table)]
    lines += [
        console.say("unverified_sentence", text=sentence.text)
        for sentence in answer.sentences
        if sentence.verdict == "unsupported"
    ]
    lines += source_lines(answer.citations, console)
    if answer.refused and answer.nearest:
        lines += ["", console.say("heading_nearest"), *hit_lines(answer.nearest[:3], console.language)]
    if answer.why_not is not None:
        lines += ["", console.say("heading_why_not"), *_why_not_lines(answer.why_not, answer.gate, console)]
    return lines


def _why_not_lines(why: WhyNot, gate: Gate | None, console: Console) -> list[str]:
    """What may help a person to find it after all; nothing that was not found is named."""
    lines = []
    if gate is not None and gate.probability is not None and gate.threshold is not None:
        probability, threshold = f"{gate.probability:.2f}", f"{gate.threshold:.2f}"
        lines.append(console.say("why_gate", probability=probability, threshold=threshold))
    if why.missing_terms:
        lines.append(console.say("why_missing", terms="、".join(why.missing_terms[:_TERMS])))
    if why.lexical is not None:
        score = f"{why.lexical.lexical or 0.0:.1f}"
        lines.append(console.say("why_lexical", place=place(why.lexical, console.language), score=score))
    if why.dense is not None:
        score = f"{why.dense.dense or 0.0:.2f}"
        lines.append(console.say("why_dense", place=place(why.dense, console.language), score=score))
    if why.suggestion is not None:
        lines.append(console.say(why.suggestion.code, **why.suggestion.params))
    for path, state in why.unreadable[:_FILES]:
        lines.append(console.say("why_unreadable", path=path, state=console.say(f"state_{state}")))
    return lines

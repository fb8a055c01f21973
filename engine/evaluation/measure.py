"""Asking every question of a set and counting; deterministic for the same index and models."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.answer import searching
from engine.answers import Gate
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import CodedError
from engine.evaluation import metrics, stages
from engine.evaluation.answers import AnswerFigures
from engine.evaluation.dataset import Question
from engine.evaluation.metrics import Ranked
from engine.evaluation.sought import Corpus, Sought
from engine.evaluation.stages import Answered
from engine.index.embedding import Embedder
from engine.index.library import Library

DEPTH = 10
"""Hits looked at per question."""

_SHOWN = 300
"""Characters of a wording that a miss tells."""

AskOne = Callable[[Question], Answered]


@dataclass
class Tally:
    """What is kept of each question: only what the figures need, so that a set may have any length."""

    questions: int = 0
    ranked: list[Ranked] = field(default_factory=list)
    answerable: list[float] = field(default_factory=list)
    unanswerable: list[float] = field(default_factory=list)
    refused: list[bool] = field(default_factory=list)
    refused_rightly: list[bool] = field(default_factory=list)
    answers: AnswerFigures | None = None
    misses: list[dict[str, str]] = field(default_factory=list)
    failed: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0

    def record(self) -> dict[str, Any]:
        """The figures of ``zhiye eval``."""
        return {
            "questions": self.questions,
            "retrieval": _rounded(metrics.retrieval(self.ranked)),
            "gate": _gate_figures(self),
            "answers": None if self.answers is None else _rounded(self.answers.figures()),
            "seconds": round(self.seconds, 3),
            "misses": self.misses,
            "failed": self.failed,
        }


def evaluate(
    questions: Iterable[Question],
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    ask_one: AskOne | None = None,
    progress: Callable[[int], None] = lambda done: None,
    others: Sequence[Embedder] = (),
    tally: Tally | None = None,
) -> dict[str, Any]:
    """The figures of ``zhiye eval``; those of answers only with ``ask_one``.

    A question that raises one of the program's own errors is in ``failed`` with its code and in no figure.
    ``tally`` goes on counting where other questions, to other libraries, ended.
    """
    started = time.monotonic()
    tally = tally or Tally()
    if ask_one is not None:
        tally.answers = tally.answers or AnswerFigures()
    corpus = Corpus(libraries)
    for question in questions:
        tally.questions += 1
        try:
            found = searching.find(question.question, libraries, embedder, settings, DEPTH, others)
            answered = None if ask_one is None else ask_one(question)
        except CodedError as exc:
            tally.failed.append({"qid": question.qid, "code": exc.code})
        else:
            _count(question, corpus.seek(question), found.hits, found.gate, settings.top_k, answered, tally)
        progress(tally.questions)
    tally.seconds += time.monotonic() - started
    return tally.record()


def _count(
    question: Question,
    sought: Sought,
    hits: Sequence[SearchHit],
    gate: Gate,
    top_k: int,
    answered: Answered | None,
    tally: Tally,
) -> None:
    if answered is not None and tally.answers is not None:
        tally.answers.add(question, answered.answer)
    if not question.answerable:
        tally.unanswerable.append(gate.probability or 0.0)
        tally.refused_rightly.append(not gate.answerable)
        return
    tally.answerable.append(gate.probability or 0.0)
    tally.refused.append(not gate.answerable)
    tally.ranked.append(_ranked(question, sought, hits))
    stage = stages.missed(sought, hits, gate, top_k, answered)
    if stage is not None:
        tally.misses.append(_miss(question, stage, hits, answered))


def _ranked(question: Question, sought: Sought, hits: Sequence[SearchHit]) -> Ranked:
    seen: set[str] = set()
    right: list[bool] = []
    wanted = max(1, len(question.documents)) if question.source_part is None else 1
    for hit in hits:
        # A second passage of the same document adds nothing, nor does one more that the name fits.
        is_new = hit.document not in seen and sum(right) < wanted
        right.append(is_new and sought.is_right(hit))
        seen.add(hit.document)
    return Ranked(
        tuple(right), wanted,
        all_evidence=sought.all_in(hits[:5]) if question.evidence else None,
        passages=tuple(sought.any_in(hits[:k]) for k in metrics.CUTOFFS) if sought.by_text else (),
        pages=tuple(any(_is_on_page(question, sought, hit) for hit in hits[:k]) for k in metrics.CUTOFFS)
        if question.pages else (),
    )  # fmt: skip


def _is_on_page(question: Question, sought: Sought, hit: SearchHit) -> bool:
    pages = {hit.page, *(span.page for span in hit.spans)}
    return sought.is_right(hit) and not pages.isdisjoint(question.pages)


def _miss(
    question: Question, stage: str, hits: Sequence[SearchHit], answered: Answered | None
) -> dict[str, str]:
    """Where it was lost, what was wanted, and what came: the answer, or else the best passage."""
    expected = question.evidence or question.answers or tuple(sorted(question.documents))
    got = f"{hits[0].document}: {hits[0].text}" if hits else ""
    if answered is not None and stage in ("answer", "grounding"):
        got = answered.written or answered.answer.text
    return {
        "qid": question.qid,
        "stage": stage,
        "question": question.question[:_SHOWN],
        "expected": (" / ".join(expected) or question.source_part or "")[:_SHOWN],
        "got": " ".join(got.split())[:_SHOWN],
    }


def _gate_figures(tally: Tally) -> dict[str, Any]:
    """The contract's figures; a curve and two distributions (counts in 20 parts of [0, 1]) for the plots."""
    figures = _rounded(
        {
            "auc": metrics.auc(tally.answerable, tally.unanswerable),
            "refused_unanswerable": metrics.share(tally.refused_rightly),
            "refused_answerable": metrics.share(tally.refused),
        }
    )
    return {
        **figures,
        "curve": metrics.curve(tally.answerable, tally.unanswerable),
        "distribution": {
            "answerable": metrics.distribution(tally.answerable),
            "unanswerable": metrics.distribution(tally.unanswerable),
        },
    }


def _rounded(figures: dict[str, float | None]) -> dict[str, float | None]:
    return {key: None if value is None else round(value, 4) for key, value in figures.items()}

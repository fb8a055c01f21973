"""Asking every question of a set and counting; deterministic for the same index and models."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import pipeline
from engine.answer.facts import squeezed
from engine.config import Settings
from engine.documents import Answer, Gate, SearchHit
from engine.errors import QuestionEmpty, QuestionTooLong
from engine.evaluation import metrics
from engine.evaluation.dataset import Question
from engine.index.embedding import Embedder
from engine.index.library import Library

DEPTH = 10
"""Hits looked at per question."""

AskOne = Callable[[Question], Answer]


@dataclass
class _Results:
    ranked: list[tuple[list[bool], int]] = field(default_factory=list)
    answerable: list[Gate] = field(default_factory=list)
    unanswerable: list[Gate] = field(default_factory=list)
    answers: list[tuple[Question, Answer]] = field(default_factory=list)
    misses: list[dict[str, str]] = field(default_factory=list)


def evaluate(
    questions: Sequence[Question],
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    ask_one: AskOne | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """The figures of ``zhiye eval``; those of answers only with ``ask_one``."""
    started = time.monotonic()
    results = _Results()
    for done, question in enumerate(questions, start=1):
        try:
            hits, gate = pipeline.search(question.question, libraries, embedder, settings, DEPTH)
        except (QuestionEmpty, QuestionTooLong):
            continue
        _count_retrieval(question, hits, gate, results)
        if ask_one is not None:
            results.answers.append((question, ask_one(question)))
        progress(done)
    return {
        "questions": len(questions),
        "retrieval": _rounded(metrics.retrieval(results.ranked)),
        "gate": _rounded(_gate_figures(results)),
        "answers": _rounded(_answer_figures(results.answers)) if ask_one is not None else None,
        "seconds": round(time.monotonic() - started, 3),
        "misses": results.misses,
    }


def _count_retrieval(question: Question, hits: Sequence[SearchHit], gate: Gate, results: _Results) -> None:
    if not question.answerable:
        results.unanswerable.append(gate)
        return
    results.answerable.append(gate)
    seen: set[str] = set()
    right: list[bool] = []
    wanted = len(question.documents) if question.source_part is None else 1
    for hit in hits:
        # A second passage of the same document adds nothing, nor does one more that the name fits.
        is_new = hit.document not in seen and sum(right) < max(1, wanted)
        right.append(is_new and question.is_right(hit.document))
        seen.add(hit.document)
    results.ranked.append((right, wanted))
    if not any(right):
        results.misses.append({"qid": question.qid, "stage": "retrieval"})
    elif not gate.answerable:
        results.misses.append({"qid": question.qid, "stage": "gate"})


def _gate_figures(results: _Results) -> dict[str, float | None]:
    def probabilities(gates: Sequence[Gate]) -> list[float]:
        return [gate.probability or 0.0 for gate in gates]

    return {
        "auc": metrics.auc(probabilities(results.answerable), probabilities(results.unanswerable)),
        "refused_unanswerable": metrics.share([not gate.answerable for gate in results.unanswerable]),
        "refused_answerable": metrics.share([not gate.answerable for gate in results.answerable]),
    }


def _answer_figures(answers: Sequence[tuple[Question, Answer]]) -> dict[str, float | None]:
    wanted = [(q, a) for q, a in answers if q.answerable]
    given = [(q, a) for q, a in wanted if not a.refused]
    claims = [s for _, a in answers if not a.refused for s in a.sentences if s.verdict != "no_claim"]
    cited = [(q, c) for q, a in given for c in a.citations]
    return {
        "contains_gold": metrics.share([_contains_gold(q, a) for q, a in wanted if q.answers]),
        "f1": _mean([_f1(q, a) for q, a in wanted if q.answers]),
        "cited_sentences": metrics.share([bool(s.citations) for s in claims]),
        "supported_citations": metrics.share([s.verdict == "supported" for s in claims if s.citations]),
        "right_document": metrics.share([q.is_right(c.document) for q, c in cited]),
        "citation_hit": metrics.share([any(q.is_right(c.document) for c in a.citations) for q, a in given]),
        "refused_unanswerable": metrics.share([a.refused for q, a in answers if not q.answerable]),
        "refused_answerable": metrics.share([a.refused for _, a in wanted]),
        "unsupported_shown": metrics.share([s.verdict == "unsupported" for s in claims]),
    }


def _contains_gold(question: Question, answer: Answer) -> bool:
    text = squeezed(answer.text)
    return not answer.refused and any(squeezed(gold).rstrip("。.") in text for gold in question.answers)


def _f1(question: Question, answer: Answer) -> float:
    """Character F1 against the best of the gold answers, as CMRC-2018 scores it."""
    text = list(squeezed(answer.text)) if not answer.refused else []
    best = 0.0
    for gold in question.answers:
        wanted = list(squeezed(gold))
        shared = sum(min(text.count(c), wanted.count(c)) for c in set(wanted))
        if shared:
            precision, recall = shared / len(text), shared / len(wanted)
            best = max(best, 2 * precision * recall / (precision + recall))
    return best


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _rounded(figures: dict[str, float | None]) -> dict[str, float | None]:
    return {key: None if value is None else round(value, 4) for key, value in figures.items()}

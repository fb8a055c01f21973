"""The questions that answers are measured on, each with what a search finds for it under one condition.

* ``with``: the document that holds the answer is there.
* ``without``: it was taken out; its passages leave the hits, the term counts and the moments of scores.
* ``near``: passages about the very subject that lack the answer, also where a set calls a question
  answerable and gives 无法回答 as its answer (67 of rageval_zh, 47 of rageval_en). Of the noisy set the model
  gets passages of the given documents only: for ``with`` two right ones among six of the others.
"""

import random
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.answer import retrieval
from engine.answer.gate import calibration, weights
from engine.answer.gate.figures import DENSE, Held
from engine.answer.gate.missing import named
from engine.answer.gate.search_figures import TERMS, Surroundings, figures_of
from engine.answer.gate.surroundings import of_libraries
from engine.answer.refusal import is_bare
from engine.answers import Gate
from engine.config import Settings
from engine.documents import SearchHit
from engine.evaluation.dataset import Question, read_questions
from engine.index import lexical
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.jsonlines import read_objects
from tests.quality import corpora

SETS = (*corpora.CHINESE, *corpora.ENGLISH, *corpora.NOISY)
CONDITIONS = ("with", "without", "near")

SEED, DEPTH = 11, 40
RIGHT, NOISE = 2, 6
"""Documents of the noisy set."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question under one condition."""

    set: str
    condition: str
    question: Question
    hits: tuple[SearchHit, ...]
    gate: Gate

    @property
    def key(self) -> tuple[str, str, str]:
        return self.set, self.condition, self.question.qid


def of_set(
    name: str, library: Library, embedder: Embedder, settings: Settings, count: int,
    data: Path = corpora.DATA, seed: int = SEED, *,
    without: Set[str] = frozenset(), only: Set[str] | None = None,
) -> Iterator[Case]:  # fmt: skip
    """Up to ``count`` questions with and without their document, and as many near misses.

    They are drawn by ``seed`` among the ids of ``only``, if there are any, and never of ``without``.
    """
    for _ in calibration.calibrating(library, embedder, settings):
        pass
    file = data / name / "questions.jsonl"
    asked = [
        (question, item)
        for question, item in zip(read_questions(file), read_objects(file), strict=True)
        if question.qid not in without and (only is None or question.qid in only)
    ]
    for question, item in _drawn([pair for pair in asked if has_answer(pair[0])], count, seed):
        if name in corpora.NOISY:
            given = frozenset([*item["doc_ids"][:RIGHT], *item["negative_doc_ids"][:NOISE]])
            yield _searched(name, "with", question, library, embedder, settings, given)
            continue
        yield _searched(name, "with", question, library, embedder, settings)
        yield _without(name, question, library, embedder, settings)
    for question, _ in _drawn([pair for pair in asked if not has_answer(pair[0])], count, seed):
        given = question.documents if name in corpora.NOISY else None
        yield _searched(name, "near", question, library, embedder, settings, given)


def has_answer(question: Question) -> bool:
    """Whether a set gives a question an answer that is none of 无法回答 and its like."""
    return question.answerable and not any(map(is_bare, question.answers))


def _drawn(
    pairs: list[tuple[Question, Mapping[str, Any]]], count: int, seed: int
) -> list[tuple[Question, Mapping[str, Any]]]:
    """Those that name their subject first; none whose sources contradict each other on purpose."""
    usable = [p for p in pairs if p[1].get("scope") != "document" and p[1].get("kind") != "counterfactual"]
    random.Random(seed).shuffle(usable)
    usable.sort(key=lambda pair: pair[1].get("scope") == "corpus?")
    return usable[:count]


def _searched(
    name: str, condition: str, question: Question, library: Library, embedder: Embedder, settings: Settings,
    given: frozenset[str] | None = None,
) -> Case:  # fmt: skip
    hits = retrieval.search(question.question, [library], embedder, settings, settings.top_k, given)
    around = _around(question.question, library, embedder)
    return Case(name, condition, question, hits, _judged(question.question, hits, around, library, settings))


def _without(name: str, question: Question, library: Library, embedder: Embedder, settings: Settings) -> Case:
    found = retrieval.search(question.question, [library], embedder, settings, DEPTH)
    hits = tuple(hit for hit in found if not question.is_right(hit.document))[: settings.top_k]
    own = library.rows_of(question.documents)
    fewer = calibration.without(library, _around(question.question, library, embedder), own)
    return Case(name, "without", question, hits, _judged(question.question, hits, fewer, library, settings))


def _around(question: str, library: Library, embedder: Embedder) -> Surroundings:
    return of_libraries(question, _wanted(question), [library], embedder)


def _wanted(question: str) -> list[str]:
    return lexical.query_terms(named(question))[:TERMS]


def _judged(
    question: str, hits: tuple[SearchHit, ...], around: Surroundings, library: Library, settings: Settings
) -> Gate:
    """What :func:`engine.answer.gate.judge` says, with surroundings that a document may be missing from."""
    wanted = _wanted(question)
    if not hits or not wanted:
        return Gate(bool(hits))
    figures = figures_of(named(question), wanted, hits, Held.of(wanted, hits), around)
    is_hybrid = DENSE[0] in figures
    model = weights.load()["hybrid" if is_hybrid else "lexical"]
    shift = calibration.shift([library]) if is_hybrid else 0.0
    probability, threshold = model.probability(figures, shift), model.thresholds[settings.mode]
    return Gate(probability >= threshold, probability, threshold)

"""Asking the self-test questions of a library, one a step, and counting as ``zhiye eval`` does."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from engine.answer import searching
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import CodedError
from engine.evaluation import stages
from engine.evaluation.answers import AnswerFigures
from engine.evaluation.comparison import GROUPS, Last, figures
from engine.evaluation.dataset import Question
from engine.evaluation.measure import DEPTH, Tally
from engine.evaluation.metrics import Ranked
from engine.evaluation.sought import Corpus, Sought
from engine.evaluation.stages import Answered
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.self_test.marking import asked, names_by_hash
from engine.self_test.records import QuestionResult, RunReport, SelfTestQuestion, SelfTestRun

AskOne = Callable[[Question], Answered]

Outcome = tuple[Mapping[str, Any], tuple[QuestionResult, ...]]

SHOWN = (
    *("hit@1", "hit@5", "mrr@10", "refused_answerable", "refused_unanswerable"),
    *("supported_citations", "citation_hit", "unsupported_shown"),
)
"""Figures that people see; those of refusals come from the answers where there are any."""


def measure(
    questions: Sequence[SelfTestQuestion],
    library: Library,
    embedder: Embedder | None,
    others: Sequence[Embedder],
    settings: Settings,
    ask_one: AskOne | None = None,
) -> Generator[int, None, Outcome]:
    """Ask all that are marked; yields how many are done and returns the figures with each outcome.

    Hits are counted by the marked passage, not by its document: any passage that holds the marked sentence
    is right.
    """
    corpus, names = Corpus([library]), names_by_hash(library)
    tally = Tally(answers=None if ask_one is None else AnswerFigures())
    results = []
    for question in (each for each in questions if each.state != "unmarked"):
        tally.questions += 1
        wanted = asked(question, names)
        try:
            found = searching.find(wanted.question, [library], embedder, settings, DEPTH, others)
            answered = None if ask_one is None else ask_one(wanted)
        except CodedError as exc:
            results.append(QuestionResult(question.id, failed=exc.code))
        else:
            sought = corpus.seek(wanted)
            refused = answered.answer.refused if answered is not None else not found.gate.answerable
            lost = None
            if wanted.answerable:
                lost = stages.missed(sought, found.hits, found.gate, settings.top_k, answered)
            rank = _rank(sought, found.hits)
            results.append(QuestionResult(question.id, rank, refused, lost))
            _count(wanted, rank, not found.gate.answerable, answered, tally)
        yield len(results)
    record = tally.record()
    record["gate"] = {name: value for name, value in record["gate"].items() if name.startswith("refused")}
    return {name: record[name] for name in ("questions", *GROUPS)}, tuple(results)


def _rank(sought: Sought, hits: Sequence[SearchHit]) -> int | None:
    return next((k for k in range(1, len(hits) + 1) if sought.any_in(hits[:k])), None)


def _count(
    question: Question, rank: int | None, is_refused: bool, answered: Answered | None, tally: Tally
) -> None:
    if answered is not None and tally.answers is not None:
        tally.answers.add(question, answered.answer)
    if question.answerable:
        tally.refused.append(is_refused)
        tally.ranked.append(Ranked(tuple(place == rank for place in range(1, DEPTH + 1)), 1))
    else:
        tally.refused_rightly.append(is_refused)


def report(runs: Sequence[SelfTestRun]) -> RunReport | None:
    """The last of the runs (the latest first) with its figures against those of the one before."""
    if not runs:
        return None
    run, before = runs[0], runs[1] if len(runs) > 1 else None
    found = {}
    for figure in figures(run.record, None if before is None else Last(before.record)):
        # An answer's refusal says more than the gate's, which comes before it.
        if figure.name in SHOWN and (figure.value is not None or figure.name not in found):
            found[figure.name] = figure
    return RunReport(
        run,
        tuple(found[name] for name in SHOWN if name in found),
        None if before is None else before.at,
        before is None or _asked_in(run) == _asked_in(before),
    )


def _asked_in(run: SelfTestRun) -> frozenset[int]:
    return frozenset(result.question for result in run.results if result.failed is None)

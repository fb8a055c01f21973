"""At which stage a question was lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.answer.grounding.facts import squeezed
from engine.answers import Answer, Gate
from engine.documents import SearchHit
from engine.evaluation.dataset import Question
from engine.evaluation.sought import Sought

Stage = Literal["reading", "chunking", "retrieval", "gate", "budget", "answer", "grounding"]

STAGES: tuple[Stage, ...] = ("reading", "chunking", "retrieval", "gate", "budget", "answer", "grounding")
"""In the order in which a question goes through them."""


MISS_HEADS = ("id", "question", "expected", "got")

_MISS_KEYS = ("qid", "question", "expected", "got")


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with ``written``, what the model wrote before it was checked."""

    answer: Answer
    written: str = ""


def missed(
    sought: Sought, hits: Sequence[SearchHit], gate: Gate, top_k: int, answered: Answered | None = None
) -> Stage | None:
    """The first stage that lost what an answerable question needs; None where all of it arrived.

    * reading: the evidence is not in the pages as they were read, or its document is not in the library;
    * chunking: it is in the pages, but in no chunk and in no two neighbours;
    * retrieval: it is not among the hits;
    * gate: it was found, but the question was refused;
    * budget: it was found, but not among the passages that the model was given;
    * answer: the model was given it and wrote something else, or that there is nothing;
    * grounding: it wrote the gold answer, and the checks refused it or marked it as unsupported.
    """
    if sought.lost is not None:
        return sought.lost
    if not _is_found(sought, hits):
        return "retrieval"
    refused_by_gate = answered.answer.refused_by == "gate" if answered else not gate.answerable
    if refused_by_gate:
        return "gate"
    if not _is_found(sought, _given(hits[:top_k], answered)):
        return "budget"
    return None if answered is None else _answering(sought.question, answered)


def lost(record: Mapping[str, Any]) -> dict[Stage, list[tuple[str, ...]]]:
    """The misses of an evaluation's record by stage, those without any left out, each under MISS_HEADS."""
    found: dict[Stage, list[tuple[str, ...]]] = {stage: [] for stage in STAGES}
    for miss in record.get("misses") or ():
        if miss["stage"] in found:
            found[miss["stage"]].append(tuple(str(miss.get(key, "")) for key in _MISS_KEYS))
    return {stage: misses for stage, misses in found.items() if misses}


def contains_gold(question: Question, text: str) -> bool:
    """Whether one of the gold answers stands in a text, word for word but for blanks and a full stop."""
    squeezed_text = squeezed(text)
    return any(squeezed(gold).rstrip("。.") in squeezed_text for gold in question.answers)


def _is_found(sought: Sought, hits: Sequence[SearchHit]) -> bool:
    return sought.all_in(hits) if sought.by_text else any(map(sought.is_right, hits))


def _given(hits: Sequence[SearchHit], answered: Answered | None) -> Sequence[SearchHit]:
    """The passages that the model was given; without a model those that it would have been given at most."""
    if answered is None or not answered.answer.evidence:
        return hits
    given = frozenset(answered.answer.evidence)
    return [hit for hit in answered.answer.hits if hit.chunk in given]


def _answering(question: Question, answered: Answered) -> Stage | None:
    answer = answered.answer
    if answer.refused:
        wrote_it = contains_gold(question, answered.written) if question.answers else True
        return "grounding" if answer.refused_by == "grounding" and wrote_it else "answer"
    if not question.answers:
        return None
    if not contains_gold(question, answer.text):
        return "grounding" if contains_gold(question, answered.written) else "answer"
    verdicts = [s.verdict for s in answer.sentences if contains_gold(question, s.text)]
    return "grounding" if verdicts and set(verdicts) == {"unsupported"} else None

"""Checking an answer sentence by sentence against its evidence, without asking a model again.

First rules: a sentence whose numbers, dates or quoted names its evidence does not hold is unsupported
(未核实); so is one whose wording has next to nothing in common with the evidence. Marks are resolved only
against this answer's evidence: unknown ones are dropped, missing ones attached, wrong ones corrected.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer import marks, sentences
from engine.answer.citations import PageTexts, cite, overlap
from engine.answer.evidence import Evidence
from engine.answer.facts import Fact, Held, facts
from engine.answer.refusal import is_refusal
from engine.documents import Citation, Flag, Sentence, Verdict
from engine.index import lexical

SUPPORTED, PARTLY = 0.5, 0.25
"""Least share of a sentence's terms that its evidence must hold for the verdict."""

_MARKED_BONUS = 0.15
"""A block the model named is preferred over one that fits a little better."""

_LIST_NUMBER = re.compile(r"^\s*(?:[-*•]\s*|(?:\d{1,2}|[a-z])[.、)）]\s*|[（(]\d{1,2}[）)]\s*)+")
_LEAD_IN = re.compile(r"(?:如下|以下|as follows|following)?[:：]$", re.I)


@dataclass(frozen=True, slots=True)
class Checked:
    """The sentences with their verdicts, the citations they refer to, and the text with [n] marks."""

    text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]

    @property
    def grounded(self) -> bool:
        """Whether at least one statement has support."""
        return any(s.verdict in ("supported", "partly") for s in self.sentences)


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of evidence and what it holds, worked out once for all sentences."""

    evidence: Evidence
    held: Held
    terms: frozenset[str]


def check(text: str, evidence: Sequence[Evidence], page_texts: PageTexts) -> Checked:
    """The verdicts of an answer; ``text`` is what the model wrote, with or without marks."""
    blocks = [_Block(e, Held(e.context), frozenset(lexical.terms(e.context))) for e in evidence]
    found: list[Sentence] = []
    citations: list[Citation] = []
    pieces: list[str] = []
    last = 0
    for start, end in sentences.split(text):
        pieces.append(_gap(text[last:start]))
        last = end
        sentence, named = marks.read(text[start:end])
        if not sentence:
            continue
        verdict, flags, block = _judge(sentence, named, blocks)
        numbers: tuple[int, ...] = ()
        if block is not None:
            numbers = (_number(citations, sentence, block, page_texts),)
        found.append(Sentence(sentence, verdict, numbers, flags))
        pieces.append(_marked(sentence, numbers))
    return Checked("".join(pieces).strip(), tuple(found), tuple(citations))


def _judge(
    sentence: str, named: Sequence[int], blocks: Sequence[_Block]
) -> tuple[Verdict, tuple[Flag, ...], Evidence | None]:
    if not _claims_something(sentence):
        return "no_claim", (), None
    details = facts(_LIST_NUMBER.sub("", sentence))
    best: _Block | None = None
    best_score = -1.0
    missing: list[Fact] = []
    for block in blocks:
        lacking = [fact for fact in details if fact not in block.held]
        score = overlap(sentence, block.terms)
        score += _MARKED_BONUS if block.evidence.number in named else 0
        score += 2 * (1 - len(lacking) / len(details)) if details else 0
        if score > best_score:
            best, best_score, missing = block, score, lacking
    if best is None:
        return "unsupported", (), None
    if missing:
        return "unsupported", tuple(Flag(fact.kind, fact.text) for fact in missing), best.evidence
    shared = overlap(sentence, best.terms)
    if shared >= SUPPORTED:
        return "supported", (), best.evidence
    return ("partly", (), best.evidence) if shared >= PARTLY else ("unsupported", (), None)


def _claims_something(sentence: str) -> bool:
    return not (
        is_refusal(sentence)
        or _LEAD_IN.search(sentence)
        or not re.search(r"\w", _LIST_NUMBER.sub("", sentence))
    )


def _number(citations: list[Citation], sentence: str, block: Evidence, page_texts: PageTexts) -> int:
    """The number of this quote's citation, which is added when it is new."""
    new = cite(len(citations) + 1, sentence, block, page_texts)
    for old in citations:
        if (old.chunk, old.row, old.spans) == (new.chunk, new.row, new.spans):
            return old.number
    citations.append(new)
    return new.number


def _marked(sentence: str, numbers: Sequence[int]) -> str:
    """The sentence with its marks in front of its closing punctuation."""
    if not numbers:
        return sentence
    body = sentence.rstrip("。！？；.!?;")
    return body + "".join(f"[{n}]" for n in numbers) + sentence[len(body) :]


def _gap(blank: str) -> str:
    return "\n" if "\n" in blank else " " if blank else ""

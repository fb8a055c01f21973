"""Checking an answer sentence by sentence against its evidence, without asking a model again.

A sentence is unsupported (未核实) when a detail of it is not held by what speaks of the same thing, when it
says the opposite, or when its wording has next to nothing in common with the evidence; partly supported when
all but a name of it is plainly said. Marks are resolved only against this answer's evidence: unknown ones are
dropped, missing ones attached, wrong ones corrected.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.answer import marks, sentences
from engine.answer.evidence import Evidence
from engine.answer.grounding import asked, headings, judging
from engine.answer.grounding.checked import Checked
from engine.answer.grounding.citations import PageTexts, cite
from engine.answer.grounding.claims import fillers, slots, subject
from engine.answer.grounding.claims.quantities import quantities
from engine.answer.grounding.facts import squeezed
from engine.answer.grounding.judging import Judged
from engine.answer.grounding.support import Index
from engine.answer.refusal import beyond, is_bare, is_refusal, names_sources
from engine.answers import Citation, Flag, Sentence, Verdict
from engine.normalise import normalise

SUPPORTED, PARTLY = 0.55, 0.3
"""Least support of a sentence for the verdict."""

PLAINLY = 0.8
"""Least support of a sentence to be what the evidence says, though it sounds like a refusal (未提供担保) or
holds a name that is not found there."""

_MARKED_BONUS = 0.05
"""A block the model named is preferred over one that fits a little better."""

_ANOTHER_SOURCE = 0.2
"""How much better another block must fit a part of the sentence to be cited as well."""

_LEAD_IN = re.compile(r"(?:如下|以下|包括|as follows|following|includ(?:e|es|ing))?[:：]$", re.I)
_QUESTION = re.compile(r"[?？]$")
_DIGIT = re.compile(r"\d")
_QUOTES = '《“"「『'


LONGEST = 2000
"""Characters of a sentence; a longer one is checked in pieces."""


def check(
    text: str,
    evidence: Sequence[Evidence],
    page_texts: PageTexts,
    question: str = "",
    in_other_words: Sequence[str] = (),
) -> Checked:
    """The verdicts of an answer; ``text`` is what the model wrote, with or without marks."""
    checking = Checking(evidence, page_texts, question, in_other_words)
    said: list[tuple[str, Sentence]] = []
    last, gap = 0, ""
    for start, end in pieces(text):
        gap, last = _gap(text[last:start]) or gap, end
        found = checking.sentence(text[start:end], is_heading=headings.is_heading(text, start, end))
        if found is not None:
            said.append((gap, found))
            gap = ""
    # Models write 未找到 first and the right answer after it: then a refusal that names nothing goes.
    if any(sentence.verdict == "supported" for _, sentence in said):
        said = [each for each in said if each[1].verdict != "no_claim" or not is_bare(each[1].text)]
    shown = "".join(gap + marked(sentence) for gap, sentence in said)
    judged = tuple(sentence for _, sentence in said)
    return Checked(shown.strip(), judged, checking.citations, asked.is_answered(question, judged))


@dataclass(slots=True)
class Checking:
    """A text that is checked sentence by sentence.

    Evidence may change between two sentences (:meth:`rest_on`); citations are numbered through.
    ``in_other_words`` says the question as the documents may say it: a user's aliases.
    """

    evidence: Sequence[Evidence]
    page_texts: PageTexts
    question: str = ""
    in_other_words: Sequence[str] = ()
    _index: Index | None = None
    _citations: list[Citation] = field(default_factory=list)

    def rest_on(self, evidence: Sequence[Evidence]) -> None:
        """What the sentences from now on are checked against."""
        self.evidence, self._index = evidence, None

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of the sentences so far."""
        return tuple(self._citations)

    def sentence(
        self, written: str, *, is_heading: bool = False, in_other_words: Sequence[str] = ()
    ) -> Sentence | None:
        """The verdict of one sentence; None when it says nothing but which source was used.

        What has no support as it is ``written`` may have some ``in_other_words``: with a user's aliases.
        """
        text, named = marks.read(written)
        if is_heading:
            return Sentence(text, "no_claim")
        if not text:
            return None
        known = len(self._citations)
        found = self._judge(text, named)
        for other in in_other_words if found.verdict == "unsupported" else ():
            citations = self._citations[known:]
            del self._citations[known:]
            said = self._judge(marks.read(other)[0], named)
            if said.verdict != "unsupported":
                return replace(said, text=text, flags=())
            self._citations[known:] = citations
        return found

    def _judge(self, written: str, named: Sequence[int]) -> Sentence:
        if not _claims_something(written):
            return Sentence(written, "no_claim")
        if self._index is None:
            self._index = Index.of(self.evidence)
        refuses = is_refusal(written)
        claim = beyond(written) if refuses and names_sources(written) else written
        if not re.search(r"\w", claim):
            return Sentence(written, "no_claim")
        if not self._index.clauses:
            return Sentence(written, "no_claim" if refuses else "unsupported")
        judged = judging.judge(claim, self._index, self.question)
        main = self._main(judged, named)
        flags = judged.flags + self._subject(claim, main, self._index)
        verdict = _verdict(claim, judged, flags, squeezed(self.question))
        if refuses and (verdict == "unsupported" or judged.support < PLAINLY):
            return Sentence(written, "no_claim")
        if judged.support < PARTLY:
            return Sentence(written, verdict, (), flags)
        cited = (
            self._number(part, self.evidence[block]) for block, part in self._parts(written, judged, main)
        )
        return Sentence(written, verdict, tuple(dict.fromkeys(cited)), flags)

    def _main(self, judged: Judged, named: Sequence[int]) -> int:
        """The block that fits the whole sentence best."""
        assert self._index is not None
        best: dict[int, float] = {}
        for clause, fit in zip(self._index.clauses, judged.fit.tolist(), strict=True):
            bonus = _MARKED_BONUS if self.evidence[clause.block].number in named else 0.0
            best[clause.block] = max(best.get(clause.block, 0.0), fit + bonus)
        return max(best, key=lambda block: (best[block], -block))

    def _parts(self, written: str, judged: Judged, main: int) -> list[tuple[int, str]]:
        """Which block supports what: the main one the sentence, others a clause of it."""
        assert self._index is not None
        of = np.array([clause.block for clause in self._index.clauses])
        found = [(main, written)]
        total = sum(part.weight for part in judged.parts)
        for part in judged.parts:
            best = int(part.cover.argmax())
            here = float(part.cover[of == main].max())
            if part.weight > total / 5 and float(part.cover[best]) - here > _ANOTHER_SOURCE:
                found.append((int(of[best]), written[part.start : part.end]))
        return found

    def _subject(self, statement: str, main: int, index: Index) -> tuple[Flag, ...]:
        """The words of the question's subject that no passage of the cited document holds; elsewhere where
        it speaks of somebody else by name."""
        if not self.question:
            return ()
        document = index.blocks[main].evidence.hit.document
        about = [block for block in index.blocks if block.evidence.hit.document == document]
        held = frozenset().union(*(block.terms for block in about))
        text = "".join(block.held.text for block in about)
        missing = subject.lacking(self.question, held, text)
        if not missing or subject.states_another(statement, self.question, missing, held):
            return ()
        if not all(subject.lacking(other, held, text) for other in self.in_other_words):
            return ()
        is_other = subject.is_of_another(self.question, missing, text)
        return (Flag("subject", "、".join(missing), 0, 0, "elsewhere" if is_other else "absent"),)

    def _number(self, statement: str, block: Evidence) -> int:
        """The number of this quote's citation, which is added when it is new."""
        new = cite(len(self._citations) + 1, statement, block, self.page_texts)
        for old in self._citations:
            if (old.library, old.chunk, old.row, old.spans) == (new.library, new.chunk, new.row, new.spans):
                return old.number
        self._citations.append(new)
        return new.number


def _verdict(claim: str, judged: Judged, flags: Sequence[Flag], question: str) -> Verdict:
    """A name or a subject that is merely not found may be another word for one that is there: the sentence is
    shown with its mark, where all the rest of it is plainly said. Not so the name that was asked for."""
    if flags:
        is_doubt = len({f.kind for f in flags}) == 1 and all(_is_doubtful(f, claim, question) for f in flags)
        is_plain = judged.support >= PLAINLY and judged.speaks_for_itself
        return "partly" if is_doubt and is_plain else "unsupported"
    if judged.support < PARTLY:
        return "unsupported"
    return "supported" if judged.support >= SUPPORTED else "partly"


def _is_doubtful(flag: Flag, claim: str, question: str) -> bool:
    """Whether a flag may be a wrong alarm: not of a title in quotes or with a number, which are exact."""
    if flag.why != "absent" or flag.kind != "name":
        return flag.why == "absent" and flag.kind == "subject"
    if slots.asks_for_a_name(question) and squeezed(flag.text) not in question:
        return False
    is_quoted = flag.start > 0 and claim[flag.start - 1] in _QUOTES
    return not (is_quoted or _DIGIT.search(flag.text) or quantities(normalise(flag.text)))


def _claims_something(sentence: str) -> bool:
    return not (
        _QUESTION.search(sentence)
        or _LEAD_IN.search(sentence)
        or not re.search(r"\w", fillers.blanked(sentence))
    )


def marked(sentence: Sentence) -> str:
    """The sentence with its marks in front of its closing punctuation."""
    body = sentence.text.rstrip("。！？；.!?;")
    return body + "".join(f"[{n}]" for n in sentence.citations) + sentence.text[len(body) :]


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, very long ones cut into pieces."""
    for start, end in sentences.split(text):
        for begin in range(start, end, LONGEST):
            yield begin, min(end, begin + LONGEST)


def _gap(blank: str) -> str:
    return "\n" if "\n" in blank else " " if blank else ""

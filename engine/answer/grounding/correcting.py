"""A wrong detail in a sentence that the evidence else has word by word: then the source itself is the answer.

Small models take 1972年9月 from the sentence beside for 1972年5月. The checks refuse that, and what was asked
stands in the evidence all the same. Never where the detail is the question's own: then the evidence speaks of
something else.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.answer.evidence import Evidence
from engine.answer.grounding import asked, marked
from engine.answer.grounding.checked import Checked
from engine.answer.grounding.citations import PageTexts, cite
from engine.answer.grounding.claims import terms
from engine.answer.grounding.facts import squeezed
from engine.answer.prompting import language_of
from engine.answers import Sentence
from engine.wording import describe

LEAST = 0.8
"""Share of the sentence's words, by their weight and without the wrong detail, that the source must hold."""

_DETAILS = frozenset(("number", "date", "unit"))


def in_the_words_of_the_source(
    checked: Checked, evidence: Sequence[Evidence], page_texts: PageTexts, question: str
) -> Checked:
    """``checked`` as it is, or a quote of the evidence in the place of an answer that nothing is left of."""
    if checked.refused_by != "grounding":
        return checked
    for wrong in checked.sentences:
        rest = _without_details(wrong, squeezed(question))
        wanted = terms.weighted(rest)
        for block in evidence if wanted else ():
            found = cite(1, rest, block, page_texts)
            if terms.share_held(wanted, found.quote) < LEAST:
                continue
            said = describe("in_the_words_of_the_source", {"quote": found.quote}, language_of(question))
            sentence = Sentence(said.title, "supported", (1,))
            if asked.is_answered(question, (replace(sentence, text=found.quote),)):
                return Checked(marked(sentence), (sentence,), (found,))
    return checked


def _without_details(sentence: Sentence, question: str) -> str:
    """What is left of a sentence that is wrong in its details only; nothing of any other, or where one of
    them comes with the question."""
    if sentence.verdict != "unsupported" or not sentence.flags:
        return ""
    if not all(flag.kind in _DETAILS and squeezed(flag.text) not in question for flag in sentence.flags):
        return ""
    text = sentence.text
    for flag in sorted(sentence.flags, key=lambda flag: -flag.start):
        text = text[: flag.start] + " " + text[flag.end :]
    return text

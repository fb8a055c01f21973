"""Words for the engine's named values: states, verdicts, and where a passage stands."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale

from desktop import error_text
from engine.documents import Answer, Citation, FileState, SearchHit, Verdict


def state_word(state: FileState | None) -> str:
    """The state of a file in the words the command line uses too; None is a file that is being read."""
    if state is None:
        return QCoreApplication.translate("State", "Reading")
    word = error_text.describe(f"state_{state}").title
    return word[:1].upper() + word[1:]


def verdict_word(verdict: Verdict) -> str:
    words: dict[Verdict, str] = {
        "supported": QCoreApplication.translate("Verdict", "Supported"),
        "partly": QCoreApplication.translate("Verdict", "Partly supported"),
        "unsupported": QCoreApplication.translate("Verdict", "Unverified"),
        "no_claim": QCoreApplication.translate("Verdict", "Nothing to verify"),
    }
    return words[verdict]


def page_words(number: int, label: str | None) -> str:
    """第 3 页, with the printed label when it is another one: 第 3 页（页码标签 1）."""
    if label and label != str(number):
        text = QCoreApplication.translate("Place", "Page {number} (page label {label})")
        return text.format(number=number, label=label)
    return QCoreApplication.translate("Place", "Page {number}").format(number=number)


def place_words(
    kind: str,
    page: int,
    label: str | None,
    section: Sequence[str],
    location: Mapping[str, Any] | None = None,
) -> str:
    """Where in a document: page for what has pages, else section, else the body of the text."""
    if kind == "pdf" or (not kind and label):
        return page_words(page, label)
    if section:
        return " › ".join(section)
    if location and "line" in location:
        return QCoreApplication.translate("Place", "Line {line}").format(line=location["line"])
    return QCoreApplication.translate("Place", "Body text")


def place_of(source: SearchHit | Citation) -> str:
    return place_words(source.kind, source.page, source.label, source.section, source.location)


def refusal_words(answer: Answer) -> str:
    """Why an answer was refused, in one sentence."""
    reasons = {
        "gate": QCoreApplication.translate(
            "Refusal", "No passage is close enough to the question, so the model was not asked."
        ),
        "model": QCoreApplication.translate("Refusal", "The model found no answer in the passages."),
        "grounding": QCoreApplication.translate(
            "Refusal", "What the model wrote did not stand in the passages, so it is not shown."
        ),
        None: QCoreApplication.translate("Refusal", "The passages do not answer the question."),
    }
    return reasons[answer.refused_by]


def number(value: float, decimals: int = 0) -> str:
    """A number as the window's locale writes it."""
    return QLocale().toString(float(value), "f", decimals)

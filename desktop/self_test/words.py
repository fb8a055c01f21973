"""What the self-test window says of questions, of what became of them, and of figures."""

from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication

from desktop import error_text
from desktop.words import number, place_words
from engine.evaluation.comparison import Figure
from engine.self_test.records import QuestionResult, SelfTestQuestion


def mark_words(question: SelfTestQuestion) -> str:
    """Where the right passage is: 员工手册.pdf · 第 3 页."""
    if question.state == "absent":
        return QCoreApplication.translate("SelfTest", "Not in the documents")
    mark = question.mark
    if mark is None:
        return QCoreApplication.translate("SelfTest", "Not marked yet")
    place = place_words(mark.kind, mark.page, mark.label, mark.section, mark.location)
    return f"{PurePosixPath(mark.document).name} · {place}"


def result_words(question: SelfTestQuestion, result: QuestionResult | None) -> str:
    """What became of a question in the last run, in a few words; empty where it was not asked."""
    if result is None or question.state == "unmarked":
        return ""
    if result.failed is not None:
        return error_text.describe(result.failed).title
    if question.state == "absent":
        if result.refused:
            return QCoreApplication.translate("SelfTest", "Refused, rightly")
        return QCoreApplication.translate("SelfTest", "Answered, though not there")
    if result.lost is not None:
        return _lost_words(result.lost)
    return QCoreApplication.translate("SelfTest", "Found, place {rank}").format(rank=result.rank)


def is_missed(question: SelfTestQuestion, result: QuestionResult | None) -> bool:
    """Whether the last run did not do right by a question."""
    if result is None or question.state == "unmarked":
        return False
    if question.state == "absent":
        return result.failed is not None or not result.refused
    return result.failed is not None or result.lost is not None


def _lost_words(stage: str) -> str:
    words = {
        "reading": QCoreApplication.translate("SelfTest", "Lost in reading: no longer there"),
        "chunking": QCoreApplication.translate("SelfTest", "Lost in cutting: sentence torn apart"),
        "retrieval": QCoreApplication.translate("SelfTest", "Lost in searching: not among ten"),
        "gate": QCoreApplication.translate("SelfTest", "Found, yet refused"),
        "budget": QCoreApplication.translate("SelfTest", "Found, but too far down"),
        "answer": QCoreApplication.translate("SelfTest", "The model did not answer it"),
        "grounding": QCoreApplication.translate("SelfTest", "Lost in checking the answer"),
    }
    return words[stage]


def figure_name(name: str) -> str:
    names = {
        "hit@1": QCoreApplication.translate("SelfTest", "Right passage first"),
        "hit@5": QCoreApplication.translate("SelfTest", "Right passage among five"),
        "mrr@10": QCoreApplication.translate("SelfTest", "Mean reciprocal rank"),
        "refused_answerable": QCoreApplication.translate("SelfTest", "Wrongly refused"),
        "refused_unanswerable": QCoreApplication.translate("SelfTest", "Rightly refused"),
        "supported_citations": QCoreApplication.translate("SelfTest", "Citations that hold"),
        "citation_hit": QCoreApplication.translate("SelfTest", "Right document cited"),
        "unsupported_shown": QCoreApplication.translate("SelfTest", "Sentences unverified"),
    }
    return names[name]


def figure_help(name: str) -> str:
    """What a figure means, and which direction is good."""
    helps = {
        "hit@1": QCoreApplication.translate("SelfTest", "hit@1: the marked passage is the first one found"),
        "hit@5": QCoreApplication.translate("SelfTest", "hit@5: it is among the first five"),
        "mrr@10": QCoreApplication.translate(
            "SelfTest", "MRR: 1 for the first place, 1/2 for the second, and so on"
        ),
        "refused_answerable": QCoreApplication.translate(
            "SelfTest", "Questions with a marked passage that were refused; fewer is better"
        ),
        "refused_unanswerable": QCoreApplication.translate(
            "SelfTest", "Questions that the documents do not answer, and that were refused"
        ),
        "supported_citations": QCoreApplication.translate(
            "SelfTest", "Cited sentences that the cited passage holds"
        ),
        "citation_hit": QCoreApplication.translate("SelfTest", "Answers that cite the marked document"),
        "unsupported_shown": QCoreApplication.translate(
            "SelfTest", "Sentences of answers that no passage holds; fewer is better"
        ),
    }
    return helps[name]


def value_words(figure: Figure) -> str:
    """92%, 0.87, or – where nothing was counted."""
    if figure.value is None:
        return "–"
    return number(figure.value, 2) if figure.name == "mrr@10" else f"{number(figure.value * 100)}%"


def change_words(figure: Figure) -> str:
    """↑ 8, ↓ 0.03; empty where there is nothing to compare with."""
    if figure.change is None:
        return ""
    if figure.arrow == "→":
        return "="
    size = abs(figure.change)
    return f"{figure.arrow} {number(size, 2) if figure.name == 'mrr@10' else number(size * 100)}"

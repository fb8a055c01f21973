"""The figures of answers: what they hold of the gold, what they cite, what they refuse."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.answer.grounding.facts import squeezed
from engine.answers import Answer
from engine.evaluation import metrics
from engine.evaluation.dataset import Question
from engine.evaluation.stages import contains_gold


@dataclass
class AnswerFigures:
    """Counts one answer after the other; of each only yes, no and a number are kept."""

    _columns: dict[str, list[bool]] = field(default_factory=dict)
    _f1: list[float] = field(default_factory=list)

    def add(self, question: Question, answer: Answer) -> None:
        """Count an answer, or a refusal, to a question."""
        claims = [s for s in answer.sentences if s.verdict != "no_claim"] if not answer.refused else []
        self._note("cited_sentences", [bool(s.citations) for s in claims])
        self._note("supported_citations", [s.verdict == "supported" for s in claims if s.citations])
        self._note("unsupported_shown", [s.verdict == "unsupported" for s in claims])
        if not question.answerable:
            self._note("refused_unanswerable", [answer.refused])
            return
        self._note("refused_answerable", [answer.refused])
        if question.answers:
            self._note("contains_gold", [not answer.refused and contains_gold(question, answer.text)])
            self._f1.append(f1(question, answer))
        if not answer.refused:
            right = [question.is_right(citation.document) for citation in answer.citations]
            self._note("right_document", right)
            self._note("citation_hit", [any(right)])

    def _note(self, name: str, values: Sequence[bool]) -> None:
        self._columns.setdefault(name, []).extend(values)

    def figures(self) -> dict[str, float | None]:
        """All figures of the contract; None for one that nothing was counted for."""
        return {
            name: metrics.mean(self._f1) if name == "f1" else metrics.share(self._columns.get(name, []))
            for name in (
                *("contains_gold", "f1", "cited_sentences", "supported_citations", "right_document"),
                *("citation_hit", "refused_unanswerable", "refused_answerable", "unsupported_shown"),
            )
        }


def f1(question: Question, answer: Answer) -> float:
    """Character F1 against the best of the gold answers, as CMRC-2018 scores it (Cui et al., EMNLP 2019)."""
    text = Counter(squeezed(answer.text)) if not answer.refused else Counter()
    best = 0.0
    for gold in question.answers:
        wanted = Counter(squeezed(gold))
        shared = (text & wanted).total()
        if shared:
            precision, recall = shared / text.total(), shared / wanted.total()
            best = max(best, 2 * precision * recall / (precision + recall))
    return best

"""An answer as it was checked, and whether what is left of it is one."""

from dataclasses import dataclass

from engine.answers import Citation, RefusedBy, Sentence

SURE = 0.65
"""Probability of the reading verdict below which an answer without one supported sentence is none. Of the
answers that tests/quality/README.md speaks of, three of four such are wrong."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The sentences with their verdicts, the citations they refer to, and the text with [n] marks.

    ``answers``: a sentence that has support says what was asked.
    """

    text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    answers: bool = True

    @property
    def grounded(self) -> bool:
        """Whether at least one statement has support."""
        return any(s.verdict in ("supported", "partly") for s in self.sentences)

    @property
    def is_plain(self) -> bool:
        """Whether a sentence is supported, and not only in part."""
        return any(s.verdict == "supported" for s in self.sentences)

    def refused_after(self, reading: float | None) -> RefusedBy | None:
        """``refused_by`` where the model read with this probability that its evidence holds the answer: two
        doubts are one too many."""
        if self.refused_by is None and reading is not None and reading < SURE and not self.is_plain:
            return "grounding"
        return self.refused_by

    @property
    def refused_by(self) -> RefusedBy | None:
        """None for an answer; the model when it claimed nothing, else the checks, which no claim survived, or
        none that answers."""
        if self.grounded:
            return None if self.answers else "grounding"
        return "grounding" if any(s.verdict == "unsupported" for s in self.sentences) else "model"

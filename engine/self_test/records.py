"""Self-test questions and the outcomes of a run as they are handed on: frozen and plain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine.documents import PageSpan
from engine.evaluation.comparison import Figure

if TYPE_CHECKING:  # the window starts without what a search needs
    from engine.evaluation.stages import Stage


@dataclass(frozen=True, slots=True)
class Mark:
    """The passage that answers a question, told so that it is found again after its document was read anew.

    ``quote`` is the sentence of it that says most of the question, ``spans`` the quote's place on its pages.
    ``file_hash`` is the SHA-256 of the document's bytes (it finds the document under another name),
    ``passage_hash`` that of the passage's text; ``excerpt`` is what the passage begins with.
    """

    document: str
    file_hash: str | None
    page: int
    label: str | None
    location: Mapping[str, Any] | None
    section: tuple[str, ...]
    kind: str
    spans: tuple[PageSpan, ...]
    quote: str
    excerpt: str
    passage_hash: str


QuestionState = Literal["unmarked", "marked", "absent"]
"""Nobody has said yet what is right, a passage is, or the documents do not hold the answer."""


@dataclass(frozen=True, slots=True)
class SelfTestQuestion:
    """``added_at`` is ISO 8601 in UTC; ``mark`` belongs to the state marked."""

    id: int
    question: str
    state: QuestionState
    added_at: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What became of one question.

    ``rank`` is that of the marked passage among the hits, from 1; None: it is not there, or none is right.
    ``refused``: by the gate, or by any of the checks where the chat model answered. ``lost`` is the stage
    that lost a marked passage. ``failed`` is the code of an error; the question is then in no figure.
    """

    question: int
    rank: int | None = None
    refused: bool = False
    lost: Stage | None = None
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class SelfTestRun:
    """One run of all questions of a knowledge base.

    ``at`` is ISO 8601 in UTC, ``record`` has the groups of ``zhiye eval`` (retrieval, gate, answers: None
    where the chat model was not asked).
    """

    at: str
    record: Mapping[str, Any]
    results: tuple[QuestionResult, ...]


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run and what is new in it; ``before`` is when the run it is compared with was, None: it is the first.

    ``same_questions``: both asked the same ones, so that their figures can be compared.
    """

    run: SelfTestRun
    figures: tuple[Figure, ...]
    before: str | None = None
    same_questions: bool = True

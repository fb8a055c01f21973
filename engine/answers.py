"""Answers as the engine passes them from hand to hand: what they say, what it rests on, what is not there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from engine.documents import PageSpan, Reason, SearchHit


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether the documents hold an answer at all, judged before a model answers.

    ``reading`` is the probability after the chat model has read the evidence; None where it was not asked.
    """

    answerable: bool
    probability: float | None = None
    threshold: float | None = None
    missing_terms: tuple[str, ...] = ()
    reading: float | None = None
    reading_threshold: float | None = None

    @property
    def read_in_vain(self) -> bool:
        """Whether the chat model, having read the evidence, found no answer in it."""
        return (
            self.reading is not None
            and self.reading_threshold is not None
            and self.reading < self.reading_threshold
        )


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a statement comes from. ``number`` is the [n] that people see, from 1.

    ``quote`` is the sentence that supports the statement, ``spans`` the quote's place, ``page`` the
    page that holds it. ``excerpt`` is the first 80 characters of the passage, ``content_hash`` the SHA-256 of
    its text, in hex.
    """

    number: int
    library: str
    document: str
    page: int
    label: str | None
    location: Mapping[str, Any] | None
    section: tuple[str, ...]
    spans: tuple[PageSpan, ...]
    quote: str
    excerpt: str
    chunk: str
    row: int
    kind: str = ""
    path: Path | None = None
    content_hash: str = ""


Verdict = Literal["supported", "partly", "unsupported", "no_claim"]


@dataclass(frozen=True, slots=True)
class Flag:
    """A detail of a sentence that its evidence does not hold.

    ``[start, end)`` is its place in the sentence's text; a subject, which stands in the question, has none
    (both 0). ``why`` is absent (nowhere in the evidence), elsewhere (said of something else there), opposite
    (the evidence says the contrary).
    """

    kind: Literal["number", "date", "unit", "name", "subject", "negation"]
    text: str
    start: int = 0
    end: int = 0
    why: Literal["absent", "elsewhere", "opposite"] = "absent"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, without citation marks; ``citations`` are citation numbers."""

    text: str
    verdict: Verdict
    citations: tuple[int, ...] = ()
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """Somebody's text, checked sentence by sentence.

    ``spans`` are the places of the sentences in the text, whose marks the sentences lack. ``citations`` are
    numbered through; a sentence without one is 未核实 unless it claims nothing.
    """

    sentences: tuple[Sentence, ...]
    spans: tuple[tuple[int, int], ...]
    citations: tuple[Citation, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many sentences have each verdict."""
        verdicts = [sentence.verdict for sentence in self.sentences]
        return {verdict: verdicts.count(verdict) for verdict in get_args(Verdict)}


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What is known about why a question was refused.

    ``lexical`` and ``dense`` are the nearest passages of the two lanes, ``missing_terms`` words of the
    question that no passage holds, ``unreadable`` (name, state) files that could not be read in full, the
    likeliest first, ``suggestion`` how to ask differently.
    """

    lexical: SearchHit | None = None
    dense: SearchHit | None = None
    missing_terms: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    suggestion: Reason | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question of several: what it was searched for as, its gate, the chunk ids found."""

    question: str
    gate: Gate
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """What was found in one document: a cell for each column, the citation's number, and its verdict."""

    cells: tuple[str, ...]
    citations: tuple[int, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of cells of one unit; ``value`` is a decimal number, ``addends`` are the citations' numbers."""

    unit: str
    value: str
    addends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """The answer to a question about all documents: a row for each that holds what was asked for.

    ``read`` of the ``of`` documents that were to be read were read; there are ``documents`` in all.
    ``chosen`` says how those came about: all there are, or those of which a passage may hold it.
    """

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    read: int
    of: int
    documents: int
    chosen: Literal["all", "retrieved"]
    totals: tuple[Total, ...] = ()

    @property
    def count(self) -> int:
        """Rows that their citations support."""
        return sum(row.verdict in ("supported", "partly") for row in self.rows)


@dataclass(frozen=True, slots=True)
class VersionNote:
    """An older and a newer version of a document that an answer cites.

    ``differs``: they do not say the same in the cited passage; ``citations`` are then the numbers of the
    older one's and of the newer one's.
    """

    library: str
    document: str
    newer: str
    differs: bool
    citations: tuple[int, ...] = ()


RefusedBy = Literal["gate", "model", "grounding"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole result of a question.

    ``text`` carries the [n] marks. ``evidence`` lists the chunk ids given to the model, in order.
    ``seconds`` has retrieve, first_token and total; ``tokens`` has prompt and answer. ``rewritten`` is a
    follow-up said in full, ``filter`` the documents that were chosen (with ``understood``: from its words),
    ``why_not`` comes with a refusal. ``parts`` are those of a question that was searched for in parts.
    ``versions`` tells of other versions of the documents that are cited.
    """

    question: str
    text: str
    refused: bool
    refused_by: RefusedBy | None
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    hits: tuple[SearchHit, ...]
    gate: Gate | None
    nearest: tuple[SearchHit, ...] = ()
    evidence: tuple[str, ...] = ()
    model: str | None = None
    prompt: str | None = None
    seconds: Mapping[str, float | None] = field(default_factory=dict)
    tokens: Mapping[str, int | None] = field(default_factory=dict)
    qid: str | None = None
    rewritten: str | None = None
    filter: Mapping[str, Any] | None = None
    why_not: WhyNot | None = None
    indexed_share: float | None = None
    stopped: bool = False
    evidence_only: bool = False
    table: AnswerTable | None = None
    parts: tuple[Part, ...] = ()
    versions: tuple[VersionNote, ...] = ()

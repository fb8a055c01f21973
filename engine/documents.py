"""The things the engine passes from hand to hand, as frozen dataclasses.

Pages count from 1. A span is ``[start, end)`` in characters of a page's text exactly as
``zhiye inspect`` prints it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args


class FileState(StrEnum):
    """The named outcomes of reading one file; every file of a folder ends in exactly one."""

    INDEXED = "indexed"
    PARTIAL = "partial"
    NEEDS_OCR = "needs_ocr"
    NEEDS_PASSWORD = "needs_password"
    UNMAPPED_TEXT = "unmapped_text"
    EMPTY = "empty"
    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    OVER_BUDGET = "over_budget"
    EXCLUDED = "excluded"
    UNREADABLE = "unreadable"
    SET_ASIDE = "set_aside"


WITH_TEXT = frozenset({FileState.INDEXED, FileState.PARTIAL})
"""States of files that have passages to be found."""

FAILED = frozenset(
    {
        FileState.NEEDS_OCR,
        FileState.NEEDS_PASSWORD,
        FileState.UNMAPPED_TEXT,
        FileState.DAMAGED,
        FileState.OVER_BUDGET,
        FileState.UNREADABLE,
        FileState.SET_ASIDE,
    }
)
"""States that ``--fail-on-error`` counts and ``--retry-failed`` tries again."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a file is in its state: a code (words in ``resources/messages``) and its parameters."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageSpan:
    """``[start, end)`` in the text of page ``page`` (from 1)."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at ``offset`` in its page's text; ``level`` counts from 1."""

    offset: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table in its page's text, one row a line: ``[start, end)``, its header ``[start, header_end)``.

    ``header_end`` is the start of the first row below the header; equal to ``start`` without one.
    """

    start: int
    header_end: int
    end: int


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line ``[start, end)`` of a page's text that OCR read, with its confidence from 0 to 1."""

    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page of text as it was read.

    ``number`` counts sheets from 1, ``label`` is what is printed on the page, ``location`` says where
    in formats without pages. ``size`` is width and height in points as displayed (rotation and
    CropBox applied). ``boxes`` holds the glyph boxes of ``text`` (codec in
    :mod:`engine.intake.boxes`), or None for formats that are not laid out. ``tables`` are not nested,
    in order. ``rows`` names the sheet's row (from 1) of each line of ``text``, 0 for a line that is none.
    ``recognised`` are the lines that OCR read. ``unusable``: the text says nothing (characters without
    Unicode values, a stamp on a picture) and is left out of the chunks. ``notes`` is where comments and
    form fields begin that were added to the text. ``code`` are code blocks ([start, end) in ``text``), in
    order.
    """

    number: int
    text: str
    label: str | None = None
    location: Mapping[str, Any] | None = None
    headings: tuple[Heading, ...] = ()
    from_ocr: bool = False
    size: tuple[float, float] | None = None
    boxes: bytes | None = None
    tables: tuple[Table, ...] = ()
    rows: tuple[int, ...] = ()
    recognised: tuple[RecognisedLine, ...] = ()
    unusable: bool = False
    notes: int | None = None
    code: tuple[tuple[int, int], ...] = ()

    @property
    def confidence(self) -> float | None:
        """Mean OCR confidence, weighted by characters; None for a page that OCR did not read."""
        read = sum(line.end - line.start for line in self.recognised)
        if not read:
            return None
        return sum((line.end - line.start) * line.confidence for line in self.recognised) / read


@dataclass(frozen=True, slots=True)
class Dropped:
    """Text of a page that is left out of the chunks, and the code of the reason."""

    span: PageSpan
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """What a loader knows about a file besides its pages.

    ``kind`` is pdf, word, markdown, html, text, slides, sheet, ebook or mail. ``title`` comes from front
    matter, else the first level-1 heading, else the file name without its suffix (then ``title_from_name``
    is true).
    """

    kind: str
    title: str
    title_from_name: bool = False
    encoding: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document that is embedded and searched.

    ``text`` is the cleaned text; its first ``overlap`` characters repeat the end of the chunk before.
    ``prefix`` (title and section) goes in front of it for the embedder only. ``tokens`` counts prefix,
    text and the two special tokens with the embedder's own tokenizer.
    """

    id: str
    ordinal: int
    page: int
    page_end: int
    spans: tuple[PageSpan, ...]
    text: str
    prefix: str = ""
    overlap: int = 0
    tokens: int = 0
    section: tuple[str, ...] = ()
    location: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage found. ``score`` is fused; ``dense`` is the cosine, ``lexical`` the BM25 score.

    ``document`` is the path people see (relative, with ``/``), ``path`` the file on disk (None when
    it is not known, as in a portable index), ``row`` the chunk's row id in its library. ``copies`` are other
    documents with the same bytes, ``also_in`` documents with a passage that says the same word for word.
    """

    rank: int
    score: float
    dense: float | None
    lexical: float | None
    library: str
    document: str
    title: str
    page: int
    label: str | None
    location: Mapping[str, Any] | None
    section: tuple[str, ...]
    spans: tuple[PageSpan, ...]
    chunk: str
    text: str
    row: int
    path: Path | None = None
    kind: str = ""
    copies: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()


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

"""Files, pages and passages as the engine passes them from hand to hand; answers: :mod:`engine.answers`.

Pages count from 1. A span is ``[start, end)`` in characters of a page's text exactly as
``zhiye inspect`` prints it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


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

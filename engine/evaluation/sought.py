"""What would answer a question: the passages of the libraries asked that hold its evidence.

Wordings are compared after normalisation and without blanks, since line breaks of a page stand anywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from engine.answer.grounding.facts import squeezed
from engine.documents import SearchHit
from engine.evaluation.dataset import Question, short_forms
from engine.index.library import Library

Key = tuple[str, int]
"""A chunk: name of its library, row id."""

Lost = Literal["reading", "chunking"]

_DOCUMENTS_KEPT = 64
"""Documents whose squeezed text stays in memory; questions of one document mostly follow one another."""


@dataclass(frozen=True, slots=True)
class Need:
    """One thing to be found: any of ``holders``, each a chunk or two neighbours that hold it together.

    ``wordings`` are squeezed: a hit of a right document whose text holds one of them will do as well.
    """

    holders: tuple[frozenset[Key], ...]
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sought:
    """All that a question needs. ``lost``: where something went missing before anything was searched.

    ``by_text`` is false where only documents are known, and any passage of them counts. ``needs`` are
    complete even if something is lost: they hold what is left.
    """

    question: Question
    needs: tuple[Need, ...] = ()
    by_text: bool = False
    lost: Lost | None = None

    def is_right(self, hit: SearchHit) -> bool:
        """Whether a hit lies in a document that was looked for, or in a copy of one."""
        if not self.question.documents and self.question.source_part is None:
            return any(_says(hit, need) for need in self.needs)
        return any(map(self.question.is_right, (hit.document, *hit.copies, *hit.also_in)))

    def all_in(self, hits: Sequence[SearchHit]) -> bool:
        """Whether the hits hold everything that is needed."""
        return self.lost is None and bool(self.needs) and all(self._is_in(need, hits) for need in self.needs)

    def any_in(self, hits: Sequence[SearchHit]) -> bool:
        """Whether the hits hold something of what is needed."""
        return any(self._is_in(need, hits) for need in self.needs)

    def _is_in(self, need: Need, hits: Sequence[SearchHit]) -> bool:
        rows = {(hit.library, hit.row) for hit in hits}
        return any(holder <= rows for holder in need.holders) or any(
            _says(hit, need) for hit in hits if self.is_right(hit)
        )


def _says(hit: SearchHit, need: Need) -> bool:
    text = squeezed(hit.text)
    return any(wording in text for wording in need.wordings)


@dataclass(frozen=True, slots=True)
class _Text:
    """A document's chunks in order, squeezed: row, first and last page, text, text without the overlap."""

    chunks: tuple[tuple[int, int, int, str, str], ...]

    def holding(self, wording: str, pages: Sequence[int] = ()) -> list[frozenset[int]]:
        """The chunks with the wording, on one of the pages if any are given, or else pairs of neighbours."""
        chunks = [c for c in self.chunks if not pages or any(c[1] <= page <= c[2] for page in pages)]
        alone = [frozenset({row}) for row, _, _, text, _ in chunks if wording in text]
        return alone or [
            frozenset({left[0], right[0]})
            for left, right in pairwise(chunks)
            if wording in left[3] + right[4]
        ]


class Corpus:
    """The documents of the libraries asked, by all names they are found under."""

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._libraries = {library.name: library for library in libraries}
        self._rows: dict[tuple[str, str], list[int]] = {}
        self._named: dict[str, list[tuple[str, str]]] = {}
        for library in libraries:
            for stored in library.all_chunks():
                key = library.name, stored.document
                if key not in self._rows:
                    for place in library.places(stored.row):
                        self._named.setdefault(place.document, []).append(key)
                self._rows.setdefault(key, []).append(stored.row)
        self._short: dict[str, list[str]] = {}
        for document in self._named:
            for form in short_forms(document):
                self._short.setdefault(form, []).append(document)
        self._text = lru_cache(maxsize=_DOCUMENTS_KEPT)(self._read)

    def seek(self, question: Question) -> Sought:
        """Where everything lies that the question needs."""
        right = self._right(question)
        named = bool(question.documents) or question.source_part is not None
        if not question.answerable:
            return Sought(question)
        if named and not right:
            return Sought(question, lost="reading")
        if question.evidence:
            return self._by_evidence(question, right)
        holders = self._by_page_and_answer(question, right)
        wordings = tuple(filter(None, map(_gold, question.answers))) if holders and not question.pages else ()
        return Sought(question, (Need(tuple(holders), wordings),) if holders else (), bool(holders))

    def _right(self, question: Question) -> list[tuple[str, str]]:
        if question.source_part is not None:
            names = [name for name in self._named if question.is_right(name)]
        else:
            names = [name for form in sorted(question.documents) for name in self._short.get(form, ())]
        return list(dict.fromkeys(key for name in names for key in self._named[name]))

    def _by_evidence(self, question: Question, right: Sequence[tuple[str, str]]) -> Sought:
        needs: list[Need] = []
        lost: Lost | None = None
        for wording in filter(None, map(squeezed, question.evidence)):
            holders = tuple(self._holders(wording, right))
            if holders or not right:
                needs.append(Need(holders, (wording,)))
            elif any(wording in self._pages(document) for document in right):
                lost = lost or "chunking"
            else:
                lost = "reading"
        return Sought(question, tuple(needs), True, lost)

    def _by_page_and_answer(
        self, question: Question, right: Sequence[tuple[str, str]]
    ) -> list[frozenset[Key]]:
        """Chunks of the pages with an answer's wording, else any of the pages; without pages of all."""
        golds = filter(None, map(_gold, question.answers))
        holders = [holder for gold in golds for holder in self._holders(gold, right, question.pages)]
        if not holders and question.pages:
            return list(self._holders("", right, question.pages))
        return holders

    def _holders(
        self, wording: str, documents: Iterable[tuple[str, str]], pages: Sequence[int] = ()
    ) -> Iterable[frozenset[Key]]:
        for document in documents:
            for rows in self._text(document).holding(wording, pages):
                yield frozenset((document[0], row) for row in rows)

    def _read(self, document: tuple[str, str]) -> _Text:
        stored = self._libraries[document[0]].chunks(self._rows[document])
        chunks = sorted((item.chunk.ordinal, row, item.chunk) for row, item in stored.items())
        return _Text(
            tuple(
                (row, chunk.page, chunk.page_end, squeezed(chunk.text), squeezed(chunk.text[chunk.overlap :]))
                for _, row, chunk in chunks
            )
        )

    def _pages(self, document: tuple[str, str]) -> str:
        """The text of all pages of a document, squeezed; what cleaning left out is in it."""
        pages = self._libraries[document[0]].db.execute(
            "SELECT text FROM pages WHERE document_id = (SELECT document_id FROM chunks WHERE id = ?)"
            " ORDER BY number",
            (self._rows[document][0],),
        )
        return "".join(squeezed(text) for (text,) in pages)


def _gold(answer: str) -> str:
    """An answer as it would stand in a passage."""
    return squeezed(answer).rstrip("。.")

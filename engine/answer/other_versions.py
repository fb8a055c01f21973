"""Versions of one document in a search and in an answer: the newest one speaks first, and others that say
otherwise are named and cited. Which documents are versions is found by :mod:`engine.index.versions`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from engine.answer import filters, sentences
from engine.answer.evidence import Evidence
from engine.answer.grounding.citations import PageTexts, cite
from engine.answer.grounding.facts import squeezed
from engine.answer.hits import passages_of
from engine.answer.prompting import is_chinese
from engine.answer.retrieval.ranking import shingles
from engine.answers import Answer, Citation, Sentence, VersionNote
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.events import Notice
from engine.index import versions
from engine.index.library import Library
from engine.index.version_names import read
from engine.normalise import normalise

COUNTERPART = 0.3
"""Share of a passage's shingles from which another version's passage is the same one, changed."""

SAME_SENTENCE = 0.5
"""Dice coefficient of the character bigrams of two sentences from which one is the other, changed."""

MOST = 3
"""Versions beside the cited one that are looked at, and differences that an answer tells of."""

_OLDER = (
    "旧版",
    "老版",
    "上一版",
    "以前的版本",
    "之前的版本",
    "previous version",
    "older version",
    "old version",
)


@dataclass(frozen=True)
class _Family:
    """The versions of one document: row ids and paths, the newest first."""

    library: Library
    members: Sequence[tuple[int, str]]

    @property
    def ids(self) -> list[int]:
        return [document for document, _ in self.members]

    def wanted(self, question: str) -> list[int]:
        """The ids in the order in which they should speak: what the question names, then from the newest."""
        text, asked = normalise(question), read(question)
        names = [(document, normalise(PurePosixPath(path).stem)) for document, path in self.members]
        says = {document: read(PurePosixPath(path).stem) for document, path in self.members}
        named = [document for document, name in names if says[document].has_marks and name in text]
        named += [d for d in self.ids if asked.number and says[d].number == asked.number]
        named += [d for d in self.ids if asked.day and says[d].day[: len(asked.day)] == asked.day]
        named += [d for d in self.ids if asked.stage and says[d].stage == asked.stage]
        if not named and any(word in text for word in _OLDER):
            named = self.ids[1:]
        return list(dict.fromkeys([*named[:1], *self.ids]))

    def passages(self, document: int) -> list[SearchHit]:
        return passages_of(document, self.library)


class _Families:
    """The families of the documents that some passages are from; ``among`` are those that may be added."""

    def __init__(self, libraries: Sequence[Library], among: DocumentFilter | None) -> None:
        self._libraries = {library.name: library for library in libraries}
        self._among = among
        self._allowed: dict[str, set[int]] = {}

    @cached_property
    def exist(self) -> bool:
        return any(
            library.db.execute("SELECT 1 FROM versions LIMIT 1").fetchone()
            for library in self._libraries.values()
        )

    def of(self, library_name: str, row: int) -> tuple[int, _Family] | None:
        """A passage's document and its family; None where it has no other version."""
        library = self._libraries[library_name]
        found = library.db.execute("SELECT document_id FROM chunks WHERE id = ?", (row,)).fetchone()
        place = versions.places(library.db, found) if found else {}
        if not place:
            return None
        return found[0], _Family(library, versions.family(library.db, place[found[0]][0]))

    def may_add(self, document: int, library: Library) -> bool:
        if not self._among:
            return True
        if library.name not in self._allowed:
            self._allowed[library.name] = filters.document_ids(self._among, library)
        return document in self._allowed[library.name]


def newest_first(
    question: str,
    hits: Sequence[SearchHit],
    libraries: Sequence[Library],
    among: DocumentFilter | None = None,
) -> tuple[SearchHit, ...]:
    """The passages with those of older versions behind the newest one's, unless an older one is asked for.

    The places of a family's passages are filled anew. Where the newest version has no passage among them, the
    one that stands for the first of them takes its place, and that one follows if it says something else.
    ``among`` restricts the documents that may be added.
    """
    families = _Families(libraries, among)
    if not hits or not families.exist:
        return tuple(hits)
    groups: dict[tuple[str, int], tuple[_Family, dict[int, int]]] = {}
    for at, found in enumerate(hits):
        if (known := families.of(found.library, found.row)) is not None:
            document, family = known
            group = groups.setdefault((found.library, min(family.ids)), (family, {}))
            group[1][at] = document
    ordered = list(hits)
    added = []
    for family, documents in groups.values():
        order = family.wanted(question)
        first = order[0]
        places = sorted(documents)
        for at, old in zip(places, sorted(places, key=lambda at: order.index(documents[at])), strict=True):
            ordered[at] = hits[old]
        if first not in documents.values() and families.may_add(first, family.library):
            better = _counterpart(ordered[places[0]], family.passages(first))
            if better is not None:
                added.append((places[0], replace(better, score=ordered[places[0]].score)))
    for at, better in sorted(added, key=lambda each: -each[0]):
        said = squeezed(better.text)
        ordered[at : at + 1] = [better] if said == squeezed(ordered[at].text) else [better, ordered[at]]
    return tuple(replace(each, rank=rank) for rank, each in enumerate(ordered[: len(hits)], start=1))


def compared(
    answer: Answer, libraries: Sequence[Library], among: DocumentFilter | None, page_texts: PageTexts
) -> Answer:
    """The answer with what other versions of the cited documents say where they say something else.

    Each difference is a sentence of its own with its citation, and a note in ``versions``.
    """
    families = _Families(libraries, among)
    if answer.refused or not answer.citations or not families.exist:
        return answer
    notes: dict[tuple[str, str, str], VersionNote] = {}
    added: list[tuple[Sentence, Citation]] = []
    cited = {(each.library, each.document): each.number for each in reversed(answer.citations)}
    for citation in answer.citations:
        known = families.of(citation.library, citation.row)
        if known is None:
            continue
        document, family = known
        others = [each for each in family.ids if each != document][:MOST]
        for other in (each for each in others if families.may_add(each, family.library)):
            is_older = family.ids.index(other) > family.ids.index(document)
            passages = family.passages(other)
            pair = passages[0].document, citation.document
            key = (citation.library, *(pair if is_older else pair[::-1]))
            changed = _changed(citation.quote, passages)
            if changed is None or (key in notes and notes[key].differs):
                notes.setdefault(key, VersionNote(*key, False))
                continue
            number = cited.get((citation.library, pair[0]))
            if number is None:  # else the answer itself tells what that version says
                if len(added) == MOST:
                    continue
                number = len(answer.citations) + len(added) + 1
                new = cite(number, changed[1], Evidence(number, *changed), page_texts)
                text = _words(answer.question, pair[0], changed[1], is_older)
                added.append((Sentence(text, "supported", (number,)), replace(new, quote=changed[1])))
            numbers = (number, citation.number) if is_older else (citation.number, number)
            notes[key] = VersionNote(*key, True, numbers)
    return replace(
        answer,
        text="\n".join([answer.text, *(f"{said.text}[{new.number}]" for said, new in added)]),
        sentences=(*answer.sentences, *(said for said, _ in added)),
        citations=(*answer.citations, *(new for _, new in added)),
        versions=tuple(notes.values()),
    )


def notices(task_id: int, answer: Answer) -> Iterator[Notice]:
    """One for each pair of versions that do not say the same."""
    for pair in dict.fromkeys((note.document, note.newer) for note in answer.versions if note.differs):
        yield Notice(task_id, "version_differs", {"document": pair[0], "newer": pair[1]})


def _counterpart(found: SearchHit, passages: Sequence[SearchHit]) -> SearchHit | None:
    """Which of another version's passages stands for a passage."""
    own = frozenset(shingles(found.text))
    scored = [(len(own & frozenset(shingles(each.text))) / len(own), each) for each in passages]
    share, best = max(scored, key=lambda each: each[0], default=(0.0, None))
    return best if share >= COUNTERPART else None


def _changed(quote: str, passages: Sequence[SearchHit]) -> tuple[SearchHit, str] | None:
    """The sentence that stands for a quote and says something else; None where the quote stands there."""
    said = _bare(quote)
    if not said or any(said in _bare(each.text) for each in passages):
        return None
    best, found = SAME_SENTENCE, None
    for passage in passages:
        for start, end in sentences.split(passage.text):
            sentence = " ".join(passage.text[start:end].split())
            if (likeness := _likeness(said, _bare(sentence))) >= best:
                best, found = likeness, (passage, sentence)
    return found


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, squeezed(text)))


def _likeness(first: str, second: str) -> float:
    """Dice coefficient of the sets of character bigrams."""
    a, b = ({text[at : at + 2] for at in range(len(text) - 1)} for text in (first, second))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _words(question: str, document: str, quote: str, is_older: bool) -> str:
    name = document.rsplit("/", 1)[-1]
    if is_chinese(question):
        return f"{'旧版' if is_older else '较新的'}《{name}》写的是：{quote}"
    return f"The {'older' if is_older else 'newer'} version {name} says: {quote}"

"""Versions of one document: files with one name but for 旧版, v2, 终稿, 2024 or (1), and much the same text.

Neither is enough alone. Contracts made from one form are alike word for word and are no versions of each
other; the file 说明.txt of two projects has one name. So documents are compared only with those whose path is
the same without its marks (:mod:`engine.index.version_names`), or whose own title is; how much text they
share is estimated from their smallest shingle hashes, which are kept (bottom-k; Broder, SEQUENCES 1997).

A family's documents have places, 0 for the newest: by the number in the name, then by how far it says that
the document had come, then by the day in the name, the document's own date and the file's time.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cmp_to_key
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.index.library import Library
from engine.index.version_names import VersionName, read

ALIKE, ALIKE_OF_OTHER_DAY, ALIKE_BY_TITLE = 0.3, 0.6, 0.6
"""Least share of common shingles: of files with one name; with other days in it; of one title only."""

SHINGLE, SKETCH = 5, 128
"""Letters and digits of a shingle; hashes kept of a document: a share of 0.5 is estimated to ± 0.04."""

MOST = 100
"""Documents of one name from which they are a series (扫描件 (117)), not versions."""

_LEAST_TITLE = 4
_AT_ONCE = 200
"""Documents whose names are read in one step: some 10 ms."""

_MARK = "versions_of"
_Hashes = npt.NDArray[np.uint64]
OwnDate = Callable[[Mapping[str, Any]], date | None]
"""The date that a document says it is of, from its metadata."""


@dataclass(frozen=True, slots=True)
class _Document:
    """A document as it is compared: what its file's name and its own title say, and when it is from.

    ``key`` is its path without marks: 2023/员工手册_v2 and 旧版/员工手册 have one.
    """

    id: int
    path: str
    key: str
    name: VersionName
    title: VersionName | None
    content_hash: str
    day: date | None
    mtime_ns: int

    @property
    def says(self) -> VersionName:
        """The name where it has marks, else the nearest folder that has some, else the title."""
        folders = [read(part) for part in reversed(PurePosixPath(self.path).parent.parts)]
        titles = [] if self.title is None else [self.title]
        return next((each for each in (self.name, *folders, *titles) if each.has_marks), self.name)


def group(library: Library, own_date: OwnDate) -> Generator[None, None, None]:
    """Find the versions among a library's documents, in short steps; nothing is done where nothing changed.

    Raises:
        StorageFailed: the families are as they were.
    """
    db = library.db
    if library.meta(_MARK) == _mark(library):
        return
    documents: list[_Document] = []
    for document in _documents(db, own_date):
        documents.append(document)
        if len(documents) % _AT_ONCE == 0:
            yield
    yield
    known = dict(db.execute("SELECT document_id, content_hash FROM sketches"))
    pairs: list[tuple[_Document, _Document]] = []
    for candidates in _candidates(documents):
        for document in candidates:
            if known.get(document.id) != document.content_hash:
                _keep_sketch(library, document)
                known[document.id] = document.content_hash
                yield
        pairs += [(a, b) for a, b, bar in _pairs(candidates) if _resemblance(db, a.id, b.id) >= bar]
        yield
    with library.transaction():
        db.execute("DELETE FROM versions")
        db.executemany("INSERT INTO versions VALUES (?, ?, ?)", _placed(_families(pairs)))
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_MARK, _mark(library)))


def places(db: sqlite3.Connection, documents: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Family and place of those of the documents that have versions; 0 is the newest's place."""
    found = db.execute(
        "SELECT document_id, family, place FROM versions"
        " WHERE document_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(set(documents))),),
    )
    return {document: (family, place) for document, family, place in found}


def family(db: sqlite3.Connection, number: int) -> list[tuple[int, str]]:
    """Id and path of a family's documents, the newest first."""
    return db.execute(
        "SELECT d.id, d.path FROM versions v JOIN documents d ON d.id = v.document_id"
        " WHERE v.family = ? ORDER BY v.place",
        (number,),
    ).fetchall()


def sketch(texts: Iterable[str]) -> _Hashes:
    """The smallest hashes of a text's shingles, sorted; fewer than :data:`SKETCH` for a short text."""
    found = [hashes for text in texts if len(hashes := _hashes(text))]
    return np.unique(np.concatenate(found))[:SKETCH] if found else np.zeros(0, np.uint64)


def resemblance(first: _Hashes, second: _Hashes) -> float:
    """Estimated share of common shingles of two texts, 0 to 1."""
    both = np.union1d(first, second)[: max(len(first), len(second))]
    return float(np.isin(both, np.intersect1d(first, second)).mean()) if len(both) else 0.0


def _hashes(text: str) -> _Hashes:
    """Every run of five letters and digits as a number, mixed by the finaliser of splitmix64."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    count = len(codes) - SHINGLE + 1
    if count < 1:
        return np.zeros(0, np.uint64)
    mixed = np.zeros(count, np.uint64)
    for at in range(SHINGLE):
        mixed = mixed * np.uint64(0x100000001B3) + codes[at : at + count]
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    smallest: _Hashes = np.unique(mixed ^ (mixed >> np.uint64(31)))[:SKETCH]
    return smallest


def _mark(library: Library) -> str:
    """What was written and what was found; a library that was mended has lost its families."""
    count = library.db.execute("SELECT count(*) FROM versions").fetchone()[0]
    return f"{library.generation}/{count}"


def _documents(db: sqlite3.Connection, own_date: OwnDate) -> Iterator[_Document]:
    found = db.execute(
        "SELECT id, path, title, title_from_name, content_hash, metadata, mtime_ns FROM documents d"
        " WHERE copy_of IS NULL AND EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id)"
        " ORDER BY path, id"
    ).fetchall()
    for row, path, title, is_from_name, content_hash, metadata, mtime_ns in found:
        own = None if is_from_name or not title else read(title)
        place = PurePosixPath(path)
        name, day = read(place.stem), own_date(json.loads(metadata))
        key = "/".join(filter(None, (*(read(part).base for part in place.parent.parts), name.base)))
        yield _Document(row, path, key, name, own, content_hash or str(row), day, mtime_ns)


def _candidates(documents: Sequence[_Document]) -> Iterator[list[_Document]]:
    """Documents that may be versions of each other: of one path or of one title without marks."""
    groups: defaultdict[tuple[str, str], list[_Document]] = defaultdict(list)
    for document in documents:
        groups["path", document.key].append(document)
        if document.title is not None and len(document.title.base) >= _LEAST_TITLE:
            groups["title", document.title.base].append(document)
    for found in groups.values():
        if 1 < len(found) <= MOST:
            yield found


def _pairs(candidates: Sequence[_Document]) -> Iterator[tuple[_Document, _Document, float]]:
    """Those of the candidates that may be versions, with the least share of text they must have in common."""
    for first, second in combinations(candidates, 2):
        is_other_day = first.says.day != second.says.day
        if is_other_day and (first.name.is_series or second.name.is_series):
            continue
        if first.key == second.key:
            yield first, second, ALIKE_OF_OTHER_DAY if is_other_day or not first.name.base else ALIKE
        elif first.title is not None and second.title is not None and _differ(first.title, second.title):
            yield first, second, ALIKE_BY_TITLE


def _differ(first: VersionName, second: VersionName) -> bool:
    """Whether two titles say that they are different versions, and not parts of a series."""
    marks = [(each.number, each.day, each.stage) for each in (first, second)]
    return marks[0] != marks[1] and not first.is_series


def _keep_sketch(library: Library, document: _Document) -> None:
    texts = (text for (text,) in library.db.execute(
        "SELECT text FROM chunks WHERE document_id = ? ORDER BY ordinal", (document.id,)
    ))  # fmt: skip
    data = sketch(texts).astype("<u8").tobytes()
    with library.transaction():
        library.db.execute(
            "INSERT OR REPLACE INTO sketches VALUES (?, ?, ?)", (document.id, document.content_hash, data)
        )


def _resemblance(db: sqlite3.Connection, first: int, second: int) -> float:
    found = [
        np.frombuffer(data, "<u8").astype(np.uint64)
        for (data,) in db.execute(
            "SELECT sketch FROM sketches WHERE document_id IN (?, ?)", (first, second)
        )
    ]  # fmt: skip
    return resemblance(found[0], found[1])


def _families(pairs: Iterable[tuple[_Document, _Document]]) -> list[list[_Document]]:
    """Documents that are versions of each other, directly or by others between them."""
    families: dict[int, dict[int, _Document]] = {}
    for first, second in pairs:
        joined = {
            **families.get(first.id, {first.id: first}), **families.get(second.id, {second.id: second})
        }  # fmt: skip
        families.update(dict.fromkeys(joined, joined))
    return [list(each.values()) for each in {id(each): each for each in families.values()}.values()]


def _placed(families: Iterable[Sequence[_Document]]) -> Iterator[tuple[int, int, int]]:
    for documents in families:
        number = min(document.id for document in documents)
        ordered = sorted(sorted(documents, key=lambda each: each.path), key=cmp_to_key(_older))
        yield from ((document.id, number, place) for place, document in enumerate(ordered))


def _older(first: _Document, second: _Document) -> int:
    """Above 0 where the first is older; what only one of them says decides nothing."""
    a, b = first.says, second.says
    if a.number and b.number and a.number != b.number:
        return 1 if a.number < b.number else -1
    if a.stage != b.stage:
        return b.stage - a.stage
    if a.day and b.day and a.day != b.day:
        return 1 if a.day < b.day else -1
    if first.day and second.day and first.day != second.day:
        return 1 if first.day < second.day else -1
    newer = (second.mtime_ns, b.copy) > (first.mtime_ns, a.copy)
    return 1 if newer else -1

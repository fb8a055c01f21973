"""Evidence taken apart into clauses, and how well each supports a statement.

A clause supports a term most when it holds it itself, less when its sentence does, the sentence beside it,
or only the passage with its title and section. A cell of a table is a clause of its own, together with the
head of its column and the labels of its row.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.answer import sentences
from engine.answer.evidence import Evidence
from engine.answer.grounding import clauses
from engine.answer.grounding.claims import terms
from engine.answer.grounding.claims.dates import Moment, dates, in_context
from engine.answer.grounding.claims.dating import Dating, datings
from engine.answer.grounding.claims.quantities import Quantity, quantities
from engine.answer.grounding.facts import Fact, Held, between, is_year_of, undated
from engine.normalise import normalise

CLAUSE, SENTENCE, BESIDE, PASSAGE = 1.0, 0.7, 0.5, 0.4
"""What a term counts by how near to a clause the evidence holds it."""

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of block ``block`` in sentence ``sentence`` (counted over all blocks), with the dating of each
    of its quantities."""

    block: int
    sentence: int
    text: str
    quantities: tuple[Quantity, ...]
    moments: tuple[Moment, ...]
    datings: tuple[Dating, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A numbered block of evidence. ``sentences`` are normalised, ``first`` is the number of the first one;
    ``held`` is what all of it holds with title and section, ``terms`` as well; ``plain`` is its text for
    comparing wordings (see :func:`plain`)."""

    evidence: Evidence
    first: int
    sentences: tuple[str, ...]
    held: Held
    terms: frozenset[str]
    plain: str


@dataclass(slots=True)
class Index:
    """All clauses of an answer's evidence, to be asked for the terms and details of its sentences."""

    blocks: list[Block] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    _in_clause: dict[str, list[int]] = field(default_factory=dict)
    _in_block: dict[str, list[int]] = field(default_factory=dict)
    _of_sentence: list[tuple[int, int]] = field(default_factory=list)
    _of_block: list[tuple[int, int]] = field(default_factory=list)
    _block_of_sentence: list[int] = field(default_factory=list)
    _years: dict[tuple[str, str], int] = field(default_factory=dict)
    _is_cell: list[bool] = field(default_factory=list)
    _rows: dict[str, Scores] = field(default_factory=dict)

    @classmethod
    def of(cls, evidence: Sequence[Evidence]) -> "Index":
        index = cls()
        for each in evidence:
            index._add(each)
        return index

    def rows(self, wanted: Iterable[str]) -> Scores:
        """How near each clause holds each term: a row a term, a column a clause."""
        found = [self._row(term) for term in wanted]
        return np.array(found) if found else np.zeros((0, len(self.clauses)))

    def near(self, clauses: Iterable[int]) -> Scores:
        """How near each clause is to the nearest of some; nothing counts beyond the sentences beside."""
        row = np.zeros(len(self.clauses))
        self._spread(row, clauses)
        return row

    def holders(self, fact: Fact) -> list[int]:
        """The clauses that hold a number or date; for a name all clauses of the blocks that hold it."""
        value = fact.value
        if isinstance(value, str):
            return [
                at for number, block in enumerate(self.blocks) if value in block.held.text
                for at in range(*self._of_block[number])
            ]  # fmt: skip
        rate = _rate(value)
        return [
            at for at, clause in enumerate(self.clauses)
            if self.blocks[clause.block].held.holds(value, clause.quantities, clause.moments)
            or (rate and rate in clause.text)
        ]  # fmt: skip

    def datings(self, fact: Fact) -> list[Dating]:
        """Those of a number wherever the evidence holds it."""
        assert isinstance(fact.value, Quantity)
        return [
            dating for clause in self.clauses
            for held, dating in zip(clause.quantities, clause.datings, strict=True)
            if self.blocks[clause.block].held.is_same(fact.value, held)
        ]  # fmt: skip

    def rivals(self, fact: Fact) -> list[int]:
        """The clauses with another value in the place of this one: a number of the same measure, a date."""
        value = fact.value
        if isinstance(value, Moment):
            return [at for at, clause in enumerate(self.clauses) if clause.moments]
        assert isinstance(value, Quantity)
        return [
            at for at, clause in enumerate(self.clauses)
            if any(
                value.same_measure(each)
                and not (value.unit and (is_year_of(each, clause.moments) or _is_article(each)))
                for each in clause.quantities
            )
        ]  # fmt: skip

    def stands_alone(self, clauses: Iterable[int]) -> bool:
        """Whether one of the clauses is a line without any other word, a date under a letter for example."""
        return any(not self.is_cell(at) and not terms.held(self.sentence(at)) for at in clauses)

    def is_titled(self, clause: int, piece: str) -> bool:
        """Whether a (normalised) piece of text stands in the title or file name of a clause's document."""
        hit = self.blocks[self.clauses[clause].block].evidence.hit
        return piece in normalise(f"{hit.title} {hit.document}")

    def behind(self, clause: int) -> range:
        """The clauses behind one in its sentence."""
        _, end = self._of_sentence[self.clauses[clause].sentence]
        return range(clause + 1, end)

    def is_cell(self, clause: int) -> bool:
        """Whether a clause is the cell of a table."""
        return self._is_cell[self.clauses[clause].sentence]

    def sentence(self, clause: int) -> str:
        """The sentence of a clause, normalised; a row of a table as it stands."""
        number = self.clauses[clause].sentence
        block = self.blocks[self._block_of_sentence[number]]
        return block.sentences[number - block.first]

    def _row(self, term: str) -> Scores:
        row = self._rows.get(term)
        if row is None:
            row = np.zeros(len(self.clauses))
            for block in self._in_block.get(term, ()):
                start, end = self._of_block[block]
                row[start:end] = PASSAGE
            self._spread(row, self._in_clause.get(term, ()))
            self._rows[term] = row
        return row

    def _spread(self, row: Scores, clauses: Iterable[int]) -> None:
        holding = list(clauses)
        of = {self.clauses[at].sentence for at in holding}
        for number in of:
            for beside in () if self._is_cell[number] else (number - 1, number + 1):
                if 0 <= beside < len(self._of_sentence) and (
                    self._block_of_sentence[beside] == self._block_of_sentence[number]
                ):
                    start, end = self._of_sentence[beside]
                    np.maximum(row[start:end], BESIDE, out=row[start:end])
        for number in of:
            start, end = self._of_sentence[number]
            np.maximum(row[start:end], SENTENCE, out=row[start:end])
        row[holding] = CLAUSE

    def _add(self, evidence: Evidence) -> None:
        number = len(self.blocks)
        heading = normalise("\n".join((evidence.hit.title, *evidence.hit.section)))
        normal = normalise(evidence.text)
        everything = f"{heading}\n{normal}"
        document = (evidence.hit.library, evidence.hit.document)
        moments = list(in_context(dates(everything), self._years.get(document)))
        if moments and moments[-1].year:
            self._years[document] = moments[-1].year
        shift = len(heading) + 1
        dated = [replace(m, start=m.start - shift, end=m.end - shift) for m in moments if m.start >= shift]
        details = undated(quantities(normal, every=True), dated)
        begin = len(self.clauses)
        first = len(self._of_sentence)
        texts = []
        starts, dated_starts = [q.start for q in details], [m.start for m in dated]
        tables = clauses.Table()
        for start, end in sentences.split(normal):
            text = normal[start:end]
            for cell in tables.cells(text):
                in_cell = tuple(dates(cell))
                numbers = tuple(undated(quantities(cell, every=True), in_cell))
                dated_by = tuple(datings(cell, numbers, in_cell))
                clause = Clause(number, len(self._of_sentence), cell, numbers, in_cell, dated_by)
                self._sentence(number, [clause], is_cell=True)
                texts.append(cell)
            if tables.is_row:
                continue
            inside = between(starts, start, end)
            of = datings(normal[:end], details[inside], dated[between(dated_starts, start, end)])
            said = []
            for a, b in clauses.split(text):
                numbers_of = between(starts, start + a, start + b)
                said.append(Clause(
                    number, len(self._of_sentence), text[a:b], tuple(details[numbers_of]),
                    tuple(dated[between(dated_starts, start + a, start + b)]),
                    tuple(of[numbers_of.start - inside.start : numbers_of.stop - inside.start]),
                ))  # fmt: skip
            self._sentence(number, said)
            texts.append(text)
        self._of_block.append((begin, len(self.clauses)))
        held = Held.of(everything)
        name = normalise(evidence.hit.document)
        known = terms.held(f"{everything}\n{name}")
        block = Block(evidence, first, tuple(texts), held, known, plain(normal))
        for term in block.terms:
            self._in_block.setdefault(term, []).append(number)
        self.blocks.append(block)

    def _sentence(self, block: int, clauses: Sequence[Clause], *, is_cell: bool = False) -> None:
        begin = len(self.clauses)
        for clause in clauses:
            for term in terms.held(clause.text):
                self._in_clause.setdefault(term, []).append(len(self.clauses))
            self.clauses.append(clause)
        self._of_sentence.append((begin, len(self.clauses)))
        self._block_of_sentence.append(block)
        self._is_cell.append(is_cell)


def plain(normal: str) -> str:
    """A normalised text without blanks, and its numbers as digits: 九人 and 9 人 are one wording."""
    found, at = "", 0
    for number in quantities(normal, every=True):
        found += f"{normal[at : number.start]}{number.value.normalize():f}"
        at = number.end
    return "".join((found + normal[at:]).split())


def _is_article(value: Quantity) -> bool:
    """Whether a number may count nothing: 一系列, 这一投资."""
    return value.value == 1 and not value.unit


def _rate(value: Quantity | Moment) -> str:
    """What says a price by the unit where a number says one of it: 每小时4元 for 一小时4元."""
    if isinstance(value, Moment) or value.value != 1 or not value.unit:
        return ""
    return f"每{value.unit.removeprefix('个')}"


def coverage(rows: Scores, weights: Sequence[float]) -> Scores:
    """The weighted share of the terms (rows) that each clause supports, 0 to 1."""
    total = sum(weights)
    if not total:
        return np.zeros(rows.shape[1])
    share: Scores = np.asarray(weights) @ rows / total
    return share

"""From the record of an answer to what is exported: paragraphs with marks, footnotes, remarks in words.

A record is what ``zhiye ask --json`` prints and runs keep.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.exporting.legible import legible, one_line
from engine.exporting.places import place
from engine.wording import Language, describe

Record = Mapping[str, Any]

_MARK = re.compile(r"\[(\d{1,4})\]")
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a footnote is called; ``number`` is the citation's."""

    number: int


@dataclass(frozen=True, slots=True)
class Remark:
    """Words of the product's about the sentence before: （未核实）."""

    text: str


Piece = str | Mark | Remark
Paragraph = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Footnote:
    """File, place and quoted sentence of a citation."""

    document: str
    place: str
    quote: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of an answer; a row's marks stand in its last cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Paragraph, ...], ...]


@dataclass(frozen=True, slots=True)
class Composed:
    """One answer. ``about`` are lines above it, ``below`` lines under it: what a reader must know besides."""

    question: str
    about: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    grid: Grid | None
    below: tuple[str, ...]
    footnotes: Mapping[int, Footnote]


def compose(record: Record, language: Language) -> Composed:
    citations = record.get("citations") or ()
    footnotes = {
        int(item["number"]): Footnote(
            one_line(item["document"]), place(item, language), one_line(item["quote"])
        )
        for item in citations
    }
    return Composed(
        one_line(str(record.get("question") or "")),
        tuple(_about(record, language)),
        _paragraphs(record, footnotes.keys(), language),
        _grid(record.get("table"), footnotes.keys(), language),
        tuple(_below(record, language)),
        footnotes,
    )


def _about(record: Record, language: Language) -> Iterator[str]:
    if record.get("rewritten"):
        yield _say("question_rewritten", language, question=one_line(record["rewritten"]))
    share = record.get("indexed_share")
    if share is not None and share < 1:
        yield _say("export_indexed", language, percent=int(share * 100))
    for note in record.get("versions") or ():
        if note["differs"]:
            names = {"document": one_line(note["document"]), "newer": one_line(note["newer"])}
            yield _say("version_differs", language, **names)
    if record.get("stopped"):
        # What was looked through document by document is checked as far as it goes.
        yield _say("export_stopped_early" if record.get("sentences") else "export_stopped", language)
    elif record.get("evidence_only"):
        yield _say("export_evidence_only", language)


def _below(record: Record, language: Language) -> Iterator[str]:
    if record.get("refused"):
        for item in (record.get("nearest") or ())[:_NEAREST]:
            source = f"{one_line(item['document'])}｜{place(item, language)}"
            yield _say("export_nearest", language, place=source)
    table = record.get("table")
    if table and table.get("of"):
        yield _say("export_read", language, read=table["read"], of=table["of"])
    asked_at, model = record.get("asked_at"), record.get("model")
    if asked_at:
        local = datetime.fromisoformat(asked_at).astimezone().strftime("%Y-%m-%d %H:%M")
        yield _say("export_made", language, at=local, model=one_line(model or "–"))


def _paragraphs(record: Record, known: Container[int], language: Language) -> tuple[Paragraph, ...]:
    """The answer's lines, with a remark behind each sentence that is not fully supported."""
    sentences = record.get("sentences") or ()
    text, marks = _without_marks(legible(str(record.get("answer") or "")), known)
    placed = _ends(text, sentences)
    if placed is None:
        # The text is not made of its sentences; they are what was checked.
        text, marks, placed = _joined(sentences, known)
    inserts: list[tuple[int, int, Piece]] = [(at, 0, Mark(number)) for at, number in marks]
    # Beside a table the text says it in its own words, and each row has its verdict.
    judged = [] if record.get("table") else zip(placed, sentences, strict=True)
    for end, sentence in judged:
        if remark := _remark(sentence, language):
            inserts.append((end, 1, Remark(remark)))
    return tuple(_lines(text, sorted(inserts, key=lambda item: item[:2])))


def _lines(text: str, inserts: Sequence[tuple[int, int, Piece]]) -> Iterator[Paragraph]:
    line: list[Piece] = []
    at = 0
    for end, _, piece in [*inserts, (len(text), 2, "")]:
        first, *others = text[at:end].split("\n")
        line.append(first)
        for other in others:
            yield from _kept(line)
            line = [other]
        line.append(piece)
        at = end
    yield from _kept(line)


def _kept(line: Sequence[Piece]) -> Iterator[Paragraph]:
    pieces = tuple(piece for piece in line if piece)
    if any(not isinstance(piece, str) or piece.strip() for piece in pieces):
        yield pieces


def _without_marks(text: str, known: Container[int]) -> tuple[str, list[tuple[int, int]]]:
    """The text without the marks of known citations, and where they stood."""
    plain, marks, at = "", [], 0
    for match in _MARK.finditer(text):
        if int(match[1]) in known:
            plain += text[at : match.start()]
            marks.append((len(plain), int(match[1])))
            at = match.end()
    return plain + text[at:], marks


def _ends(text: str, sentences: Sequence[Record]) -> list[int] | None:
    """Where each sentence ends in the text; None when one is not there."""
    ends, at = [], 0
    for sentence in sentences:
        said = legible(str(sentence["text"]))
        start = text.find(said, at)
        if start < 0:
            return None
        at = start + len(said)
        ends.append(at)
    return ends


def _joined(
    sentences: Sequence[Record], known: Container[int]
) -> tuple[str, list[tuple[int, int]], list[int]]:
    text, marks, ends = "", [], []
    for sentence in sentences:
        text += ("\n" if text else "") + legible(str(sentence["text"]))
        marks += [(len(text), number) for number in sentence.get("citations") or () if number in known]
        ends.append(len(text))
    return text, marks, ends


def _remark(sentence: Record, language: Language) -> str | None:
    verdict = sentence.get("verdict")
    details = [one_line(flag["text"]) for flag in sentence.get("flags") or ()]
    if verdict == "unsupported" and details:
        words = _say("export_unsupported_details", language, details=", ".join(dict.fromkeys(details)))
    elif verdict in ("unsupported", "partly"):
        words = _say(f"export_{verdict}", language)
    else:
        return None
    return ("" if language == "zh" else " ") + _say("export_remark", language, text=words)


def _grid(table: Record | None, known: Container[int], language: Language) -> Grid | None:
    if not table or not table.get("columns"):
        return None
    rows = []
    for row in table.get("rows") or ():
        cells: list[Paragraph] = [(one_line(str(cell)),) for cell in row["cells"]]
        marks = tuple(Mark(number) for number in row.get("citations") or () if number in known)
        remark = _remark(row, language)
        last: Paragraph = (*marks, Remark(remark)) if remark else marks
        rows.append((*cells[:-1], cells[-1] + last) if cells else ())
    return Grid(tuple(one_line(str(name)) for name in table["columns"]), tuple(rows))


def _say(code: str, language: Language, **params: object) -> str:
    return describe(code, params, language).title

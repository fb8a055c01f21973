"""Answers brought back from their traces, so that they can be shown, followed and exported again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from engine.answers import (
    Answer,
    AnswerTable,
    Citation,
    Flag,
    Gate,
    Part,
    Sentence,
    TableRow,
    Total,
    VersionNote,
)
from engine.documents import PageSpan, SearchHit

Record = Mapping[str, Any]

_Kind = TypeVar("_Kind")


class StillThere(NamedTuple):
    """Where a passage is now: its library's present name, row id, kind and file."""

    library: str
    row: int
    kind: str
    path: Path | None


GONE = 0
"""Row of a passage that is no longer indexed: it can be read in the answer, not opened."""

Finder = Callable[[str, str, str], StillThere | None]
"""From library and document, as they were called, and the passage's id to where it is now."""


def answer(trace: Record, find: Finder) -> Answer:
    """The answer of a run; traces of earlier releases lack some keys."""
    return _known(
        Answer,
        trace,
        question=str(trace.get("question") or ""),
        text=str(trace.get("answer") or ""),
        refused=bool(trace.get("refused")),
        refused_by=trace.get("refused_by"),
        sentences=tuple(_sentence(item) for item in trace.get("sentences") or ()),
        citations=tuple(_citation(item, find) for item in trace.get("citations") or ()),
        hits=_hits(trace.get("hits"), find),
        gate=_gate(trace["gate"]) if trace.get("gate") else None,
        nearest=_hits(trace.get("nearest"), find),
        evidence=tuple(trace.get("evidence") or ()),
        seconds=trace.get("seconds") or {},
        tokens=trace.get("tokens") or {},
        why_not=None,  # it was of the libraries as they were
        stopped=bool(trace.get("stopped")),
        evidence_only=bool(trace.get("evidence_only")),
        table=_table(trace.get("table")),
        parts=tuple(
            Part(part["question"], _gate(part["gate"]), tuple(part["found"]))
            for part in trace.get("parts") or ()
        ),
        versions=tuple(
            _known(VersionNote, note, citations=tuple(note["citations"]))
            for note in trace.get("versions") or ()
        ),
    )


def _gate(item: Record) -> Gate:
    return _known(Gate, item, missing_terms=tuple(item["missing_terms"]))


def _table(item: Record | None) -> AnswerTable | None:
    if item is None:
        return None
    return _known(
        AnswerTable,
        item,
        columns=tuple(item["columns"]),
        rows=tuple(
            _known(TableRow, row, cells=tuple(row["cells"]), citations=tuple(row["citations"]))
            for row in item["rows"]
        ),
        totals=tuple(_known(Total, total, addends=tuple(total["addends"])) for total in item["totals"]),
    )


def _sentence(item: Record) -> Sentence:
    flags = tuple(_known(Flag, flag) for flag in item.get("flags") or ())
    return _known(Sentence, item, citations=tuple(item["citations"]), flags=flags)


def _hits(items: Sequence[Record] | None, find: Finder) -> tuple[SearchHit, ...]:
    return tuple(
        _known(
            SearchHit,
            item,
            copies=tuple(item.get("copies") or ()),
            also_in=tuple(item.get("also_in") or ()),
            **_placed(item, find),
        )
        for item in items or ()
    )


def _citation(item: Record, find: Finder) -> Citation:
    return _known(Citation, item, **_placed(item, find))


def _placed(item: Record, find: Finder) -> dict[str, Any]:
    library = str(item["library"])
    there = find(library, str(item["document"]), str(item["chunk"]))
    there = there or StillThere(library, GONE, str(item.get("kind") or ""), None)
    spans = tuple(PageSpan(span["page"], *span["span"]) for span in item["spans"])
    return there._asdict() | {"section": tuple(item["section"]), "spans": spans}


def _known(kind: type[_Kind], record: Record, /, **values: Any) -> _Kind:
    """What the record knows of a dataclass, with ``values`` in place of what JSON cannot hold."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in record.items() if name in names} | values)

"""The hard files that stand beside the checkout: what index.csv expects of each, and whether it is met.

Pieces of text are compared without blanks after NFKC on both sides, and looked for in the chunks: what is in
no chunk is found by nobody.
"""

import csv
import json
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.intake.whole_reading import Reading

HARD = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "hard"

WITH_TEXT = frozenset({"indexed", "partial"})
_MEETS = {
    "ok": {"indexed"},
    "partial": {"partial"},
    "ocr_needed": {"needs_ocr"},
    "needs_password": {"needs_password"},
    "empty": {"empty"},
    "unreadable": {"damaged", "unsupported", "empty", "over_budget"},
    "damaged": {"damaged", "partial"},
    "garbled": {"unmapped_text", "needs_ocr"},
    "unsupported": {"unsupported"},
}
_MEETS_AFTER_OCR = {"partial": {"indexed"}, "ocr_needed": {"indexed", "partial"}, "garbled": {"indexed"}}
_CONVERTED = frozenset({".doc", ".docx"})
"""Files of index.csv's "unsupported", which a converter may read."""

_SHOWN = {"docx/en_merged_tables.docx": 2}
"""How often a file itself shows its piece of "at_most_once": two tables of this one hold the same cell."""


@dataclass(frozen=True)
class Expected:
    """One line of index.csv."""

    name: str
    status: str
    pages: int | None
    contains: tuple[str, ...]
    contains_not: tuple[str, ...]
    at_most_once: tuple[str, ...]
    password: str

    @property
    def path(self) -> Path:
        return HARD / self.name


def expectations() -> list[Expected]:
    with (HARD / "index.csv").open(encoding="utf-8-sig", newline="") as stream:
        return [
            Expected(
                row["file"],
                row["expect_status"],
                int(row["expect_pages"]) if row["expect_pages"] else None,
                _pieces(row["must_contain"]),
                _pieces(row["must_not_contain"]),
                _pieces(row["at_most_once"]),
                row["password"],
            )
            for row in csv.DictReader(stream)
        ]


def questions() -> list[dict[str, Any]]:
    """The answerable questions, in the order of the file."""
    with (HARD / "questions.jsonl").open(encoding="utf-8") as stream:
        return [question for line in stream if (question := json.loads(line))["answerable"]]


def bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def problems(expected: Expected, reading: Reading) -> list[str]:
    """What a reading without OCR and without a password does not meet."""
    meets = _MEETS[expected.status]
    if expected.status == "unsupported" and expected.path.suffix in _CONVERTED:
        meets = meets | {"indexed"}
    found = [] if reading.state in meets else [_state(reading, expected)]
    if reading.state == "needs_ocr" and reading.done.recognisable == ():
        found.append("needs OCR, but names no page for it")
    # A picture's words come with OCR; what is text beside it need not be in a chunk until then.
    if reading.state != "needs_ocr":
        found += _lacking(expected, reading)
    return found + _unwanted(expected, reading) + _page_count(expected, reading)


def problems_after_ocr(expected: Expected, reading: Reading) -> list[str]:
    """What a reading with all recognised pages does not meet.

    ``must_not_contain`` guards against what a text layer would say wrongly; OCR may find the right words.
    """
    found = [] if reading.state in _MEETS_AFTER_OCR[expected.status] else [_state(reading, expected)]
    if not reading.done.from_ocr:
        found.append("names no page from OCR")
    return found + _lacking(expected, reading) + _page_count(expected, reading)


def problems_with_password(expected: Expected, reading: Reading) -> list[str]:
    found = [] if reading.state == "indexed" else [f"{_state(reading, expected)}, with the right password"]
    if not reading.chunks:
        found.append("no passage, with the right password")
    return found + _lacking(expected, reading) + _page_count(expected, reading)


def _state(reading: Reading, expected: Expected) -> str:
    return f"{reading.state} ({reading.reason}) instead of {expected.status}"


def _lacking(expected: Expected, reading: Reading) -> list[str]:
    text = bare(reading.text)
    return [f"lacks {piece!r}" for piece in expected.contains if bare(piece) not in text]


def _unwanted(expected: Expected, reading: Reading) -> list[str]:
    found = [f"holds {piece!r}" for piece in expected.contains_not if _is_in(piece, reading.text)]
    text = bare(reading.text)
    for piece in expected.at_most_once:
        if (times := text.count(bare(piece))) > _SHOWN.get(expected.name, 1):
            found.append(f"holds {piece!r} {times} times")
    return found


def _is_in(piece: str, text: str) -> bool:
    """A ligature or a control character is unwanted as such: NFKC would make it letters, or nothing."""
    plain = "".join(piece.split())
    return (piece in text) if bare(piece) != plain or not plain else (bare(piece) in bare(text))


def _page_count(expected: Expected, reading: Reading) -> list[str]:
    if expected.pages is None or reading.state not in WITH_TEXT or len(reading.pages) == expected.pages:
        return []
    return [f"{len(reading.pages)} pages instead of {expected.pages}"]


def _pieces(field: str) -> tuple[str, ...]:
    """``a|b``, with control characters written as ``\\uXXXX``."""
    plain = field.encode("ascii", "backslashreplace").decode("unicode_escape")
    return tuple(piece for piece in plain.split("|") if piece)

"""The hard files that stand beside the checkout: every one ends as index.csv says.

What does not is printed, all of it at once.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from engine.documents import Chunk
from tests.intake import hard_set
from tests.intake.hard_set import HARD, WITH_TEXT, Expected, bare
from tests.intake.whole_reading import Reading, recognised, unaccounted

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not HARD.is_dir(), reason="the measuring material is not beside this checkout"),
]


@pytest.fixture(scope="module")
def readings() -> Iterator[Callable[[str], Reading]]:
    """Each file is read once for all tests of this module."""
    made = cache(lambda name: Reading(HARD / name))
    yield made
    made.cache_clear()


def report(failed: dict[str, list[str]], count: int, what: str) -> None:
    for name, found in failed.items():
        print(f"{name:45} {'; '.join(found)}")
    print(f"{count - len(failed)} of {count} {what}")


def misses(rows: list[Expected], check: Callable[[Expected], list[str]]) -> dict[str, list[str]]:
    return {row.name: found for row in rows if (found := check(row))}


def test_every_file_ends_as_expected(readings: Callable[[str], Reading]) -> None:
    rows = hard_set.expectations()
    failed = misses(rows, lambda row: hard_set.problems(row, readings(row.name)))
    report(failed, len(rows), "files meet their expectation")
    assert len(rows) == 127
    assert not failed


def test_the_right_password_opens_a_locked_file() -> None:
    rows = [row for row in hard_set.expectations() if row.password]
    assert len(rows) == 5
    failed = misses(rows, lambda row: hard_set.problems_with_password(row, Reading(row.path, row.password)))
    report(failed, len(rows), "locked files open")
    assert not failed


def test_answers_stand_in_a_passage_of_their_page(readings: Callable[[str], Reading]) -> None:
    asked = [question for question in hard_set.questions() if question["needs"] == "ok"]
    failed = {q["qid"]: found for q in asked if (found := misplaced(q, readings(q["file"])))}
    report(failed, len(asked), "answers stand where they should")
    assert not failed


def test_every_character_is_in_a_passage_or_named_as_left_out(readings: Callable[[str], Reading]) -> None:
    rows = hard_set.expectations()
    failed = {}
    for row in rows:
        reading = readings(row.name)
        if reading.state in WITH_TEXT and (lost := unaccounted(reading)):
            failed[row.name] = [f"page {number}: {pieces[:5]}" for number, pieces in lost.items()]
    report(failed, len(rows), "files account for all their characters")
    assert not failed


@pytest.mark.quality
@pytest.mark.timeout(1200)
def test_ocr_reads_what_is_a_picture(readings: Callable[[str], Reading]) -> None:
    after: dict[str, Reading] = {}

    def check(row: Expected) -> list[str]:
        pages = recognised(row.path, readings(row.name).done.recognisable)
        after[row.name] = Reading(row.path, recognised=pages)
        return hard_set.problems_after_ocr(row, after[row.name])

    rows = [row for row in hard_set.expectations() if row.status in ("partial", "ocr_needed", "garbled")]
    failed = misses(rows, check)
    for question in hard_set.questions():
        if question["needs"] == "ocr" and (found := misplaced(question, after[question["file"]])):
            failed.setdefault(question["file"], []).extend(found)
    report(failed, len(rows), "files are whole after OCR")
    assert not failed


# -- where an answer stands -----------------------------------------------------------------------


def misplaced(question: dict[str, Any], reading: Reading) -> list[str]:
    """Why no passage holds one of the answers at the page, slide, row or section where it stands."""
    wanted = _answers(question)
    chunks = [chunk for chunk in reading.chunks if any(bare(text) in bare(chunk.text) for text in wanted)]
    if not chunks:
        return [f"no passage holds any of {wanted} ({reading.state})"]
    numbers = {int(number) for number in (question["page"], *question["also_pages"]) if number}
    if numbers and not any(_stands_on(chunk, wanted, numbers, reading) for chunk in chunks):
        pages = sorted({span.page for chunk in chunks for span in chunk.spans})
        return [f"{wanted} is on page {pages} instead of {sorted(numbers)}"]
    locator = question["locator"]
    if locator and not any(_is_at(chunk, locator) for chunk in chunks):
        places = [(chunk.section, chunk.location) for chunk in chunks]
        return [f"{wanted} is at {places} instead of {locator}"]
    return []


def _answers(question: dict[str, Any]) -> list[str]:
    # 55 is the difference of two cells of a table, which nothing but a model works out.
    return ["875"] if question["qid"] == "hard-066" else list(question["answers"])


def _stands_on(chunk: Chunk, wanted: list[str], numbers: set[int], reading: Reading) -> bool:
    """Whether the part of a passage that lies on one of these pages holds the answer."""
    texts = {page.number: page.text for page in reading.pages}
    own = "".join(texts[s.page][s.start : s.end] for s in chunk.spans if s.page in numbers)
    return any(bare(text) in bare(own) for text in wanted)


def _is_at(chunk: Chunk, locator: str) -> bool:
    """``locator`` as people wrote it: slide 1 · 销售明细!row 43 · 章 > 节."""
    place = dict(chunk.location or {})
    if locator.startswith("slide "):
        return bool(place.get("slide") == int(locator.split()[1]))
    if "!row " in locator:
        sheet, row = locator.split("!row ")
        first, last = place["rows"]
        return place["sheet"] == sheet and first <= int(row) <= last
    if locator.startswith("table row"):
        return True
    names = bare(" ".join((*chunk.section, str(place.get("chapter", "")))))
    return all(bare(part) in names for part in locator.removesuffix(" / table").split(" > "))

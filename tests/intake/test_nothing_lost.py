"""What is on a page is in a passage, or named as left out with its reason; nothing goes without a word."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import resources
from engine import wording
from tests.faults.catalogue import Fault, catalogue
from tests.intake.whole_reading import Reading, unaccounted

SAMPLES = sorted(path for path in resources.path("samples").iterdir() if path.suffix != ".jsonl")
SOUND = [
    fault
    for fault in catalogue(Path())
    # The one stands elsewhere, the other is a megabyte and of the same kind as the short ones.
    if fault.state == "indexed" and fault.name not in ("外面.txt", "一行.txt")
]


def check(reading: Reading) -> None:
    assert reading.state == "indexed"
    assert unaccounted(reading) == {}
    pages = {page.number: page.text for page in reading.pages}
    for dropped in reading.done.dropped:
        span = dropped.span
        assert dropped.text == pages[span.page][span.start : span.end]
        for language in ("zh", "en"):
            assert f"dropped_{dropped.why}" in wording.codes(language)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.suffix)
def test_of_the_samples(path: Path) -> None:
    check(Reading(path))


@pytest.mark.parametrize("fault", SOUND, ids=lambda fault: fault.name[-20:])
def test_of_a_small_file_of_each_kind(fault: Fault, tmp_path: Path) -> None:
    path = tmp_path / fault.name
    path.parent.mkdir(parents=True, exist_ok=True)
    fault.make(path, "第七件的代表人是王先生。")
    check(Reading(path))


def test_numbered_headings_in_large_letters_are_no_watermark(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    """They come back on every page, at the same place and larger than the text, and count with the pages."""
    document = make_pdf()
    for number in range(1, 9):
        page = document.new_page()
        page.insert_text((60, 80), f"第{number}节　管理规定", fontname="china-s", fontsize=16)
        for line in range(8):
            text = f"各部门应当按照第{number * 8 + line}项的规定办理，逾期未办理的视为放弃。"
            page.insert_text((60, 110 + 26 * line), text, fontname="china-s", fontsize=10.5)
    document.save(tmp_path / "讲义.pdf")
    reading = Reading(tmp_path / "讲义.pdf")
    assert reading.done.dropped == ()
    assert all(f"第{number}节" in reading.text for number in range(1, 9))

"""How fast indexing goes and how long it still takes, by a clock that the test moves."""

import pytest

from desktop.library.pace import WINDOW_S, Pace
from engine.documents import FileState
from engine.events import FileFinished, FileProgress, FileReport, OcrProgress, ScanFinished


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pace(clock) -> Pace:
    made = Pace(clock)
    made.take(ScanFinished(1, "库", 40))
    return made


def finish(pace: Pace, done: int, total: int = 40) -> None:
    pace.take(FileFinished(1, FileReport(f"{done}.pdf", FileState.INDEXED, chunks=900), done, total))


def test_nothing_is_said_before_it_is_known(pace, clock):
    finish(pace, 1)
    clock.now += 1
    assert (pace.chunks_per_s(), pace.left_s()) == (None, None)


def test_passages_a_second_are_those_that_were_embedded_and_not_those_of_known_files(pace, clock):
    finish(pace, 1)  # its 900 passages had their vectors
    for done in (16, 32, 48):
        clock.now += 2
        pace.take(FileProgress(1, "甲.pdf", 9, done, 96))
    assert pace.chunks_per_s() == pytest.approx(8)


def test_the_rest_takes_as_long_as_the_files_so_far_also_within_a_large_one(pace, clock):
    finish(pace, 9)
    clock.now += 10
    pace.take(FileProgress(1, "甲.pdf", 9, 50, 50))
    assert pace.left_s() == pytest.approx(30)
    finish(pace, 40)
    assert pace.left_s() is None


def test_what_was_an_hour_ago_does_not_count(pace, clock):
    clock.now += 3600
    finish(pace, 1)
    for done in range(2, 12):
        clock.now += WINDOW_S / 6
        finish(pace, done)
    assert pace.left_s() == pytest.approx(29 * WINDOW_S / 6)


def test_pages_that_are_pictures_have_a_speed_of_their_own(pace, clock):
    finish(pace, 40)
    pace.take(OcrProgress(1, "扫描.pdf", 0, 100))
    clock.now += 20
    pace.take(OcrProgress(1, "扫描.pdf", 10, 100))
    assert (pace.chunks_per_s(), pace.left_s()) == (None, pytest.approx(180))


def test_another_task_begins_without_the_speed_of_the_last(pace, clock):
    clock.now += 10
    finish(pace, 20)
    pace.begin()
    assert pace.left_s() is None

"""A file of many pages does not need them all in memory."""

from collections.abc import Iterator

import pytest

from engine.cancel import CancelToken
from engine.documents import FileState, Page, SourceDocument
from engine.index import staging
from engine.index.inspection import inspect
from engine.intake.messages import PageRead, ReadDone, ReadMessage, ReadRequest
from tests.desk import Desk
from tests.fakes import InlineReader


class Long(InlineReader):
    pages = staging.STAGE_FROM * 2 + 5
    most_held = 0

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        for number in range(1, self.pages + 1):
            yield PageRead(Page(number, f"第{number}页"))
        yield ReadDone(FileState.INDEXED, None, SourceDocument("pdf", "长"))


@pytest.fixture
def long(desk: Desk) -> Desk:
    desk.write("长.pdf", "…")
    desk.reader = Long()
    return desk


def staged(desk: Desk) -> int:
    return int(desk.library.db.execute("SELECT count(*) FROM staged_pages").fetchone()[0])


def test_pages_wait_on_disk_and_arrive_in_order(long: Desk) -> None:
    seen = set()
    for _ in long.steps():
        seen.add(staged(long))
    assert seen == {0, staging.STAGE_FROM, staging.STAGE_FROM * 2}
    assert staged(long) == 0
    pages = inspect(long.library, "长.pdf").pages
    assert [page.text for page in pages] == [f"第{n}页" for n in range(1, Long.pages + 1)]
    assert long.library.files()[0].report.pages == Long.pages


def test_what_a_stop_left_does_not_get_into_the_next_file(long: Desk) -> None:
    steps = long.steps()
    while staged(long) == 0:
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    (long.folder / "长.pdf").unlink()
    long.write("短.txt", "只有一页。")
    long.reader = InlineReader()
    long.ingest()
    assert len(inspect(long.library, "短.txt").pages) == 1
    assert staged(long) == 0

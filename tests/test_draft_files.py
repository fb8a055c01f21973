"""Files of drafts: read in any encoding, refused with a reason."""

from pathlib import Path
from typing import cast

import pytest

from engine import jobs
from engine.answer_events import DraftRead
from engine.cancel import CancelToken
from engine.commands import ReadDraft
from engine.errors import DraftTooLarge, NotReadable
from engine.jobs.checking import LARGEST_MB
from engine.workspace import Workspace

TEXT = "员工年休假为10天。\n逾期未休的部分自动失效。\n"


def read(path: Path) -> DraftRead:
    (event,) = jobs.start(ReadDraft(4, path), cast(Workspace, None), CancelToken())
    assert isinstance(event, DraftRead)
    return event


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_a_draft_is_read_in_the_encoding_it_has(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "文稿.txt"
    path.write_bytes(TEXT.encode(encoding))
    assert read(path) == DraftRead(4, TEXT)


def test_what_is_no_file_or_is_gone_is_not_readable(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "没有.txt"):
        with pytest.raises(NotReadable):
            read(path)


def test_a_draft_of_several_books_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "长.txt"
    path.write_bytes(b"a" * (LARGEST_MB * 1_000_000 + 1))
    with pytest.raises(DraftTooLarge) as told:
        read(path)
    assert told.value.params["limit_mb"] == LARGEST_MB


def test_a_file_is_read_while_an_answer_is_written() -> None:
    assert jobs.priority(ReadDraft(1, Path("a"))) == jobs.AT_ONCE

"""How much of a library is indexed while a sync is under way, was stopped, or runs in another program."""

from pathlib import Path

import pytest

from engine import pipeline
from engine.cancel import CancelToken
from engine.config import Settings
from engine.events import FileFinished
from engine.index.library import Library
from engine.intake import awaited
from engine.intake.scope import Scope
from tests.fakes import FakeEmbedder, InlineReader


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "制度"
    root.mkdir()
    for n in range(4):
        (root / f"{n}.txt").write_text(f"第{n}条：秘密级数据的保密期限为{n}年。", encoding="utf-8")
    (root / "照片.xyz").write_bytes(b"nothing that is read")
    return root


@pytest.fixture
def library() -> Library:
    return Library(None, dimension=64)


def sync(library: Library, folder: Path, stop_after: int | None = None, **scope: object) -> list[float]:
    """The share after each file that has reached its state."""
    shares = []
    for event in pipeline.ingest(
        1, library, Scope((folder,), **scope), reader=InlineReader(), embedder=FakeEmbedder(),  # type: ignore[arg-type]
        settings=Settings(), token=CancelToken(),
    ):  # fmt: skip
        if isinstance(event, FileFinished):
            shares.append(awaited.share([library]))
            if len(shares) == stop_after:
                break
    return shares


def test_the_share_grows_with_every_file_and_ends_at_one(library: Library, folder: Path) -> None:
    shares = sync(library, folder)
    assert sorted(shares) == shares
    assert set(shares) >= {0.25, 0.5, 0.75, 1.0}
    assert awaited.share([library]) == 1.0


def test_a_sync_that_was_stopped_is_not_taken_for_a_finished_one(library: Library, folder: Path) -> None:
    sync(library, folder, stop_after=2)
    assert awaited.share([library]) == 0.5
    sync(library, folder)
    assert awaited.share([library]) == 1.0


def test_a_sync_of_a_part_settles_nothing_for_the_rest(library: Library, folder: Path) -> None:
    sync(library, folder, stop_after=1)
    sync(library, folder, below=(folder / "0.txt",))
    assert awaited.share([library]) < 1


def test_new_and_changed_files_are_awaited_and_known_ones_count(library: Library, folder: Path) -> None:
    sync(library, folder)
    (folder / "0.txt").write_text("换了新的内容，长度也不同。" * 3, encoding="utf-8")
    (folder / "新.txt").write_text("新的文件。", encoding="utf-8")
    shares = sync(library, folder)
    assert min(shares) == pytest.approx(4 / 5)
    assert awaited.share([library]) == 1.0


def test_a_sync_without_anything_new_awaits_nothing(library: Library, folder: Path) -> None:
    sync(library, folder)
    assert set(sync(library, folder)) == {1.0}


def test_several_libraries_are_counted_together(library: Library, folder: Path, tmp_path: Path) -> None:
    other = Library(None, dimension=64)
    assert awaited.share([]) == awaited.share([other]) == 1.0
    more = tmp_path / "合同"
    more.mkdir()
    for n in range(4):
        (more / f"合同{n}.txt").write_text(f"合同{n}的违约金。", encoding="utf-8")
    sync(other, more)
    sync(library, folder, stop_after=2)
    assert awaited.share([library, other]) == pytest.approx(6 / 8)

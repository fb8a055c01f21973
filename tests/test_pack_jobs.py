"""Packs and backups as the window asks for them: commands in, events out, step by step."""

import shutil
from pathlib import Path

import pytest

from engine import jobs, workspace
from engine.cancel import Cancelled, CancelToken
from engine.commands import BackUp, ExportLibrary, ImportLibrary, IngestFolders, Restore
from engine.config import Settings
from engine.errors import LibraryBusy
from engine.events import (
    BackedUp,
    Event,
    IngestFinished,
    LibraryExported,
    LibraryImported,
    Restored,
    StepProgress,
)
from engine.index.pack import archive, export, load
from engine.index.pack.origin import Origin
from engine.paths import Home
from engine.shelf import WriteLock
from engine.wording import codes
from engine.workspace import Workspace
from tests.cli.conftest import InThisProcess
from tests.fakes import FakeEmbedder


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    fake = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", lambda self: fake)
    monkeypatch.setattr(Origin, "of_catalogue", lambda _: Origin.of_embedder(fake))
    monkeypatch.setattr(Workspace, "dimension", fake.dimension)
    monkeypatch.setattr(workspace, "ParsingPool", InThisProcess)
    monkeypatch.setattr(export, "STEP", 3)
    monkeypatch.setattr(load, "STEP", 3)
    made = Workspace(Home(tmp_path / "家"), Settings())
    folder = tmp_path / "资料"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.md").write_text(
            f"# 第{number}号\n\n第{number}条规定了期限。\n", encoding="utf-8"
        )
    list(jobs.start(IngestFolders(1, (folder,), "资料"), made, CancelToken()))
    return made


def events(command: ExportLibrary | ImportLibrary | BackUp | Restore, opened: Workspace) -> list[Event]:
    found = [event for event in jobs.start(command, opened, CancelToken()) if event is not None]
    assert all(event.task_id == command.task_id for event in found)
    return found


def test_each_job_shows_how_far_it_is_and_ends_with_its_figures(opened: Workspace, tmp_path: Path) -> None:
    file, place = tmp_path / "a.zhiye", tmp_path / "备份"
    *progress, exported = events(ExportLibrary(2, "资料", file), opened)
    steps = [(event.done, event.total) for event in progress if isinstance(event, StepProgress)]
    assert steps == sorted(steps) and len(steps) > 5 and steps[-1][0] == steps[-1][1]
    assert exported == LibraryExported(2, "资料", file, file.stat().st_size, 12, 12)
    *progress, imported = events(ImportLibrary(3, file), opened)
    assert len([event for event in progress if isinstance(event, StepProgress)]) > 5
    assert imported == LibraryImported(3, "资料 2", 12, 12, None, 0)
    *_, backed_up = events(BackUp(4, place), opened)
    assert isinstance(backed_up, BackedUp) and set(backed_up.libraries) == {"资料", "资料 2"}
    for name in opened.libraries.names():
        opened.remove_library(name)
    *_, restored = events(Restore(5, place), opened)
    assert isinstance(restored, Restored) and set(restored.libraries) == {"资料", "资料 2"}
    opened.close()


def test_a_relinked_library_says_what_it_read(opened: Workspace, tmp_path: Path) -> None:
    file, moved = tmp_path / "a.zhiye", tmp_path / "别处" / "资料"
    events(ExportLibrary(2, "资料", file), opened)
    opened.remove_library("资料")
    shutil.copytree(tmp_path / "资料", moved)
    (moved / "新.md").write_text("# 新的\n\n包里没有的内容。\n", encoding="utf-8")
    found = events(ImportLibrary(3, file, relink=moved), opened)
    assert found[-1] == LibraryImported(3, "资料", 13, 13, 12, 1)
    (ingest,) = [event for event in found if isinstance(event, IngestFinished)]
    assert (ingest.embedded, ingest.removed) == (1, 0)
    assert list(opened.libraries.open("资料").folders().values()) in ([moved], [Path("资料"), moved])
    opened.close()


@pytest.mark.parametrize("step", [1, 2, 4])
def test_a_stopped_task_leaves_nothing(opened: Workspace, tmp_path: Path, step: int) -> None:
    file = tmp_path / "a.zhiye"
    events(ExportLibrary(2, "资料", file), opened)
    other = tmp_path / "b.zhiye"
    for command in (ExportLibrary(3, "资料", other), ImportLibrary(4, file)):
        token = CancelToken()
        steps = jobs.start(command, opened, token)
        for _ in range(step):
            next(steps)
        token.cancel()
        with pytest.raises(Cancelled):
            list(steps)
    assert not other.exists() and list(tmp_path.glob(".*")) == []
    assert opened.libraries.names() == ["资料"]
    assert len(list(opened.home.libraries.iterdir())) == 1
    opened.close()


def test_nobody_writes_to_a_library_while_it_is_packed(opened: Workspace, tmp_path: Path) -> None:
    library = opened.libraries.open("资料")
    steps = jobs.start(ExportLibrary(2, "资料", tmp_path / "a.zhiye"), opened, CancelToken())
    next(steps)
    with pytest.raises(LibraryBusy), WriteLock(library):
        pass
    list(steps)
    with WriteLock(library), pytest.raises(LibraryBusy):
        list(jobs.start(ExportLibrary(2, "资料", tmp_path / "b.zhiye"), opened, CancelToken()))
    assert archive.is_pack(tmp_path / "a.zhiye") and not (tmp_path / "b.zhiye").exists()
    opened.close()


def test_a_question_does_not_wait_for_them() -> None:
    for command in (
        ExportLibrary(1, "", Path()), ImportLibrary(1, Path()), BackUp(1, Path()), Restore(1, Path())
    ):  # fmt: skip
        assert jobs.priority(command) == jobs.BACKGROUND


def test_progress_has_words() -> None:
    for code in ("progress_export", "progress_import", "progress_backup", "progress_restore"):
        assert code in codes("zh") and code in codes("en")

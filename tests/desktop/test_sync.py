"""Syncs that nobody asks for: when they are sent, what goes before them, and what people see of them."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from desktop import application, languages
from desktop.library import indexing, keeping, news
from desktop.library.sync_line import SyncLine
from engine.commands import IngestFolders, ListFiles, ListLibraries, RemoveLibrary, StopTask
from engine.documents import FileState
from engine.events import (
    Event,
    FileReport,
    FilesListed,
    FileStarted,
    LibrariesListed,
    Notice,
    OcrProgress,
    ScanFinished,
    TaskFailed,
)
from engine.standing import LibrarySummary
from tests.desktop import sample_content
from tests.desktop.conftest import Opened

A, B, C = Path("/资料/甲"), Path("/资料/乙"), Path("/资料/丙")


def summary(name: str, folder: Path, day: int, **changes: object) -> LibrarySummary:
    values = {"folders": (str(folder),), "last_sync": f"2025-03-{day:02}T08:00:00+00:00", **changes}
    return replace(sample_content.library(name), **values)  # type: ignore[arg-type]


class FakeWatcher:
    """Says what the test has it say."""

    def __init__(self, on_change: Callable[[str, frozenset[Path]], None]) -> None:
        self.say = on_change
        self.wanted: Mapping[str, Sequence[Path]] = {}
        self.is_closed = False

    def watch(self, wanted: Mapping[str, Sequence[Path]]) -> None:
        self.wanted = wanted

    def close(self) -> None:
        self.is_closed = True


@dataclass
class Kept(Opened):
    """A window that keeps its knowledge bases in step."""

    libraries: list[LibrarySummary]
    watcher: FakeWatcher
    qtbot: object

    def ingests(self, count: int) -> list[IngestFolders]:
        """All indexing commands, as soon as there are so many."""
        self.qtbot.waitUntil(lambda: len(self.engine.commands(IngestFolders)) >= count)
        found = self.engine.commands(IngestFolders)
        assert len(found) == count
        return found

    def last(self, count: int) -> IngestFolders:
        return self.ingests(count)[-1]

    def done(self, *events: Event) -> None:
        self.engine.done(self.engine.last(IngestFolders).task_id, *events)

    def settle(self) -> None:
        """Let the start's syncs pass."""
        for count in range(1, sum(not library.paused for library in self.libraries) + 1):
            self.engine.done(self.last(count).task_id)
        self.qtbot.waitUntil(lambda: self.controller.library.indexing.library is None)
        self.engine.sent.clear()


@pytest.fixture
def libraries(request: pytest.FixtureRequest) -> list[LibrarySummary]:
    """Three knowledge bases; the parameter names those that are paused."""
    paused = getattr(request, "param", ())
    return [
        summary(name, folder, day, paused=name in paused)
        for name, folder, day in (("甲", A, 1), ("乙", B, 3), ("丙", C, 2))
    ]


@pytest.fixture
def kept(qtbot, make_engine, shape, libraries, monkeypatch) -> Iterator[Kept]:
    monkeypatch.setattr(keeping, "START_S", 0.0)
    monkeypatch.setattr(keeping, "REST_FACTOR", 0.0)
    monkeypatch.setattr(keeping, "BUSY_S", 0.05)
    watchers: list[FakeWatcher] = []

    def make_watcher(on_change: Callable[[str, frozenset[Path]], None]) -> FakeWatcher:
        watchers.append(FakeWatcher(on_change))
        return watchers[-1]

    make_engine.scripts = {
        ListLibraries: lambda c: [LibrariesListed(c.task_id, tuple(libraries))],
        ListFiles: lambda c: [FilesListed(c.task_id, c.library, sample_content.files())],
    }
    window, controller = application.open_window(make_engine, (), shape, make_watcher)
    yield Kept(window, controller, make_engine.engine, controller._bridge, libraries, watchers[0], qtbot)
    window.close()
    controller.close()
    assert watchers[0].is_closed
    window.deleteLater()


# -- when -------------------------------------------------------------------------------------------


def test_at_the_start_everything_is_synced_one_after_the_other_the_last_used_first(kept):
    order = []
    for count in (1, 2, 3):
        command = kept.last(count)
        assert (command.below, command.retry_failed, command.profile) == ((), False, None)
        order.append((command.library, command.folders))
        kept.done()
    assert order == [("乙", (B,)), ("丙", (C,)), ("甲", (A,))]
    assert kept.watcher.wanted == {"甲": [A], "乙": [B], "丙": [C]}


@pytest.mark.parametrize("libraries", [("乙",)], indirect=True)
def test_what_is_paused_is_neither_synced_nor_watched_until_it_goes_on(kept, libraries):
    kept.qtbot.waitUntil(lambda: kept.watcher.wanted == {"甲": [A], "丙": [C]})
    kept.settle()
    kept.watcher.say("乙", frozenset({B}))
    kept.watcher.say("甲", frozenset({A / "子"}))
    assert kept.last(1).library == "甲"
    kept.done()
    libraries[1] = replace(libraries[1], paused=False)
    kept.controller.library.list_libraries()
    command = kept.last(2)
    assert (command.library, command.below) == ("乙", ())


def test_a_knowledge_base_without_folders_on_this_machine_is_left_alone(kept, libraries):
    kept.settle()
    libraries[:] = [replace(libraries[0], folders=("资料",)), libraries[1]]
    kept.controller.library.list_libraries()
    kept.qtbot.waitUntil(lambda: kept.watcher.wanted == {"乙": [B]})


def test_a_change_syncs_only_the_folders_it_was_in(kept):
    kept.settle()
    threading.Thread(target=kept.watcher.say, args=("丙", frozenset({C / "二", C / "一"}))).start()
    command = kept.last(1)
    assert (command.library, command.folders, command.below) == ("丙", (C,), (C / "一", C / "二"))


def test_changes_that_come_meanwhile_are_one_sync(kept):
    kept.settle()
    kept.watcher.say("甲", frozenset({A / "一"}))
    kept.last(1)
    for place in ("二", "三", "二"):
        kept.watcher.say("甲", frozenset({A / place}))
        kept.qtbot.wait(20)
    kept.done()
    assert set(kept.last(2).below) == {A / "二", A / "三"}
    kept.watcher.say("甲", frozenset({A / "四"}))
    kept.qtbot.wait(20)
    kept.controller.keeping._on_round()
    kept.qtbot.wait(20)
    for count, name in ((3, "甲"), (4, "乙"), (5, "丙")):
        kept.done()
        assert (kept.last(count).library, kept.last(count).below) == (name, ()), "all of it, once"


def test_everything_is_looked_through_now_and_then(kept):
    kept.settle()
    assert kept.controller.keeping._rounds.interval() == 30 * 60 * 1000
    assert kept.controller.keeping._rounds.isActive()
    kept.controller.keeping._rounds.timeout.emit()
    for count in (1, 2, 3):
        assert kept.last(count).below == ()
        kept.done()


def test_a_name_that_another_program_took_away_is_not_made_anew(kept, libraries):
    kept.settle()
    libraries[0] = replace(libraries[0], name="改名")
    kept.watcher.say("甲", frozenset({A}))
    assert kept.last(1).library == "改名", "it is new, and brought in step"
    kept.done()
    kept.qtbot.waitUntil(lambda: kept.controller.library.indexing.library is None)
    assert "甲" not in kept.watcher.wanted


def test_a_new_knowledge_base_is_watched_and_not_synced_again(kept, libraries):
    kept.settle()
    new = Path("/资料/新")
    kept.controller.library.index((new,), None)
    libraries.append(summary("新", new, 9))
    kept.done(ScanFinished(kept.last(1).task_id, "新", 0))
    kept.qtbot.waitUntil(lambda: kept.watcher.wanted.get("新") == [new])
    kept.watcher.say("新", frozenset({new / "一"}))
    assert kept.last(2).below == (new / "一",)


def test_one_that_changes_all_the_time_is_given_a_rest(kept, monkeypatch):
    kept.settle()
    monkeypatch.setattr(keeping, "REST_FACTOR", 1000.0)
    kept.watcher.say("甲", frozenset({A / "一"}))
    kept.last(1)
    kept.done()
    kept.qtbot.waitUntil(lambda: kept.controller.library.indexing.library is None)
    kept.watcher.say("甲", frozenset({A / "一"}))
    kept.watcher.say("乙", frozenset({B / "一"}))
    assert kept.last(2).library == "乙"
    assert list(kept.controller.keeping._due) == ["甲"]


# -- what goes before -------------------------------------------------------------------------------


def test_what_a_person_starts_goes_before_what_nobody_asked_for(kept, tmp_path):
    kept.ingests(1)
    kept.controller.library.index((tmp_path,), None)
    assert kept.engine.commands(StopTask) == [], "what has begun is not interrupted"
    assert kept.window.library_panel.progress.isVisible(), "but it is shown that something is under way"
    kept.done()
    assert kept.last(2).folders == (tmp_path,)
    kept.done()
    assert kept.last(3).library == "丙"


def test_pictures_give_way_at_once_to_a_person_and_after_a_while_to_a_change(kept, monkeypatch, tmp_path):
    kept.settle()
    library = kept.controller.library
    kept.watcher.say("甲", frozenset({A}))
    pictures = kept.last(1)
    kept.engine.emit(OcrProgress(pictures.task_id, "扫描.pdf", 3, 900))
    kept.qtbot.waitUntil(lambda: library.indexing.reads_pictures)
    kept.watcher.say("乙", frozenset({B / "一"}))
    kept.qtbot.waitUntil(lambda: bool(library.indexing._waiting))
    assert kept.engine.commands(StopTask) == []
    assert 0 < library.indexing._pictures_due.remainingTime() <= indexing.PICTURES_S * 1000
    library.index((tmp_path,), "甲")
    assert kept.engine.commands(StopTask) == [StopTask(pictures.task_id)]
    assert kept.last(2).folders == (tmp_path,)
    kept.done()
    change = kept.last(3)
    assert (change.library, change.below) == ("乙", (B / "一",))
    kept.done()
    rest = kept.last(4)
    assert (rest.library, rest.folders, rest.below) == ("甲", (A,), (A,))

    monkeypatch.setattr(indexing, "PICTURES_S", 0.2)
    kept.engine.emit(OcrProgress(rest.task_id, "扫描.pdf", 4, 897))
    kept.qtbot.waitUntil(lambda: library.indexing.reads_pictures)
    kept.watcher.say("丙", frozenset({C / "一"}))
    assert kept.last(5).library == "丙"
    kept.done()
    assert kept.last(6).library == "甲"


def test_pictures_wait_until_the_text_of_all_knowledge_bases_is_read(kept, monkeypatch):
    monkeypatch.setattr(indexing, "PICTURES_S", 0.0)
    order = []
    for count in (1, 2, 3, 4, 5):
        command = kept.last(count)
        order.append(command.library)
        if count <= 2:
            kept.engine.emit(
                OcrProgress(command.task_id, "扫描.pdf", 1, 9), OcrProgress(command.task_id, "扫描.pdf", 2, 9)
            )
        else:
            kept.done()
    assert order == ["乙", "丙", "甲", "乙", "丙"]


def test_a_knowledge_base_that_goes_is_not_synced_any_more(kept, libraries, monkeypatch):
    command = kept.last(1)
    assert kept.controller.library.current == "乙"
    monkeypatch.setattr(kept.window.library_panel, "confirm_removal", lambda name: True)
    libraries.pop(1)
    kept.window.library_panel.remove_action.trigger()
    sent = kept.engine.sent
    assert sent.index(StopTask(command.task_id)) < sent.index(kept.engine.last(RemoveLibrary))
    kept.engine.done(kept.engine.last(RemoveLibrary).task_id)
    assert kept.last(2).library == "丙"
    kept.done()
    assert kept.last(3).library == "甲"


# -- what is seen -----------------------------------------------------------------------------------


def test_a_quiet_sync_is_not_seen(kept):
    panel, window = kept.window.library_panel, kept.window
    command = kept.last(1)
    kept.engine.emit(
        ScanFinished(command.task_id, "乙", 10),
        FileStarted(command.task_id, "一.md"),
        Notice(command.task_id, "no_documents", {"folders": [str(B)]}),
    )
    kept.qtbot.waitUntil(lambda: panel.sync_line.text() == "正在同步…")
    kept.qtbot.waitUntil(lambda: panel.table.files.rowCount() == len(sample_content.files()) + 1)
    assert not panel.progress.isVisible()
    assert not kept.controller.library.is_busy()
    assert window.banners.messages() == []
    assert kept.controller.library.current == "乙"
    kept.done()
    assert kept.last(2).library == "丙"
    assert kept.controller.library.current == "乙", "what is shown stays"


def test_one_that_reads_for_long_shows_how_far_it_is(kept, monkeypatch):
    monkeypatch.setattr(news, "UNSEEN_S", 0.0)
    panel = kept.window.library_panel
    command = kept.last(1)
    kept.engine.emit(ScanFinished(command.task_id, "乙", 10))
    kept.qtbot.wait(250)
    assert not panel.progress.isVisible(), "nothing is read"
    kept.engine.emit(FileStarted(command.task_id, "一.md"))
    kept.qtbot.waitUntil(panel.progress.isVisible)
    assert panel.progress.count_label.text() == "0 / 10个文件"
    kept.engine.scripts[IngestFolders] = lambda c: []
    panel.progress.findChild(QPushButton, "stopIndexing").click()
    kept.qtbot.waitUntil(lambda: not panel.progress.isVisible())
    assert kept.engine.commands(StopTask) == [StopTask(command.task_id)]
    assert len(kept.engine.commands(IngestFolders)) == 1, "Stop stops what waits, too"


def test_while_another_program_writes_it_is_tried_again_without_a_word(kept):
    kept.settle()
    kept.watcher.say("甲", frozenset({A / "一"}))
    for count in (1, 2, 3):
        command = kept.last(count)
        assert (command.library, command.below) == ("甲", (A / "一",))
        kept.engine.emit(TaskFailed(command.task_id, "library_busy", {"name": "甲"}, True))
    kept.last(4)
    kept.done()
    assert kept.window.banners.messages() == []
    kept.qtbot.waitUntil(lambda: kept.controller.keeping._busy_s == keeping.BUSY_S)


def test_a_folder_that_is_away_is_no_banner(kept):
    kept.settle()
    kept.watcher.say("甲", frozenset({A}))
    kept.engine.emit(TaskFailed(kept.last(1).task_id, "not_readable", {"path": str(A)}))
    kept.qtbot.waitUntil(lambda: kept.controller.library.indexing.library is None)
    assert kept.window.banners.messages() == []


def test_what_goes_wrong_is_said_once_until_it_goes_well(kept):
    kept.settle()
    said = []
    kept.controller.library.problem_found.connect(lambda code, params: said.append(code))

    def sync(count: int, *, fails: bool) -> None:
        kept.watcher.say("甲", frozenset({A}))
        task = kept.last(count).task_id
        full = TaskFailed(task, "storage_failed", {"path": "盘", "detail": "full"}, True)
        kept.engine.emit(full) if fails else kept.engine.done(task)
        kept.qtbot.waitUntil(lambda: kept.controller.library.indexing.library is None)

    sync(1, fails=True)
    sync(2, fails=True)
    assert said == ["storage_failed"]
    sync(3, fails=False)
    sync(4, fails=True)
    assert said == ["storage_failed"] * 2


def test_a_sync_that_finds_nothing_leaves_the_table_as_it_is(kept):
    kept.settle()
    kept.qtbot.waitUntil(lambda: kept.window.library_panel.table.files.rowCount() > 0)
    kept.qtbot.wait(50)
    resets = []
    kept.window.library_panel.table.files.modelReset.connect(lambda: resets.append(1))
    kept.watcher.say("乙", frozenset({B}))
    kept.last(1)
    listed = len(kept.engine.commands(ListFiles))
    kept.done()
    kept.qtbot.waitUntil(lambda: len(kept.engine.commands(ListFiles)) > listed)
    kept.qtbot.wait(50)
    assert resets == []
    changed = (*sample_content.files(), FileReport("新.md", FileState.INDEXED, None, 1, 1))
    kept.engine.scripts[ListFiles] = lambda c: [FilesListed(c.task_id, c.library, changed)]
    kept.watcher.say("乙", frozenset({B}))
    kept.last(2)
    kept.done()
    kept.qtbot.waitUntil(lambda: resets == [1])


def test_the_line_says_how_it_stands(qtbot):
    line = SyncLine()
    qtbot.addWidget(line)
    now = datetime.now(UTC)

    def words(
        day: int = 1, is_syncing: bool = False, synced: datetime | None = None, **changes: object
    ) -> str:
        line.show_state(summary("甲", A, day, **changes), is_syncing=is_syncing, synced=synced)
        return line.text()

    assert words(is_syncing=True) == "正在同步…"
    assert words(paused=True) == "已暂停"
    assert words(offline=("/盘/资料",)) == "文件夹无法访问：/盘/资料"
    assert words(offline=("/盘/资料", "/盘/二")) == "2个文件夹无法访问"
    since = ("2025-03-01T04:00:00+00:00",)
    assert words(offline=("/盘/资料",), offline_since=since).startswith("自2025/3/1 ")
    assert words(synced=now).startswith("已同步 · ") and "/" not in words(synced=now)
    assert words().startswith("已同步 · 2025/3/1")
    assert "/" in words(synced=now - timedelta(days=2))
    assert words(last_sync=None) == "" and not line.isVisibleTo(None)
    line.show_state(None, is_syncing=False)
    assert line.text() == ""
    languages.install("en")
    assert words(offline=("/a", "/b")) == "2 folders not reachable"
    assert words(paused=True) == "Paused"


def test_the_line_follows_what_is_synced(kept, libraries):
    line = kept.window.library_panel.sync_line
    kept.last(1)
    assert line.text() == "正在同步…"
    kept.done()
    kept.qtbot.waitUntil(lambda: line.text().startswith("已同步 · "))
    assert "2025" not in line.text(), "just now"
    libraries[1] = replace(libraries[1], offline=(str(B),))
    kept.controller.library.list_libraries()
    kept.qtbot.waitUntil(lambda: line.text() == f"文件夹无法访问：{B}")

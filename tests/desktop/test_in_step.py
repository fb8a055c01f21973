"""From a change on disk to a passage that is found: the real engine thread and the real watcher."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from desktop import application
from desktop.library import keeping
from engine.answer_events import SourcesFound
from engine.commands import AskQuestion
from engine.config import Settings
from engine.events import Event
from engine.paths import Home
from engine.shelf import WriteLock
from engine.thread import EngineThread
from engine.watching.watcher import FolderWatcher
from tests.desktop.conftest import Opened
from tests.fakes import FakeGenerator, InlineReader
from tests.test_thread import FakeWorkspace

PATIENCE_MS = 20_000
QUESTION = "食堂几点开门"
TEXT = "食堂早上七点开门。"


class DeskWorkspace(FakeWorkspace):
    """Doubles for the models and for the parsing processes; all else is real."""

    model = FakeGenerator("答")

    @contextmanager
    def readers(self, settings: Settings) -> Iterator[InlineReader]:  # type: ignore[override]
        yield InlineReader(settings)


class Office(Opened):
    """A folder with a knowledge base, in a window that keeps it in step."""

    folder: Path
    home: Home

    def found(self, qtbot) -> list[str]:
        """The documents that a question finds now."""
        hits: list[list[str]] = []

        def listen(event: Event) -> None:
            if isinstance(event, SourcesFound):
                hits.append([hit.document for hit in event.hits if TEXT in hit.text])

        self.bridge.send(AskQuestion(self.bridge.new_task(), QUESTION, ("资料",), use_model=False), listen)
        qtbot.waitUntil(lambda: bool(hits), timeout=PATIENCE_MS)
        return hits[0]

    def seconds_until(self, qtbot, documents: list[str]) -> float:
        begun = time.monotonic()
        while self.found(qtbot) != documents:
            assert time.monotonic() - begun < PATIENCE_MS / 1000, self.found(qtbot)
            qtbot.wait(50)
        return time.monotonic() - begun


@contextmanager
def opened_office(qtbot, tmp_path: Path) -> Iterator[Office]:
    home = Home(tmp_path / "家")
    window, controller = application.open_window(
        lambda on_event: EngineThread(home, Settings(ocr=False), on_event, DeskWorkspace),
        shape=QSettings(str(tmp_path / "shape.ini"), QSettings.Format.IniFormat),
        make_watcher=lambda on_change: FolderWatcher(on_change, (home.root,), check_s=0.5),
    )
    office = Office(window, controller, None, controller._bridge)  # type: ignore[arg-type]
    office.folder, office.home = tmp_path / "资料", home
    yield office
    window.close()
    assert controller.close(), "the engine ends in time"
    window.deleteLater()


@pytest.fixture
def office(qtbot, tmp_path: Path) -> Iterator[Office]:
    (tmp_path / "资料" / "子").mkdir(parents=True)
    (tmp_path / "资料" / "访客.md").write_text("访客在前台登记。", encoding="utf-8")
    with opened_office(qtbot, tmp_path) as made:
        made.controller.library.index((made.folder,), None)
        qtbot.waitUntil(lambda: not made.controller.library.is_busy(), timeout=PATIENCE_MS)
        qtbot.waitUntil(lambda: bool(watched(made)), timeout=PATIENCE_MS)
        yield made


def watched(office: Office) -> dict:
    return office.controller.keeping._watcher._watched


def test_a_change_can_be_found_within_ten_seconds(qtbot, office):
    file = office.folder / "子" / "食堂.md"
    file.write_text(TEXT, encoding="utf-8")
    times = [office.seconds_until(qtbot, ["子/食堂.md"])]
    file.rename(office.folder / "食堂二.md")
    times.append(office.seconds_until(qtbot, ["食堂二.md"]))
    (office.folder / "食堂二.md").unlink()
    times.append(office.seconds_until(qtbot, []))
    assert max(times) < 10, times
    assert office.window.banners.messages() == []


def test_a_folder_that_goes_and_comes_back_keeps_what_was_indexed(qtbot, office, tmp_path):
    (office.folder / "食堂.md").write_text(TEXT, encoding="utf-8")
    office.seconds_until(qtbot, ["食堂.md"])
    line = office.window.library_panel.sync_line
    office.folder.rename(tmp_path / "拔掉")
    qtbot.waitUntil(lambda: line.text().endswith(f"起无法访问：{office.folder}"), timeout=PATIENCE_MS)
    assert office.found(qtbot) == ["食堂.md"]
    assert office.window.banners.messages() == []
    (tmp_path / "拔掉").rename(office.folder)
    qtbot.waitUntil(lambda: line.text().startswith("已同步"), timeout=PATIENCE_MS)
    assert office.found(qtbot) == ["食堂.md"]


def test_while_another_program_writes_the_change_waits_without_a_word(qtbot, office, monkeypatch):
    monkeypatch.setattr(keeping, "BUSY_S", 0.2)
    office.controller.keeping._busy_s = 0.2
    workspace = DeskWorkspace(office.home, Settings())
    with WriteLock(workspace.libraries.open("资料")):
        put_off: list[str] = []
        office.controller.library.indexing.put_off.connect(lambda name, below: put_off.append(name))
        (office.folder / "食堂.md").write_text(TEXT, encoding="utf-8")
        qtbot.waitUntil(lambda: len(put_off) >= 2, timeout=PATIENCE_MS)
    workspace.close()
    office.seconds_until(qtbot, ["食堂.md"])
    assert office.window.banners.messages() == []


def test_what_changed_while_the_window_was_closed_is_found_after_the_next_start(qtbot, tmp_path):
    folder = tmp_path / "资料"
    folder.mkdir()
    (folder / "访客.md").write_text("访客在前台登记。", encoding="utf-8")
    with opened_office(qtbot, tmp_path) as first:
        first.controller.library.index((folder,), None)
        qtbot.waitUntil(lambda: not first.controller.library.is_busy(), timeout=PATIENCE_MS)
    (folder / "食堂.md").write_text(TEXT, encoding="utf-8")
    with opened_office(qtbot, tmp_path) as second:
        assert second.seconds_until(qtbot, ["食堂.md"]) < 10
        assert second.window.banners.messages() == []

"""Indexing is paused, goes on where it was, and gives way to what a person asks for meanwhile."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from engine.commands import IngestFolders, RemoveLibrary, StopTask
from engine.events import FileStarted, OcrProgress, ScanFinished
from tests.desktop import sample_content

FOLDER = Path("/资料/公司制度")


@pytest.fixture
def running(qtbot, opened):
    opened.controller.library.index((FOLDER,), "公司制度")
    task = opened.engine.last(IngestFolders).task_id
    opened.engine.emit(ScanFinished(task, "公司制度", 10), FileStarted(task, sample_content.files()[0].path))
    strip = opened.window.library_panel.progress
    qtbot.waitUntil(lambda: "10" in strip.count_label.text())
    return opened


def pause(qtbot, opened) -> QPushButton:
    button = opened.window.library_panel.progress.pause_button
    button.click()
    qtbot.waitUntil(lambda: button.text() == "继续")
    return button


def test_a_pause_stops_the_task_and_keeps_the_strip(qtbot, running):
    button = pause(qtbot, running)
    task = running.engine.last(IngestFolders).task_id
    assert [stop.task_id for stop in running.engine.commands(StopTask)] == [task]
    strip = running.window.library_panel.progress
    assert strip.isVisible() and strip.count_label.text() == "已暂停"
    assert button.accessibleName() == "继续索引"
    qtbot.wait(30)
    assert len(running.engine.commands(IngestFolders)) == 1


def test_going_on_indexes_the_same_folders_again(qtbot, running):
    pause(qtbot, running).click()
    first, second = running.engine.commands(IngestFolders)
    assert (second.folders, second.library) == (first.folders, "公司制度")
    assert running.window.library_panel.progress.pause_button.text() == "暂停"


def test_pictures_that_were_being_read_are_what_is_left(qtbot, running):
    task = running.engine.last(IngestFolders).task_id
    running.engine.emit(OcrProgress(task, "扫描.pdf", 3, 90))
    qtbot.waitUntil(lambda: running.controller.library.indexing.reads_pictures)
    pause(qtbot, running).click()
    assert running.engine.last(IngestFolders).library == "公司制度"


def test_stop_ends_a_pause_for_good(qtbot, running):
    pause(qtbot, running)
    running.window.library_panel.progress.stop_button.click()
    assert not running.window.library_panel.progress.isVisible()
    assert not running.controller.library.is_busy()
    qtbot.wait(30)
    assert len(running.engine.commands(IngestFolders)) == 1


def test_a_quiet_sync_waits_for_the_end_of_a_pause_and_a_person_does_not(qtbot, running):
    pause(qtbot, running)
    running.controller.library.indexing.sync_quietly((FOLDER,), "公司制度")
    assert len(running.engine.commands(IngestFolders)) == 1
    running.controller.library.index((Path("/资料/合同"),), "合同")
    assert len(running.engine.commands(IngestFolders)) == 2


def test_removing_what_was_paused_ends_the_pause(qtbot, running, monkeypatch):
    pause(qtbot, running)
    monkeypatch.setattr(running.window.library_panel, "confirm_removal", lambda name: True)
    running.window.library_panel.remove_action.trigger()
    assert running.engine.commands(RemoveLibrary)
    assert not running.window.library_panel.progress.isVisible()

"""Long indexing waits for mains power, says so, and goes on when it is there or when somebody says so."""

from pathlib import Path

import pytest

from engine.commands import IngestFolders, StopTask
from engine.events import FileStarted, OnBattery, ScanFinished
from tests.desktop import sample_content

FOLDER = Path("/资料/公司制度")


@pytest.fixture
def running(qtbot, opened):
    opened.controller.library.indexing.battery.is_on_battery = lambda: True
    opened.controller.library.index((FOLDER,), "公司制度")
    task = opened.engine.last(IngestFolders).task_id
    opened.engine.emit(ScanFinished(task, "公司制度", 10), FileStarted(task, sample_content.files()[0].path))
    qtbot.waitUntil(lambda: "10" in strip(opened).count_label.text())
    return opened


def strip(opened):
    return opened.window.library_panel.progress


def on_battery(qtbot, opened) -> None:
    opened.engine.emit(OnBattery(opened.engine.last(IngestFolders).task_id))
    qtbot.waitUntil(lambda: strip(opened).is_paused)


def plug_in(opened) -> None:
    battery = opened.controller.library.indexing.battery
    battery.is_on_battery = lambda: False
    battery.look()


def test_it_stops_and_says_why_and_how_it_goes_on(qtbot, running):
    on_battery(qtbot, running)
    assert [stop.task_id for stop in running.engine.commands(StopTask)] == [
        running.engine.last(IngestFolders).task_id
    ]
    assert strip(running).isVisible()
    assert strip(running).count_label.text() == "已暂停：正在用电池"
    assert strip(running).file_label.text() == "接上电源后自动继续"
    assert strip(running).pause_button.text() == "继续"
    assert running.controller.library.is_busy(), "somebody waits for it"


def test_mains_power_lets_it_go_on(qtbot, running):
    on_battery(qtbot, running)
    running.controller.library.indexing.battery.look()
    assert len(running.engine.commands(IngestFolders)) == 1, "still on battery"
    plug_in(running)
    first, second = running.engine.commands(IngestFolders)
    assert (second.folders, second.library) == (first.folders, "公司制度")
    assert strip(running).pause_button.text() == "暂停"


def test_somebody_lets_it_go_on_and_is_not_asked_again_until_the_next_time(qtbot, running):
    on_battery(qtbot, running)
    strip(running).pause_button.click()
    assert len(running.engine.commands(IngestFolders)) == 2
    running.engine.emit(OnBattery(running.engine.last(IngestFolders).task_id))
    qtbot.wait(30)
    assert len(running.engine.commands(StopTask)) == 1
    plug_in(running)
    on_battery(qtbot, running)
    assert len(running.engine.commands(StopTask)) == 2


def test_what_is_short_is_done_meanwhile_and_the_rest_waits_on(qtbot, running):
    on_battery(qtbot, running)
    running.controller.library.indexing.sync_quietly((FOLDER,), "公司制度", (FOLDER / "新",))
    quiet = running.engine.last(IngestFolders)
    assert quiet.is_quiet and quiet.below == (FOLDER / "新",)
    assert strip(running).is_paused
    running.engine.done(quiet.task_id)
    qtbot.waitUntil(lambda: running.controller.library.indexing.library is None)
    assert strip(running).isVisible() and strip(running).count_label.text() == "已暂停：正在用电池"
    plug_in(running)
    assert not running.engine.last(IngestFolders).is_quiet


def test_go_on_while_something_short_runs_waits_for_its_end(qtbot, running):
    on_battery(qtbot, running)
    running.controller.library.indexing.sync_quietly((FOLDER,), "公司制度", (FOLDER / "新",))
    strip(running).pause_button.click()
    assert len(running.engine.commands(IngestFolders)) == 2
    assert strip(running).pause_button.text() == "暂停"
    running.engine.done(running.engine.last(IngestFolders).task_id)
    qtbot.waitUntil(lambda: len(running.engine.commands(IngestFolders)) == 3)


def test_stop_ends_the_wait_for_good(qtbot, running):
    on_battery(qtbot, running)
    strip(running).stop_button.click()
    assert not strip(running).isVisible()
    assert not running.controller.library.is_busy()
    plug_in(running)
    assert len(running.engine.commands(IngestFolders)) == 1


def test_power_does_not_end_a_pause_that_somebody_wished_for(qtbot, running):
    on_battery(qtbot, running)
    running.controller.library.index((Path("/资料/合同"),), "合同")
    strip_button = strip(running).pause_button
    strip_button.click()
    qtbot.waitUntil(lambda: strip(running).is_paused)
    plug_in(running)
    assert len(running.engine.commands(IngestFolders)) == 2
    strip_button.click()
    assert len(running.engine.commands(IngestFolders)) == 3

"""The health window: what was found of each knowledge base, checking again, and repairing."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from desktop import languages
from engine.commands import CheckHealth, ListLibraries, RepairLibraries, StopTask
from engine.events import HealthChecked, TaskFailed
from engine.standing import LibraryHealth
from tests.desktop import sample_content, sample_health
from tests.desktop.test_theme import THEMES, unreadable


@pytest.fixture
def health(qtbot, opened):
    """The window with the findings of a first check, opened from the footer."""
    opened.engine.scripts[CheckHealth] = lambda c: [sample_health.checked(c.task_id)]
    opened.engine.scripts[RepairLibraries] = lambda c: [sample_health.repaired(c.task_id)]
    opened.child(QPushButton, "openHealth").click()
    window = opened.controller.health.window
    qtbot.waitUntil(lambda: bool(window.cards()))
    return window


def texts(card, name: str) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel, name) if not label.isHidden()]


def test_each_knowledge_base_has_its_figures_and_findings(health):
    good, untidy, damaged, machine = health.cards()
    assert good.title_label.text() == "公司制度"
    assert {"文档  496", "片段  12,840", "占用  61.4 MB", "写入代次  503"} <= set(texts(good, "healthFigure"))
    assert texts(good, "healthStates") == ["已索引 482 · 部分 11 · 加密 3"]
    assert texts(good, "healthFine") == ["没有需要修复的。"]
    assert "无主数据  222" in texts(untidy, "healthFigure")
    assert "disk is full" in texts(untidy, "healthError")[0]
    assert len(texts(untidy, "findingTitle")) == 3
    assert "4b227777d4dd" in texts(damaged, "findingTitle")[0]
    assert texts(damaged, "healthFigure") == []
    assert machine.title_label.text() == "这台电脑"
    assert "1530" in texts(machine, "findingTitle")[0]
    assert health.verdict_label.text() == "发现5处问题。 其中3处可以修复。"


def test_every_finding_says_what_to_do(health):
    for card in health.cards():
        assert len(texts(card, "findingAdvice")) == len(texts(card, "findingTitle"))


def test_a_repair_says_what_was_put_right_and_the_knowledge_bases_are_listed_again(qtbot, health, opened):
    lists = len(opened.engine.commands(ListLibraries))
    health.repair_button.click()
    qtbot.waitUntil(lambda: "已修复" in health.verdict_label.text())
    assert health.verdict_label.text() == "已修复3处问题。 有2件事需要你处理。"
    assert not health.repair_button.isEnabled()
    untidy, damaged = health.cards()[1:3]
    assert texts(untidy, "findingTitle")[0].startswith("已修复：")
    # What was saved, where the old file is, and that a sync brings the rest.
    assert "damaged-20261130" in texts(damaged, "findingTitle")[0]
    assert "同步" in texts(damaged, "findingAdvice")[0]
    qtbot.waitUntil(lambda: len(opened.engine.commands(ListLibraries)) == lists + 1)


def test_while_it_checks_nothing_can_be_started_and_what_was_found_stays(qtbot, health, opened):
    del opened.engine.scripts[CheckHealth]
    health.check_button.click()
    assert health.verdict_label.text() == "正在检查…"
    assert health.busy_bar.isVisible()
    assert not health.check_button.isEnabled() and not health.repair_button.isEnabled()
    assert len(health.cards()) == 4
    task = opened.engine.last(CheckHealth).task_id
    opened.engine.done(task, HealthChecked(task, (), (LibraryHealth("公司制度", sample_content.library()),)))
    qtbot.waitUntil(lambda: health.verdict_label.text() == "一切正常。")
    assert not health.busy_bar.isVisible()
    assert not health.repair_button.isEnabled()
    assert [card.title_label.text() for card in health.cards()] == ["公司制度", "这台电脑"]


def test_a_check_that_fails_says_why_and_can_be_tried_again(qtbot, health, opened):
    del opened.engine.scripts[CheckHealth]
    health.check_button.click()
    task = opened.engine.last(CheckHealth).task_id
    opened.engine.emit(TaskFailed(task, "storage_failed", {"path": "/家", "detail": "denied"}))
    qtbot.waitUntil(lambda: "/家" in health.verdict_label.text())
    assert health.check_button.isEnabled()


def test_closing_ends_a_check_but_not_a_repair(qtbot, health, opened):
    del opened.engine.scripts[CheckHealth], opened.engine.scripts[RepairLibraries]
    health.repair_button.click()
    repair = opened.engine.last(RepairLibraries).task_id
    health.activateWindow()
    qtbot.waitUntil(health.isActiveWindow)
    qtbot.keyClick(health, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: opened.controller.health.window is None)
    assert not opened.engine.commands(StopTask)
    lists = len(opened.engine.commands(ListLibraries))
    opened.engine.done(repair, sample_health.repaired(repair))
    qtbot.waitUntil(lambda: len(opened.engine.commands(ListLibraries)) == lists + 1)
    opened.controller.health.open()
    check = opened.engine.last(CheckHealth).task_id
    opened.controller.health.window.close()
    qtbot.waitUntil(lambda: [c.task_id for c in opened.engine.commands(StopTask)] == [check])


def test_a_second_opening_brings_the_same_window_forward(health, opened):
    checks = len(opened.engine.commands(CheckHealth))
    opened.child(QPushButton, "openHealth").click()
    assert opened.controller.health.window is health
    assert len(opened.engine.commands(CheckHealth)) == checks


def test_it_can_be_opened_where_no_knowledge_base_can_be_read(qtbot, empty):
    empty.engine.scripts[CheckHealth] = lambda c: [sample_health.checked(c.task_id)]
    button = empty.child(QPushButton, "openHealth")
    assert button.isVisible() and button.isEnabled()
    button.click()
    qtbot.waitUntil(lambda: len(empty.controller.health.window.cards()) == 4)


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_is_readable(qapp, health, theme):
    from desktop.design_tokens import palette_of

    qapp.setPalette(palette_of(THEMES[theme]))
    assert unreadable(health) == []


def test_the_window_speaks_english(qtbot, opened):
    languages.install("en")
    opened.engine.scripts[CheckHealth] = lambda c: [sample_health.checked(c.task_id)]
    opened.controller.health.open()
    window = opened.controller.health.window
    qtbot.waitUntil(lambda: bool(window.cards()))
    assert window.verdict_label.text() == "5 problems found. 3 of them can be repaired."
    assert window.windowTitle() == "Health"

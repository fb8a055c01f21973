"""Under an answer: what it is worth, kept on this machine, and the answer in a file."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QPushButton

from desktop import languages
from desktop.ask.answer_actions import AnswerActions
from engine.answer_events import AnswerFinished, AnswersExported
from engine.commands import AskQuestion, DeleteRun, ExportAnswers, RateAnswer
from engine.events import TaskFailed
from tests.desktop import sample_content
from tests.desktop.test_packs import save_as


@pytest.fixture
def actions(opened):
    opened.ask("年假有多少天？", AnswerFinished(0, sample_content.answer(), 4, 7))
    return opened.turns[-1].answer_actions


def ratings(opened) -> list:
    return [(command.run, command.rating) for command in opened.engine.commands(RateAnswer)]


def test_a_rating_is_kept_changed_and_taken_back(opened, actions):
    actions.good_button.click()
    actions.bad_button.click()
    assert actions.bad_button.isChecked() and not actions.good_button.isChecked()
    actions.bad_button.click()
    assert not actions.bad_button.isChecked()
    assert ratings(opened) == [(4, "good"), (4, "bad"), (4, None)]


def test_an_answer_that_was_not_kept_cannot_be_rated_but_exported(opened, monkeypatch, tmp_path):
    opened.ask("年假？", sample_content.answer())
    actions = opened.turns[-1].answer_actions
    assert not actions.good_button.isVisible() and not actions.bad_button.isVisible()
    save_as(monkeypatch, tmp_path / "a.md")
    actions.export_button.click()
    command = opened.engine.last(ExportAnswers)
    assert (command.run, command.answers) == (None, (sample_content.answer(),))


def test_a_refusal_can_be_rated_and_has_nothing_to_copy(opened):
    opened.ask("夜宵？", AnswerFinished(0, sample_content.refusal(), 5, 7))
    actions = opened.turns[-1].answer_actions
    assert actions.bad_button.isVisible()
    hidden = (actions.copy_button, actions.copy_plain_button, actions.export_button, actions.again_button)
    assert not any(button.isVisible() for button in hidden)
    actions.bad_button.click()
    assert ratings(opened) == [(5, "bad")]


def test_a_kept_answer_is_exported_under_its_question(qtbot, opened, actions, monkeypatch, tmp_path):
    file = tmp_path / "年假"
    offered = save_as(monkeypatch, file)
    actions.export_button.click()
    command = opened.engine.last(ExportAnswers)
    assert offered == ["年假有多少天？.md"]
    assert (command.file, command.format) == (tmp_path / "年假.md", "md")
    assert (command.run, command.answers, command.thread) == (4, (), None)
    opened.engine.done(command.task_id, AnswersExported(command.task_id, command.file, 1))
    qtbot.waitUntil(lambda: actions.export_button.accessibleDescription() == "已导出")


def test_no_place_chosen_is_no_export(opened, actions, monkeypatch):
    save_as(monkeypatch, "")
    actions.export_button.click()
    assert not opened.engine.commands(ExportAnswers)


def test_a_rating_that_could_not_be_kept_is_taken_back_and_said(qtbot, opened, actions):
    actions.good_button.click()
    task = opened.engine.last(RateAnswer).task_id
    opened.engine.emit(TaskFailed(task, "storage_failed", {}))
    qtbot.waitUntil(lambda: not actions.good_button.isChecked())
    assert opened.window.ask_panel.composer.hint_label.isVisible()


def test_what_is_heard_of_an_answer_that_has_gone_meanwhile_does_no_harm(qtbot, opened, actions):
    actions.good_button.click()
    task = opened.engine.last(RateAnswer).task_id
    opened.controller.ask.begin_anew()
    qtbot.wait(20)
    opened.engine.emit(TaskFailed(task, "storage_failed", {}))
    qtbot.waitUntil(opened.window.ask_panel.composer.hint_label.isVisible)


def test_a_note_is_kept_with_the_rating_and_changed_later(qtbot, opened, actions):
    assert not actions.note.isVisible()
    actions.bad_button.click()
    assert actions.note.edit.isVisible() and "哪里不对" in actions.note.edit.placeholderText()
    qtbot.keyClicks(actions.note.edit, " wrong year ")
    qtbot.keyClick(actions.note.edit, Qt.Key.Key_Return)
    told = opened.engine.last(RateAnswer)
    assert (told.run, told.rating, told.note) == (4, "bad", "wrong year")
    assert actions.note.label.isVisible() and "wrong year" in actions.note.label.text()
    actions.good_button.click()
    told = opened.engine.last(RateAnswer)
    assert (told.rating, told.note) == ("good", "wrong year"), "another rating keeps the note"
    actions.note.change_button.click()
    actions.note.edit.clear()
    actions.note.save_button.click()
    assert opened.engine.last(RateAnswer).note == "" and not actions.note.isVisible()


def test_a_rating_that_is_taken_back_takes_its_note_along(opened, actions):
    actions.good_button.click()
    actions.note.edit.setText("gut")
    actions.note.save_button.click()
    actions.good_button.click()
    assert not actions.note.isVisible()
    assert opened.engine.last(RateAnswer).rating is None


@pytest.mark.parametrize("width", [380, 430, 480, 560, 760])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_all_buttons_stay_in_one_row_however_narrow_it_is(qtbot, language, width):
    languages.install(language)
    try:
        row = AnswerActions()
    finally:
        languages.install("zh")
    qtbot.addWidget(row)
    row.show_can_rate(True)
    row.show_passages_only(True)
    row.resize(width - 48, 60)
    row.show()
    buttons = row.findChildren(QAbstractButton)
    shown = [each for each in buttons if each.isVisible()]
    assert {row.copy_button, row.again_button, row.bad_button, row.delete_button} < set(shown)
    middles = [each.geometry().center().y() for each in shown]
    assert max(middles) - min(middles) <= 2
    assert all(each.accessibleName() for each in shown)
    assert max(each.geometry().right() for each in shown) < row.width()


def test_an_icon_alone_shows_a_tick_when_it_has_copied(qtbot, opened, actions):
    actions.resize(240, 40)
    assert actions.copy_button.text() == ""
    before = actions.copy_button.icon().cacheKey()
    actions.copy_button.click()
    assert actions.copy_button.icon().cacheKey() != before
    assert actions.copy_button.accessibleDescription() == "已复制"
    qtbot.waitUntil(lambda: actions.copy_button.icon().cacheKey() == before)


def press(monkeypatch, name: str) -> None:
    """Answer the next question with one of its buttons."""

    def execute(box: QMessageBox) -> int:
        box.findChild(QPushButton, name).click() if name else box.reject()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", execute)


def test_one_question_is_deleted_with_its_answer_and_the_others_stay(qtbot, opened, actions, monkeypatch):
    opened.ask("病假呢？", AnswerFinished(0, sample_content.follow_up(), 5, 7))
    press(monkeypatch, "confirmDelete")
    actions.delete_button.click()
    command = opened.engine.last(DeleteRun)
    assert command.run == 4
    opened.engine.done(command.task_id)
    qtbot.waitUntil(lambda: len(opened.turns) == 1)
    assert opened.controller.ask.thread_id == 7
    opened.ask("还有呢？")
    assert len(opened.engine.last(AskQuestion).previous) == 1, "what is gone is not leaned on"


def test_after_the_last_question_is_deleted_the_conversation_begins_anew(qtbot, opened, actions, monkeypatch):
    press(monkeypatch, "confirmDelete")
    actions.delete_button.click()
    opened.engine.done(opened.engine.last(DeleteRun).task_id)
    qtbot.waitUntil(lambda: not opened.turns)
    assert opened.controller.ask.thread_id is None


def test_nothing_is_deleted_without_a_yes_or_when_the_engine_cannot(qtbot, opened, actions, monkeypatch):
    press(monkeypatch, "")
    actions.delete_button.click()
    assert not opened.engine.commands(DeleteRun)
    press(monkeypatch, "confirmDelete")
    actions.delete_button.click()
    task = opened.engine.last(DeleteRun).task_id
    opened.engine.emit(TaskFailed(task, "storage_failed", {"detail": "x"}))
    hint = opened.window.ask_panel.composer.hint_label
    qtbot.waitUntil(hint.isVisible)
    assert len(opened.turns) == 1

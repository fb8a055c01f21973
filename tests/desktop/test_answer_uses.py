"""Under an answer: what it is worth, kept on this machine, and the answer in a file."""

import pytest

from engine.answer_events import AnswerFinished, AnswersExported
from engine.commands import ExportAnswers, RateAnswer
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
    qtbot.waitUntil(lambda: actions.export_button.text() == "已导出")


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

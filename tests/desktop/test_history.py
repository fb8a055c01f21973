"""The window with the conversations: found, opened and continued, renamed, pinned, exported, deleted."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit

from desktop.ask.composer import Composer
from desktop.history.window import HistoryWindow
from engine.answer_events import AnswerFinished, AnswersExported, ThreadShown, ThreadsListed
from engine.commands import (
    AskQuestion,
    ChangeThread,
    ClearHistory,
    DeleteThread,
    ExportAnswers,
    ListThreads,
    ShowThread,
    StopTask,
)
from engine.events import TaskFailed
from tests.desktop import sample_content, sample_history
from tests.desktop.conftest import Opened, process_events_until
from tests.desktop.sample_history import CANTEEN, LEAVE, TRAVEL
from tests.desktop.test_packs import save_as
from tests.desktop.test_properties import answer_with


@pytest.fixture
def history(opened: Opened) -> HistoryWindow:
    """The window as it was opened, with three conversations; changes are done at once."""
    engine = opened.engine
    found = sample_history.threads()
    engine.scripts[ListThreads] = lambda c: [
        ThreadsListed(c.task_id, tuple(each for each in found if c.search in each.title), len(found))
    ]
    engine.scripts[ShowThread] = lambda c: [
        ThreadShown(c.task_id, sample_history.thread(c.thread), sample_history.turns())
    ]
    for kind in (ChangeThread, DeleteThread, ClearHistory):
        engine.scripts[kind] = lambda c: ()
    opened.window.ask_panel.composer.history_button.click()
    window = opened.controller.history.window
    assert window is not None
    process_events_until(lambda: window.thread_list.count() == 3)
    return window


def choose(history: HistoryWindow, which: int) -> None:
    ids = [each.id for each in sample_history.threads()]
    history.thread_list.setCurrentRow(ids.index(which))


def wait_for(qtbot, opened: Opened, kind: type, count: int = 1) -> None:
    qtbot.waitUntil(lambda: len(opened.engine.commands(kind)) >= count)


def questions(opened: Opened) -> list[str]:
    return [turn.header.question.label.text() for turn in opened.turns]


def show_leave(qtbot, opened: Opened, history: HistoryWindow) -> None:
    choose(history, LEAVE)
    history.open_button.click()
    qtbot.waitUntil(lambda: len(opened.turns) == 2)


def test_the_shortcut_opens_the_list_with_the_search_field_ready(qtbot, opened):
    opened.engine.scripts[ListThreads] = lambda c: [ThreadsListed(c.task_id, (), 0)]
    qtbot.keyClick(opened.window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.controller.history.window is not None)
    window = opened.controller.history.window
    qtbot.waitUntil(window.empty_label.isVisible)
    assert window.empty_label.text() == "还没有对话。"
    assert not window.clear_button.isEnabled() and not window.open_button.isEnabled()


def test_each_row_says_its_title_when_it_was_and_whether_it_is_pinned(history):
    rows = [history.thread_list.item(row) for row in range(3)]
    assert [row.text() for row in rows][::2] == ["年假与病假", "公司食堂周末供应夜宵吗？"]
    spoken = rows[0].data(Qt.ItemDataRole.AccessibleTextRole).split("\n")
    assert spoken[0] == "已置顶" and spoken[2].endswith("2个问题") and "2025" in spoken[2]
    assert "已置顶" not in rows[1].data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_search_asks_the_engine_once_for_all_that_was_typed(qtbot, opened, history):
    before = len(opened.engine.commands(ListThreads))
    qtbot.keyClicks(history.search_edit, "abc")
    history.search_edit.setText("食堂")
    qtbot.waitUntil(lambda: history.thread_list.count() == 1)
    assert [command.search for command in opened.engine.commands(ListThreads)[before:]] == ["食堂"]
    history.search_edit.setText("没有的词")
    qtbot.waitUntil(history.empty_label.isVisible)
    assert history.empty_label.text() == "没有对话提到这些内容。"
    assert history.clear_button.isEnabled(), "there are conversations all the same"


def test_an_opened_conversation_shows_its_answers_and_is_continued(qtbot, opened, history):
    show_leave(qtbot, opened, history)
    first, second = sample_history.turns()
    assert questions(opened) == [first.run.question, second.run.question]
    view = opened.turns[0]
    assert "年休假为 10 天" in view.answer_view.toPlainText()
    assert view.status_label.text().startswith("2句有依据")
    qtbot.waitUntil(view.evidence_list.isVisible)
    assert (
        opened.turns[1].header.understanding.rewritten.label.text() == "理解为：病假有多少天？手册里怎么说？"
    )
    assert opened.controller.history.window is None or not opened.controller.history.window.isVisible()
    opened.ask("那婚假呢？")
    command = opened.engine.last(AskQuestion)
    assert command.thread == LEAVE
    assert command.previous == (first.run.question, "病假有多少天？手册里怎么说？")


def test_the_citations_of_an_opened_answer_can_be_followed(qtbot, opened, history):
    show_leave(qtbot, opened, history)
    read: list = []
    opened.controller.ask.source_opened.connect(read.append)
    opened.turns[0].answer_view.citation_clicked.emit(2)
    assert read == [sample_history.turns()[0].answer.citations[1]]


def test_an_opened_answer_keeps_its_rating_and_can_be_asked_again(qtbot, opened, history):
    show_leave(qtbot, opened, history)
    rated, unrated = (turn.answer_actions for turn in opened.turns)
    assert rated.good_button.isChecked() and not rated.bad_button.isChecked()
    assert not unrated.good_button.isChecked()
    unrated.again_button.click()
    command = opened.engine.last(AskQuestion)
    assert (command.thread, command.replaces) == (LEAVE, 2)
    assert not command.chosen, "what was understood from the question is not a person's choice"


def test_opening_another_conversation_stops_the_answer_that_is_being_written(qtbot, opened, history):
    task = opened.ask("年假？")
    opened.engine.scripts[ShowThread] = lambda c: [
        ThreadShown(c.task_id, sample_history.thread(c.thread), sample_history.refused())
    ]
    choose(history, CANTEEN)
    qtbot.keyClick(history.thread_list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: questions(opened) == ["公司食堂周末供应夜宵吗？"])
    assert StopTask(task) in opened.engine.sent and not opened.controller.ask.is_busy()
    qtbot.waitUntil(opened.turns[0].refusal_card.isVisible)


def test_the_conversation_that_is_shown_already_is_not_read_again(qtbot, opened, history):
    opened.ask("年假？", AnswerFinished(0, sample_content.answer(), 1, LEAVE))
    choose(history, LEAVE)
    history.open_button.click()
    assert not history.isVisible() and not opened.engine.commands(ShowThread)
    assert questions(opened) == ["年假？"]


def test_a_title_is_changed_in_its_place(qtbot, opened, history):
    choose(history, CANTEEN)
    history.rename_button.click()
    editor = history.thread_list.findChild(QLineEdit, "threadTitle")
    assert editor.text() == "公司食堂周末供应夜宵吗？"
    editor.setText(" 夜宵 ")
    listed = len(opened.engine.commands(ListThreads))
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    wait_for(qtbot, opened, ChangeThread)
    command = opened.engine.last(ChangeThread)
    assert (command.thread, command.title, command.pinned) == (CANTEEN, "夜宵", None)
    wait_for(qtbot, opened, ListThreads, listed + 1)


def test_escape_leaves_a_title_and_the_window_as_they_were(qtbot, opened, history):
    choose(history, CANTEEN)
    qtbot.keyClick(history.thread_list, Qt.Key.Key_F2)
    editor = history.thread_list.findChild(QLineEdit, "threadTitle")
    editor.setText("夜宵")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert history.isVisible() and not opened.engine.commands(ChangeThread)
    qtbot.keyClick(history, Qt.Key.Key_Escape)
    assert not history.isVisible()


def test_a_conversation_is_pinned_and_unpinned(qtbot, opened, history):
    choose(history, LEAVE)
    assert history.pin_button.text() == "取消置顶"
    history.pin_button.click()
    assert (opened.engine.last(ChangeThread).thread, opened.engine.last(ChangeThread).pinned) == (
        LEAVE,
        False,
    )
    choose(history, TRAVEL)
    assert history.pin_button.text() == "置顶"
    qtbot.keyClick(history, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert (opened.engine.last(ChangeThread).thread, opened.engine.last(ChangeThread).pinned) == (
        TRAVEL,
        True,
    )


def test_nothing_is_deleted_without_a_second_word(opened, history, monkeypatch):
    asked = answer_with(monkeypatch, "no such button")
    choose(history, CANTEEN)
    history.delete_button.click()
    history.clear_button.click()
    assert asked == ["删除对话“公司食堂周末供应夜宵吗？”？", "删除所有对话，包括置顶的？"]
    assert not opened.engine.commands(DeleteThread) and not opened.engine.commands(ClearHistory)


def test_the_delete_key_deletes_in_the_list_and_the_window_forgets_it_too(
    qtbot, opened, history, monkeypatch
):
    answer_with(monkeypatch, "confirmDelete")
    task = opened.ask("年假？", AnswerFinished(0, sample_content.answer(), 1, LEAVE))
    assert task
    choose(history, LEAVE)
    qtbot.keyClick(history.search_edit, Qt.Key.Key_Delete)
    assert not opened.engine.commands(DeleteThread)
    history.thread_list.setFocus()
    qtbot.keyClick(history.thread_list, Qt.Key.Key_Delete)
    assert opened.engine.last(DeleteThread).thread == LEAVE
    assert opened.turns == []
    opened.ask("病假？")
    assert opened.engine.last(AskQuestion).thread is None


def test_deleting_another_conversation_leaves_the_shown_one(opened, history, monkeypatch):
    answer_with(monkeypatch, "confirmDelete")
    opened.ask("年假？", AnswerFinished(0, sample_content.answer(), 1, LEAVE))
    choose(history, CANTEEN)
    history.delete_button.click()
    assert opened.engine.last(DeleteThread).thread == CANTEEN
    assert questions(opened) == ["年假？"]


def test_deleting_all_stops_the_answer_first_so_that_it_is_not_kept_afterwards(opened, history, monkeypatch):
    answer_with(monkeypatch, "confirmDelete")
    task = opened.ask("年假？")
    history.clear_button.click()
    stop, clear = (
        opened.engine.sent.index(each) for each in (StopTask(task), opened.engine.last(ClearHistory))
    )
    assert stop < clear
    assert opened.turns == []


def test_a_conversation_is_written_into_a_file(qtbot, opened, history, monkeypatch, tmp_path):
    file = tmp_path / "年假.docx"
    offered = save_as(monkeypatch, file)
    opened.engine.scripts[ExportAnswers] = lambda c: [AnswersExported(c.task_id, c.file, 2)]
    choose(history, LEAVE)
    history.export_button.click()
    command = opened.engine.last(ExportAnswers)
    assert offered == ["年假与病假.md"]
    assert (command.file, command.format, command.thread, command.run) == (file, "docx", LEAVE, None)
    assert command.language == "zh"
    qtbot.waitUntil(history.hint_label.isVisible)
    assert str(file) in history.hint_label.text()


def test_word_chosen_under_the_offered_name_gets_its_own_ending_and_replaces_nothing(
    opened, history, monkeypatch, tmp_path
):
    (tmp_path / "年假.docx").touch()

    def ask(parent, title, path, kinds) -> tuple[str, str]:
        return str(tmp_path / "年假.md"), kinds.split(";;")[1]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    choose(history, LEAVE)
    history.export_button.click()
    command = opened.engine.last(ExportAnswers)
    assert (Path(command.file).name, command.format) == ("年假 (2).docx", "docx")


def test_what_cannot_be_done_is_said_and_the_list_is_read_again(qtbot, opened, history):
    opened.engine.scripts[ChangeThread] = lambda c: [TaskFailed(c.task_id, "storage_failed", {})]
    listed = len(opened.engine.commands(ListThreads))
    history.pin_button.click()
    qtbot.waitUntil(history.hint_label.isVisible)
    assert history.hint_label.text()
    wait_for(qtbot, opened, ListThreads, listed + 1)


def test_a_double_click_opens(qtbot, opened, history):
    area = history.thread_list.visualItemRect(history.thread_list.item(0))
    place = area.topLeft() + QPoint(40, 10)
    qtbot.mouseClick(history.thread_list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(history.thread_list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: len(opened.turns) == 2)


@pytest.mark.parametrize("width", [380, 700])
def test_the_choices_beside_the_button_keep_to_one_row(qtbot, width):
    composer = Composer()
    qtbot.addWidget(composer)
    composer.new_button.show()
    composer.resize(width, 160)
    composer.show()
    style = composer.passages_button.toolButtonStyle()
    assert (style == Qt.ToolButtonStyle.ToolButtonIconOnly) is (width < 500)
    row = (composer.scope_button, composer.filter_button, composer.history_button, composer.new_button)
    qtbot.waitUntil(lambda: len({choice.geometry().top() // 12 for choice in row}) == 1)

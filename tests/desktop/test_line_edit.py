"""While an input method has letters pending, Enter and Escape are its own, in every line of the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop.line_edit import LineEdit
from engine.answer_events import AnswerFinished, ThreadsListed
from engine.commands import ChangeThread, ListThreads, RateAnswer, ShowThread
from tests.desktop import sample_content, sample_history


def compose(edit: QWidget, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    if commit:
        event.setCommitString(commit)
    QApplication.sendEvent(edit, event)


@pytest.fixture
def line(qtbot) -> LineEdit:
    made = LineEdit("line")
    qtbot.addWidget(made)
    made.show()
    made.setFocus()
    return made


def test_enter_that_confirms_letters_is_not_a_wish(qtbot, line):
    heard = []
    line.returnPressed.connect(lambda: heard.append(line.text()))
    compose(line, "ni'hao")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert heard == [] and line.is_composing
    compose(line, "", "你好")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert heard == ["你好"]


def test_letters_that_were_given_up_hold_nothing_back(qtbot, line):
    heard = []
    line.returnPressed.connect(lambda: heard.append(line.text()))
    compose(line, "ni")
    compose(line, "")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert heard == [""]


def test_a_search_does_not_open_a_conversation_while_its_word_is_being_composed(qtbot, opened):
    window = open_history(qtbot, opened)
    compose(window.search_edit, "nian'jia")
    qtbot.keyClick(window.search_edit, Qt.Key.Key_Return)
    qtbot.keyClick(window.search_edit, Qt.Key.Key_Escape)
    assert not opened.engine.commands(ShowThread) and window.isVisible()


def test_a_title_is_not_kept_while_its_letters_are_pending(qtbot, opened):
    window = open_history(qtbot, opened)
    window.thread_list.rename()
    editor = window.thread_list.findChild(QLineEdit, "threadTitle")
    editor.setText("年")
    compose(editor, "jia")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.wait(20)
    assert not opened.engine.commands(ChangeThread)
    compose(editor, "", "假")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(opened.engine.commands(ChangeThread)))
    assert opened.engine.last(ChangeThread).title == "年假"


def open_history(qtbot, opened):
    threads = sample_history.threads()
    opened.engine.scripts[ListThreads] = lambda c: [ThreadsListed(c.task_id, threads, len(threads))]
    opened.controller.history.open()
    window = opened.controller.history.window
    qtbot.waitUntil(lambda: window.thread_list.count() == len(threads))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_a_note_and_a_filter_wait_for_the_whole_word(qtbot, opened):
    opened.ask("年假有多少天？", AnswerFinished(0, sample_content.answer(), 4, 7))
    actions = opened.turns[-1].answer_actions
    actions.bad_button.click()
    rated = len(opened.engine.commands(RateAnswer))
    compose(actions.note.edit, "cuo")
    qtbot.keyClick(actions.note.edit, Qt.Key.Key_Return)
    assert len(opened.engine.commands(RateAnswer)) == rated
    opened.window.ask_panel.composer.filter_button.click()
    panel = opened.window.ask_panel.composer.filter_panel
    panel.name_edit.setText("员")
    compose(panel.name_edit, "gong")
    qtbot.keyClick(panel.name_edit, Qt.Key.Key_Return)
    assert opened.window.ask_panel.composer.filter_chips.chips() == []

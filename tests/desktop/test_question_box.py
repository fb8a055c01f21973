"""Typing a question: input methods, new lines, limits."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.ask.question_box import QuestionBox
from engine.answer_events import AnswerText
from engine.commands import AskQuestion, StopTask
from tests.desktop import sample_content


@pytest.fixture
def box(qtbot) -> QuestionBox:
    made = QuestionBox()
    qtbot.addWidget(made)
    made.resize(400, 40)
    made.show()
    made.setFocus()
    return made


def compose(box: QuestionBox, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    if commit:
        event.setCommitString(commit)
    QCoreApplication.sendEvent(box, event)


def test_enter_that_confirms_an_input_method_sends_nothing(qtbot, box):
    sent = []
    box.send_wanted.connect(lambda: sent.append(box.question()))
    compose(box, "nihao")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert sent == []
    compose(box, "", "你好")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert sent == ["你好"]


def test_shift_enter_makes_a_newline(qtbot, box):
    sent = []
    box.send_wanted.connect(lambda: sent.append(1))
    qtbot.keyClicks(box, "a")
    qtbot.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(box, "b")
    assert (box.question(), sent) == ("a\nb", [])


def test_it_grows_to_five_lines_and_no_further(box):
    heights = []
    for lines in (1, 2, 5, 30):
        box.setPlainText("\n".join("行" for _ in range(lines)))
        heights.append(box.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_empty_questions_are_refused_with_a_hint(qtbot, opened):
    box = opened.window.ask_panel.composer.question_box
    assert not opened.child(QPushButton, "askButton").isEnabled()
    box.setPlainText(" \n ")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert opened.engine.commands(AskQuestion) == []
    assert opened.child(QLabel, "questionHint").isVisible()


@pytest.mark.parametrize(("length", "is_sent"), [(10_000, True), (10_001, False), (20_000, False)])
def test_too_long_questions_are_told(qtbot, opened, length, is_sent):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("问" * length)
    qtbot.mouseClick(composer.ask_button, Qt.MouseButton.LeftButton)
    assert bool(opened.engine.commands(AskQuestion)) is is_sent
    assert composer.hint_label.isVisible() is not is_sent
    if not is_sent:
        assert str(length) in composer.hint_label.text().replace(",", "")


def test_stop_reaches_the_engine_and_the_box_is_free_again(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("年假")
    composer.ask_button.click()
    assert composer.stop_button.isVisible() and not composer.ask_button.isVisible()
    qtbot.mouseClick(composer.stop_button, Qt.MouseButton.LeftButton)
    assert StopTask(opened.engine.last(AskQuestion).task_id) in opened.engine.sent
    qtbot.waitUntil(lambda: composer.ask_button.isVisible())
    assert opened.window.ask_panel.turns[-1].status_label.text() == "已停止"


def test_stop_frees_the_box_while_the_engine_is_still_busy(qtbot, opened, monkeypatch):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("年假")
    composer.ask_button.click()
    task = opened.engine.last(AskQuestion).task_id
    monkeypatch.setattr(opened.engine, "send", lambda command: None)  # it reads its prompt and hears nothing
    composer.stop_button.click()
    assert composer.ask_button.isVisible()
    opened.engine.emit(AnswerText(task, "迟到的回答"))
    qtbot.wait(120)
    turn = opened.window.ask_panel.turns[-1]
    assert turn.status_label.text() == "已停止"
    assert "迟到" not in turn.answer_view.toPlainText()


def test_a_second_question_waits_in_the_box(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("一")
    composer.ask_button.click()
    composer.question_box.setPlainText("二")
    qtbot.keyClick(composer.question_box, Qt.Key.Key_Return)
    assert [command.question for command in opened.engine.commands(AskQuestion)] == ["一"]
    assert composer.question_box.question() == "二"


def up(qtbot, box) -> str:
    qtbot.keyClick(box, Qt.Key.Key_Up)
    return box.question()


def down(qtbot, box) -> str:
    qtbot.keyClick(box, Qt.Key.Key_Down)
    return box.question()


def test_arrows_walk_through_earlier_questions_and_back_to_what_was_being_typed(qtbot, box):
    for question in ("一", "二", "三"):
        box.history.remember(question)
    box.setPlainText("草稿")
    assert [up(qtbot, box) for _ in range(4)] == ["三", "二", "一", "一"]
    assert [down(qtbot, box) for _ in range(4)] == ["二", "三", "草稿", "草稿"]


def test_arrows_move_inside_a_question_of_several_lines_first(qtbot, box):
    box.history.remember("早先")
    box.setPlainText("上\n下")
    box.moveCursor(QTextCursor.MoveOperation.End)
    assert up(qtbot, box) == "上\n下"
    assert up(qtbot, box) == "早先"
    assert down(qtbot, box) == "上\n下"


def test_arrows_belong_to_an_input_method_while_it_composes(qtbot, box):
    box.history.remember("早先")
    compose(box, "ni")
    assert up(qtbot, box) == ""


def test_a_question_that_was_changed_is_a_new_draft(qtbot, box):
    for question in ("一", "二"):
        box.history.remember(question)
    assert up(qtbot, box) == "二"
    qtbot.keyClicks(box, "b")
    assert down(qtbot, box) == "二b", "there is nothing after a draft"
    assert [up(qtbot, box), down(qtbot, box)] == ["二", "二b"]


def test_the_same_question_is_kept_once(qtbot, box):
    for question in ("一", "二", "一"):
        box.history.remember(question)
    assert [up(qtbot, box) for _ in range(3)] == ["一", "二", "二"]


def test_questions_that_were_asked_come_back(qtbot, opened):
    opened.ask("年假有多少天？", sample_content.answer())
    assert up(qtbot, opened.window.ask_panel.composer.question_box) == "年假有多少天？"


def test_control_and_enter_finds_passages_once(qtbot, opened):
    box = opened.window.ask_panel.composer.question_box
    box.setPlainText("年假")
    qtbot.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert opened.engine.last(AskQuestion).use_model is False
    opened.answer(sample_content.quotes())
    opened.ask("病假")
    assert opened.engine.last(AskQuestion).use_model is True


def test_escape_is_told_unless_an_input_method_composes(qtbot, box):
    escaped = []
    box.escaped.connect(lambda: escaped.append(True))
    compose(box, "ni")
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert escaped == []
    compose(box, "")
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert escaped == [True]

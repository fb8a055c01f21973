"""Follow-ups, questions changed and asked again, and what the engine is told of the conversation."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton

from desktop.ask.filter_words import EVERYWHERE
from engine.answer_events import AnswerFinished, AnswerText, RunKept
from engine.commands import AskQuestion, StopTask
from engine.events import Notice, TaskStopped
from tests.desktop import sample_content

FIRST, SECOND, IN_FULL = "年假有多少天？", "那病假呢？手册里怎么说？", "病假有多少天？手册里怎么说？"


def kept(answer, run: int, thread: int = 7) -> AnswerFinished:
    return AnswerFinished(0, answer, run, thread)


def questions(opened) -> list[str]:
    return [turn.header.question.label.text() for turn in opened.turns]


def test_a_follow_up_carries_what_was_asked_before_as_it_was_understood(opened):
    opened.ask(FIRST, kept(sample_content.answer(), 1))
    first = opened.engine.last(AskQuestion)
    assert (first.previous, first.thread) == ((), None)
    opened.ask(SECOND, kept(sample_content.follow_up(), 2))
    second = opened.engine.last(AskQuestion)
    assert (second.previous, second.thread, second.replaces) == ((FIRST,), 7, None)
    opened.ask("住宿标准呢？")
    assert opened.engine.last(AskQuestion).previous == (FIRST, IN_FULL)


def test_how_a_question_was_understood_stands_under_it_at_once(qtbot, opened):
    task = opened.ask(SECOND)
    opened.engine.emit(
        Notice(task, "question_rewritten", {"question": IN_FULL}),
        Notice(task, "filter_understood", {"filter": "手册 · pdf"}),
    )
    header = opened.turns[-1].header
    understanding = header.understanding
    qtbot.waitUntil(lambda: understanding.filter_label.isVisible())
    assert understanding.rewritten.label.text() == f"理解为：{IN_FULL}"
    assert "手册 · pdf" in understanding.filter_label.text()
    assert not opened.turns[-1].has_note(), "it is no warning"
    opened.answer(sample_content.follow_up())
    assert understanding.filter_label.text() == "按问题限定：文件名“手册” · PDF · 2024-01-01起"


def test_a_question_that_was_understood_as_asked_has_no_such_lines(opened):
    opened.ask(FIRST, sample_content.answer())
    assert not opened.turns[-1].header.understanding.isVisible()


def test_the_documents_that_a_person_chose_are_named_without_a_way_around(opened):
    record = {"in": ["人事"], "type": None, "since": None, "until": None, "name": None, "understood": False}
    opened.ask(FIRST, sample_content.answer(filter=record))
    understanding = opened.turns[-1].header.understanding
    assert understanding.filter_label.text() == "范围：文件夹“人事”"
    assert not understanding.everywhere_button.isVisible()


def test_the_rewritten_question_can_be_changed_and_is_asked_in_full(qtbot, opened):
    opened.ask(FIRST, kept(sample_content.answer(), 1))
    opened.ask(SECOND, kept(sample_content.follow_up(), 2))
    understanding = opened.turns[-1].header.understanding
    qtbot.mouseClick(understanding.rewritten.edit_button, Qt.MouseButton.LeftButton)
    box = understanding.rewritten.editor.box
    assert box.question() == IN_FULL and box.hasFocus()
    box.setPlainText("病假工资怎么算？")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    command = opened.engine.last(AskQuestion)
    assert (command.question, command.previous, command.replaces) == ("病假工资怎么算？", (FIRST,), 2)
    assert questions(opened) == [FIRST, "病假工资怎么算？"]


def test_escape_leaves_an_edited_question_as_it_was(qtbot, opened):
    opened.ask(FIRST, sample_content.answer())
    header = opened.turns[-1].header
    header.question.edit_button.click()
    assert header.question.editor.isVisible() and not header.question.label.isVisible()
    qtbot.keyClick(header.question.editor.box, Qt.Key.Key_Escape)
    assert not header.question.editor.isVisible() and header.question.label.isVisible()
    assert len(opened.engine.commands(AskQuestion)) == 1


def test_an_edited_question_takes_its_place_and_that_of_those_after_it(qtbot, opened):
    for number, question in enumerate((FIRST, "二？", "三？"), start=1):
        opened.ask(question, kept(sample_content.answer(), number))
    header = opened.turns[1].header
    header.question.edit_button.click()
    header.question.editor.box.setPlainText("另一个问题？")
    header.question.editor.send_button.click()
    command = opened.engine.last(AskQuestion)
    assert (command.previous, command.thread, command.replaces) == ((FIRST,), 7, 2)
    assert questions(opened) == [FIRST, "另一个问题？"]
    opened.answer(kept(sample_content.answer(), 4))
    opened.ask("再问？")
    assert opened.engine.last(AskQuestion).previous == (FIRST, "另一个问题？")


def test_an_edited_question_waits_for_the_answer_that_is_being_written(opened):
    opened.ask(FIRST, sample_content.answer())
    opened.ask("二？")
    header = opened.turns[0].header
    header.question.edit_button.click()
    header.question.editor.send_button.click()
    assert questions(opened) == [FIRST, "二？"]
    assert opened.window.ask_panel.composer.hint_label.text() == "请等回答写完，或先停止它。"


def test_search_everywhere_asks_the_same_of_all_documents(opened):
    opened.ask(SECOND, kept(sample_content.follow_up(), 3))
    opened.turns[-1].header.understanding.everywhere_button.click()
    command = opened.engine.last(AskQuestion)
    assert (command.question, command.chosen, command.replaces) == (SECOND, EVERYWHERE, 3)
    assert questions(opened) == [SECOND]
    opened.answer(sample_content.answer(filter=EVERYWHERE.record(understood=False)))
    assert not opened.turns[-1].header.understanding.isVisible()
    opened.ask("下一个？")
    assert not opened.engine.last(AskQuestion).chosen, "it was meant for that question only"


def test_asking_an_earlier_question_again_loses_nothing_after_it(opened):
    opened.ask(FIRST, kept(sample_content.answer(), 1))
    opened.ask("二？", kept(sample_content.answer(), 2))
    opened.turns[0].answer_actions.again_button.click()
    command = opened.engine.last(AskQuestion)
    assert (command.question, command.replaces, command.thread) == (FIRST, None, 7)
    assert questions(opened) == [FIRST, "二？", FIRST]
    opened.answer(kept(sample_content.answer(), 3))
    opened.turns[-1].answer_actions.again_button.click()
    assert opened.engine.last(AskQuestion).replaces == 3
    assert questions(opened) == [FIRST, "二？", FIRST]


def test_passages_only_asks_no_model_and_says_so(opened):
    composer = opened.window.ask_panel.composer
    composer.passages_button.click()
    opened.ask(FIRST, sample_content.quotes())
    assert opened.engine.last(AskQuestion).use_model is False
    turn = opened.turns[-1]
    assert turn.note_label.text() == "只找片段：下面是文档中的原句，没有询问模型。"
    assert turn.status_label.text().startswith("引用2句原文")
    assert turn.answer_actions.again_button.accessibleName() == "让模型回答"
    turn.answer_actions.again_button.click()
    assert opened.engine.last(AskQuestion).use_model is True


def test_an_answer_without_a_model_is_named_as_what_it_is(opened):
    opened.ask(FIRST, sample_content.quotes())
    assert opened.turns[-1].note_label.text() == "没有可用的对话模型：只显示文档中的原句。"
    assert "✓" not in opened.turns[-1].answer_view.toPlainText()


def test_a_new_conversation_leans_on_nothing(opened):
    button = opened.child(QToolButton, "newConversation")
    assert not button.isVisible()
    opened.ask(FIRST, kept(sample_content.answer(), 1))
    button.click()
    assert opened.turns == [] and not button.isVisible()
    assert opened.window.ask_panel.invitation.isVisible()
    opened.ask("二？")
    assert (opened.engine.last(AskQuestion).previous, opened.engine.last(AskQuestion).thread) == ((), None)


def test_a_new_conversation_stops_the_answer_that_is_being_written(opened):
    task = opened.ask(FIRST)
    opened.child(QToolButton, "newConversation").click()
    assert StopTask(task) in opened.engine.sent
    assert not opened.controller.ask.is_busy()


def test_a_stopped_question_is_still_known_where_the_engine_kept_it(qtbot, opened, monkeypatch):
    task = opened.ask(FIRST)
    send = opened.engine.send
    monkeypatch.setattr(opened.engine, "send", lambda c: None if isinstance(c, StopTask) else send(c))
    opened.controller.ask.stop()
    opened.engine.emit(AnswerText(task, "迟到"), RunKept(task, 5, 9), TaskStopped(task))
    qtbot.wait(80)
    assert "迟到" not in opened.turns[-1].answer_view.toPlainText()
    opened.ask("那病假呢？")
    command = opened.engine.last(AskQuestion)
    assert (command.previous, command.thread) == ((FIRST,), 9)


def test_a_refusal_while_documents_are_being_read_can_be_asked_again(opened):
    opened.ask(FIRST, AnswerFinished(0, sample_content.refusal(), can_ask_again=True))
    actions = opened.turns[-1].answer_actions
    assert actions.again_button.isVisible() and not actions.copy_button.isVisible()
    opened.ask("二？", sample_content.refusal())
    assert not opened.turns[-1].answer_actions.isVisible()


def test_only_the_latest_fifty_turns_stay(opened):
    for number in range(52):
        opened.ask(f"{number}？", sample_content.answer())
    assert questions(opened)[0] == "2？" and len(opened.turns) == 50
    opened.turns[0].header.question.edit_button.click()
    opened.turns[0].header.question.editor.send_button.click()
    assert questions(opened) == ["2？"]


def test_copying_says_that_it_did(qtbot, opened, qapp):
    opened.ask(FIRST, sample_content.answer())
    actions = opened.turns[-1].answer_actions
    actions.copy_button.click()
    copied = qapp.clipboard().text()
    assert "[1]" in copied and "（未核实）" in copied
    assert actions.copy_button.accessibleDescription() == "已复制"
    actions.copy_plain_button.click()
    assert actions.copy_button.accessibleDescription() == "", "one at a time"
    plain = qapp.clipboard().text()
    assert "[1]" not in plain and "未核实" not in plain
    # Its text, or what it says aloud where there is room for its icon only.
    assert opened.child(QPushButton, "copyPlain").accessibleDescription() == "已复制"

"""The window in which a draft is checked: opening, checking, stopping, the verdicts, their sources."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFileDialog, QProgressBar, QPushButton

from desktop import languages
from desktop.design_tokens import palette_of
from engine.answer_events import DraftChecked, DraftRead
from engine.commands import CheckDraft, LocatePassage, ReadDraft, StopTask
from engine.events import Notice, StepProgress, TaskFailed
from tests.desktop import sample_draft
from tests.desktop.test_theme import THEMES, unreadable

_Line = QTextCharFormat.UnderlineStyle


@pytest.fixture
def check(opened):
    """The window, opened from the footer, with a draft in it."""
    opened.child(QPushButton, "openCheck").click()
    window = opened.controller.check.window
    window.draft_edit.setPlainText(sample_draft.TEXT)
    return window


@pytest.fixture
def checked(qtbot, opened, check):
    """The same, after the draft was checked."""
    check.check_button.click()
    task = opened.engine.last(CheckDraft).task_id
    opened.engine.done(task, DraftChecked(task, sample_draft.checked()))
    qtbot.waitUntil(check.copy_button.isEnabled)
    return check


def style_of(view, text: str) -> QTextCharFormat:
    start = view.toPlainText().index(text)
    cursor = QTextCursor(view.document())
    cursor.setPosition(start + 1)
    return cursor.charFormat()


def place_of(view, text: str) -> QPoint:
    """The middle of the first line of a text in the view."""
    cursor = QTextCursor(view.document())
    cursor.setPosition(view.toPlainText().index(text) + 1)
    return view.cursorRect(cursor).center() + QPoint(4, 0)


def test_keys_open_it_and_check(qtbot, opened):
    opened.window.activateWindow()
    qtbot.waitUntil(opened.window.isActiveWindow)
    shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(opened.window, Qt.Key.Key_K, shift)
    qtbot.waitUntil(lambda: opened.controller.check.window is not None)
    window = opened.controller.check.window
    qtbot.waitUntil(window.isActiveWindow)
    assert not window.check_button.isEnabled()
    window.draft_edit.setPlainText("  \n")
    assert not window.check_button.isEnabled()
    qtbot.keyClicks(window.draft_edit, "Leave is 10 days.")
    qtbot.keyClick(window.draft_edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(opened.engine.commands(CheckDraft)))
    assert opened.engine.last(CheckDraft).text.strip() == "Leave is 10 days."


def test_there_is_nothing_to_check_against_without_a_knowledge_base(qtbot, empty):
    qtbot.waitUntil(lambda: not empty.child(QPushButton, "openCheck").isEnabled())


def test_it_asks_the_documents_that_questions_go_to(opened, check):
    composer = opened.window.ask_panel.composer
    (action,) = [each for each in composer.scope_button.menu().actions() if each.data() == "公司制度"]
    action.trigger()
    composer.filter_panel.folder_entered.emit("人事")
    check.check_button.click()
    command = opened.engine.last(CheckDraft)
    assert (command.text, command.libraries) == (sample_draft.TEXT, ("公司制度",))
    assert command.chosen == opened.controller.ask.scope.chosen() and command.chosen.folders == ("人事",)
    assert "公司制度" in check.scope_label.text() and "人事" in check.scope_label.text()


def test_while_it_checks_it_says_how_far_it_is(qtbot, opened, check):
    check.check_button.click()
    assert check.draft_edit.isReadOnly() and not check.check_button.isVisible()
    task = opened.engine.last(CheckDraft).task_id
    opened.engine.emit(Notice(task, "lexical_only"), StepProgress(task, "progress_check", 2, 5))
    qtbot.waitUntil(lambda: check.status_label.text() == "正在核对第 2/5 句")
    assert (check.busy_bar.value(), check.busy_bar.maximum()) == (2, 5)
    assert check.hint_label.text()
    opened.controller.check.check()
    assert len(opened.engine.commands(CheckDraft)) == 1


def test_stop_gives_the_draft_back_at_once(qtbot, opened, check):
    check.check_button.click()
    task = opened.engine.last(CheckDraft).task_id
    check.activateWindow()
    qtbot.waitUntil(check.isActiveWindow)
    qtbot.keyClick(check, Qt.Key.Key_Escape)
    assert [command.task_id for command in opened.engine.commands(StopTask)] == [task]
    assert check.status_label.text() == "已停止"
    assert check.isVisible() and check.check_button.isVisible() and not check.draft_edit.isReadOnly()
    assert check.checked_view.toPlainText() == ""


def test_the_sentences_that_were_checked_until_a_stop_are_shown_and_can_be_copied(qtbot, opened, check):
    found = sample_draft.checked()
    some = replace(found, sentences=found.sentences[:2], spans=found.spans[:2])
    opened.engine.scripts[StopTask] = lambda stop: [DraftChecked(stop.task_id, some)]
    check.check_button.click()
    check.stop_button.click()
    qtbot.waitUntil(check.copy_button.isEnabled)
    assert check.status_label.text().startswith("已停止。到此为止：共 2 句")
    check.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    assert sample_draft.PAID.strip() in copied and sample_draft.LATE.strip() not in copied


def test_a_check_that_was_begun_after_a_stop_is_not_overwritten_by_the_stopped_one(qtbot, opened, check):
    opened.engine.scripts[StopTask] = lambda stop: [DraftChecked(stop.task_id, sample_draft.checked())]
    check.check_button.click()
    check.stop_button.click()
    check.check_button.click()  # before the news of the stopped one arrives
    qtbot.wait(20)
    assert check.checked_view.toPlainText() == "" and not check.copy_button.isEnabled()


def test_every_sentence_has_its_verdict_and_its_source(checked):
    assert checked.status_label.text() == "共 5 句：有依据 1，部分有依据 1，未核实 2，无需核对 1。"
    shown = "".join(checked.checked_view.toPlainText().split())
    for sentence, behind in (
        (sample_draft.TITLE, ""),
        (sample_draft.PAID, "[1]✓"),
        (sample_draft.KEPT, "[2]未核实"),
        (sample_draft.LATE, "未核实"),
        (sample_draft.HOTEL, "[3]部分有依据"),
    ):
        assert "".join(sentence.split()) + behind in shown
    assert "[7]" not in shown


def test_numbers_that_no_document_holds_are_underlined(checked):
    view = checked.checked_view
    for number in ("6 月 30 日", "200%"):
        style = style_of(view, number)
        assert style.underlineStyle() == _Line.WaveUnderline
        assert number in style.toolTip()
    assert style_of(view, "550 元").underlineStyle() == _Line.DotLine
    assert style_of(view, "10 天").underlineStyle() == _Line.NoUnderline


def test_a_click_on_a_sentence_or_its_mark_opens_its_source(qtbot, opened, checked):
    view = checked.checked_view
    for text, row in (("年休假为", 1), ("6 月 30 日", 2), ("[3]", 3), ("一线城市", 3)):
        before = len(opened.engine.commands(LocatePassage))
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, text))
        assert len(opened.engine.commands(LocatePassage)) == before + 1, text
        command = opened.engine.last(LocatePassage)
        assert command.row == row
        span = sample_draft.checked().citations[row - 1].spans[0]
        assert command.spans == ((span.page, span.start, span.end),)
    before = len(opened.engine.commands(LocatePassage))
    for text in ("逾期未休", sample_draft.TITLE):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, text))
    assert len(opened.engine.commands(LocatePassage)) == before


def test_the_keyboard_reaches_every_mark(qtbot, opened, checked):
    view = checked.checked_view
    checked.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    reached = []
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Tab)
        qtbot.keyClick(view, Qt.Key.Key_Return)
        reached.append(opened.engine.last(LocatePassage).row)
    assert sorted(reached) == [1, 2, 3]


def test_the_result_is_copied_as_text(checked):
    checked.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    counts, _, rest = copied.partition("\n\n")
    assert counts == checked.status_label.text()
    assert f"{sample_draft.PAID}[1]" in rest
    assert f"{sample_draft.LATE}（未核实）" in rest
    assert rest.splitlines()[-1].startswith("[3] 行政/差旅报销办法.docx")
    assert checked.hint_label.text() == "已复制"


def test_a_changed_draft_says_that_the_result_is_of_the_old_one(qtbot, opened, checked):
    checked.draft_edit.setPlainText("另一份。")
    assert checked.hint_label.text() == "核对之后文稿有改动。"
    checked.check_button.click()
    checked.stop_button.click()
    checked.copy_button.click()
    assert sample_draft.PAID in QGuiApplication.clipboard().text()


def test_a_file_is_opened_through_the_engine(qtbot, opened, check, monkeypatch):
    path = Path("/家/文稿.md")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    opened.engine.scripts[ReadDraft] = lambda c: [DraftRead(c.task_id, "从文件来的。")]
    check.open_button.click()
    qtbot.waitUntil(lambda: check.draft_edit.toPlainText() == "从文件来的。")
    assert opened.engine.last(ReadDraft).path == path
    opened.engine.scripts[ReadDraft] = lambda c: [TaskFailed(c.task_id, "not_readable", {"path": str(path)})]
    check.open_button.click()
    qtbot.waitUntil(lambda: str(path) in check.status_label.text())
    assert check.draft_edit.toPlainText() == "从文件来的。" and check.hint_label.text()
    assert check.check_button.isEnabled()


def test_closing_keeps_the_draft_and_its_result(qtbot, opened, checked):
    checked.activateWindow()
    qtbot.waitUntil(checked.isActiveWindow)
    qtbot.keyClick(checked, Qt.Key.Key_Escape)
    assert not checked.isVisible()
    opened.child(QPushButton, "openCheck").click()
    assert opened.controller.check.window is checked and checked.isVisible()
    assert checked.draft_edit.toPlainText() == sample_draft.TEXT
    assert "[1]" in checked.checked_view.toPlainText()


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_is_readable(qapp, checked, theme):
    qapp.setPalette(palette_of(THEMES[theme]))
    assert unreadable(checked) == []


def test_every_control_has_a_name_for_screen_readers(checked):
    controls = [checked.draft_edit, checked.checked_view, checked.findChild(QProgressBar, "checkBusy")]
    for widget in (*controls, *checked.findChildren(QPushButton)):
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name).strip(), widget.objectName()


def test_the_window_speaks_english(opened):
    languages.install("en")
    opened.controller.check.open()
    window = opened.controller.check.window
    assert window.windowTitle() == "Check a draft"
    assert window.scope_label.text() == "Checked against: all knowledge bases"

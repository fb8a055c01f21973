"""Under an answer: other versions of what it cites, and parts of the question that nothing speaks of."""

from PySide6.QtCore import Qt

from engine.answers import VersionNote
from engine.events import Notice
from tests.desktop import sample_content, sample_table

QUESTION = "年假有多少天？"
DIFFERS = "旧版《员工手册（2023 版）.pdf》与新版《员工手册（2025 版）.pdf》不一致。"


def test_versions_that_disagree_are_named_under_the_answer_and_said_once(opened):
    task = opened.ask(QUESTION)
    names = {"document": "人事/员工手册（2023 版）.pdf", "newer": "人事/员工手册（2025 版）.pdf"}
    opened.answer(Notice(task, "version_differs", names), sample_table.two_versions())
    notes = opened.turns[-1].version_notes
    assert [label.text() for label in notes.labels] == [
        DIFFERS,
        "旧版《员工手册（2024 版）.pdf》在这里与《员工手册（2025 版）.pdf》一致。",
    ]
    assert not opened.turns[-1].has_note()


def test_both_versions_can_be_opened_by_keyboard(qtbot, opened):
    sources = []
    opened.controller.ask.source_opened.connect(sources.append)
    opened.ask(QUESTION, sample_table.two_versions())
    older, newer = opened.turns[-1].version_notes.buttons
    assert older.accessibleName() == "打开 人事/员工手册（2023 版）.pdf · 第 2 页"
    for button in (older, newer):
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
    assert [source.number for source in sources] == [3, 1]


def test_an_answer_without_other_versions_has_no_such_note(opened):
    opened.ask(QUESTION, sample_content.answer())
    assert not opened.turns[-1].version_notes.isVisible()


def test_versions_of_one_name_are_told_apart_by_their_folders(opened):
    note = VersionNote("公司制度", "旧/制度.pdf", "新/制度.pdf", differs=False)
    opened.ask(QUESTION, sample_content.answer(versions=(note,)))
    assert (
        opened.turns[-1].version_notes.labels[0].text() == "旧版《旧/制度.pdf》在这里与《新/制度.pdf》一致。"
    )


def test_a_part_without_evidence_is_named_once(opened):
    task = opened.ask("年假有多少天？食堂几点开门？")
    told = Notice(task, "part_without_evidence", {"question": "食堂几点开门？"})
    opened.answer(told, sample_table.two_parts())
    assert opened.turns[-1].note_label.text() == "没有找到这一部分的依据：食堂几点开门？"

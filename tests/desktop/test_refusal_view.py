"""A refusal: its nearest passages, why nothing was found, and the way to a file that was not read."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from desktop import languages
from desktop.ask.why_not import WhyNotSection
from engine.answer_events import AnswerFinished
from engine.answers import Gate, WhyNot
from engine.commands import ListFiles, ListLibraries, LocatePassage
from engine.documents import FileState, Reason
from engine.events import FileReport, FilesListed, LibrariesListed
from tests.desktop import sample_content

CONTRACT = "合同/供应商保密协议.pdf"


@pytest.fixture
def section(qtbot) -> WhyNotSection:
    made = WhyNotSection()
    qtbot.addWidget(made)
    made.show()
    return made


def refused(opened, **changes):
    opened.ask("食堂？", replace(sample_content.refusal(), **changes))
    return opened.turns[-1].refusal_card


def test_it_is_folded_away_until_somebody_asks(qtbot, opened):
    why = refused(opened).why_not
    assert why.isVisible() and not why.body.isVisible()
    assert why.heading.accessibleDescription() == "已折叠"
    why.heading.setFocus()
    qtbot.keyClick(why.heading, Qt.Key.Key_Space)
    assert why.body.isVisible() and why.heading.accessibleDescription() == "已展开"


def test_it_is_rated_below_its_card(opened):
    opened.ask("食堂？", AnswerFinished(0, sample_content.refusal(), run=3))
    card, actions = opened.turns[-1].refusal_card, opened.turns[-1].answer_actions
    assert actions.good_button.isVisible() and not actions.copy_button.isVisible()
    above, below = (part.mapTo(card, part.rect().topLeft()).y() for part in (card.title_label, card.why_not))
    assert above < actions.mapTo(card, actions.rect().topLeft()).y() < below


def test_it_says_how_far_the_gate_was_in_words(section):
    section.show_why(sample_content.why_not(), Gate(False, 0.119, 0.5))
    assert section.gate_label.text() == "片段里有答案的把握：11%，达到50%才会回答。"
    assert section.terms_label.text() == "片段里没有问题中的这些词：食堂、夜宵"
    assert "8.1" in section.words_label.text() and "0.70" in section.meaning_label.text()
    assert section.words_button.text() == "wiki/onboarding-checklist.md · First week › Accounts"


def test_a_refusal_after_the_gate_does_not_blame_the_gate(section):
    section.show_why(WhyNot(), Gate(True, 0.8, 0.5))
    assert "80%，达到了尝试回答的门槛（50%）" in section.gate_label.text()


def test_after_the_model_has_read_in_vain_its_doubt_is_told(section):
    section.show_why(WhyNot(), Gate(False, 0.8, 0.5, reading=0.2, reading_threshold=0.6))
    assert section.gate_label.text() == "模型读过片段后，认为里面有答案的把握：20%，达到60%才会回答。"


def test_what_is_not_known_is_not_shown(section):
    section.heading.click()
    section.show_why(WhyNot(), None)
    shown = [section.gate_label, section.terms_label, section.words_button, section.meaning_button]
    assert not any(widget.isVisible() for widget in [*shown, section.unread])


def test_words_that_the_card_tells_already_are_not_told_twice(opened):
    card = refused(opened)
    card.why_not.heading.click()
    assert "食堂、夜宵" in card.reason_label.text()
    assert not card.why_not.terms_label.isVisible()


def test_the_nearest_passages_can_be_opened(opened):
    card = refused(opened)
    card.why_not.heading.click()
    opened.child(QPushButton, "whyMeaning").click()
    assert opened.engine.last(LocatePassage).row == 3
    opened.child(QPushButton, "whyWords").click()
    assert opened.engine.last(LocatePassage).row == 4


def test_many_files_are_counted_and_the_likeliest_shown(section):
    files = tuple((f"{number}.pdf", "damaged") for number in range(12))
    section.show_why(WhyNot(unreadable=files), None)
    assert section.unread.heading.text() == "有12个文件没能完整读出，可能含有答案。最有可能的是："
    rows = section.unread.rows()
    assert [row.name_label.text() for row in rows] == [f"{number}.pdf（损坏）" for number in range(5)]
    languages.install("en")
    section.show_why(WhyNot(unreadable=files[:1]), None)
    assert section.unread.heading.text() == "1 file could not be read in full and may hold it:"


def test_a_file_that_was_not_read_leads_to_its_row(opened):
    panel = opened.window.library_panel
    panel.ledger.button(FileState.INDEXED).click()
    card = refused(opened)
    card.why_not.heading.click()
    row = card.why_not.unread.rows()[1]
    assert row.name_label.text() == "供应商保密协议.pdf（加密）"
    row.button.click()
    assert [file.path for file, _ in panel.table.selected()] == [CONTRACT]
    assert panel.table.hasFocus() and panel.ledger.chosen() is None


def test_a_file_of_another_knowledge_base_is_found_there(qtbot, opened):
    other = FileReport("归档/旧合同.pdf", FileState.DAMAGED, Reason("damaged", {}))
    names = ("公司制度", "归档", "空")
    opened.engine.scripts[ListLibraries] = lambda c: [
        LibrariesListed(c.task_id, tuple(map(sample_content.library, names)))
    ]
    opened.engine.scripts[ListFiles] = lambda c: [
        FilesListed(c.task_id, c.library, (other,) if c.library == "归档" else sample_content.files())
    ]
    opened.controller.library.list_libraries()
    panel = opened.window.library_panel
    qtbot.waitUntil(lambda: panel.library_combo.count() == 3)
    opened.controller.library.show_library("公司制度")
    card = refused(opened, why_not=WhyNot(unreadable=((other.path, "damaged"),)))
    card.why_not.unread.rows()[0].button.click()
    qtbot.waitUntil(lambda: [file.path for file, _ in panel.table.selected()] == [other.path])
    assert panel.library_combo.currentText() == "归档"


def test_a_file_that_is_in_no_list_any_more_changes_nothing(qtbot, opened):
    panel = opened.window.library_panel
    opened.controller.library.reveal_file("没有了.pdf", ())
    qtbot.wait(30)
    assert panel.table.selected() == [] and panel.library_combo.currentText() == "公司制度"
    opened.controller.library.reveal_file("没有了.pdf", ("删掉的",))
    qtbot.wait(30)
    assert panel.table.selected() == []

"""Identical files: the table says which are copies, the evidence where else its document lies."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop.ask.evidence_card import copies_words
from desktop.ask.evidence_list import EvidenceList
from desktop.library.file_model import STATE, FileTableModel
from engine.documents import FileState, Reason
from engine.events import FileReport
from tests.desktop import sample_content

COPY = FileReport("存档/手册.pdf", FileState.INDEXED, Reason("copy_of", {"document": "人事/手册.pdf"}), 12)
COPIES = tuple(f"{name}/手册 {name}.pdf" for name in "甲乙丙丁戊")


def test_a_copy_says_so_in_its_row_and_of_what_in_its_details(qtbot, opened):
    table = opened.window.library_panel.table
    table.files.set_files((*sample_content.files(), COPY))
    row = table.files.row_of(COPY.path)
    assert row is not None
    assert table.files.index(row, STATE).data() == "已索引（副本）"
    assert "人事/手册.pdf" in table.files.index(row, STATE).data(Qt.ItemDataRole.ToolTipRole)
    table.select([COPY.path])
    details = opened.window.library_panel.details
    assert "人事/手册.pdf" in details.reason_label.text() and details.reason_label.isVisible()


def test_the_table_knows_whether_it_has_copies(qtbot):
    model = FileTableModel()
    assert not model.has_copies()
    model.stage(COPY)
    model.show_staged()
    assert model.has_copies()
    model.stage(FileReport(COPY.path, FileState.INDEXED, None, 12, 30))
    model.show_staged()
    assert not model.has_copies()
    model.set_files((COPY,))
    assert model.has_copies()


def test_the_state_column_has_room_for_a_copy(qtbot, opened):
    table = opened.window.library_panel.table
    narrow = table.columnWidth(STATE)
    table.files.set_files((*sample_content.files(), COPY))
    word = table.fontMetrics().horizontalAdvance("已索引（副本）")
    assert table.columnWidth(STATE) >= word + table.iconSize().width()
    assert table.columnWidth(STATE) >= narrow


def test_up_to_three_copies_are_named_and_the_rest_counted():
    assert copies_words(sample_content.hit(1)) == ""
    assert copies_words(sample_content.hit(1, copies=COPIES[:1])) == "另见：手册 甲.pdf"
    assert copies_words(sample_content.hit(1, copies=COPIES[:3])).endswith("手册 丙.pdf")
    assert (
        copies_words(sample_content.hit(1, copies=COPIES)) == "另见：手册 甲.pdf、手册 乙.pdf、手册 丙.pdf +2"
    )


def test_a_card_with_copies_has_a_line_more_and_its_tooltip_names_all(qtbot):
    cards = EvidenceList("cards", "证据")
    qtbot.addWidget(cards)
    cards.resize(500, 400)
    cards.set_hits((sample_content.hit(1), sample_content.hit(2, copies=COPIES)))
    plain, copied = (cards.hits.index(row, 0) for row in range(2))
    delegate, option = cards.itemDelegate(), QStyleOptionViewItem()
    assert delegate.sizeHint(option, copied).height() > delegate.sizeHint(option, plain).height()
    assert cards.height() == sum(delegate.sizeHint(option, index).height() for index in (plain, copied))
    assert cards.grab().width() == 500
    tip = copied.data(Qt.ItemDataRole.ToolTipRole)
    assert all(copy in tip.splitlines() for copy in COPIES)
    assert "另见" not in plain.data() and "另见" in copied.data()
    assert len(plain.data(Qt.ItemDataRole.ToolTipRole).splitlines()) == 1

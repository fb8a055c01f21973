"""Which documents are asked: fields, chips, and what goes with the question."""

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QToolButton

from desktop.ask.filter_words import EVERYWHERE, Condition, conditions, from_record, without
from engine.answer import filters
from engine.commands import AskQuestion
from engine.document_filter import DocumentFilter


@pytest.fixture
def composer(opened):
    made = opened.window.ask_panel.composer
    made.filter_button.click()
    return made


def chips(composer) -> list[str]:
    return [chip.text() for chip in composer.filter_chips.chips()]


def type_in(qtbot, edit, text: str) -> None:
    edit.setFocus()
    edit.setText(text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def test_what_is_chosen_goes_with_the_question_and_stands_beside_it(qtbot, opened, composer):
    panel = composer.filter_panel
    assert panel.isVisible() and not composer.filter_chips.isVisible()
    type_in(qtbot, panel.folder_edit, "hr")
    type_in(qtbot, panel.name_edit, "contract*")
    opened.child(QToolButton, "kind-word").click()
    opened.child(QToolButton, "kind-pdf").click()
    type_in(qtbot, panel.since_edit, "2023")
    type_in(qtbot, panel.until_edit, "2024-02")
    assert chips(composer) == [
        "文件夹“hr”", "文件名“contract*”", "PDF", "Word", "2023-01-01起", "2024-02-29止"
    ]  # fmt: skip
    assert panel.folder_edit.text() == "", "the next folder can be typed at once"
    opened.ask("保修多久？")
    assert opened.engine.last(AskQuestion).chosen == DocumentFilter(
        ("hr",), ("pdf", "word"), date(2023, 1, 1), date(2024, 2, 29), ("contract*",)
    )
    assert len(chips(composer)) == 6, "it holds for the next question, too"


def test_a_chip_goes_with_the_mouse_and_with_the_keyboard(qtbot, opened, composer):
    panel = composer.filter_panel
    opened.child(QToolButton, "kind-pdf").click()
    type_in(qtbot, panel.since_edit, "2023-05-01")
    composer.filter_chips.chips()[0].click()
    assert chips(composer) == ["2023-05-01起"]
    assert not opened.child(QToolButton, "kind-pdf").isChecked()
    chip = composer.filter_chips.chips()[0]
    assert chip.accessibleName() == "移除筛选“2023-05-01起”"
    qtbot.keyClick(chip, Qt.Key.Key_Delete)
    assert chips(composer) == [] and not composer.filter_chips.isVisible()
    assert panel.since_edit.text() == ""
    assert composer.question_box.hasFocus()
    opened.ask("保修多久？")
    assert not opened.engine.last(AskQuestion).chosen


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [("last year", "", "last year"), ("", "2024-13", "2024-13"), ("2024", "2023", "开始日期晚于结束日期。")],
)
def test_dates_that_mean_nothing_are_told_and_change_nothing(qtbot, opened, composer, since, until, told):
    panel = composer.filter_panel
    panel.since_edit.setText(since)
    type_in(qtbot, panel.until_edit, until)
    assert told in panel.hint_label.text() and panel.hint_label.isVisible()
    assert chips(composer) == []
    panel.since_edit.clear()
    type_in(qtbot, panel.until_edit, "２０２４")
    assert chips(composer) == ["2024-12-31止"] and not panel.hint_label.isVisible()


@pytest.mark.parametrize("typed", ["  ", ".", "./", "\\"])
def test_a_folder_that_is_none_restricts_nothing(qtbot, composer, typed):
    type_in(qtbot, composer.filter_panel.folder_edit, typed)
    assert chips(composer) == []


def test_a_folder_can_be_chosen_on_disk(opened, composer, monkeypatch):
    asked = []
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda parent, title, start: asked.append(start) or "/资料/人事"
    )
    composer.filter_panel.browse_button.click()
    assert asked == ["/资料/公司制度"], "it begins where the knowledge base lies"
    assert chips(composer) == ["文件夹“/资料/人事”"]


def test_the_panel_folds_away_and_the_choice_stays(qtbot, opened, composer):
    opened.child(QToolButton, "kind-pdf").click()
    composer.filter_button.click()
    assert not composer.filter_panel.isVisible()
    assert chips(composer) == ["PDF"]


def test_an_ampersand_is_no_shortcut_and_long_values_are_told_whole(qtbot, composer):
    type_in(qtbot, composer.filter_panel.name_edit, "R&D")
    type_in(qtbot, composer.filter_panel.name_edit, "x" * 200)
    short, long = composer.filter_chips.chips()
    assert "R&&D" in short.text()
    assert len(long.text()) < 80 and "x" * 200 in long.toolTip()


def test_every_condition_comes_back_from_a_record_and_can_be_taken_away():
    chosen = DocumentFilter(("a", "b"), ("pdf",), date(2023, 1, 1), date(2024, 1, 1), ("n",))
    assert from_record(chosen.record(understood=True)) == chosen
    for condition in conditions(chosen):
        chosen = without(chosen, condition)
        assert condition not in conditions(chosen)
    assert not chosen


def test_everywhere_is_a_filter_of_its_own_without_a_condition():
    assert EVERYWHERE and conditions(EVERYWHERE) == []
    assert Condition("folders", ".") not in conditions(EVERYWHERE)


def test_the_kinds_that_are_offered_are_those_that_the_engine_knows():
    from desktop.ask.filter_words import KINDS

    assert set(KINDS) == set(filters.KINDS)

"""Which knowledge bases are asked."""

import pytest
from PySide6.QtCore import Qt

from desktop import languages
from desktop.ask.scope_button import ScopeButton
from engine.commands import AskQuestion

NAMES = ("公司制度", "研究 & 论文", "手册")


@pytest.fixture
def button(qtbot) -> ScopeButton:
    made = ScopeButton()
    qtbot.addWidget(made)
    made.set_libraries(NAMES)
    return made


def entries(button: ScopeButton) -> list:
    return [action for action in button.menu().actions() if action.isCheckable()]


def ticked(button: ScopeButton) -> list[bool]:
    return [action.isChecked() for action in entries(button)]


def test_all_are_asked_until_one_is_ticked(button):
    assert (button.scope(), button.text(), ticked(button)) == ((), "全部知识库", [True, False, False, False])
    entries(button)[2].trigger()
    assert (button.scope(), ticked(button)) == (("研究 & 论文",), [False, False, True, False])
    assert button.text() == "研究 && 论文", "a single & would underline a letter"
    entries(button)[1].trigger()
    assert (button.scope(), button.text()) == (("公司制度", "研究 & 论文"), "已选2个知识库")
    assert "已选2个" in button.accessibleName() and "研究 & 论文" in button.toolTip()
    entries(button)[0].trigger()
    assert (button.scope(), ticked(button)) == ((), [True, False, False, False])


def test_all_cannot_be_taken_back_by_itself(button):
    entries(button)[0].trigger()
    assert (button.scope(), ticked(button)) == ((), [True, False, False, False])


def test_the_choice_stays_while_knowledge_bases_come_and_go(button):
    entries(button)[1].trigger()
    entries(button)[3].trigger()
    button.set_libraries(("手册", "新"))
    assert button.scope() == ("手册",)
    button.set_libraries(("新",))
    assert (button.scope(), button.text()) == ((), "全部知识库")
    button.set_libraries(())
    assert not button.isVisibleTo(None)


def test_the_menu_stays_open_for_the_mouse_and_for_the_space_bar(qtbot, button):
    menu = button.menu()
    menu.popup(menu.pos())
    place = menu.actionGeometry(entries(button)[1]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    menu.setActiveAction(entries(button)[2])
    qtbot.keyClick(menu, Qt.Key.Key_Space)
    assert menu.isVisible() and button.scope() == NAMES[:2]
    qtbot.keyClick(menu, Qt.Key.Key_Escape)
    assert not menu.isVisible()


def test_a_question_goes_to_the_chosen_ones(opened):
    composer = opened.window.ask_panel.composer
    composer.scope_button.set_libraries(NAMES)
    for chosen in ((), NAMES[::2]):
        for action in composer.scope_button.menu().actions():
            if action.data() in chosen:
                action.trigger()
        composer.question_box.setPlainText("年假？")
        composer.ask_button.click()
        assert opened.engine.last(AskQuestion).libraries == chosen
        opened.controller.ask.stop()


def test_english_counts_too(button):
    languages.install("en")
    entries(button)[1].trigger()
    entries(button)[2].trigger()
    assert button.text() == "2 knowledge bases chosen"

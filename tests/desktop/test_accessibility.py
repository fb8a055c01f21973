"""Every control of every window has a name, is reached with the Tab key and shows that it has the focus."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QScrollArea, QWidget

from engine.answer_events import AnswerFinished
from engine.documents import FileState
from tests.desktop import sample_content
from tests.desktop.test_theme import fill

_Role = QAccessible.Role
CONTROLS = frozenset(
    {
        _Role.Button, _Role.ButtonMenu, _Role.CheckBox, _Role.RadioButton, _Role.ComboBox, _Role.EditableText,
        _Role.Slider, _Role.SpinBox, _Role.List, _Role.Table, _Role.Tree, _Role.ProgressBar, _Role.PageTab,
        _Role.PageTabList, _Role.Dialog, _Role.MenuItem, _Role.ButtonDropDown, _Role.Link,
    }
)  # fmt: skip


def unnamed(root: QWidget) -> list[str]:
    """Controls without a name in the tree that screen readers see, from ``root`` down."""
    found = []
    for interface in tree(QAccessible.queryAccessibleInterface(root)):
        state = interface.state()
        if interface.role() not in CONTROLS or state.invisible:
            continue
        widget = interface.object()
        if widget is not None and is_inside_a_control(widget):
            continue
        if not interface.text(QAccessible.Text.Name).strip():
            name = widget.objectName() if widget is not None else ""
            found.append(f"{interface.role().name} {type(widget).__name__} {name}")
    return found


def tree(interface: QAccessibleInterface | None, depth: int = 0) -> Iterator[QAccessibleInterface]:
    if interface is None or not interface.isValid() or depth > 60:
        return
    yield interface
    # The cells of a table are told by its model; 10,000 of them are not walked.
    if interface.role() in (_Role.Table, _Role.Tree, _Role.List):
        return
    for place in range(interface.childCount()):
        yield from tree(interface.child(place), depth + 1)


def is_inside_a_control(widget: object) -> bool:
    """Parts that Qt makes of its own controls: the button in a line edit, the list of a combo box."""
    parent = widget.parent() if hasattr(widget, "parent") else None
    inner = type(widget).__name__ in ("QLineEditIconButton", "QTableCornerButton", "QHeaderView")
    return inner or isinstance(parent, QAbstractItemView)


@pytest.fixture
def filled(qtbot, opened):
    """The main window with an answer that can be rated, a refusal, a file and everything that opens."""
    fill(qtbot, opened)
    opened.ask("年假有多少天？", AnswerFinished(0, sample_content.answer(), 4, 7))
    opened.turns[-1].answer_actions.bad_button.click()
    panel = opened.window.library_panel
    panel.table.select([sample_content.files()[0].path])
    panel.progress.begin()
    opened.window.ask_panel.composer.filter_button.click()
    return opened


def windows(opened) -> dict[str, Callable[[], object]]:
    """How each of the other windows is opened."""
    controller = opened.controller
    return {
        "inspect": lambda: controller.inspect.open("公司制度", sample_content.files()[0].path),
        "health": controller.health.open,
        "history": controller.history.open,
        "check": controller.check.open,
        "settings": controller.settings.open,
        "properties": opened.window.library_panel.properties_action.trigger,
        "password": lambda: controller.library.passwords.ask("员工手册.pdf"),
    }


NAMES = ["inspect", "health", "history", "check", "settings", "properties", "password"]


def open_another(qtbot, opened, name: str) -> QWidget:
    known = set(QApplication.topLevelWidgets())
    windows(opened)[name]()
    qtbot.wait(50)
    (window,) = [each for each in QApplication.topLevelWidgets() if each not in known and each.isVisible()]
    return window


def test_no_control_of_the_main_window_is_without_a_name(qtbot, filled):
    assert unnamed(filled.window) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_control_of_another_window_is_without_a_name(qtbot, opened, name):
    window = open_another(qtbot, opened, name)
    assert window.windowTitle()
    assert unnamed(window) == []
    window.close()


def focusable(window: QWidget) -> set[QWidget]:
    inner = (QAbstractScrollArea, QAbstractItemView)
    return {
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        and widget.isVisible()
        and widget.isEnabled()
        and widget.window() is window
        and not isinstance(widget.parentWidget(), inner)
    }


def walk(qtbot, window: QWidget, steps: int = 500) -> list[QWidget]:
    """What has the focus, one Tab after the other, until it is where it began."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    if window.focusWidget() is None:
        next(iter(focusable(window))).setFocus()
    reached: list[QWidget] = []
    for _ in range(steps):
        focused = window.focusWidget()
        reached.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    return reached


def described(widgets: set[QWidget]) -> set[str]:
    return {f"{type(each).__name__} {each.objectName()}" for each in widgets}


def test_everything_in_the_main_window_is_reached_with_the_tab_key(qtbot, filled):
    filled.window.ask_panel.composer.question_box.setFocus()
    reached = set(walk(qtbot, filled.window, 600))
    assert described(focusable(filled.window) - reached) == set()


@pytest.mark.parametrize("name", NAMES)
def test_everything_in_another_window_is_reached_with_the_tab_key(qtbot, opened, name):
    window = open_another(qtbot, opened, name)
    wanted = focusable(window)
    reached = set(walk(qtbot, window, 4 * len(wanted) + 20))
    assert described(wanted - reached) == set()
    window.close()


def test_who_has_the_focus_is_seen(qtbot, filled):
    """Each control looks another way while it has it: a frame, a caret, a selected row."""
    window = filled.window
    window.resize(1440, 1400)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    wanted = sorted(focusable(window), key=lambda each: each.objectName())
    other = window.ask_panel.composer.question_box
    unseen = set()
    for widget in wanted:
        rest = window.library_panel.add_button if widget is other else other
        rest.setFocus(Qt.FocusReason.TabFocusReason)
        bring_into_sight(widget)
        before = picture(window, widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        bring_into_sight(widget)
        if picture(window, widget) == before:
            unseen.add(widget)
    assert described(unseen) == set()


def bring_into_sight(widget: QWidget) -> None:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget, 10, 10)
        parent = parent.parentWidget()
    QApplication.processEvents()


def picture(window: QWidget, widget: QWidget):
    """The control and a margin around it; a box may show its focus at the card it stands in."""
    shown = widget.parentWidget() if widget.objectName() == "questionBox" else widget
    area = shown.rect().adjusted(-3, -3, 3, 3).translated(shown.mapTo(window, QPoint(0, 0)))
    return window.grab(area).toImage()


def test_states_of_files_and_verdicts_are_told_by_shape_and_word_not_by_colour_alone(filled):
    from desktop.library.file_words import mark
    from desktop.words import state_word

    states = [None, *FileState]
    by_colour: dict[str, set[tuple[str, str]]] = {}
    for state in states:
        icon, colour = mark(state)
        by_colour.setdefault(colour, set()).add((icon, state_word(state)))
    assert all(len(told) == len({word for _, word in told}) for told in by_colour.values())
    view = filled.turns[1].answer_view.toPlainText()
    assert "✓" in view and "未核实" in view


def test_the_screen_s_scale_is_taken_as_it_is():
    assert QGuiApplication.highDpiScaleFactorRoundingPolicy() == (
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )

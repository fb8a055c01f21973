"""Both themes: contrast of every text, following the system at run time, names for every control."""

from collections import Counter

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QPalette
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QLabel, QLineEdit, QWidget

from desktop.design_tokens import DARK, LIGHT, TEXT_ON, contrast, palette_of
from desktop.theme import style_sheet
from engine.answer_events import AnswerFinished, SourcesFound
from engine.commands import AskQuestion, PrepareModels
from engine.events import ModelsReady, Notice
from tests.desktop import sample_content

THEMES = {"light": LIGHT, "dark": DARK}


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_colour_reads_on_each_of_its_backgrounds(theme):
    colours = THEMES[theme].named()
    for text, backgrounds in TEXT_ON.items():
        for background in backgrounds:
            assert contrast(colours[text], colours[background]) >= 4.5, (text, background)
    # Edges of controls need 3.
    assert contrast(colours["control"], colours["surface"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_is_complete_and_readable(theme):
    palette = palette_of(THEMES[theme])
    pairs = [
        ("WindowText", "Window"), ("Text", "Base"), ("Text", "AlternateBase"), ("ButtonText", "Button"),
        ("PlaceholderText", "Base"), ("Link", "Base"), ("LinkVisited", "Base"),
        ("ToolTipText", "ToolTipBase"), ("HighlightedText", "Highlight"),
    ]  # fmt: skip
    for text, background in pairs:
        role = QPalette.ColorRole
        assert contrast(palette.color(role[text]), palette.color(role[background])) >= 4.5, text


def test_the_style_sheet_has_no_colour_of_its_own():
    import re

    import resources

    source = resources.read_text("qss", "window.qss")
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?=\s*[;}])", source)
    assert "@" not in style_sheet(LIGHT, 10.0)


def fill(qtbot, opened) -> None:
    """A window with something of everything in it."""
    window, engine = opened.window, opened.engine
    for answer in (sample_content.refusal(), sample_content.answer()):
        window.ask_panel.composer.question_box.setPlainText("年假？")
        window.ask_panel.composer.ask_button.click()
        task = engine.last(AskQuestion).task_id
        engine.done(
            task,
            Notice(task, "lexical_only"),
            SourcesFound(task, sample_content.five_hits()),
            AnswerFinished(task, answer),
        )
        qtbot.waitUntil(lambda: not opened.controller.ask.is_busy())
    engine.scripts[PrepareModels] = lambda c: [
        Notice(c.task_id, "model_missing", {"model": "m"}),
        ModelsReady(c.task_id, "e", None),
    ]
    opened.controller._prepare_models()
    opened.controller._on_problem("library_busy", {"name": "x"})
    window.ask_panel.composer.show_hint("提示")
    window.reader_panel.note.show_note("说明", "按钮", "warn")
    window.reader_panel.show_header("文件.pdf", "第 3 页")
    qtbot.waitUntil(lambda: len(window.banners.messages()) == 2)
    qtbot.wait(50)


def unreadable(window: QWidget) -> list[str]:
    """Visible texts whose colour is too near to what is painted behind them."""
    window.resize(1400, 1800)
    image = window.grab().toImage()
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        text = getattr(widget, "text", None) or getattr(widget, "currentText", None)
        if not isinstance(widget, (QLabel, QLineEdit)) and not callable(text):
            continue
        if not callable(text) or not text():
            continue
        visible = widget.visibleRegion().boundingRect()
        corner = widget.mapTo(window, visible.topLeft())
        behind = dominant(image, QRect(corner, visible.size()))
        colour = widget.palette().color(widget.foregroundRole())
        if contrast(colour, behind) < 4.5:
            found.append(f"{widget.objectName()} {text()!r} {colour.name()} on {behind.name()}")
    return found


def dominant(image, area: QRect) -> QColor:
    ratio = image.devicePixelRatio()
    counts: Counter[int] = Counter()
    for x in range(area.left() + 2, area.right() - 1, 2):
        for y in range(area.top() + 2, area.bottom() - 1, 2):
            counts[image.pixel(QPoint(round(x * ratio), round(y * ratio)))] += 1
    return QColor(counts.most_common(1)[0][0])


@pytest.mark.parametrize("order", [("light", "dark"), ("dark", "light")])
def test_every_label_and_button_reads_before_and_after_the_system_switches(qtbot, qapp, opened, order):
    qapp.setPalette(palette_of(THEMES[order[0]]))
    fill(qtbot, opened)
    for theme in order:
        qapp.setPalette(palette_of(THEMES[theme]))
        qtbot.wait(20)
        assert unreadable(opened.window) == []


@pytest.mark.parametrize("theme", THEMES)
def test_texts_in_views_follow_the_theme(qtbot, qapp, opened, theme):
    fill(qtbot, opened)
    qapp.setPalette(palette_of(THEMES[theme]))
    qtbot.wait(20)
    colours = THEMES[theme]
    box = opened.window.ask_panel.composer.question_box
    assert contrast(box.palette().color(QPalette.ColorRole.PlaceholderText), colours.surface) >= 4.5
    view = opened.window.ask_panel.turns[-1].answer_view
    block = view.document().begin()
    while block.isValid():
        for fragment in block:
            style = fragment.fragment().charFormat()
            if not fragment.fragment().text().strip():
                continue
            behind = (
                style.background().color() if style.background().style().value else QColor(colours.window)
            )
            assert contrast(style.foreground().color(), behind) >= 4.5, fragment.fragment().text()
        block = block.next()


def test_every_control_has_a_name_for_screen_readers(qtbot, opened):
    fill(qtbot, opened)
    opened.window.library_panel.progress.begin()
    unnamed = []
    for widget in opened.window.findChildren(QWidget):
        # A scroll area's viewport and bars speak through the area itself.
        inner = isinstance(widget.parentWidget(), (QAbstractScrollArea, QAbstractItemView))
        if widget.focusPolicy().value == 0 or inner or not widget.isVisible():
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface.text(QAccessible.Text.Name).strip():
            unnamed.append(f"{type(widget).__name__} {widget.objectName()}")
    assert unnamed == []


def test_everything_a_person_clicks_has_an_object_name(qtbot, opened):
    from PySide6.QtWidgets import QAbstractButton, QComboBox

    fill(qtbot, opened)
    for kind in (QAbstractButton, QComboBox, QAbstractItemView):
        for widget in opened.window.findChildren(kind):
            owner = widget.parentWidget()
            if isinstance(owner, (QComboBox, QAbstractItemView)) or "Private" in type(owner).__name__:
                continue
            if type(widget).__name__ in ("QTableCornerButton", "QHeaderView", "QComboBoxListView"):
                continue
            assert widget.objectName() or not widget.isVisible(), widget


def test_everything_in_the_middle_is_reached_with_the_tab_key(qtbot, opened):
    """And so all of it has a focus, which the style sheet draws."""
    fill(qtbot, opened)
    opened.window.ask_panel.composer.filter_button.click()
    opened.ask("病假呢？", sample_content.follow_up())
    opened.ask("食堂？", sample_content.refusal())
    opened.turns[-1].refusal_card.why_not.heading.click()
    panel = opened.window.ask_panel
    inner = (QAbstractScrollArea, QAbstractItemView)
    wanted = {
        widget
        for widget in panel.findChildren(QWidget)
        if widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        and widget.isVisible()
        and widget.isEnabled()
        and not isinstance(widget.parentWidget(), inner)
    }
    panel.composer.question_box.setFocus()
    reached = set()
    for _ in range(400):
        focused = opened.window.focusWidget()
        reached.add(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert {f"{type(each).__name__} {each.objectName()}" for each in wanted - reached} == set()
    assert len(wanted) > 40

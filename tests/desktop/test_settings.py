"""The settings window: its pages, its search, and what becomes of a change."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop.design_tokens import palette_of
from desktop.preferences import Preferences
from desktop.settings import controller as settings_controller
from desktop.settings.places import PAGES
from desktop.settings.row import SettingRow
from desktop.settings.window import SettingsWindow
from engine.commands import AskQuestion
from engine.config import Settings
from engine.events import ModelsReady, TaskFailed
from engine.settings.commands import ChangeSettings, ReadSettings, ResetSettings
from tests.desktop.sample_settings import KeptSettings
from tests.desktop.test_theme import THEMES, unreadable

OURS = ("general", "shortcuts", *PAGES)
"""The pages that are made here; others come from elsewhere."""


@pytest.fixture(autouse=True)
def send_at_once(monkeypatch):
    monkeypatch.setattr(settings_controller, "GATHER_MS", 0)


@pytest.fixture
def kept(opened):
    made = KeptSettings(mode="strict", threads=1)
    opened.engine.scripts |= made.scripts()
    return made


@pytest.fixture
def window(qtbot, opened, kept) -> SettingsWindow:
    opened.window.settings_button.click()
    made = opened.controller.settings.window
    qtbot.waitUntil(made.page("answers").isEnabled)
    return made


def row(window: SettingsWindow, name: str) -> SettingRow:
    (found,) = (each for each in window.findChildren(SettingRow) if each.name == name)
    return found


def listed(window: SettingsWindow) -> list[str]:
    items = (window.page_list.item(n) for n in range(window.page_list.count()))
    return [item.text() for item in items if not item.isHidden()]


# -- the frame ------------------------------------------------------------------------------------


def test_pages_stand_in_one_order_whoever_adds_them_first(qtbot):
    owner = QWidget()
    qtbot.addWidget(owner)
    window = SettingsWindow(owner)
    for name in ("log", "shortcuts", "other", "general", "models"):
        window.add_page(name, "settings", name, QLabel(name))
    assert window.page_names() == ("general", "models", "shortcuts", "log", "other")
    window.show_page("models")
    assert window.title_label.text() == "models"
    assert window.pages.currentWidget().widget() is window.page("models")
    window.show_page("没有")
    assert window.title_label.text() == "models"
    assert window.page("没有") is None


def test_the_window_is_made_when_it_is_first_wanted_and_kept(qtbot, opened, kept):
    settings = opened.controller.settings
    made = []
    settings.window_made.connect(made.append)
    assert settings.window is None
    settings.open_page("performance")
    assert settings.window.title_label.text() == "性能"
    settings.window.close()
    settings.open()
    assert made == [settings.window]
    assert settings.window.isVisible()
    assert len(opened.engine.commands(ReadSettings)) == 2, "what is shown is what is true now"


def test_a_search_shows_the_settings_that_say_its_words_and_counts_them(window):
    window.add_page("other", "settings", "别处", QLabel("芝麻开门"))
    window.search_edit.setText("词元 片段")
    assert "读取与索引（2）" in listed(window)
    assert "常规" not in " ".join(listed(window))
    visible = [each.name for each in window.findChildren(SettingRow) if not each.isHidden()]
    assert {"chunk_size", "chunk_overlap"} <= set(visible)
    assert "ocr" not in visible
    window.search_edit.setText("芝麻")
    assert listed(window) == ["别处（1）"]
    assert window.title_label.text() == "别处"
    for words, name in (("TOP_K", "top_k"), ("严格", "mode")):
        window.search_edit.setText(words)
        assert not row(window, name).isHidden(), "names of settings files and choices are found, too"
    window.search_edit.setText("没有这种东西")
    assert listed(window) == []
    assert window.nothing_label.isVisibleTo(window)
    window.search_edit.clear()
    assert len(listed(window)) == window.page_list.count()
    assert not row(window, "ocr").isHidden()


def test_escape_clears_a_search_and_then_closes(qtbot, window):
    window.search_edit.setText("OCR")
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.search_edit.text() == ""
    assert window.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_pages_can_be_read_before_the_engine_has_answered(opened):
    opened.controller.settings.open_page("answers")
    window = opened.controller.settings.window
    assert not window.page("answers").isEnabled()
    assert row(window, "top_k").control.value() == 5


# -- the engine's settings ------------------------------------------------------------------------


def test_every_setting_of_the_pages_shows_what_it_is_and_its_default(window):
    names = [line.name for page in PAGES.values() for card in page.values() for line in card]
    assert len(names) == len(set(names))
    left_out = {"version", "home", "model", "embedder", "fail_on_error"}
    assert set(names) == Settings.model_fields.keys() - left_out
    for name in names:
        each = row(window, name)
        assert each.title_label.text() and each.sentence_label.text().endswith("。"), name
        assert each.state_label.text().startswith("默认："), name
    assert row(window, "mode").control.value() == "strict"
    assert row(window, "mode").state_label.text() == "默认：平衡"
    assert not row(window, "mode").reset_button.isHidden()
    assert row(window, "top_k").reset_button.isHidden()
    assert "下次同步起生效" in row(window, "chunk_size").state_label.text()
    assert "自动（400 词元）" in row(window, "chunk_size").state_label.text()


CHANGES = {
    "ocr": (lambda control: control.switch.click(), False),
    "top_k": (lambda control: control.box.setValue(9), 9),
    "temperature": (lambda control: control.box.setValue(0.55), 0.55),
    "mode": (lambda control: choose(control, "loose"), "loose"),
    "context_length": (lambda control: control.check.click(), 4096),
    "threads": (lambda control: control.check.click(), None),
    "server_model": (lambda control: write(control, " qwen2.5:1.5b "), "qwen2.5:1.5b"),
    "model_path": (lambda control: write(control, "/模型/a.gguf"), "/模型/a.gguf"),
}


def choose(control, value) -> None:
    place = control.combo.findData(value)
    control.combo.setCurrentIndex(place)
    control.combo.activated.emit(place)


def write(control, text: str) -> None:
    control.edit.setText(text)
    control.edit.editingFinished.emit()


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_person_changes_is_sent_and_shown(qtbot, opened, window, kept, name):
    act, value = CHANGES[name]
    act(row(window, name).control)
    qtbot.waitUntil(lambda: bool(opened.engine.commands(ChangeSettings)))
    assert opened.engine.last(ChangeSettings).values == {name: value}
    qtbot.waitUntil(lambda: row(window, name).reset_button.isHidden() == (value is None))
    assert row(window, name).control.value() == value


def test_steps_that_follow_one_another_are_sent_once(qtbot, opened, kept, monkeypatch):
    opened.controller.settings._gather.setInterval(50)
    opened.controller.settings.open()
    window = opened.controller.settings.window
    qtbot.waitUntil(window.page("answers").isEnabled)
    for _ in range(5):
        row(window, "top_k").control.box.stepUp()
    row(window, "rerank").control.switch.click()
    qtbot.waitUntil(lambda: bool(opened.engine.commands(ChangeSettings)))
    qtbot.wait(80)
    (sent,) = opened.engine.commands(ChangeSettings)
    assert sent.values == {"top_k": 10, "rerank": False}


def test_one_setting_or_a_page_goes_back_to_its_defaults(qtbot, opened, window, kept):
    row(window, "mode").reset_button.click()
    qtbot.waitUntil(lambda: row(window, "mode").control.value() == "balanced")
    assert opened.engine.last(ResetSettings).names == ("mode",)
    page = window.page("performance")
    page.reset_button.click()
    qtbot.waitUntil(lambda: row(window, "threads").control.value() is None)
    lines = [line.name for card in PAGES["performance"].values() for line in card]
    assert set(opened.engine.last(ResetSettings).names) == set(lines)
    assert page.reset_button.isHidden()
    assert kept.stored == {}


def test_what_the_command_line_decides_cannot_be_changed_here(qtbot, opened):
    opened.engine.scripts |= KeptSettings(Settings(top_k=3)).scripts()
    opened.controller.settings.open()
    window = opened.controller.settings.window
    qtbot.waitUntil(window.page("answers").isEnabled)
    assert not row(window, "top_k").control.isEnabled()
    assert "这次启动由命令行决定" in row(window, "top_k").state_label.text()


def test_a_refused_value_is_explained_at_its_row_and_taken_back(qtbot, opened, window):
    def refuse(command):
        return [TaskFailed(command.task_id, "server_not_local", {"address": command.values["server"]})]

    opened.engine.scripts[ChangeSettings] = refuse
    write(row(window, "server").control, "http://192.168.1.2:11434")
    qtbot.waitUntil(lambda: not row(window, "server").problem_label.isHidden())
    assert "192.168.1.2" in row(window, "server").problem_label.text()
    assert row(window, "server").control.value() is None
    opened.engine.scripts[ChangeSettings] = lambda command: [
        TaskFailed(command.task_id, "setting_invalid", {"name": "top_k", "value": 9, "problem": "x"})
    ]
    row(window, "top_k").control.box.setValue(9)
    qtbot.waitUntil(lambda: not row(window, "top_k").problem_label.isHidden())
    qtbot.waitUntil(lambda: row(window, "top_k").control.value() == 5)
    opened.engine.scripts[ChangeSettings] = lambda command: [
        TaskFailed(command.task_id, "storage_failed", {"path": "settings.yaml", "detail": "full"})
    ]
    row(window, "top_k").control.box.setValue(8)
    qtbot.waitUntil(lambda: "settings.yaml" in window.note.label.text())


def test_a_chat_model_that_was_loaded_anew_is_shown_in_the_main_window(qtbot, opened, window, kept):
    def load(command):
        return [*kept._change(command), ModelsReady(command.task_id, "bge", "other-model")]

    opened.engine.scripts[ChangeSettings] = load
    row(window, "context_length").control.check.click()
    qtbot.waitUntil(lambda: "other-model" in opened.window.model_button.text())


def test_the_general_page_comes_first(opened):
    opened.window.settings_button.click()
    settings = opened.controller.settings.window
    assert settings.pages.currentWidget().widget() is settings.page("general")


def test_another_language_waits_for_the_next_start_which_is_offered(qtbot, opened, window):
    window.show_page("general")
    choose(row(window, "language").control, "en")
    assert "重新启动" in window.note.label.text()
    choose(row(window, "language").control, "system")
    assert window.note.isHidden()
    choose(row(window, "language").control, "en")
    with qtbot.waitSignal(opened.controller.settings.restart_wanted):
        window.note.button.click()
    assert opened.controller.wants_restart
    assert not opened.window.isVisible()


def test_the_wheel_over_a_page_changes_no_setting(opened, window):
    window.show_page("answers")
    box = row(window, "top_k").control.box
    assert not box.hasFocus()
    place = QPointF(box.rect().center())
    turn = QWheelEvent(
        place, QPointF(box.mapToGlobal(place)), QPoint(), QPoint(0, 240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box, turn)
    assert box.value() == 5
    assert opened.engine.commands(ChangeSettings) == []


def test_every_control_has_a_name_and_is_reached_by_the_keyboard(opened, window):
    nameless = []
    for name in window.page_names():
        window.show_page(name)
        page = window.page(name)
        for widget in page.findChildren(QWidget):
            is_control = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(page)
            if not is_control or name not in OURS:
                continue
            interface = QAccessible.queryAccessibleInterface(widget)
            if interface is None or not interface.text(QAccessible.Text.Name):
                nameless.append(f"{name}: {type(widget).__name__} {widget.objectName()}")
    assert nameless == []


def test_a_question_is_asked_while_the_settings_are_open(opened, window):
    opened.ask("年假有几天？")
    assert opened.engine.last(AskQuestion).question == "年假有几天？"


def test_preferences_without_a_file_hold_for_the_run(qapp):
    preferences = Preferences()
    preferences.set("font_percent", 120)
    assert preferences.font_percent == 120
    with pytest.raises(ValueError, match="theme"):
        preferences.set("theme", "pink")


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_reads_in_both_themes(qtbot, qapp, window, theme):
    qapp.setPalette(palette_of(THEMES[theme]))
    row(window, "server").show_problem("不行")
    for name in OURS:
        window.show_page(name)
        qtbot.wait(20)
        assert unreadable(window) == [], name

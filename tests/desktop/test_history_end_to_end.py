"""With the real engine: a conversation is asked, left, found, opened, followed, continued and deleted."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings

import resources
from desktop import application
from engine.config import Settings
from engine.paths import home
from engine.thread import EngineThread
from tests.desktop.test_properties import answer_with

PATIENCE_MS = 120_000

pytestmark = [pytest.mark.embedder, pytest.mark.timeout(300)]


@pytest.fixture
def window(qtbot, tmp_path) -> Iterator[tuple]:
    shape = QSettings(str(tmp_path / "shape.ini"), QSettings.Format.IniFormat)
    made, controller = application.open_window(
        lambda on_event: EngineThread(home(), Settings(), on_event), shape=shape
    )
    yield made, controller
    made.close()
    assert controller.close(), "the engine ends in time"
    made.deleteLater()


def test_a_conversation_is_found_again_and_goes_on(qtbot, window, monkeypatch) -> None:
    made, controller = window
    panel, ask = made.ask_panel, controller.ask
    # One document is enough, and soon read.
    controller.library.index((resources.path("samples") / "员工休假管理规定.md",), "示例")
    qtbot.waitUntil(lambda: not controller.library.is_busy(), timeout=PATIENCE_MS)
    panel.composer.passages_button.setChecked(True)

    def put(question: str) -> None:
        panel.composer.question_box.setPlainText(question)
        ask.ask()
        qtbot.waitUntil(lambda: not ask.is_busy(), timeout=PATIENCE_MS)

    put("年休假有多少天？")
    said, thread = panel.turns[0].answer_view.toPlainText(), ask.thread_id
    assert said and thread is not None
    panel.turns[0].answer_actions.good_button.click()
    ask.begin_anew()
    assert panel.turns == [] and ask.thread_id is None

    controller.history.open()
    history = controller.history.window
    qtbot.waitUntil(lambda: history.thread_list.count() == 1)
    history.search_edit.setText("这里没有的词")
    qtbot.waitUntil(lambda: history.thread_list.count() == 0)
    history.search_edit.setText("年休假")
    qtbot.waitUntil(lambda: history.thread_list.count() == 1)
    history.open_button.click()
    qtbot.waitUntil(lambda: len(panel.turns) == 1)
    turn = panel.turns[0]
    assert turn.answer_view.toPlainText() == said
    assert turn.answer_actions.good_button.isChecked()
    turn.answer_view.citation_clicked.emit(1)
    qtbot.waitUntil(lambda: "年休假" in made.reader_panel.rich_page.toPlainText())

    put("病假呢？")
    assert ask.thread_id == thread and len(panel.turns) == 2
    answer_with(monkeypatch, "confirmDelete")
    controller.history.open()
    history = controller.history.window
    qtbot.waitUntil(lambda: history.thread_list.count() == 1)
    assert history.thread_list.chosen().runs == 2
    history.delete_button.click()
    qtbot.waitUntil(history.empty_label.isVisible)
    assert panel.turns == [] and ask.thread_id is None

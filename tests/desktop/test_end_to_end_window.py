"""The main job in the window with nothing faked: index the samples, ask, click the citation, see the page."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt

import resources
from desktop import application
from desktop.window_controller import WindowController
from engine.config import Settings
from engine.paths import home
from engine.thread import EngineThread
from tests.desktop.test_answer_view import chip_position
from tests.desktop.test_reader import is_marked

PATIENCE_MS = 240_000

pytestmark = [pytest.mark.embedder, pytest.mark.chat_model, pytest.mark.timeout(600)]


@pytest.fixture
def window(qtbot, small_chat_model, tmp_path) -> Iterator[tuple]:
    shape = QSettings(str(tmp_path / "shape.ini"), QSettings.Format.IniFormat)
    made, controller = application.open_window(
        lambda on_event: EngineThread(home(), Settings(model=small_chat_model), on_event), shape=shape
    )
    made.resize(1440, 900)
    yield made, controller
    made.close()
    assert controller.close(), "the engine ends in time"
    made.deleteLater()


def test_a_click_on_the_citation_opens_the_marked_page(qtbot, window) -> None:
    made, controller = window
    ask(qtbot, controller, made, "HT-300 系列激光测距仪的防护等级是多少？")
    view = made.ask_panel.turns[-1].answer_view
    assert "IP65" in view.toPlainText()
    qtbot.waitUntil(lambda: view.height() > 30)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=chip_position(view, "[1]"))
    pages = made.reader_panel.pdf_pages
    qtbot.waitUntil(lambda: pages.page_index == 2, timeout=20_000)
    qtbot.waitUntil(lambda: marked_pixels(pages) > 200, timeout=20_000)


def test_what_the_documents_do_not_hold_is_refused(qtbot, window) -> None:
    made, controller = window
    ask(qtbot, controller, made, "公司羽毛球俱乐部每周哪天活动？")
    turn = made.ask_panel.turns[-1]
    assert turn.refusal_card.isVisible()
    assert not turn.answer_view.isVisible()


def ask(qtbot, controller: WindowController, made, question: str) -> None:
    controller.library.index((resources.path("samples"),), "示例资料库")
    qtbot.waitUntil(lambda: not controller.library.is_busy(), timeout=PATIENCE_MS)
    made.ask_panel.composer.question_box.setPlainText(question)
    qtbot.mouseClick(made.ask_panel.composer.ask_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not controller.ask.is_busy(), timeout=PATIENCE_MS)


def marked_pixels(pages) -> int:
    image = pages.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    width, height = round(image.width() / ratio), round(image.height() / ratio)
    return sum(is_marked(image, x, y) for x in range(0, width - 1, 2) for y in range(0, height - 1, 2))

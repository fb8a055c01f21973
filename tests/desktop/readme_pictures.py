"""The pictures of README: the real window, the real engine, the sample library.

``xvfb-run -a -s "-screen 0 1600x1000x24" python -m tests.desktop.readme_pictures`` writes them to
tests/desktop/pictures; it needs a chat model in the models folder.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QWidget

import resources
from desktop import application
from desktop.design_tokens import DARK, LIGHT, palette_of
from engine import paths, seal
from engine.config import Settings
from engine.thread import EngineThread
from tests.desktop.picture_taking import settle

PATIENCE_S = 300
QUESTION = {
    "zh": "连续出差超过多少天，还要分管副总经理批准？",
    "en": "What was Hengting's revenue in the third quarter of 2025?",
}
DRAFT = {
    "zh": "连续出差超过 15 天的，还须分管副总经理批准。报销单在出差结束后三个月内提交都可以。",
    "en": "Hengting's revenue in the third quarter of 2025 was 186.4 million yuan. Its gross margin was 61%.",
}
ABSENT = {"zh": "公司羽毛球俱乐部每周哪天活动？", "en": "What is the ticker symbol of Hengting?"}


def wait_until(what: str, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        settle(100)


def take(folder: Path, language: str, theme: str) -> None:
    """Index the samples, ask, open the first citation, ask for what is not there, check a draft, look at the
    models and at what stays on the machine; a picture of each."""
    application_ = application.make_application(language)
    QApplication.setPalette(palette_of(DARK if theme == "dark" else LIGHT))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        home = paths.Home(Path(work) / "home").create()
        shape = QSettings(str(Path(work) / "shape.ini"), QSettings.Format.IniFormat)
        window, controller = application.open_window(
            lambda on_event: EngineThread(home, Settings(), on_event), shape=shape
        )
        window.resize(1440, 900)

        def shoot(name: str, view: QWidget = window) -> None:
            settle(400)
            view.grab().save(str(folder / f"{language}-{theme}-{name}.png"))

        wait_until("start", lambda: window.isVisible())
        settle(800)
        shoot("1-welcome")
        controller.library.index(
            (resources.path("samples"),), "示例资料库" if language == "zh" else "Sample library"
        )
        wait_until("index", lambda: not controller.library.is_busy())
        panel = window.ask_panel
        for number, question in enumerate((QUESTION[language], ABSENT[language]), start=1):
            panel.composer.question_box.setPlainText(question)
            panel.composer.ask_button.click()
            wait_until("answer", lambda: not controller.ask.is_busy())
            if number == 1:
                panel.turns[-1].answer_view.citation_clicked.emit(1)
                settle(1500)
                shoot("2-answer")
        shoot("3-refusal")
        controller.check.open()
        draft = controller.check.window
        assert draft is not None
        draft.draft_edit.setPlainText(DRAFT[language])
        controller.check.check()
        wait_until("check", draft.copy_button.isEnabled)
        shoot("4-draft", draft)
        draft.close()
        for number, page in ((5, "models"), (6, "privacy")):
            controller.settings.open_page(page)
            settings = controller.settings.window
            assert settings is not None
            settings.resize(1100, 760)
            settle(1500)
            shoot(f"{number}-{page}", settings)
        settings.close()
        window.close()
        controller.close()
        window.deleteLater()
        application_.processEvents()


def main() -> None:
    seal.install()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent / "pictures")
    parser.add_argument("--language", choices=("zh", "en"), default="zh")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    arguments = parser.parse_args()
    take(arguments.folder, arguments.language, arguments.theme)


if __name__ == "__main__":
    main()

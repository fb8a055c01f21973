"""One run of the window, from QApplication to the end of the engine."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop import fonts, icons, languages
from desktop.engine_bridge import EngineBridge, EngineFactory
from desktop.library.keeping import WatcherFactory
from desktop.single_instance import FirstInstance
from desktop.window import MainWindow
from desktop.window_controller import WindowController
from engine.wording import Language, Wording


def make_application(language: Language | None = None) -> QApplication:
    """The QApplication with its names, style, fonts and language."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(["zhiye"])
    application.setApplicationName("zhiye")
    application.setOrganizationName("zhiye")
    application.setDesktopFileName("zhiye")
    application.setWindowIcon(icons.logo())
    # One style everywhere: the sheets are written for it, and it follows the system's light and dark.
    application.setStyle("Fusion")
    fonts.choose_font(application)
    languages.install(language or languages.system_language())
    return application


def window_shape() -> QSettings:
    """Where the window's shape is kept, and nothing else."""
    return QSettings("zhiye", "window")


def open_window(
    make_engine: EngineFactory,
    folders: Sequence[Path] = (),
    shape: QSettings | None = None,
    make_watcher: WatcherFactory | None = None,
) -> tuple[MainWindow, WindowController]:
    """A window that is on the screen and whose engine has been started.

    Without ``make_watcher`` it syncs nothing that nobody asks for.
    """
    window = MainWindow(shape if shape is not None else window_shape())
    bridge = EngineBridge(make_engine, window)
    controller = WindowController(bridge, window, folders, make_watcher)
    window.show()
    controller.start()
    return window, controller


def run_window(
    application: QApplication,
    make_engine: EngineFactory,
    folders: Sequence[Path],
    instance: FirstInstance,
    make_watcher: WatcherFactory,
) -> bool:
    """Run until the window is closed; False when the engine did not end in time."""
    window, controller = open_window(make_engine, folders, make_watcher=make_watcher)
    instance.summoned.connect(controller.come_forward)
    application.exec()
    instance.close()
    has_ended = controller.close()
    if has_ended:
        # Now, and not when the interpreter takes modules apart in an order of its own.
        window.deleteLater()
        application.processEvents()
        instance.release()
    return has_ended


def show_refusal(words: Wording) -> None:
    """Why the window cannot open."""
    QMessageBox.critical(None, QApplication.applicationName(), f"{words.title}\n\n{words.advice}".strip())

"""One run of the window, from QApplication to the end of the engine."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop import fonts, icons, languages, restarting
from desktop.appearance import Appearance
from desktop.autostart import Autostart, for_system, own_command
from desktop.engine_bridge import EngineBridge, EngineFactory
from desktop.library.keeping import WatcherFactory
from desktop.opening import Application
from desktop.preferences import Preferences
from desktop.problems.actions import ProblemActions, action_text
from desktop.single_instance import FirstInstance
from desktop.window import MainWindow
from desktop.window_controller import WindowController
from engine import paths
from engine.paths import Home
from engine.wording import Language, Wording


def make_application(language: Language | None = None) -> QApplication:
    """The QApplication with its names, style, fonts and language."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = Application(["zhiye"])
    application.setApplicationName("zhiye")
    application.setOrganizationName("zhiye")
    application.setDesktopFileName("zhiye")
    application.setWindowIcon(icons.logo())
    # One style everywhere: the sheets are written for it, and it follows the system's light and dark.
    application.setStyle("Fusion")
    fonts.choose_font(application)
    # Chinese words without Chinese shapes are empty boxes.
    usual = languages.system_language() if fonts.has_chinese() else "en"
    languages.install(language or usual)
    return application


def prepare(application: QApplication, preferences: Preferences, language: Language | None) -> None:
    """Give the application the language (``language`` first), colours and text size that a person chose."""
    if language is None and preferences.language is not None:
        languages.install(preferences.language)
    Appearance(application, preferences, application)


def window_shape() -> QSettings:
    """Where the window's shape is kept, and nothing else."""
    return QSettings("zhiye", "window")


def open_window(
    make_engine: EngineFactory,
    folders: Sequence[Path] = (),
    shape: QSettings | None = None,
    make_watcher: WatcherFactory | None = None,
    preferences: Preferences | None = None,
    autostart: Autostart | None = None,
    *,
    in_tray: bool = False,
) -> tuple[MainWindow, WindowController]:
    """A window that is on the screen and whose engine has been started.

    Without ``make_watcher`` it syncs nothing that nobody asks for. ``in_tray``: out of sight, where the
    preferences put an icon into the tray.
    """
    window = MainWindow(shape if shape is not None else window_shape())
    bridge = EngineBridge(make_engine, window)
    controller = WindowController(bridge, window, folders, make_watcher, preferences, autostart)
    if not (in_tray and controller.tray.is_on()):
        window.show()
    controller.start()
    return window, controller


def run_window(
    application: QApplication,
    make_engine: EngineFactory,
    folders: Sequence[Path],
    instance: FirstInstance,
    make_watcher: WatcherFactory,
    home: Home,
    language: Language | None = None,
    *,
    in_tray: bool = False,
) -> bool:
    """Run until the window is closed; False when the engine did not end in time."""
    preferences = Preferences(home.root / "window.ini")
    prepare(application, preferences, language)
    command = own_command(None if home == paths.home() else home.root)
    window, controller = open_window(
        make_engine,
        folders,
        make_watcher=make_watcher,
        preferences=preferences,
        autostart=for_system(command),
        in_tray=in_tray,
    )
    controller.problems.attach(home)
    instance.summoned.connect(controller.come_forward)
    application.exec()
    instance.close()
    has_ended = controller.close()
    if has_ended:
        # Now, and not when the interpreter takes modules apart in an order of its own.
        window.deleteLater()
        application.processEvents()
        instance.release()
        if controller.wants_restart:
            restarting.start_again()
    return has_ended


def show_refusal(words: Wording) -> None:
    """Why the window cannot open."""
    box = QMessageBox(QMessageBox.Icon.Critical, QApplication.applicationName(), words.title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(words.advice)
    box.addButton(QMessageBox.StandardButton.Ok)
    run = ProblemActions(box).of(words)
    if run is not None:
        box.addButton(action_text(words.action), QMessageBox.ButtonRole.ActionRole)
    box.exec()
    if run is not None and box.buttonRole(box.clickedButton()) == QMessageBox.ButtonRole.ActionRole:
        run(words)

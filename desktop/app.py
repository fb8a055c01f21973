"""Entry point of the window: ``zhiye-gui`` and ``python -m desktop``.

Nothing of Qt is imported before the seal, the streams, the frozen child's branch and torch's libraries.
"""

import argparse
import logging
import multiprocessing
import os
import sys
from collections.abc import Callable, MutableMapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from engine import config, leaving, logs, native, paths, seal
from engine.crash.capture import CrashCapture
from engine.crash.reports import CrashFolder
from engine.errors import CodedError
from engine.watching.watcher import FolderWatcher

if TYPE_CHECKING:
    from desktop.engine_bridge import Engine
    from engine.config import Settings
    from engine.events import Event
    from engine.paths import Home

_log = logging.getLogger(__name__)
EngineMaker = Callable[["Home", "Settings", Callable[["Event"], None]], "Engine"]


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window; returns the exit code."""
    seal.install()
    logs.ensure_streams()
    multiprocessing.freeze_support()
    native.preload()
    return run(argv, _engine_thread)


def run(argv: Sequence[str] | None, make_engine: EngineMaker) -> int:
    """The program with the engine that ``make_engine`` makes."""
    arguments = _parse(argv)
    prepare_environment(os.environ, qt_plugins())
    from desktop import application, error_text, single_instance

    qt_application = application.make_application(arguments.language)
    try:
        settings = config.load(arguments.config)
        home = paths.home(arguments.home or settings.home).create()
        instance = single_instance.claim(home.root, arguments.folders)
    except CodedError as error:
        application.show_refusal(error_text.describe(error.code, error.params))
        return error.exit_code
    if instance is None:
        return 0
    logs.set_up(home)
    with CrashCapture(CrashFolder(home.crash)):
        is_ended = application.run_window(
            qt_application,
            lambda on_event: make_engine(home, settings, on_event),
            arguments.folders,
            instance,
            lambda on_change: FolderWatcher(on_change, (home.root,)),
            home,
            arguments.language,
            in_tray=arguments.in_tray,
        )
    if not is_ended:
        # A native call that does not come back must not keep a closed program alive.
        leaving.prepare(home)
        logging.shutdown()
        os._exit(0)
    return 0


def _engine_thread(home: "Home", settings: "Settings", on_event: Callable[["Event"], None]) -> "Engine":
    from engine.thread import EngineThread

    return EngineThread(home, settings, on_event)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="zhiye-gui", description="知页 Zhiye")
    help_text = "folders and files to index, packs (.zhiye) to import"
    parser.add_argument("folders", nargs="*", type=Path, help=help_text)
    parser.add_argument("--home", type=Path, help="data folder")
    parser.add_argument("--config", type=Path, help="settings file (YAML)")
    parser.add_argument("--language", choices=("zh", "en"), help="language of the window")
    parser.add_argument("--in-tray", action="store_true", help="start out of sight, where the tray is used")
    return parser.parse_args(argv)


def qt_plugins() -> tuple[Path, ...]:
    """Folders Qt looks for plugins in, found without importing Qt."""
    folders = [Path(part) for part in os.environ.get("QT_PLUGIN_PATH", "").split(os.pathsep) if part]
    spec = find_spec("PySide6")
    for location in (spec.submodule_search_locations or []) if spec else []:
        folders += [Path(location, "Qt", "plugins"), Path(location, "plugins")]
    return tuple(folders)


def prepare_environment(
    environment: MutableMapping[str, str], plugins: Sequence[Path], platform: str = sys.platform
) -> None:
    """Let fcitx users type Chinese: without a fcitx plugin Qt uses the ibus one, which fcitx5 serves too."""
    if not platform.startswith("linux"):
        return
    wished = environment.get("QT_IM_MODULE", "")
    if not wished and "fcitx" in environment.get("XMODIFIERS", ""):
        wished = "fcitx"
    has_plugin = any(
        list(folder.joinpath("platforminputcontexts").glob("*fcitx*platforminputcontextplugin*"))
        for folder in plugins
    )
    if wished.startswith("fcitx") and not has_plugin:
        environment["QT_IM_MODULE"] = "ibus"
    # Qt 6.7 and later prefer this list to the single name.
    listed = environment.get("QT_IM_MODULES", "").split(";")
    if any(name.startswith("fcitx") for name in listed) and not has_plugin and "ibus" not in listed:
        environment["QT_IM_MODULES"] = ";".join([*listed, "ibus"])


if __name__ == "__main__":
    sys.exit(main())

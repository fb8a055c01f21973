"""Start, notices, shape and the end of the window; the program as a process."""

import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from desktop import application
from desktop.app import prepare_environment, qt_plugins
from engine.commands import IngestFolders, ListLibraries, PrepareModels
from engine.events import LibrariesListed, ModelsReady, Notice
from tests.desktop import sample_content

ROOT = Path(__file__).parents[2]


def test_it_starts_with_the_libraries_and_then_the_models(opened):
    kinds = [type(command) for command in opened.engine.sent]
    assert opened.engine.is_started
    assert kinds.index(ListLibraries) < kinds.index(PrepareModels)
    assert opened.child(QPushButton, "modelLabel").text() == "对话模型：qwen2.5-1.5b"


def test_folders_given_at_start_are_indexed(qtbot, make_engine, shape):
    window, controller = application.open_window(make_engine, (Path("/甲"), Path("/乙")), shape)
    assert make_engine.engine.last(IngestFolders).folders == (Path("/甲"), Path("/乙"))
    window.close()
    controller.close()
    window.deleteLater()


def test_a_missing_model_is_said_calmly_and_can_be_closed(qtbot, opened):
    opened.engine.scripts[PrepareModels] = lambda c: [
        Notice(c.task_id, "model_missing", {"model": "m"}),
        ModelsReady(c.task_id, "bge", None),
    ]
    opened.controller._prepare_models()
    banners = opened.window.banners
    qtbot.waitUntil(lambda: bool(banners.messages()))
    assert opened.child(QPushButton, "modelLabel").text() == "没有对话模型：只显示片段"
    qtbot.mouseClick(opened.child(QToolButton, "bannerClose"), Qt.MouseButton.LeftButton)
    assert banners.messages() == [] and not banners.isVisible()


def test_one_banner_of_a_kind_and_three_at_most(opened):
    for code in ("library_busy", "library_busy", "index_damaged", "storage_failed", "not_readable"):
        opened.controller._on_problem(code, {})
    assert len(opened.window.banners.messages()) == 3


def test_while_a_library_is_shared_the_window_says_where(qtbot, opened):
    footer = opened.window.offline_button
    assert "离线" in footer.text()
    shared = replace(sample_content.library("共享"), team="milvus.lan:19530")
    list_again(opened, (sample_content.library("公司制度"), shared))
    assert "milvus.lan:19530" in footer.text() and "离线" not in footer.text()
    (message,) = opened.window.banners.messages()
    assert "共享" in message and "milvus.lan:19530" in message
    list_again(opened, (sample_content.library("公司制度"),))
    assert "离线" in footer.text() and opened.window.banners.messages() == []


def list_again(opened, libraries) -> None:
    opened.engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, libraries)]
    opened.controller.library.list_libraries()
    QApplication.processEvents()


def test_the_shape_of_the_window_comes_back(qtbot, make_engine, shape):
    window, controller = application.open_window(make_engine, shape=shape)
    # As small as it gets, since the offscreen screen is smaller still.
    window.resize(window.minimumSize())
    window.workspace.setSizes([260, 390, 308])
    sizes = window.workspace.sizes()
    window.close()
    controller.close()
    window.deleteLater()
    again, controller = application.open_window(make_engine, shape=shape)
    assert again.workspace.sizes() == pytest.approx(sizes, abs=3)
    assert set(shape.allKeys()) == {"window/geometry", "window/panels"}
    again.close()
    controller.close()
    again.deleteLater()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"QT_IM_MODULE": "fcitx"}, "ibus"),
        ({"QT_IM_MODULE": "fcitx5"}, "ibus"),
        ({"XMODIFIERS": "@im=fcitx"}, "ibus"),
        ({"QT_IM_MODULE": "ibus", "XMODIFIERS": "@im=fcitx"}, "ibus"),
        ({"QT_IM_MODULE": "compose"}, "compose"),
        ({}, None),
    ],
)
def test_fcitx_without_a_plugin_becomes_ibus(tmp_path, environment, expected):
    prepare_environment(environment, (tmp_path,), "linux")
    assert environment.get("QT_IM_MODULE") == expected


def test_fcitx_with_its_plugin_stays(tmp_path):
    folder = tmp_path / "platforminputcontexts"
    folder.mkdir()
    (folder / "libfcitx5platforminputcontextplugin.so").touch()
    environment = {"QT_IM_MODULE": "fcitx", "QT_IM_MODULES": "wayland;fcitx"}
    prepare_environment(environment, (tmp_path,), "linux")
    assert environment == {"QT_IM_MODULE": "fcitx", "QT_IM_MODULES": "wayland;fcitx"}


def test_other_systems_are_left_alone(tmp_path):
    environment = {"QT_IM_MODULE": "fcitx", "QT_IM_MODULES": "fcitx"}
    prepare_environment(environment, (tmp_path,), "darwin")
    assert environment["QT_IM_MODULE"] == "fcitx"
    prepare_environment(environment, (tmp_path,), "linux")
    assert environment["QT_IM_MODULES"] == "fcitx;ibus"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the input method of Linux")
def test_qt_s_own_plugins_are_found():
    assert any(list(folder.glob("platforminputcontexts/*ibus*")) for folder in qt_plugins())


def run_python(code: str, tmp_path: Path, *options: str) -> subprocess.CompletedProcess:
    environment = {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PATH": "/usr/bin:/bin",
        "SYSTEMROOT": "C:\\Windows",
    }
    return subprocess.run(
        [sys.executable, "-W", "error", *options, "-c", textwrap.dedent(code)],
        env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


BUSY = """
    import sys, threading, time
    from desktop import app
    from engine.commands import AskQuestion, IngestFolders, ListLibraries, PrepareModels
    from engine.events import *

    class Busy:
        '''Talks without a pause about every task until it is stopped.'''
        def __init__(self, home, settings, on_event):
            self.on_event, self.tasks, self.ends = on_event, [], threading.Event()
            self.thread = threading.Thread(target=self.talk)
        def start(self): self.thread.start()
        def send(self, command): self.tasks.append(command)
        def stop(self, timeout):
            self.ends.set()
            self.thread.join(timeout)
            return not self.thread.is_alive()
        def talk(self):
            while not self.ends.wait(0.001):
                for command in list(self.tasks):
                    task = command.task_id
                    if isinstance(command, AskQuestion):
                        self.on_event(AnswerText(task, "字"))
                    elif isinstance(command, IngestFolders):
                        self.on_event(ScanFinished(task, "库", 5))
                        self.on_event(FileStarted(task, "一.md"))

    def drive():
        window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "mainWindow")
        if {moment!r} == "answering":
            window.ask_panel.composer.question_box.setPlainText("问")
            window.ask_panel.composer.ask_button.click()
        QTimer.singleShot(400, window.close)

    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    from desktop import window_controller
    begin = window_controller.WindowController.start
    def start(self):
        begin(self)
        QTimer.singleShot(100, drive)
    window_controller.WindowController.start = start
    folders = ["/资料"] if {moment!r} == "indexing" else []
    sys.exit(app.run(["--home", {home!r}, *folders], Busy))
"""


@pytest.mark.parametrize("moment", ["loading", "indexing", "answering"])
def test_closing_while_busy_is_clean(tmp_path, moment):
    done = run_python(BUSY.format(moment=moment, home=str(tmp_path / "home")), tmp_path)
    assert done.returncode == 0, done.stderr
    for noise in ("Destroyed", "already deleted", "Exception ignored", "Traceback"):
        assert noise not in done.stderr


def test_an_engine_that_does_not_end_cannot_hold_the_program(tmp_path):
    code = BUSY.format(moment="loading", home=str(tmp_path / "home")).replace(
        "return not self.thread.is_alive()", "return False"
    )
    assert run_python(code, tmp_path).returncode == 0


def test_entry_point_works_without_streams(tmp_path):
    code = BUSY.format(moment="answering", home=str(tmp_path / "home"))
    code = code.replace(
        "import sys, threading, time", "import sys, threading, time\n    sys.stdout = sys.stderr = None"
    )
    assert run_python(code, tmp_path).returncode == 0


def test_importing_the_entry_point_loads_no_qt_and_no_heavy_library(tmp_path):
    code = """
        import sys
        import desktop.app
        heavy = {"PySide6", "torch", "faiss", "llama_cpp", "pymupdf", "fitz"} & set(sys.modules)
        sys.exit(str(heavy) if heavy else 0)
    """
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_window_loads_no_heavy_library(tmp_path):
    code = """
        import sys
        import desktop.application
        heavy = {"torch", "faiss", "llama_cpp", "pymupdf", "fitz", "transformers"} & set(sys.modules)
        sys.exit(str(heavy) if heavy else 0)
    """
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr


def test_void_calls_do_not_use_up_none(tmp_path):
    """PySide6 6.12.0 dropped a reference of None on each; Python 3.11 died of it after minutes."""
    code = """
        import sys
        from PySide6.QtWidgets import QApplication, QLabel
        from PySide6.QtCore import QTimer
        app, label, timer = QApplication([]), QLabel(), QTimer()
        before = sys.getrefcount(None)
        for _ in range(500):
            app.processEvents(); label.setText("x"); timer.setInterval(1)
        sys.exit(0 if abs(sys.getrefcount(None) - before) < 50 else 1)
    """
    assert run_python(code, tmp_path).returncode == 0


def test_five_thousand_tokens_are_survived(tmp_path):
    code = """
        from PySide6.QtWidgets import QApplication
        app = QApplication([])
        from desktop.ask.answer_view import AnswerView
        view = AnswerView(); view.resize(500, 300); view.show()
        for number in range(500):
            view.append_text("字" * 10)
            app.processEvents()
        assert len(view.toPlainText()) == 5000
    """
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_bad_settings_file_ends_with_its_exit_code(tmp_path):
    settings = tmp_path / "s.yaml"
    settings.write_text("nonsense: 1\n", encoding="utf-8")
    code = f"""
        import sys
        from desktop import app, application
        said = []
        application.show_refusal = lambda words: said.append(words.title)
        code = app.run(["--config", {str(settings)!r}, "--language", "zh"], None)
        assert said and "nonsense" in said[0], said
        sys.exit(code)
    """
    done = run_python(code, tmp_path)
    assert done.returncode == 2, done.stderr

"""Messages with buttons, the card after a crash, and the log page."""

import logging
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QPushButton

from desktop import application, error_text, languages
from desktop.banner import Banners
from desktop.problems import actions
from desktop.problems.actions import ActionButton, ProblemActions, action_text
from engine import logs, wording
from engine.crash.reports import CrashFolder
from engine.events import TaskFailed
from engine.paths import Home
from engine.wording import Wording
from tests.desktop.conftest import Opened, process_events_until
from tests.desktop.test_accessibility import unnamed
from tests.desktop.test_window import run_python


@pytest.fixture
def home(tmp_path: Path):
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    made = Home(tmp_path / "家").create()
    logs.set_up(made)
    yield made
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


@pytest.fixture
def places(monkeypatch) -> list[Path]:
    """Folders that were opened in the system's file manager."""
    found: list[Path] = []

    def opened(url: QUrl) -> bool:
        found.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", opened)
    return found


def button_of(banners: Banners) -> ActionButton:
    (button,) = banners.findChildren(ActionButton, "bannerAction")
    return button


def show(opened: Opened, code: str, **params: object) -> ActionButton:
    opened.window.banners.show_message(code, error_text.describe(code, params), "warn")
    return button_of(opened.window.banners)


def test_every_action_has_a_button_text_in_both_languages(qapp):
    codes = {entry["action"] for entry in wording.codes("zh").values() if "action" in entry}
    assert len(codes) >= 6
    for language in ("zh", "en"):
        languages.install(language)
        assert len({action_text(code) for code in codes}) == len(codes)


def test_every_action_but_trying_again_is_offered_by_the_window(opened, home):
    opened.controller.problems.attach(home)
    offered = opened.controller.problems.actions
    for code in {entry["action"] for entry in wording.codes("zh").values() if "action" in entry}:
        words = Wording("", "", code, "/x")
        assert (offered.of(words) is None) is (code == actions.TRY_AGAIN), code


def test_a_damaged_knowledge_base_offers_a_check(opened):
    button = show(opened, "library_damaged", path="/a/library.sqlite", detail="malformed")
    assert button.text() == "检查并修复" and not button.isHidden()
    button.click()
    assert opened.controller.health.window is not None


def test_a_missing_model_leads_to_the_models(opened):
    show(opened, "model_missing").click()
    settings = opened.controller.settings.window
    assert settings is not None and settings.isVisible()


def test_a_file_is_shown_in_the_nearest_folder_that_is_there(opened, tmp_path, places):
    show(opened, "not_readable", path=str(tmp_path / "没有" / "合同.pdf")).click()
    assert places == [tmp_path]


def test_a_message_about_no_file_of_this_machine_has_no_button(opened):
    assert show(opened, "not_readable", path="合同.pdf").isHidden()
    opened.window.banners.take_back("not_readable")
    process_events_until(lambda: not opened.window.banners.isVisible())


def test_a_message_without_an_action_has_no_button(opened):
    assert show(opened, "lexical_only").isHidden()


def test_what_failed_for_now_can_be_tried_again(opened):
    banners, tried = opened.window.banners, []
    words = error_text.describe("library_busy", {"name": "库"})
    banners.show_message("library_busy", words, "warn", lambda: tried.append(1))
    button = button_of(banners)
    assert button.text() == "重试"
    button.click()
    assert tried == [1] and banners.messages() == []


def test_a_question_that_failed_for_now_can_be_asked_again(opened):
    task = opened.ask("年假多少天？")
    opened.engine.emit(TaskFailed(task, "server_busy", {"address": "x", "detail": "y"}, retryable=True))
    process_events_until(lambda: not opened.controller.ask.is_busy())
    button = opened.turns[0].failure.action_button
    assert button.text() == "重试"
    button.click()
    assert opened.engine.sent[-1].question == "年假多少天？"
    assert opened.engine.sent[-1].task_id != task


def test_a_question_that_failed_inside_offers_the_log(opened, home):
    opened.controller.problems.attach(home)
    task = opened.ask("年假多少天？")
    opened.engine.emit(TaskFailed(task, "internal", {"detail": "ValueError"}))
    process_events_until(lambda: not opened.controller.ask.is_busy())
    opened.turns[0].failure.action_button.click()
    assert opened.controller.settings.window.page_list.currentItem().text() == "日志"


@pytest.mark.parametrize("is_pressed", [True, False])
def test_a_start_that_is_refused_shows_the_file_on_demand(qapp, tmp_path, places, monkeypatch, is_pressed):
    shown = []

    def answer(box: QMessageBox) -> None:
        shown.append(f"{box.text()} {box.informativeText()}")
        texts = {button.text(): button for button in box.buttons()}
        texts["显示文件" if is_pressed else "确定"].click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    words = error_text.describe("not_readable", {"path": str(tmp_path / "设置.yaml")})
    application.show_refusal(words)
    assert shown == [f"{words.title} {words.advice}"]
    assert places == ([tmp_path] if is_pressed else [])


def test_what_ends_the_main_function_is_told_at_the_next_start(tmp_path):
    code = f"""
        from desktop import app, application
        def fail(*_, **__): raise ValueError("张三的工资")
        application.run_window = fail
        app.run(["--home", {str(tmp_path / "家")!r}], None)
    """
    assert run_python(code, tmp_path).returncode == 1
    (report,) = CrashFolder(tmp_path / "家" / "crash").unseen()
    assert report.fatal and "builtins.ValueError\n  at desktop/app.py:" in report.text
    assert "张三" not in report.text


def crashed(home: Home, *, fatal: bool = True) -> None:
    CrashFolder(home.crash).write(["builtins.ValueError", "  at engine/thread.py:1 in _run"], fatal=fatal)


def test_nothing_is_told_after_an_orderly_end(opened, home):
    opened.controller.problems.attach(home)
    assert opened.controller.problems.crash.card is None
    assert not opened.window.banners.isVisible()


@pytest.mark.parametrize(
    ("fatal", "title"), [(True, "知页上次意外退出了"), (False, "知页上次运行时内部出过错")]
)
def test_a_crash_is_told_at_the_next_start(opened, home, fatal, title):
    crashed(home, fatal=fatal)
    opened.controller.problems.attach(home)
    assert opened.controller.problems.crash.card.title_label.text() == title
    assert opened.window.banners.isVisible()


def test_a_report_is_copied_shown_and_deleted(opened, home, places):
    crashed(home)
    opened.controller.problems.attach(home)
    crash = opened.controller.problems.crash
    crash.card.copy_button.click()
    assert "builtins.ValueError" in QGuiApplication.clipboard().text()
    crash.card.show_button.click()
    assert crash.window.text_view.toPlainText() == crash.text()
    crash.window.folder_button.click()
    assert places == [home.crash]
    crash.card.delete_button.click()
    assert list(home.crash.iterdir()) == []
    assert not opened.window.banners.isVisible()


def test_a_card_that_was_closed_does_not_come_back(opened, home):
    crashed(home)
    opened.controller.problems.attach(home)
    opened.controller.problems.crash.card.close_button.click()
    opened.controller.problems.attach(home)
    assert opened.controller.problems.crash.card is None
    assert len(list(home.crash.iterdir())) == 1


def test_banners_come_and_go_below_the_card(opened, home):
    crashed(home)
    opened.controller.problems.attach(home)
    banners = opened.window.banners
    show(opened, "lexical_only")
    banners.take_back("lexical_only")
    assert banners.isVisible()
    opened.controller.problems.crash.card.delete_button.click()
    assert not banners.isVisible()


def test_every_control_has_a_name(opened, home):
    crashed(home)
    opened.controller.problems.attach(home)
    crash = opened.controller.problems.crash
    crash.show()
    opened.controller.settings.open_page("log")
    page = opened.controller.settings.window.page("log")
    assert [*unnamed(crash.card), *unnamed(crash.window), *unnamed(page)] == []


@pytest.fixture
def log_page(opened, home):
    for level, text in (
        (logging.INFO, "indexed 3 files"),
        (logging.WARNING, "a file died"),
        (40, "job failed"),
    ):
        logging.getLogger("engine.x").log(level, text)
    opened.controller.problems.attach(home)
    opened.controller.settings.open_page("log")
    return opened.controller.settings.window.page("log")


def lines(page) -> list[str]:
    return [line.split(": ", 1)[1] for line in page.text_view.toPlainText().split("\n") if line]


def test_the_log_is_chosen_from_by_level_and_words(log_page):
    assert lines(log_page) == ["indexed 3 files", "a file died", "job failed"]
    log_page.level_box.setCurrentIndex(2)
    assert lines(log_page) == ["a file died", "job failed"]
    log_page.search_edit.setText("FILE")
    process_events_until(lambda: lines(log_page) == ["a file died"])
    log_page.copy_button.click()
    assert QGuiApplication.clipboard().text().endswith("WARNING engine.x: a file died")
    log_page.search_edit.setText("nothing says this")
    process_events_until(lambda: not lines(log_page))
    assert not log_page.copy_button.isEnabled()


def test_the_log_is_read_again_and_its_folder_opened(log_page, home, places):
    logging.getLogger("engine.x").info("later")
    log_page.reload_button.click()
    assert lines(log_page)[-1] == "later"
    log_page.folder_button.click()
    assert places == [home.logs]


@pytest.mark.parametrize("confirmed", [True, False])
def test_the_log_is_emptied_only_when_that_is_confirmed(log_page, home, monkeypatch, confirmed):
    def answer(box: QMessageBox) -> None:
        if confirmed:
            box.findChild(QPushButton, "confirmClearLog").click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    log_page.clear_button.click()
    assert lines(log_page) == ([] if confirmed else ["indexed 3 files", "a file died", "job failed"])


def test_what_nobody_offers_has_no_button(qapp):
    assert ProblemActions().of(Wording("", "", "open_log")) is None

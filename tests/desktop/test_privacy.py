"""The privacy page: what it shows, what its buttons send, and the count at the foot of the window."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

from desktop.privacy import controller as privacy_controller
from desktop.privacy import words
from engine import seal
from engine.commands import ClearHistory, ListLibraries, StopTask
from engine.events import StepProgress, TaskFailed
from engine.privacy.messages import (
    ClearEverything,
    EverythingCleared,
    HomeMoved,
    LastProof,
    MoveHome,
    OfflineProved,
    ProveOffline,
    ReadPrivacy,
)
from engine.seal import Attempt
from tests.desktop.privacy_screenshots import HOME, PROOF, read
from tests.desktop.sample_settings import KeptSettings


@pytest.fixture
def opened_urls(monkeypatch) -> list[str]:
    """What the system was asked to open."""
    urls: list[str] = []
    monkeypatch.setattr(
        privacy_controller.QDesktopServices, "openUrl", lambda url: urls.append(url.toLocalFile()) or True
    )
    return urls


@pytest.fixture
def page(qtbot, opened, opened_urls):
    opened.engine.scripts |= KeptSettings().scripts()
    opened.engine.scripts[ReadPrivacy] = lambda c: [read(c.task_id)]
    opened.window.offline_button.click()
    made = opened.controller.privacy.page
    qtbot.waitUntil(lambda: made.report_button.isVisible())
    return made


def answer_next_box(name: str) -> list[str]:
    """Click the button of this name in the question that comes; what it said comes back."""
    said: list[str] = []

    def click() -> None:
        box = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox) and w.isVisible())
        said.append(f"{box.text()} {box.informativeText()}")
        box.findChild(QPushButton, name).click() if name else box.reject()

    QTimer.singleShot(0, click)
    return said


def test_the_foot_of_the_window_counts_what_tried_to_leave(opened, monkeypatch) -> None:
    assert opened.window.offline_button.text() == "离线：没有数据离开这台电脑 · 0次外联尝试"
    tried = Attempt("socket.getaddrinfo", "telemetry.example", "", "nosy")
    monkeypatch.setattr(seal, "attempts", lambda: (tried, tried))
    opened.controller.privacy.look()
    assert opened.window.offline_button.text().endswith("2次外联尝试")
    opened.window.show_sharing(["milvus.lan:19530"])
    assert "milvus.lan:19530" in opened.window.offline_button.text()


def test_a_click_on_it_opens_the_page_with_what_is_stored(opened, page) -> None:
    settings = opened.controller.settings.window
    assert settings.isVisible() and settings.page("privacy") is page
    assert page.home_row.sentence_label.text() == str(HOME)
    values = {kind: row.value_label.text() for kind, row in page.place_rows.items()}
    assert values["libraries"] == "183 MB" and values["models"] == "1.1 GB"
    assert (values["crash"], values["proof"]) == ("空", "不到1 MB")
    assert "通过，0次外联尝试" in page.proof_row.sentence_label.text()


def test_every_control_says_what_it_is(page) -> None:
    for button in page.findChildren(QPushButton):
        assert button.text() or not button.isVisible(), button.objectName()


def test_attempts_are_named_each_target_once(page, opened, monkeypatch) -> None:
    tried = [Attempt("socket.connect", target, "", "nosy") for target in ("a", "b", "a")]
    monkeypatch.setattr(seal, "attempts", lambda: tuple(tried))
    opened.controller.privacy.look()
    assert page.attempts_row.value_label.text() == "3"
    assert page.attempts_row.sentence_label.text() == "nosy → a  × 2\nnosy → b  × 1"


def test_the_proof_runs_shows_its_progress_and_opens_its_report(qtbot, opened, page, opened_urls) -> None:
    page.prove_button.click()
    command = opened.engine.last(ProveOffline)
    assert command.language == "zh"
    assert page.stop_proof_button.isVisible() and not page.prove_button.isVisible()
    opened.engine.emit(StepProgress(command.task_id, "progress_proof", 1, 2))
    qtbot.waitUntil(lambda: page.proof_row.busy_bar.maximum() == 2)
    failed = LastProof(False, 3, PROOF.at, PROOF.report)
    opened.engine.done(command.task_id, OfflineProved(command.task_id, failed))
    qtbot.waitUntil(lambda: page.prove_button.isVisible())
    assert opened_urls == [str(PROOF.report)]
    assert "未通过，3次外联尝试" in page.note.label.text()
    assert not page.proof_row.busy_bar.isVisible()


def test_a_running_proof_can_be_stopped(qtbot, opened, page) -> None:
    page.prove_button.click()
    page.stop_proof_button.click()
    assert opened.engine.last(StopTask).task_id == opened.engine.last(ProveOffline).task_id
    qtbot.waitUntil(lambda: page.prove_button.isVisible())


def test_why_a_proof_was_refused_is_said(qtbot, opened, page) -> None:
    page.prove_button.click()
    task = opened.engine.last(ProveOffline).task_id
    opened.engine.emit(TaskFailed(task, "proof_refused", {"names": ("法务",)}, False))
    qtbot.waitUntil(lambda: "法务" in page.note.label.text())


def test_what_is_shared_cannot_be_proved(qtbot, opened, page) -> None:
    opened.engine.scripts[ReadPrivacy] = lambda c: [read(c.task_id, None, ("milvus.lan:19530",))]
    opened.controller.privacy.read()
    qtbot.waitUntil(lambda: not page.prove_button.isEnabled())
    assert "milvus.lan:19530" in page.proof_row.sentence_label.text()
    assert not page.report_button.isVisible()


def test_report_and_folder_are_opened_where_they_lie(page, opened_urls) -> None:
    page.report_button.click()
    page.open_button.click()
    assert opened_urls == [str(PROOF.report), str(HOME)]


@pytest.mark.parametrize(
    ("button", "yes", "command"),
    [
        ("clear_button", "confirmClearEverything", ClearEverything),
        ("history_button", "confirmClearHistory", ClearHistory),
    ],
)
def test_clearing_is_asked_about_first(qtbot, opened, page, button, yes, command) -> None:
    said = answer_next_box("")
    getattr(page, button).click()
    assert "不能恢复" in said[0]
    assert opened.engine.commands(command) == []
    answer_next_box(yes)
    getattr(page, button).click()
    (sent,) = opened.engine.commands(command)
    before = len(opened.engine.commands(ListLibraries))
    told = [EverythingCleared(sent.task_id, 2, 1)] if command is ClearEverything else []
    opened.engine.done(sent.task_id, *told)
    qtbot.waitUntil(lambda: len(opened.engine.commands(ListLibraries)) > before)


def test_the_data_moves_and_the_program_starts_again(qtbot, opened, page, monkeypatch, tmp_path) -> None:
    restarts: list[bool] = []
    monkeypatch.setattr(opened.controller.tray, "quit", lambda: restarts.append(True))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    said = answer_next_box("confirmMove")
    page.move_button.click()
    command = opened.engine.last(MoveHome)
    assert command.target == tmp_path / "Zhiye" and str(command.target) in said[0]
    assert page.stop_move_button.isVisible() and not page.clear_button.isEnabled()
    opened.engine.emit(StepProgress(command.task_id, "progress_move", 3, 12))
    qtbot.waitUntil(lambda: page.move_row.busy_bar.value() == 3)
    opened.engine.done(command.task_id, HomeMoved(command.task_id, command.target, 12))
    qtbot.waitUntil(lambda: bool(restarts))
    assert opened.controller.wants_restart


def test_choosing_no_folder_moves_nothing(opened, page, monkeypatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    page.move_button.click()
    assert opened.engine.commands(MoveHome) == []


def test_sizes_are_said_as_people_say_them(qapp) -> None:
    assert [words.size(n) for n in (0, 900, 2_450_000, 1_117_000_000)] == ["空", "不到1 MB", "2 MB", "1.1 GB"]

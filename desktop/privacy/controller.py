"""Fills the privacy page, runs what its buttons say, and counts in the footer what tried to leave."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from desktop import error_text, languages
from desktop.engine_bridge import EngineBridge
from desktop.privacy import questions, words
from desktop.privacy.page import PrivacyPage
from desktop.settings.window import SettingsWindow
from engine import seal
from engine.commands import ClearHistory, Command
from engine.events import Event, StepProgress, TaskDone, TaskFailed, TaskStopped
from engine.privacy.messages import (
    ClearEverything,
    EverythingCleared,
    HomeMoved,
    LastProof,
    MoveHome,
    OfflineProved,
    PrivacyRead,
    ProveOffline,
    ReadPrivacy,
)

NAME = "privacy"
LOOK_MS = 2000
"""How often the seal is asked: it counts in whatever thread something was tried."""


class PrivacyController(QObject):
    """The page comes with the settings window; the count is looked at from the start.

    Signals:
        attempts_changed(object): how often something tried to leave since the start, an int.
        cleared(): conversations or everything went; lists are others than before.
        restart_wanted(): the data was moved; the program is to start again.
    """

    attempts_changed = Signal(object)
    cleared = Signal()
    restart_wanted = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._count = 0
        self._proof: LastProof | None = None
        self._home: Path | None = None
        self._proving: int | None = None
        self._moving: int | None = None
        self.page: PrivacyPage | None = None
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self.look)
        self._look.start()

    @Slot(object)
    def add_page(self, window: SettingsWindow) -> None:
        """The settings window was made."""
        self.page = page = PrivacyPage()
        window.add_page(NAME, "offline", self.tr("Privacy"), page)
        page.prove_button.clicked.connect(self.prove)
        page.stop_proof_button.clicked.connect(self._on_stop_proof)
        page.report_button.clicked.connect(self._on_report)
        page.open_button.clicked.connect(self._on_open)
        page.move_button.clicked.connect(self._on_move)
        page.stop_move_button.clicked.connect(self._on_stop_move)
        page.history_button.clicked.connect(self._on_clear_history)
        page.clear_button.clicked.connect(self._on_clear)
        self._show_attempts()
        self.read()

    @Slot()
    def read(self) -> None:
        """Ask what is stored now."""
        if self.page is not None:
            self._bridge.send(ReadPrivacy(self._bridge.new_task()), self._on_event)

    @Slot()
    def look(self) -> None:
        """Tell when something has tried to leave."""
        count = len(seal.attempts())
        if count != self._count:
            self._count = count
            self._show_attempts()
            self.attempts_changed.emit(count)

    @Slot()
    def prove(self) -> None:
        if self.page is not None and self._proving is None:
            self.page.note.show_note("")
            self.page.show_proving(True)
            self.page.proof_row.show_progress(0, 0)
            command = ProveOffline(self._bridge.new_task(), languages.current())
            self._proving = self._bridge.send(command, self._on_proof_event)

    def _show_attempts(self) -> None:
        if self.page is not None:
            self.page.show_attempts(str(self._count), words.attempt_lines(seal.attempts()))

    def _on_event(self, event: Event) -> None:
        if self.page is None:
            return
        if isinstance(event, PrivacyRead):
            self._proof, self._home = event.proof, event.home
            self.page.show_read(event)
        elif isinstance(event, TaskFailed):
            self._fail(event)

    def _on_proof_event(self, event: Event) -> None:
        if self.page is None:
            return
        if isinstance(event, StepProgress):
            self.page.proof_row.show_progress(event.done, 0 if event.done == 0 else event.total)
        elif isinstance(event, OfflineProved):
            self._proof = event.proof
            tone = "info" if event.proof.ok else "warn"
            self.page.note.show_note(words.last_proof(event.proof), "", tone)
            self._open(event.proof.report)
        elif isinstance(event, (TaskDone, TaskFailed, TaskStopped)):
            self._proving = None
            self.page.show_proving(False)
            if isinstance(event, TaskFailed):
                self._fail(event)
            self.read()

    def _on_move_event(self, event: Event) -> None:
        if self.page is None:
            return
        if isinstance(event, StepProgress):
            self.page.move_row.show_progress(event.done, event.total)
        elif isinstance(event, HomeMoved):
            self.restart_wanted.emit()
        elif isinstance(event, (TaskDone, TaskFailed, TaskStopped)):
            self._moving = None
            self.page.show_moving(False)
            if isinstance(event, TaskFailed):
                self._fail(event)

    def _on_cleared(self, event: Event) -> None:
        if self.page is None:
            return
        if isinstance(event, EverythingCleared):
            self.page.note.show_note(self.tr("Everything was cleared."), "", "info")
        elif isinstance(event, TaskFailed):
            self._fail(event)
        if isinstance(event, (TaskDone, TaskFailed)):
            self.cleared.emit()
            self.read()

    def _fail(self, event: TaskFailed) -> None:
        if self.page is not None:
            told = error_text.describe(event.code, event.params)
            self.page.note.show_note(str(told), "", "warn")

    def _confirm(self, question: Callable[[PrivacyPage], bool], command: type) -> None:
        if self.page is not None and question(self.page):
            chosen: Command = command(self._bridge.new_task())
            self._bridge.send(chosen, self._on_cleared)

    @Slot()
    def _on_clear(self) -> None:
        self._confirm(questions.wants_everything_cleared, ClearEverything)

    @Slot()
    def _on_clear_history(self) -> None:
        self._confirm(questions.wants_history_cleared, ClearHistory)

    @Slot()
    def _on_move(self) -> None:
        if self.page is None or (target := questions.new_home(self.page)) is None:
            return
        self.page.note.show_note("")
        self.page.show_moving(True)
        self.page.move_row.show_progress(0, 0)
        command = MoveHome(self._bridge.new_task(), target)
        self._moving = self._bridge.send(command, self._on_move_event)

    @Slot()
    def _on_stop_proof(self) -> None:
        self._stop(self._proving)

    @Slot()
    def _on_stop_move(self) -> None:
        self._stop(self._moving)

    def _stop(self, task: int | None) -> None:
        if task is not None:
            self._bridge.stop_task(task)

    @Slot()
    def _on_report(self) -> None:
        if self._proof is not None:
            self._open(self._proof.report)

    @Slot()
    def _on_open(self) -> None:
        if self._home is not None:
            self._open(self._home)

    def _open(self, path: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

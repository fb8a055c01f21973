"""Reads, checks and shows a draft; one window, one check at a time."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop import error_text
from desktop.ask import answer_copy
from desktop.ask.filter_words import all_words, conditions
from desktop.ask.scope_controller import ScopeController
from desktop.check import draft_layout
from desktop.check.window import CheckWindow
from desktop.engine_bridge import EngineBridge
from engine.answer_events import DraftChecked, DraftRead
from engine.answers import CheckedDraft
from engine.commands import CheckDraft, ReadDraft
from engine.events import Event, Notice, StepProgress, TaskFailed, TaskStopped


class CheckController(QObject):
    """Checks against the documents that questions go to at that moment.

    Signals:
        source_opened(object): the Citation a person wants to read.
    """

    source_opened = Signal(object)

    def __init__(
        self, bridge: EngineBridge, owner: QWidget, scope: ScopeController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._scope = scope
        self._task: int | None = None
        # A check that was stopped, until it has told what it found, with the text that it was of.
        self._stopped: tuple[int, str] | None = None
        self._sent = ""
        self._text = ""
        self._checked: CheckedDraft | None = None
        self.window: CheckWindow | None = None

    @Slot()
    def open(self) -> None:
        """Show the window with the draft that was in it, or bring it forward."""
        if self.window is None:
            self.window = self._make_window()
        self._show_scope(self.window)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        self.window.draft_edit.setFocus()

    def _make_window(self) -> CheckWindow:
        window = CheckWindow(self._owner)
        window.open_button.clicked.connect(self.choose_file)
        window.check_button.clicked.connect(self.check)
        window.stop_button.clicked.connect(self.stop)
        window.copy_button.clicked.connect(self.copy)
        window.draft_edit.textChanged.connect(self._on_text_changed)
        window.checked_view.citation_clicked.connect(self._on_citation_clicked)
        window.escape.activated.connect(self._on_escape)
        window.show_can_check(False)
        return window

    def _show_scope(self, window: CheckWindow) -> None:
        names = self._scope.libraries()
        where = self.tr(", ").join(names) if names else self.tr("all knowledge bases")
        parts = [self.tr("Checked against: {where}").format(where=where)]
        if found := conditions(self._scope.chosen()):
            parts.append(all_words(found))
        window.scope_label.setText(" · ".join(parts))

    @Slot()
    def choose_file(self) -> None:
        if self.window is None:
            return
        title, kinds = self.tr("Open a draft"), self.tr("Text (*.txt *.md *.markdown)")
        chosen, _ = QFileDialog.getOpenFileName(self.window, title, "", kinds)
        if chosen:
            self.read(Path(chosen))

    def read(self, path: Path) -> None:
        """Have the engine read a file, which takes the place of the draft."""
        self._task = self._bridge.send(ReadDraft(self._bridge.new_task(), path), self._on_event)

    @Slot()
    def check(self) -> None:
        window = self.window
        if window is None or self._task is not None:
            return
        self._sent = window.draft_edit.toPlainText()
        if not self._sent.strip():
            return
        self._show_scope(window)
        window.show_hint("")
        window.show_progress(self.tr("Checking…"), 0, 0)
        task = self._bridge.new_task()
        command = CheckDraft(task, self._sent, self._scope.libraries(), self._scope.chosen())
        self._task = self._bridge.send(command, self._on_event)

    @Slot()
    def stop(self) -> None:
        """The draft is free at once; the sentences that were checked until then are shown when they come."""
        if self._task is not None and self.window is not None:
            self._stopped = self._task, self._sent
            self._bridge.stop_task(self._task)
            self._end(self.window, self.tr("Stopped"))

    @Slot()
    def _on_escape(self) -> None:
        if self._task is not None:
            self.stop()
        elif self.window is not None:
            self.window.close()

    @Slot()
    def copy(self) -> None:
        """The counts, the sentences with [n] and what could not be verified, and the sources."""
        if self.window is not None and self._checked is not None:
            pieces = draft_layout.lay_out(self._text, self._checked)
            text = answer_copy.marked(pieces, self._checked.citations)
            QGuiApplication.clipboard().setText(f"{_counts(self._checked)}\n\n{text}")
            self.window.show_hint(self.tr("Copied"))

    def _on_event(self, event: Event) -> None:
        window = self.window
        if window is None:
            return
        if event.task_id != self._task:
            self._on_late_event(window, event)
        elif isinstance(event, StepProgress):
            words = error_text.describe(event.code, {"done": event.done, "total": event.total})
            window.show_progress(words.title, event.done, event.total)
        elif isinstance(event, Notice):
            window.show_hint(error_text.describe(event.code, event.params).title)
        elif isinstance(event, DraftRead):
            self._task = None
            window.draft_edit.setPlainText(event.text)
        elif isinstance(event, DraftChecked):
            self._show(window, self._sent, event.checked)
            self._end(window, _counts(event.checked))
        elif isinstance(event, TaskFailed):
            words = error_text.describe(event.code, event.params)
            window.show_hint(words.advice)
            self._end(window, words.title)
        elif isinstance(event, TaskStopped):
            self._end(window, self.tr("Stopped"))

    def _on_late_event(self, window: CheckWindow, event: Event) -> None:
        """What a stopped check had found by then, unless another one was begun meanwhile."""
        if self._stopped is None or event.task_id != self._stopped[0] or self._task is not None:
            return
        if isinstance(event, DraftChecked):
            self._show(window, self._stopped[1], event.checked)
            told = self.tr("Stopped. So far: {counts}").format(counts=_counts(event.checked))
            window.show_idle(told)
            self._stopped = None

    def _show(self, window: CheckWindow, text: str, checked: CheckedDraft) -> None:
        """``text`` is what was checked."""
        self._text, self._checked = text, checked
        citations = {citation.number: citation for citation in checked.citations}
        window.checked_view.show_pieces(draft_layout.lay_out(text, checked), citations)
        window.scroll_area.verticalScrollBar().setValue(0)
        window.copy_button.setEnabled(True)

    def _end(self, window: CheckWindow, words: str) -> None:
        self._task = None
        window.show_idle(words)
        window.draft_edit.setFocus()

    @Slot()
    def _on_text_changed(self) -> None:
        window = self.window
        if window is None:
            return
        text = window.draft_edit.toPlainText()
        window.show_can_check(bool(text.strip()))
        is_old = self._checked is not None and text != self._text
        window.show_hint(self.tr("The draft has changed since it was checked.") if is_old else "")

    @Slot(object)
    def _on_citation_clicked(self, number: int) -> None:
        if self._checked is not None:
            for citation in self._checked.citations:
                if citation.number == number:
                    self.source_opened.emit(citation)


def _counts(checked: CheckedDraft) -> str:
    return error_text.describe("check_counts", {"total": len(checked.sentences), **checked.counts}).title

"""Adds a question to a self-test or marks it again; one window at a time."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.self_test.mark_window import MarkWindow
from engine.answer_events import SourcesFound
from engine.documents import SearchHit
from engine.events import Event, TaskFailed
from engine.self_test.messages import FindSelfTestPassages, KeepSelfTestQuestion, SelfTestListed
from engine.self_test.records import SelfTestQuestion


class Marking(QObject):
    """Looks passages up by the question, or by other words where they do not show the right one.

    Signals:
        kept(object): the SelfTestListed after a question was kept.
    """

    kept = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._id: int | None = None
        self._finding: int | None = None
        self.window: MarkWindow | None = None

    def open(
        self,
        owner: QWidget,
        libraries: Sequence[str],
        library: str,
        question: str = "",
        hits: Sequence[SearchHit] = (),
        known: SelfTestQuestion | None = None,
    ) -> None:
        """Show the window; ``hits`` are offered at first, else what the question finds.

        ``known`` is a question of ``library`` that is marked again.
        """
        self._close()
        self._id = None if known is None else known.id
        window = self.window = MarkWindow(owner)
        window.show_libraries(libraries, library, can_choose=known is None)
        window.question_edit.setText(question or (known.question if known is not None else ""))
        window.absent_box.setChecked(known is not None and known.state == "absent")
        window.find_button.clicked.connect(self.find)
        window.search_edit.returnPressed.connect(self.find)
        window.question_edit.returnPressed.connect(self.find)
        window.library_box.currentTextChanged.connect(self.find)
        window.save_button.clicked.connect(self.save)
        window.destroyed.connect(self._on_closed)
        if hits:
            window.show_passages(hits)
        else:
            self.find()
        window.show()
        window.question_edit.setFocus()

    @Slot()
    def find(self) -> None:
        """Look for passages by the words of the search field, else by the question."""
        window = self.window
        if window is None:
            return
        words = window.search_edit.text().strip() or window.question_edit.text().strip()
        if not words:
            return
        if self._finding is not None:
            self._bridge.drop(self._finding)
        command = FindSelfTestPassages(self._bridge.new_task(), window.library_box.currentText(), words)
        self._finding = self._bridge.send(command, self._on_event)

    @Slot()
    def save(self) -> None:
        window = self.window
        if window is None:
            return
        command = KeepSelfTestQuestion(
            self._bridge.new_task(),
            window.library_box.currentText(),
            window.question_edit.text(),
            window.passages.passage(),
            window.absent_box.isChecked(),
            self._id,
        )
        self._bridge.send(command, self._on_event)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, SelfTestListed):
            self.kept.emit(event)
            self._close()
        elif self.window is None:
            return
        elif isinstance(event, SourcesFound):
            self.window.show_passages(event.hits)
        elif isinstance(event, TaskFailed):
            self.window.show_hint(error_text.describe(event.code, event.params).title)

    def _close(self) -> None:
        if self.window is not None:
            self.window.destroyed.disconnect(self._on_closed)
            self.window.close()
            self.window = None

    @Slot()
    def _on_closed(self) -> None:
        # A window that was opened in place of this one is another one.
        if self.window is self.sender() or self.window is None:
            self.window = None

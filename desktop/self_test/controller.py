"""Lists, adds, marks, runs and exports self-test questions; one window."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.self_test.marking import Marking
from desktop.self_test.window import SelfTestWindow
from engine.documents import SearchHit
from engine.events import Event, StepProgress, TaskFailed, TaskStopped
from engine.self_test.messages import (
    ExportSelfTest,
    ListSelfTest,
    RemoveSelfTestQuestions,
    RunSelfTest,
    SelfTestExported,
    SelfTestListed,
)


class SelfTestController(QObject):
    """Shows the questions of one knowledge base at a time."""

    def __init__(self, bridge: EngineBridge, owner: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._libraries: tuple[str, ...] = ()
        self._library = ""
        self._running: int | None = None
        self._listing: int | None = None
        self.window: SelfTestWindow | None = None
        self.marking = Marking(bridge, self)
        self.marking.kept.connect(self._on_event)

    def set_libraries(self, names: Sequence[str]) -> None:
        """The knowledge bases that there are now."""
        self._libraries = tuple(names)
        if self._library not in names:
            self._library = names[0] if names else ""
        if self.window is not None:
            self.window.show_libraries(self._libraries, self._library)
            self.list_questions()

    @Slot()
    def open(self) -> None:
        """Show the window, or bring it forward."""
        if self.window is None:
            self.window = self._make_window()
            self.window.show_libraries(self._libraries, self._library)
        self.list_questions()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        self.window.table.setFocus()

    def _make_window(self) -> SelfTestWindow:
        window = SelfTestWindow(self._owner)
        window.library_box.currentTextChanged.connect(self._on_library_chosen)
        window.add_button.clicked.connect(self.add)
        window.export_button.clicked.connect(self.choose_place)
        window.run_button.clicked.connect(self.run)
        window.stop_button.clicked.connect(self.stop)
        window.mark_button.clicked.connect(self.mark)
        window.table.activated.connect(self.mark)
        window.remove_wanted.connect(self.remove)
        return window

    @Slot()
    def list_questions(self) -> None:
        if self.window is None or not self._library or self._running is not None:
            return
        if self._listing is not None:
            self._bridge.drop(self._listing)
        command = ListSelfTest(self._bridge.new_task(), self._library)
        self._listing = self._bridge.send(command, self._on_event)

    @Slot(str)
    def _on_library_chosen(self, name: str) -> None:
        self._library = name
        self.list_questions()

    @Slot()
    def add(self) -> None:
        """Write a question and mark what answers it."""
        if self._library:
            owner = self.window if self.window is not None else self._owner
            self.marking.open(owner, self._libraries, self._library)

    def add_asked(self, question: str, hits: Sequence[SearchHit]) -> None:
        """Take in a question that was asked, with the passages that were shown for it."""
        if not self._libraries:
            return
        library = hits[0].library if hits else self._library
        offered = [hit for hit in hits if hit.library == library]
        self.marking.open(self._owner, self._libraries, library, question, offered)

    @Slot()
    def mark(self) -> None:
        """Mark the chosen question again, or put it in other words."""
        chosen = self.window.table.chosen() if self.window is not None else []
        if self.window is not None and len(chosen) == 1:
            self.marking.open(self.window, self._libraries, self._library, known=chosen[0])

    @Slot()
    def remove(self) -> None:
        chosen = self.window.table.chosen() if self.window is not None else []
        if chosen:
            ids = tuple(question.id for question in chosen)
            command = RemoveSelfTestQuestions(self._bridge.new_task(), self._library, ids)
            self._bridge.send(command, self._on_event)

    @Slot()
    def run(self) -> None:
        if self.window is None or self._running is not None or not self._library:
            return
        answers = self.window.answers_box.isChecked()
        command = RunSelfTest(self._bridge.new_task(), self._library, answers)
        self._running = self._bridge.send(command, self._on_run_event)
        self.window.show_progress(self.tr("Beginning…"), 0, 0)

    @Slot()
    def stop(self) -> None:
        """The run before stays as it was."""
        if self._running is not None:
            self._bridge.stop_task(self._running)

    @Slot()
    def choose_place(self) -> None:
        if self.window is None:
            return
        chosen = QFileDialog.getExistingDirectory(self.window, self.tr("Export to a folder"))
        if chosen:
            self.export(Path(chosen))

    def export(self, place: Path) -> None:
        """Into a new folder in ``place``, so that nothing there is replaced."""
        moment = QDateTime.currentDateTime().toString("yyyyMMdd-HHmmss")
        folder = place / f"zhiye-selftest-{moment}"
        command = ExportSelfTest(self._bridge.new_task(), self._library, folder)
        self._bridge.send(command, self._on_event)

    def _on_run_event(self, event: Event) -> None:
        if isinstance(event, (SelfTestListed, TaskFailed, TaskStopped)):
            self._running = None
        self._on_event(event)

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        window = self.window
        if window is None:
            return
        if isinstance(event, SelfTestListed):
            if event.library == self._library and self._running is None:
                window.show_listed(event)
        elif isinstance(event, StepProgress):
            words = error_text.describe(event.code, {"done": event.done, "total": event.total})
            window.show_progress(words.title, event.done, event.total)
        elif isinstance(event, SelfTestExported):
            window.show_hint(self.tr("Exported to {folder}").format(folder=event.folder))
        elif isinstance(event, TaskFailed):
            window.show_idle()
            window.show_hint(str(error_text.describe(event.code, event.params)))
        elif isinstance(event, TaskStopped):
            window.show_idle()
            window.show_hint(self.tr("Stopped"))

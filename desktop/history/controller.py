"""Lists, opens and changes the conversations; one window at a time."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop import error_text, languages
from desktop.ask.controller import AskController
from desktop.ask.export_place import export_place
from desktop.engine_bridge import EngineBridge
from desktop.history.window import HistoryWindow
from engine.answer_events import AnswersExported, ThreadShown, ThreadsListed
from engine.commands import (
    ChangeThread,
    ClearHistory,
    Command,
    DeleteThread,
    ExportAnswers,
    ListThreads,
    ShowThread,
)
from engine.events import Event, TaskDone, TaskFailed
from engine.history.records import ThreadSummary
from engine.self_test.messages import AddThreadToSelfTest, SelfTestAdded

_MOST = 300
_TYPING_MS = 200
"""A search begins when nobody has typed for this long."""


class HistoryController(QObject):
    """Opens the window over ``owner``; an opened conversation goes to ``ask``.

    Signals:
        self_test_changed(): questions were added to a self-test.
    """

    self_test_changed = Signal()

    def __init__(
        self, bridge: EngineBridge, owner: QWidget, ask: AskController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._ask = ask
        self._listing: int | None = None
        self.window: HistoryWindow | None = None
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.list_threads)

    @Slot()
    def open(self) -> None:
        """Show the window with a fresh list, or bring it forward."""
        if self.window is None:
            self.window = self._make_window()
        self.list_threads()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        self.window.search_edit.setFocus()

    def _make_window(self) -> HistoryWindow:
        window = HistoryWindow(self._owner)
        window.search_edit.textChanged.connect(self._typing.start)
        window.search_edit.returnPressed.connect(self.open_chosen)
        window.thread_list.itemActivated.connect(self.open_chosen)
        window.thread_list.renamed.connect(self._on_renamed)
        window.open_button.clicked.connect(self.open_chosen)
        window.pin_button.clicked.connect(self.pin_chosen)
        window.export_button.clicked.connect(self.export_chosen)
        window.self_test_button.clicked.connect(self.add_chosen_to_self_test)
        window.delete_wanted.connect(self.delete_chosen)
        window.clear_button.clicked.connect(self.clear)
        window.destroyed.connect(self._on_closed)
        return window

    @Slot()
    def list_threads(self) -> None:
        if self.window is None:
            return
        if self._listing is not None:
            self._bridge.drop(self._listing)
        self._typing.stop()
        search = self.window.search_edit.text().strip()
        command = ListThreads(self._bridge.new_task(), search, _MOST)
        self._listing = self._bridge.send(command, self._on_event)

    def _chosen(self) -> ThreadSummary | None:
        return self.window.thread_list.chosen() if self.window is not None else None

    @Slot()
    def open_chosen(self) -> None:
        """It takes the place of the one in the ask panel; the window closes when it is there."""
        if self._typing.isActive():
            self.list_threads()  # What is chosen may not be among what is searched for.
        elif (thread := self._chosen()) is None:
            return
        elif thread.id == self._ask.thread_id:
            self._close()
        else:
            self._bridge.send(ShowThread(self._bridge.new_task(), thread.id), self._on_event)

    @Slot()
    def pin_chosen(self) -> None:
        if (thread := self._chosen()) is not None:
            self._change(ChangeThread(self._bridge.new_task(), thread.id, pinned=not thread.pinned))

    @Slot(object, str)
    def _on_renamed(self, thread: ThreadSummary, title: str) -> None:
        self._change(ChangeThread(self._bridge.new_task(), thread.id, title=title))

    @Slot()
    def export_chosen(self) -> None:
        thread = self._chosen()
        if thread is None or self.window is None:
            return
        if (place := export_place(self.window, thread.title)) is not None:
            file, kind = place
            task = self._bridge.new_task()
            command = ExportAnswers(task, file, kind, thread=thread.id, language=languages.current())
            self._bridge.send(command, self._on_event)

    @Slot()
    def add_chosen_to_self_test(self) -> None:
        if (thread := self._chosen()) is not None:
            self._bridge.send(AddThreadToSelfTest(self._bridge.new_task(), thread.id), self._on_event)

    @Slot()
    def delete_chosen(self) -> None:
        thread = self._chosen()
        if thread is None or self.window is None or not self.window.confirm_deleting(thread):
            return
        # First, so that an answer that is being written is kept before all of it goes, not after.
        if self._ask.thread_id == thread.id:
            self._ask.begin_anew()
        self._change(DeleteThread(self._bridge.new_task(), thread.id))

    @Slot()
    def clear(self) -> None:
        if self.window is not None and self.window.confirm_clearing():
            self._ask.begin_anew()
            self._change(ClearHistory(self._bridge.new_task()))

    def _change(self, command: Command) -> None:
        self._bridge.send(command, self._on_change_event)

    def _on_change_event(self, event: Event) -> None:
        """The list is as the engine has it, whether it did what it was told or not."""
        self._on_event(event)
        if isinstance(event, (TaskDone, TaskFailed)):
            self.list_threads()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ThreadShown):
            self._ask.show_thread(event)
            self._close()
        elif self.window is None:
            return
        elif isinstance(event, ThreadsListed):
            self.window.show_threads(event.threads, event.total)
        elif isinstance(event, AnswersExported):
            self.window.show_hint(self.tr("Exported to {file}").format(file=event.file))
        elif isinstance(event, SelfTestAdded):
            self.window.show_hint(
                self.tr(
                    "%n questions were added to the self-test; mark their passages there.", "", event.added
                )
            )
            self.self_test_changed.emit()
        elif isinstance(event, TaskFailed):
            self.window.show_hint(str(error_text.describe(event.code, event.params)))

    def _close(self) -> None:
        if self.window is not None:
            self.window.close()
        self._owner.activateWindow()

    @Slot()
    def _on_closed(self) -> None:
        self.window = None
        self._typing.stop()

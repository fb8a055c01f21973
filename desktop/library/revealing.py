"""Leads to the row of a file, in whichever knowledge base has it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from desktop.engine_bridge import EngineBridge
from desktop.library.panel import LibraryPanel
from engine.commands import ListFiles
from engine.events import Event, FilesListed, TaskDone, TaskFailed


class Revealing(QObject):
    """Looks in the list that is shown first, then in the other knowledge bases, one after the other.

    Signals:
        library_found(str): this knowledge base has the file and is to be shown.
    """

    library_found = Signal(str)

    def __init__(self, bridge: EngineBridge, panel: LibraryPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._wanted: str | None = None
        self._left: list[str] = []
        panel.table.files.modelReset.connect(self._on_files_shown)

    def reveal(self, document: str, libraries: Sequence[str], shown: str | None) -> None:
        """Select the row of ``document`` of one of the ``libraries``; ``shown`` is the one that is shown."""
        self._wanted = document
        if shown in libraries and self._select():
            return
        self._left = [name for name in libraries if name != shown]
        self._look_on()

    def _look_on(self) -> None:
        if self._left:
            self._bridge.send(ListFiles(self._bridge.new_task(), self._left.pop(0)), self._on_event)
        else:
            self._wanted = None

    def _on_event(self, event: Event) -> None:
        if isinstance(event, FilesListed) and any(file.path == self._wanted for file in event.files):
            self._left.clear()
            self.library_found.emit(event.library)
        elif isinstance(event, (TaskDone, TaskFailed)) and self._left:
            self._look_on()

    @Slot()
    def _on_files_shown(self) -> None:
        if self._wanted is not None:
            self._select()

    def _select(self) -> bool:
        table, wanted = self._panel.table, self._wanted
        if wanted is None or table.files.row_of(wanted) is None:
            return False
        self._wanted = None
        self._panel.ledger.show_all()
        table.select([wanted])
        table.scrollTo(table.currentIndex())
        table.setFocus()
        return True

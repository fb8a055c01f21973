"""What makes the files of the shown knowledge base be read again: sync, retry, passwords."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from desktop.library.file_actions import FileActions
from desktop.library.file_words import name_of
from desktop.library.indexing import Indexing
from desktop.library.panel import LibraryPanel
from desktop.passwords.controller import PasswordController
from engine.documents import FileState
from engine.standing import LibrarySummary


class Rereading(QObject):
    """``shown`` gives the knowledge base that is shown."""

    def __init__(
        self,
        panel: LibraryPanel,
        indexing: Indexing,
        files: FileActions,
        passwords: PasswordController,
        shown: Callable[[], LibrarySummary | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._panel, self._indexing, self._passwords, self._shown = panel, indexing, passwords, shown
        panel.sync_action.triggered.connect(self._on_sync)
        panel.retry_action.triggered.connect(self._on_retry_failed)
        panel.retry_button.clicked.connect(self._on_retry_failed)
        panel.password_line.button.clicked.connect(self._on_password_clicked)
        files.retry_wanted.connect(self._on_retry_wanted)
        files.password_wanted.connect(self._on_password_wanted)
        passwords.given.connect(self._on_sync)

    @Slot()
    def _on_sync(self) -> None:
        self._read_again()

    @Slot()
    def _on_retry_failed(self) -> None:
        self._read_again(retry_failed=True)

    @Slot(object)
    def _on_retry_wanted(self, documents: tuple[str, ...]) -> None:
        self._read_again(retry=documents)

    def _read_again(self, *, retry_failed: bool = False, retry: Sequence[str] = ()) -> None:
        library = self._shown()
        if library is not None:
            self.read_again(library, retry_failed=retry_failed, retry=retry)

    def read_again(
        self, library: LibrarySummary, *, retry_failed: bool = False, retry: Sequence[str] = ()
    ) -> None:
        """Sync a knowledge base; documents named in ``retry`` are read whether they have changed or not."""
        folders = [path for path in map(Path, library.folders) if path.is_absolute()]
        self._indexing.index(folders, library.name, retry_failed=retry_failed, retry=retry)

    @Slot()
    def _on_password_clicked(self) -> None:
        files = self._panel.table.files.files()
        self._on_password_wanted(
            tuple(name_of(file) for file in files if file.state == FileState.NEEDS_PASSWORD)
        )

    @Slot(object)
    def _on_password_wanted(self, names: tuple[str, ...]) -> None:
        self._passwords.ask(self._panel.password_words(names))

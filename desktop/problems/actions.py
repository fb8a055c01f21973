"""From the action code of a message to a button that does it: the one place in the window."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QWidget

from engine.wording import Wording

TRY_AGAIN = "try_again"
"""What is tried again is known only where the message is shown."""

Run = Callable[[Wording], object]


def action_text(action: str) -> str:
    """What a button for the action says."""
    texts = {
        "open_models": QCoreApplication.translate("ProblemActions", "Open models"),
        "open_settings": QCoreApplication.translate("ProblemActions", "Open settings"),
        "open_log": QCoreApplication.translate("ProblemActions", "Open log"),
        "repair": QCoreApplication.translate("ProblemActions", "Check and repair"),
        "show_file": QCoreApplication.translate("ProblemActions", "Show file"),
        TRY_AGAIN: QCoreApplication.translate("ProblemActions", "Try again"),
    }
    return texts[action]


def show_file(words: Wording) -> None:
    """Open the nearest folder above the file that is there."""
    folder = Path(words.target)
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class ProblemActions(QObject):
    """What can be done about problems; controllers say how with :meth:`offer`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._offered: dict[str, Run] = {"show_file": show_file}

    def offer(self, action: str, run: Run) -> None:
        """From now on messages with this action have a button."""
        self._offered[action] = run

    def of(self, words: Wording) -> Run | None:
        """What the button of a message does; None where it has no button."""
        if words.action == "show_file" and not Path(words.target).is_absolute():
            return None
        return self._offered.get(words.action)


class ActionButton(QPushButton):
    """The button of one message; hidden while nothing can be done about it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._words = Wording("")
        self._run: Run | None = None
        self.clicked.connect(self._on_clicked)
        self.hide()

    def show_for(self, words: Wording, run: Run | None) -> None:
        """Offer ``run``, which is what :meth:`ProblemActions.of` gave for the words."""
        self._words, self._run = words, run
        if run is not None:
            self.setText(action_text(words.action))
        self.setVisible(run is not None)

    def take_back(self) -> None:
        """Offer nothing any more, and hold on to nobody."""
        self._run = None
        self.hide()

    @Slot()
    def _on_clicked(self) -> None:
        if self._run is not None:
            self._run(self._words)

"""What is asked before something is deleted or moved."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop.choice_box import is_confirmed

FOLDER_NAME = "Zhiye"
"""Of the new data folder inside the one that somebody chose."""


def new_home(parent: QWidget) -> Path | None:
    """The new data folder; None where nobody chose one, or it was not confirmed."""
    title = QCoreApplication.translate("Privacy", "Move the data into…")
    chosen = QFileDialog.getExistingDirectory(parent, title)
    if not chosen:
        return None
    target = Path(chosen) / FOLDER_NAME
    question = QCoreApplication.translate("Privacy", "Move all data to {path}?").format(path=target)
    advice = QCoreApplication.translate(
        "Privacy",
        "Knowledge bases, conversations, settings and models are copied and compared, then the program "
        "starts again. The old folder is deleted only when the new one has been opened.",
    )
    yes = QCoreApplication.translate("Privacy", "Move")
    return target if _confirmed(parent, question, advice, yes, "confirmMove") else None


def wants_history_cleared(parent: QWidget) -> bool:
    title = QCoreApplication.translate("Privacy", "Clear all conversations?")
    advice = QCoreApplication.translate(
        "Privacy", "All questions and answers are deleted and overwritten. This cannot be undone."
    )
    yes = QCoreApplication.translate("Privacy", "Clear")
    return _confirmed(parent, title, advice, yes, "confirmClearHistory")


def wants_everything_cleared(parent: QWidget) -> bool:
    title = QCoreApplication.translate("Privacy", "Clear everything?")
    advice = QCoreApplication.translate(
        "Privacy",
        "All knowledge bases, conversations, settings and logs are deleted. This cannot be undone. Your "
        "documents and the model files are not touched.",
    )
    yes = QCoreApplication.translate("Privacy", "Clear everything")
    return _confirmed(parent, title, advice, yes, "confirmClearEverything")


def _confirmed(parent: QWidget, title: str, advice: str, yes: str, name: str) -> bool:
    window = parent.window().windowTitle()
    return is_confirmed(parent, window, title, advice, yes, name, QMessageBox.ButtonRole.AcceptRole)

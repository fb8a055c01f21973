"""Choosing folders: what may be a mistake is asked about first."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop import error_text
from desktop.choice_box import choice_box


def ask_for_folder(parent: QWidget, title: str) -> Path | None:
    """The folder that somebody chose; None for none."""
    chosen = QFileDialog.getExistingDirectory(parent, title)
    return confirmed(Path(chosen), parent, title) if chosen else None


def confirmed(folder: Path, parent: QWidget, title: str) -> Path | None:
    """The folder, or the one that is chosen in place of a whole home folder."""
    if folder != Path.home():
        return folder
    words = error_text.describe("home_folder", {"path": folder})
    box = choice_box(parent, title, words.title, words.advice)
    another = box.addButton(
        QCoreApplication.translate("Folders", "Choose another folder"), QMessageBox.ButtonRole.AcceptRole
    )
    another.setObjectName("chooseAnother")
    anyway = box.addButton(
        QCoreApplication.translate("Folders", "Index all of it"), QMessageBox.ButtonRole.DestructiveRole
    )
    anyway.setObjectName("indexHome")
    box.setDefaultButton(another)
    box.exec()
    if box.clickedButton() is anyway:
        return folder
    return ask_for_folder(parent, title) if box.clickedButton() is another else None

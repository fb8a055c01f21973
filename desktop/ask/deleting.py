"""Asks before one question goes for good."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.choice_box import choice_box


def confirm_deleting(owner: QWidget) -> bool:
    """Whether somebody really wants one question and its answer to go."""
    box = choice_box(
        owner.window(),
        QCoreApplication.translate("Deleting", "Delete question"),
        QCoreApplication.translate("Deleting", "Delete this question and its answer?"),
        QCoreApplication.translate(
            "Deleting", "Both are gone for good, with the rating; your documents stay as they are."
        ),
    )
    delete = box.addButton(
        QCoreApplication.translate("Deleting", "Delete"), QMessageBox.ButtonRole.DestructiveRole
    )
    delete.setObjectName("confirmDelete")
    box.exec()
    return box.clickedButton() is delete

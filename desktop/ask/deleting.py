"""Asks before one question goes for good."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from desktop.choice_box import is_confirmed


def confirm_deleting(owner: QWidget) -> bool:
    """Whether somebody really wants one question and its answer to go."""
    return is_confirmed(
        owner.window(),
        QCoreApplication.translate("Deleting", "Delete question"),
        QCoreApplication.translate("Deleting", "Delete this question and its answer?"),
        QCoreApplication.translate(
            "Deleting", "Both are gone for good, with the rating; your documents stay as they are."
        ),
        QCoreApplication.translate("Deleting", "Delete"),
        "confirmDelete",
    )

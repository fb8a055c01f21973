"""A question with its consequences, in plain text: Cancel and one way on, or the caller's own buttons."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMessageBox, QWidget


def choice_box(parent: QWidget, title: str, question: str, advice: str) -> QMessageBox:
    """Cancel is what Enter does, until the caller sets another default."""
    box = QMessageBox(QMessageBox.Icon.Question, title, question)
    box.setParent(parent, Qt.WindowType.Dialog)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(advice)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    cancel.setIcon(QIcon())
    box.setDefaultButton(cancel)
    return box


def is_confirmed(
    parent: QWidget,
    title: str,
    question: str,
    advice: str,
    doing: str,
    name: str,
    role: QMessageBox.ButtonRole = QMessageBox.ButtonRole.DestructiveRole,
) -> bool:
    """Whether somebody chose the button ``doing`` (object name ``name``) and not Cancel."""
    box = choice_box(parent, title, question, advice)
    button = box.addButton(doing, role)
    button.setObjectName(name)
    box.exec()
    return box.clickedButton() is button

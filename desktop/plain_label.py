"""Labels for text that comes from people and files: plain, wrapped, styled by the theme."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def plain_label(name: str, tone: str, text: str = "") -> QLabel:
    """``tone`` picks the style in ``resources/qss``; no text is ever taken for markup."""
    label = QLabel(text)
    label.setObjectName(name)
    label.setProperty("tone", tone)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label

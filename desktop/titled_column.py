"""A column of a window: a small title over what it shows."""

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_M, SPACE_S


class TitledColumn(QFrame):
    """``widget`` has all the height; ``foot``, where there is one, stands below it."""

    def __init__(
        self, title: str, widget: QWidget, foot: QWidget | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "column")
        label = QLabel(title)
        label.setProperty("tone", "overline")
        label.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_S)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(label)
        layout.addWidget(widget, 1)
        if foot is not None:
            layout.addWidget(foot)

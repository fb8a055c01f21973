"""How far a long task is; the window behind it can be used meanwhile."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_L, SPACE_M
from desktop.plain_label import plain_label


class ProgressDialog(QDialog):
    """Stop, Escape and the window's own button all stop the task.

    Signals:
        stop_wanted(): the task is to be stopped; the dialog stays until it has ended.
    """

    stop_wanted = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("taskDialog")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(440)
        self._is_stopping = False
        self.title_label = plain_label("taskTitle", "title", title)
        self.step_label = plain_label("taskStep", "caption")
        self.bar = QProgressBar()
        self.bar.setObjectName("taskBar")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setObjectName("taskStop")
        self.stop_button.setAutoDefault(False)
        self.stop_button.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.step_label, 1)
        row.addWidget(self.stop_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.title_label)
        layout.addWidget(self.bar)
        layout.addLayout(row)
        self.show_step(self.tr("Waiting until other work is done…"), 0, 0)

    def show_started(self) -> None:
        self.show_step(self.tr("Preparing…"), 0, 0)

    def show_step(self, text: str, done: int, total: int) -> None:
        """``total`` 0: nobody knows how much there is to do."""
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        if not self._is_stopping:
            self.step_label.setText(text)

    def reject(self) -> None:
        if not self._is_stopping:
            self._is_stopping = True
            self.stop_button.setEnabled(False)
            self.step_label.setText(self.tr("Stopping…"))
            self.stop_wanted.emit()

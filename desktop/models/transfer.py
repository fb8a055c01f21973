"""What is being done with a model's files now: words, a bar and Stop."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_M, SPACE_S
from desktop.models.words import size_words
from desktop.plain_label import plain_label


@dataclass(frozen=True, slots=True)
class Transfer:
    """``text`` says what goes on; ``done`` of ``total`` bytes, 0 where nobody knows how many."""

    text: str
    done: int = 0
    total: int = 0
    can_stop: bool = True


class TransferStrip(QFrame):
    """Hidden while nothing goes on.

    Signals:
        stop_wanted(): a person clicked Stop.
    """

    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelTransfer")
        self.text_label = plain_label("transferText", "plain")
        self.amount_label = plain_label("transferAmount", "caption")
        self.bar = QProgressBar()
        self.bar.setObjectName("transferBar")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setObjectName("stopTransfer")
        self.stop_button.clicked.connect(self._on_stop)
        self._is_stopping = False
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.text_label)
        words.addWidget(self.amount_label)
        top = QHBoxLayout()
        top.setSpacing(SPACE_M)
        top.addLayout(words, 1)
        top.addWidget(self.stop_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addLayout(top)
        layout.addWidget(self.bar)
        self.hide()

    def show_transfer(self, transfer: Transfer | None) -> None:
        """None: nothing goes on any more."""
        self.setVisible(transfer is not None)
        if transfer is None:
            self._is_stopping = False
            return
        # Qt's bar counts in 32 bits, a model has more bytes than that.
        share = int(1000 * transfer.done / transfer.total) if transfer.total else 0
        self.bar.setRange(0, 1000 if transfer.total else 0)
        self.bar.setValue(share)
        self.stop_button.setVisible(transfer.can_stop)
        self.stop_button.setEnabled(not self._is_stopping)
        self.text_label.setText(self.tr("Stopping…") if self._is_stopping else transfer.text)
        amount = self.tr("{done} of {total}")
        self.amount_label.setText(
            amount.format(done=size_words(transfer.done), total=size_words(transfer.total))
            if transfer.total
            else ""
        )
        self.amount_label.setVisible(bool(transfer.total))

    def _on_stop(self) -> None:
        self._is_stopping = True
        self.stop_button.setEnabled(False)
        self.text_label.setText(self.tr("Stopping…"))
        self.stop_wanted.emit()

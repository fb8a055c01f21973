"""Under an answer: copy it in two ways, write it into a file, have it written again, say what it is worth."""

from PySide6.QtCore import QEvent, QSize, Signal, Slot
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from desktop import icons
from desktop.ask.quiet_button import Acknowledgement, quiet_button
from desktop.design_tokens import SPACE_XS
from desktop.flow_layout import FlowLayout
from engine.history.records import Rating


class AnswerActions(QWidget):
    """Lays out; a button says for a moment that it has copied or written.

    Signals:
        rated(object): "good", "bad", or None where that was taken back.
    """

    rated = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answerActions")
        self.copy_button = quiet_button("copyMarked", self.tr("Copy with markers"))
        self.copy_plain_button = quiet_button("copyPlain", self.tr("Copy without markers"))
        self.export_button = quiet_button("exportAnswer", self.tr("Export…"))
        self.again_button = quiet_button("askAgain", self.tr("Ask again"))
        self.good_button = self._thumb("rateGood", self.tr("Good answer (kept on this computer)"))
        self.bad_button = self._thumb("rateBad", self.tr("Bad answer (kept on this computer)"))
        self.good_button.clicked.connect(self._on_good)
        self.bad_button.clicked.connect(self._on_bad)
        flow = FlowLayout(SPACE_XS, self)
        for button in (self.copy_button, self.copy_plain_button, self.export_button, self.again_button):
            flow.addWidget(button)
        flow.addWidget(self.good_button)
        flow.addWidget(self.bad_button)
        self._acknowledgement = Acknowledgement(self)
        self._dress()

    def _thumb(self, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setProperty("kind", "quiet")
        button.setCheckable(True)
        button.setIconSize(QSize(14, 14))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.hide()
        return button

    def _dress(self) -> None:
        icons.dress(self.copy_button, "copy", "muted")
        icons.dress(self.copy_plain_button, "copy", "muted")
        icons.dress(self.export_button, "export", "muted")
        icons.dress(self.again_button, "retry", "muted")
        icons.dress(self.good_button, "thumb-up", "muted")
        icons.dress(self.bad_button, "thumb-down", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_passages_only(self, is_passages_only: bool) -> None:
        """What asking again means: the model was not asked, or it is asked once more."""
        self.again_button.setText(self.tr("Ask the model") if is_passages_only else self.tr("Ask again"))

    def show_only_again(self) -> None:
        """There is nothing to copy, but asking once more may find something."""
        self.copy_button.hide()
        self.copy_plain_button.hide()
        self.show()

    def show_for_refusal(self, *, can_ask_again: bool, is_kept: bool) -> None:
        """Nothing of it can be used, but whether it was right can be said where it was kept."""
        for button in (self.copy_button, self.copy_plain_button, self.export_button):
            button.hide()
        self.again_button.setVisible(can_ask_again)
        self.show_can_rate(is_kept)
        self.setVisible(can_ask_again or is_kept)

    def show_can_rate(self, is_kept: bool) -> None:
        """What was not kept has nowhere to keep a rating."""
        self.good_button.setVisible(is_kept)
        self.bad_button.setVisible(is_kept)

    def show_rating(self, rating: Rating | None) -> None:
        self.good_button.setChecked(rating == "good")
        self.bad_button.setChecked(rating == "bad")

    def show_copied(self, button: QPushButton) -> None:
        self._acknowledgement.tell(button, self.tr("Copied"))

    def show_exported(self) -> None:
        self._acknowledgement.tell(self.export_button, self.tr("Exported"))

    @Slot()
    def _on_good(self) -> None:
        self._rate("good" if self.good_button.isChecked() else None)

    @Slot()
    def _on_bad(self) -> None:
        self._rate("bad" if self.bad_button.isChecked() else None)

    def _rate(self, rating: Rating | None) -> None:
        self.show_rating(rating)
        self.rated.emit(rating)

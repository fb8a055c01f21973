"""Under an answer: copy it in two ways, write it into a file, have it written again, rate it, delete it."""

from PySide6.QtCore import QEvent, QSize, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.quiet_button import Acknowledgement, quiet_button
from desktop.ask.rating_note import RatingNote
from desktop.design_tokens import SPACE_S, SPACE_XS
from desktop.flow_layout import FlowLayout
from engine.history.records import Rating


class AnswerActions(QWidget):
    """Lays out; a button says for a moment that it has copied or written.

    Where the row is narrow, one button after the other is an icon only, so that all stay in one row.

    Signals:
        rated(object, str): "good", "bad", or None where that was taken back, and the note with it.
    """

    rated = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answerActions")
        self.copy_button = quiet_button("copyMarked", self.tr("Copy"))
        self.copy_plain_button = quiet_button("copyPlain", self.tr("Copy plain"))
        self.export_button = quiet_button("exportAnswer", self.tr("Export…"))
        self.again_button = quiet_button("askAgain", self.tr("Ask again"))
        self.good_button = self._thumb("rateGood", self.tr("Good answer (kept on this computer)"))
        self.bad_button = self._thumb("rateBad", self.tr("Bad answer (kept on this computer)"))
        self.self_test_button = self._thumb("addToSelfTest", self.tr("Add to self-test"))
        self.self_test_button.setCheckable(False)
        self.delete_button = self._thumb("deleteRun", self.tr("Delete this question and its answer"))
        self.delete_button.setCheckable(False)
        self.note = RatingNote()
        self.good_button.clicked.connect(self._on_good)
        self.bad_button.clicked.connect(self._on_bad)
        self.note.saved.connect(self._on_note_saved)
        row = QWidget()
        flow = FlowLayout(SPACE_XS, row)
        self._texts = {button: button.text() for button in self._speaking()}
        self.copy_button.setAccessibleName(self.tr("Copy with markers"))
        self.copy_plain_button.setAccessibleName(self.tr("Copy without markers"))
        for button in (self.export_button, self.again_button):
            button.setAccessibleName(button.text())
        for each in (*self._speaking(), *self._silent()):
            flow.addWidget(each)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(row)
        layout.addWidget(self.note)
        self._acknowledgement = Acknowledgement(self)
        self._dress()
        self._shorten()

    def _speaking(self) -> tuple[QPushButton, ...]:
        return self.copy_button, self.copy_plain_button, self.export_button, self.again_button

    def _silent(self) -> tuple[QToolButton, ...]:
        return self.good_button, self.bad_button, self.self_test_button, self.delete_button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._shorten()

    def _shorten(self) -> None:
        """Texts go, the plainest icons first, until everything that is shown has room in one row."""
        self._acknowledgement.end()
        for button, text in self._texts.items():
            button.setText(text)
            button.setToolTip("" if text == button.accessibleName() else button.accessibleName())
        for button in (self.export_button, self.again_button, self.copy_plain_button, self.copy_button):
            if self._wanted_width() <= self.width():
                break
            button.setText("")
            button.setToolTip(button.accessibleName())

    def _wanted_width(self) -> int:
        """Of all that may be shown, so that nothing changes its shape when the thumbs come."""
        spoken = [button for button in self._speaking() if not button.isHidden()]
        return sum(button.sizeHint().width() + SPACE_XS for button in (*spoken, *self._silent()))

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
        icons.dress(self.copy_plain_button, "copy-plain", "muted")
        icons.dress(self.export_button, "export", "muted")
        icons.dress(self.again_button, "retry", "muted")
        icons.dress(self.good_button, "thumb-up", "muted")
        icons.dress(self.bad_button, "thumb-down", "muted")
        icons.dress(self.self_test_button, "self-test", "muted")
        icons.dress(self.delete_button, "trash", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_passages_only(self, is_passages_only: bool) -> None:
        """What asking again means: the model was not asked, or it is asked once more."""
        text = self.tr("Ask the model") if is_passages_only else self.tr("Ask again")
        self._texts[self.again_button] = text
        self.again_button.setAccessibleName(text)
        self._shorten()

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
        """What was not kept has nowhere to keep a rating, and nothing to delete."""
        for button in (self.good_button, self.bad_button, self.delete_button):
            button.setVisible(is_kept)
        self.self_test_button.show()

    def show_for_stopped(self) -> None:
        """Text that was stopped is not an answer yet: it can be asked for again, or deleted."""
        self.show_for_refusal(can_ask_again=True, is_kept=True)
        self.good_button.hide()
        self.bad_button.hide()
        self.self_test_button.hide()

    def show_rating(self, rating: Rating | None, note: str = "", *, is_new: bool = False) -> None:
        """``is_new``: it was given just now."""
        self.good_button.setChecked(rating == "good")
        self.bad_button.setChecked(rating == "bad")
        self.note.show_rating(rating, note, is_new=is_new)

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
        self.show_rating(rating, self.note.note, is_new=True)
        self.rated.emit(rating, self.note.note)

    @Slot(str)
    def _on_note_saved(self, note: str) -> None:
        self.rated.emit("good" if self.good_button.isChecked() else "bad", note)

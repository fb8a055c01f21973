"""A line under a rated answer: what was good or wrong about it, kept on this machine with the rating."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from desktop.ask.quiet_button import quiet_button
from desktop.design_tokens import SPACE_S
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from engine.history.records import Rating


class RatingNote(QWidget):
    """Hidden while nothing is rated. A note that was saved is shown, and changed with a click.

    Signals:
        saved(str): the note as somebody wrote it; empty takes it back.
    """

    saved = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ratingNote")
        self._note = ""
        self._build()
        self.hide()

    def _build(self) -> None:
        self.label = plain_label("noteText", "caption")
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.change_button = quiet_button("changeNote", self.tr("Change note"))
        self.edit = LineEdit("noteEdit")
        self.edit.setAccessibleName(self.tr("Note with the rating"))
        self.save_button = QPushButton(self.tr("Save note"))
        self.save_button.setObjectName("saveNote")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        for part, stretch in (
            (self.label, 1),
            (self.change_button, 0),
            (self.edit, 1),
            (self.save_button, 0),
        ):
            layout.addWidget(part, stretch)
        self.edit.returnPressed.connect(self._save)
        self.save_button.clicked.connect(self._save)
        self.change_button.clicked.connect(self._write)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.edit)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self._leave)

    @property
    def note(self) -> str:
        """What was saved."""
        return self._note

    def show_rating(self, rating: Rating | None, note: str, *, is_new: bool) -> None:
        """``is_new``: somebody rated just now, and may want to say why."""
        self._note = note if rating is not None else ""
        asked = self.tr("What was wrong? (optional, kept on this computer)")
        if rating == "good":
            asked = self.tr("What was good? (optional, kept on this computer)")
        self.edit.setPlaceholderText(asked)
        if rating is None or not (note or is_new):
            self.hide()
        elif self._note:
            self._show_note()
        else:
            self._write(has_focus=False)

    def _show_note(self) -> None:
        self.label.setText(self.tr("Your note: {note}").format(note=self._note))
        self._show_parts(is_writing=False)

    @Slot()
    def _write(self, *_: object, has_focus: bool = True) -> None:
        self.edit.setText(self._note)
        self._show_parts(is_writing=True)
        if has_focus:
            self.edit.setFocus()

    def _show_parts(self, *, is_writing: bool) -> None:
        self.edit.setVisible(is_writing)
        self.save_button.setVisible(is_writing)
        self.label.setVisible(not is_writing)
        self.change_button.setVisible(not is_writing)
        self.show()

    @Slot()
    def _save(self) -> None:
        self._note = " ".join(self.edit.text().split())
        self.saved.emit(self._note)
        self._leave()

    @Slot()
    def _leave(self) -> None:
        """What was not saved is not kept."""
        if self._note:
            self._show_note()
        else:
            self.hide()

"""One setting in its window: what it is, in plain words, its control, its default and the way back to it."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from desktop.plain_label import plain_label
from desktop.settings.controls import Control, FileControl, TextControl
from desktop.settings.searching import says


class SettingRow(QFrame):
    """``note`` stands behind the default: from when on a change counts.

    Signals:
        changed(str, object): name and the value that a person chose.
        reset_wanted(str): the name; back to the default.
    """

    changed = Signal(str, object)
    reset_wanted = Signal(str)

    def __init__(self, name: str, title: str, sentence: str, control: Control, note: str = "") -> None:
        super().__init__()
        self.setObjectName("settingRow")
        self.name = name
        self.control = control
        self._note = note
        self.title_label = plain_label("settingTitle", "strong", title)
        self.sentence_label = plain_label("settingSentence", "caption", sentence)
        self.state_label = plain_label("settingState", "caption")
        self.problem_label = plain_label("settingProblem", "bad")
        self.problem_label.hide()
        self.reset_button = QToolButton()
        self.reset_button.setObjectName(f"reset_{name}")
        self.reset_button.setProperty("kind", "flat")
        self.reset_button.setIconSize(QSize(16, 16))
        self.reset_button.setToolTip(self.tr("Back to the default"))
        self.reset_button.setAccessibleName(self.tr("Reset: {title}").format(title=title))
        control.set_name(f"setting_{name}", title)
        control.field.setAccessibleDescription(sentence)
        control.changed.connect(self._on_changed)
        self.reset_button.clicked.connect(self._on_reset)
        self._lay_out()
        self._dress()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(SPACE_XS)
        labels = (self.title_label, self.sentence_label, self.state_label, self.problem_label)
        words.addStretch(1)
        for label in labels:
            words.addWidget(label)
        words.addStretch(1)
        side = QHBoxLayout()
        side.setSpacing(SPACE_S)
        side.addWidget(self.control)
        side.addWidget(self.reset_button)
        policy = self.reset_button.sizePolicy()
        # Rows must not jump when a setting is touched.
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)
        grid = QGridLayout(self)
        grid.setContentsMargins(SPACE_L, SPACE_M, SPACE_S, SPACE_M)
        grid.setHorizontalSpacing(SPACE_L)
        grid.addLayout(words, 0, 0)
        if isinstance(self.control, (TextControl, FileControl)):
            grid.addLayout(side, 1, 0)
        else:
            grid.addLayout(side, 0, 1, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)

    def show_state(self, default: str, *, is_changed: bool, note: str = "") -> None:
        """``default`` in words; ``note`` takes the place of the usual one."""
        parts = [self.tr("Default: {value}").format(value=default)] if default else []
        if note or self._note:
            parts.append(note or self._note)
        self.state_label.setText(" · ".join(parts))
        self.state_label.setVisible(bool(parts))
        self.reset_button.setVisible(is_changed)

    def show_problem(self, text: str) -> None:
        """Why the value was refused; no text takes the words away."""
        self.problem_label.setText(text)
        self.problem_label.setVisible(bool(text))

    def says(self, words: str) -> bool:
        """Whether the row is what a search is about; the name in settings files counts, too."""
        texts = (self.name, self.title_label.text(), self.sentence_label.text(), self._choices())
        return says("\n".join(texts), words)

    def _choices(self) -> str:
        combo = getattr(self.control, "combo", None)
        return "" if combo is None else "\n".join(combo.itemText(row) for row in range(combo.count()))

    @Slot(object)
    def _on_changed(self, value: object) -> None:
        self.show_problem("")
        self.changed.emit(self.name, value)

    @Slot()
    def _on_reset(self) -> None:
        self.show_problem("")
        self.reset_wanted.emit(self.name)

    def _dress(self) -> None:
        icons.dress(self.reset_button, "retry", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "reset_button"):
            self._dress()


class SettingCard(QFrame):
    """Rows that belong together, under a small title."""

    def __init__(self, title: str, rows: tuple[QWidget, ...]) -> None:
        super().__init__()
        self.title_label = plain_label("settingSection", "overline", title)
        self.title_label.setContentsMargins(SPACE_XS, 0, 0, 0)
        self.rows = rows
        card = QFrame()
        card.setObjectName("settingCard")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        for place, row in enumerate(rows):
            row.setProperty("first", place == 0)
            inside.addWidget(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.title_label)
        layout.addWidget(card)

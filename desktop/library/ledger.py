"""How many files are in which state: one button a state, which shows only these files."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QToolButton, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_XS, current_colours
from desktop.flow_layout import FlowLayout
from desktop.library.file_words import mark
from desktop.words import number, state_word
from engine.documents import FileState

_UNLIMITED = 1 << 15
_ORDER: tuple[FileState | None, ...] = (None, *FileState)


class StateLedger(QScrollArea):
    """The numbers add up to all files. A second click on the pressed button shows all files again.

    As high as its buttons, but where the window is low never higher than its ``limit``: then it scrolls.

    Signals:
        state_chosen(object): a frozenset with the state whose files are wanted, or None for all.
    """

    state_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stateLedger")
        self._buttons: dict[FileState | None, QToolButton] = {}
        self._counts: dict[FileState | None, int] = {}
        self._limit = _UNLIMITED
        self._flow = FlowLayout(SPACE_XS)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        for state in _ORDER:
            button = QToolButton()
            button.setObjectName(f"state-{state or 'reading'}")
            button.setProperty("kind", "chip")
            button.setCheckable(True)
            button.setIconSize(QSize(14, 14))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(self._on_clicked)
            button.hide()
            self._buttons[state] = button
            self._flow.addWidget(button)
        buttons = QWidget()
        buttons.setObjectName("stateButtons")
        buttons.setLayout(self._flow)
        self.setWidget(buttons)
        self.hide()

    def set_limit(self, height: int) -> None:
        self._limit = height
        self._fit_height()

    def _fit_height(self) -> None:
        self._flow.invalidate()
        needed = self._flow.heightForWidth(self.viewport().width())
        self.setFixedHeight(min(needed, self._limit))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def button(self, state: FileState | None) -> QToolButton:
        return self._buttons[state]

    def show_counts(self, counts: Mapping[FileState | None, int]) -> None:
        self._counts = dict(counts)
        for state, button in self._buttons.items():
            count = counts.get(state, 0)
            button.setVisible(count > 0)
            if count:
                button.setText(f"{state_word(state)} {number(count)}")
                self._explain(state)
        self.setVisible(bool(counts))
        self._fit_height()
        pressed = self.chosen()
        if pressed is not None and not pressed & counts.keys():
            self.show_all()

    def chosen(self) -> frozenset[FileState | None] | None:
        pressed = frozenset(state for state, button in self._buttons.items() if button.isChecked())
        return pressed or None

    def show_all(self) -> None:
        """Release the pressed button."""
        if self.chosen() is None:
            return
        for state, button in self._buttons.items():
            button.setChecked(False)
            self._explain(state)
        self.state_chosen.emit(None)

    def _explain(self, state: FileState | None) -> None:
        button = self._buttons[state]
        if button.isChecked():
            text = self.tr("Show all files again")
        else:
            text = self.tr("Show only these files: {state}").format(state=state_word(state))
        button.setToolTip(text)
        button.setAccessibleName(button.text())
        button.setAccessibleDescription(text)
        name, colour = mark(state)
        button.setIcon(icons.icon(name, getattr(current_colours(), colour)))

    @Slot()
    def _on_clicked(self) -> None:
        clicked = self.sender()
        for state, button in self._buttons.items():
            button.setChecked(button is clicked and button.isChecked())
            self._explain(state)
        self.state_chosen.emit(self.chosen())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for state in self._counts:
                self._explain(state)

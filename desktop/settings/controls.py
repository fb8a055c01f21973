"""The control for each kind of setting; all of them have ``value``, ``set_value`` and ``changed``."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QWidget,
)

from desktop.design_tokens import SPACE_S, SPACE_XS
from desktop.settings.switch import Switch
from engine.settings.standing import SettingValue

_WIDTH = 190
_MOST_WHOLE = 1_000_000


class Control(QWidget):
    """Says ``changed`` when a person has chosen another value, never for :meth:`set_value`.

    Signals:
        changed(object): the new value.
    """

    changed = Signal(object)

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        for widget in widgets:
            row.addWidget(widget)
            if isinstance(widget, (QAbstractSpinBox, QComboBox, QSlider)):
                widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                widget.installEventFilter(self)
        self.row = row
        self.field = widgets[0]
        self.setFocusProxy(self.field)

    def value(self) -> SettingValue:
        raise NotImplementedError

    def set_value(self, value: SettingValue) -> None:
        raise NotImplementedError

    def set_name(self, name: str, title: str) -> None:
        """Object name and what screen readers call it."""
        self.field.setObjectName(name)
        # The line of text inside a spin box is a thing of its own to screen readers.
        for widget in (self.field, *self.field.findChildren(QLineEdit)):
            widget.setAccessibleName(title)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel scrolls the page and changes nothing on the way."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False

    @Slot()
    def _tell(self) -> None:
        self.changed.emit(self.value())


class SwitchControl(Control):
    """On or off."""

    def __init__(self) -> None:
        self.switch = Switch()
        super().__init__(self.switch)
        self.switch.clicked.connect(self._tell)

    def value(self) -> bool:
        return self.switch.isChecked()

    def set_value(self, value: SettingValue) -> None:
        self.switch.setChecked(bool(value))


class ChoiceControl(Control):
    """One of a few; ``choices`` are pairs of value and words."""

    def __init__(self, choices: Sequence[tuple[SettingValue, str]]) -> None:
        self.combo = QComboBox()
        self.combo.setMinimumWidth(_WIDTH)
        for value, words in choices:
            self.combo.addItem(words, value)
        super().__init__(self.combo)
        self.combo.activated.connect(self._tell)

    def value(self) -> SettingValue:
        chosen: SettingValue = self.combo.currentData()
        return chosen

    def set_value(self, value: SettingValue) -> None:
        self.combo.setCurrentIndex(self.combo.findData(value))


class NumberControl(Control):
    """A number with its unit; the news come when it has been typed to its end."""

    def __init__(self, least: float, most: float | None, decimals: int, step: float, unit: str) -> None:
        self.box = QDoubleSpinBox() if decimals else QSpinBox()
        if isinstance(self.box, QDoubleSpinBox):
            self.box.setDecimals(decimals)
            self.box.setRange(least, _MOST_WHOLE if most is None else most)
            self.box.setSingleStep(step)
            self.box.valueChanged.connect(self._tell)
        else:
            self.box.setRange(int(least), _MOST_WHOLE if most is None else int(most))
            self.box.setSingleStep(int(step))
            self.box.valueChanged.connect(self._tell)
        self.box.setKeyboardTracking(False)
        self.box.setGroupSeparatorShown(True)
        self.box.setSuffix(f" {unit}" if unit else "")
        self.box.setMinimumWidth(_WIDTH)
        # A style sheet's padding does not reach the text of a spin box.
        self.box.lineEdit().setTextMargins(SPACE_XS, 0, 0, 0)
        super().__init__(self.box)

    def value(self) -> SettingValue:
        return self.box.value()

    def set_value(self, value: SettingValue) -> None:
        assert isinstance(value, (int, float))
        self.box.blockSignals(True)
        if isinstance(self.box, QDoubleSpinBox):
            self.box.setValue(float(value))
        else:
            self.box.setValue(int(value))
        self.box.blockSignals(False)


class AutomaticControl(Control):
    """A number that the program may decide: a check box beside it, whose None goes to ``changed``.

    ``automatic`` is what it decides here, where that is known.
    """

    def __init__(self, number: NumberControl, words: str, automatic: float | None, first: float) -> None:
        self.check = QCheckBox(words)
        self.number = number
        self._automatic = first if automatic is None else automatic
        super().__init__(self.check, number)
        number.box.setMinimumWidth(_WIDTH - 40)
        self.check.clicked.connect(self._on_checked)
        number.changed.connect(self._tell)

    def set_name(self, name: str, title: str) -> None:
        self.number.set_name(name, title)
        self.check.setObjectName(f"{name}Automatic")
        self.check.setAccessibleName(f"{title}: {self.check.text()}")

    def value(self) -> SettingValue:
        return None if self.check.isChecked() else self.number.value()

    def set_value(self, value: SettingValue) -> None:
        self.check.setChecked(value is None)
        self.number.setEnabled(value is not None)
        self.number.set_value(self._automatic if value is None else value)

    @Slot()
    def _on_checked(self) -> None:
        self.number.setEnabled(not self.check.isChecked())
        self._tell()


class TextControl(Control):
    """A line of text; nothing written is None. The news come with Enter or when the line is left."""

    def __init__(self, placeholder: str) -> None:
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(placeholder)
        self.edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._told: SettingValue = None
        super().__init__(self.edit)
        self.edit.editingFinished.connect(self._on_finished)

    def value(self) -> SettingValue:
        return self.edit.text().strip() or None

    def set_value(self, value: SettingValue) -> None:
        self._told = value
        self.edit.setText("" if value is None else str(value))

    @Slot()
    def _on_finished(self) -> None:
        if self.value() != self._told:
            self._told = self.value()
            self._tell()


class FileControl(TextControl):
    """A file, written or chosen; ``kinds`` is the filter of the file dialog."""

    def __init__(self, placeholder: str, kinds: str) -> None:
        super().__init__(placeholder)
        self._kinds = kinds
        self.browse_button = QPushButton(self.tr("Choose…"))
        self.browse_button.clicked.connect(self._on_browse)
        self.row.addWidget(self.browse_button)

    def set_name(self, name: str, title: str) -> None:
        super().set_name(name, title)
        self.browse_button.setObjectName(f"{name}Browse")
        self.browse_button.setAccessibleName(f"{title}: {self.browse_button.text()}")

    @Slot()
    def _on_browse(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.edit.accessibleName(), "", self._kinds)
        if chosen:
            self.edit.setText(chosen)
            self._on_finished()


class SliderControl(Control):
    """A share in steps, with its number beside it; the news come when the slider is let go."""

    def __init__(self, least: int, most: int, step: int) -> None:
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(least // step, most // step)
        self.slider.setPageStep(2)
        self.slider.setMinimumWidth(_WIDTH)
        self.slider.setTracking(False)
        self._step = step
        self.label = QLabel()
        self.label.setMinimumWidth(self.label.fontMetrics().horizontalAdvance("000 %"))
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        super().__init__(self.slider, self.label)
        self.slider.valueChanged.connect(self._tell)
        self.slider.sliderMoved.connect(self._show_number)
        self.slider.valueChanged.connect(self._show_number)

    def value(self) -> int:
        return self.slider.value() * self._step

    def set_value(self, value: SettingValue) -> None:
        assert isinstance(value, (int, float))
        self.slider.blockSignals(True)
        self.slider.setValue(round(value / self._step))
        self.slider.blockSignals(False)
        self._show_number(self.slider.value())

    @Slot(int)
    def _show_number(self, place: int) -> None:
        self.label.setText(f"{place * self._step} %")

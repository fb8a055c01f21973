"""This computer in plain words: what it has, which model suits it, and the measurement of both."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.models import words
from desktop.plain_label import plain_label
from engine.model_files.events import ModelsListed
from engine.model_files.standing import ModelStanding


class MachineCard(QFrame):
    """The measuring button says Stop while it measures. Without ``has_advice`` somebody else names the model
    that suits this computer."""

    def __init__(self, *, has_advice: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_advice = has_advice
        self.setObjectName("machineCard")
        self.machine_label = plain_label("machineFacts", "title")
        self.advice_label = plain_label("machineAdvice", "plain")
        self.speed_label = plain_label("machineSpeed", "caption")
        self.measure_button = QPushButton(self.tr("Measure speed"))
        self.measure_button.setObjectName("measureSpeed")
        self.measure_button.setToolTip(self.tr("Takes ten seconds at most"))
        self.bar = QProgressBar()
        self.bar.setObjectName("measureBar")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setAccessibleName(self.tr("Measuring"))
        self.bar.hide()
        lines = QVBoxLayout()
        lines.setSpacing(SPACE_XS)
        for label in (self.machine_label, self.advice_label, self.speed_label):
            lines.addWidget(label)
        top = QHBoxLayout()
        top.setSpacing(SPACE_M)
        top.addLayout(lines, 1)
        top.addWidget(self.measure_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addLayout(top)
        layout.addWidget(self.bar)

    def show_listed(self, listed: ModelsListed) -> None:
        self.machine_label.setText(words.machine_words(listed.machine))
        advice = words.advice(listed.models, listed.machine)
        if listed.server is not None:
            advice = self.tr("The chat server {address} answers.").format(address=listed.server)
        self._say(self.advice_label, advice if self._has_advice else "")
        self._say(self.speed_label, self._speed(listed.models))

    def show_measuring(self, share: float | None) -> None:
        """``share`` of the time has passed, 0 to 1; None: nothing is measured now."""
        is_on = share is not None
        self.bar.setVisible(is_on)
        self.bar.setValue(int(1000 * (share or 0.0)))
        self.measure_button.setText(self.tr("Stop") if is_on else self.tr("Measure speed"))

    def _speed(self, models: tuple[ModelStanding, ...]) -> str:
        used = [model for model in models if model.in_use and model.speed is not None]
        order = sorted(used, key=lambda model: model.role != "chat")
        if not order:
            return self.tr("Not measured yet. A measurement takes ten seconds at most.")
        return words.speed_words(order[0].speed)

    def _say(self, label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))

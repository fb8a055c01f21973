"""One model on the models page: what it is, how it stands here, and what can be done with it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop import error_text
from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.flow_layout import FlowLayout
from desktop.models import words
from desktop.plain_label import plain_label
from engine.model_files.standing import ModelStanding


class ModelRow(QFrame):
    """Lays out one :class:`ModelStanding`.

    Signals:
        wanted(str, str): what a person wants with it (``use``, ``download``, ``import``, ``verify`` or
            ``remove``) and its id.
    """

    wanted = Signal(str, str)

    def __init__(self, model: ModelStanding, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.setObjectName("modelRow")
        self.setProperty("used", model.in_use)
        self.main_button: QPushButton | None = None
        self.more_button: QPushButton | None = None
        lines = QVBoxLayout()
        lines.setSpacing(SPACE_XS)
        lines.addWidget(self._title())
        lines.addWidget(plain_label("modelFacts", "caption", words.facts(model)))
        lines.addWidget(self._standing())
        if speed := words.speed_words(model.speed):
            lines.addWidget(plain_label("modelSpeed", "caption", speed))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addLayout(lines, 1)
        self._add_buttons(layout)

    def set_busy(self, is_busy: bool) -> None:
        """While something goes on with files nothing else is begun."""
        for button in (self.main_button, self.more_button):
            if button is not None:
                button.setEnabled(not is_busy)

    def badges(self) -> list[str]:
        model = self.model
        found = []
        if model.in_use:
            found.append(self.tr("In use"))
        elif model.is_default and model.installed:
            found.append(self.tr("Default"))
        if model.is_recommended:
            found.append(self.tr("Recommended here"))
        return found

    def _title(self) -> QWidget:
        """The name with its badges, which go below it where there is no room."""
        title = QWidget()
        line = FlowLayout(SPACE_S)
        title.setLayout(line)
        name = plain_label("modelName", "title", self.model.name)
        name.setWordWrap(False)
        line.addWidget(name)
        for badge in self.badges():
            label = QLabel(badge)
            label.setObjectName("modelBadge")
            label.setProperty("tone", "scope")
            line.addWidget(label)
        return title

    def _standing(self) -> QLabel:
        """The one line that matters most: a fault, the check of what is here, or whether it would fit."""
        model = self.model
        if model.problem is not None:
            fault = error_text.describe(model.problem, {"path": model.name, "model": model.id})
            return plain_label("modelState", "bad", f"{fault.title} {fault.advice}".strip())
        fit, role = words.fit_words(model)
        parts = [fit]
        if model.installed:
            parts.append(words.checked_words(model))
        elif model.publisher is not None:
            parts.append(self.tr("cannot be downloaded; import its folder"))
        label = plain_label("modelState", "caption", " · ".join(parts))
        if model.installed or model.can_download:
            label.setProperty("fit", role)
        return label

    def _add_buttons(self, layout: QHBoxLayout) -> None:
        model = self.model
        if not model.installed:
            if model.can_download:
                self._add_main(layout, self.tr("Download…"), "download")
            else:
                self._add_main(layout, self.tr("Import folder…"), "import")
            return
        if model.problem is not None and model.can_download:
            self._add_main(layout, self.tr("Download…"), "download")
        elif not model.in_use and model.problem is None and model.fit != "too_large":
            self._add_main(layout, self.tr("Use"), "use")
        menu = QMenu(self)
        menu.addAction(self.tr("Check again"), lambda: self.wanted.emit("verify", self.model.id))
        if not model.is_permanent:
            menu.addAction(self.tr("Remove…"), lambda: self.wanted.emit("remove", self.model.id))
        self.more_button = QPushButton(self.tr("More"))
        self.more_button.setObjectName("modelMore")
        self.more_button.setAccessibleName(self.tr("More for {name}").format(name=model.name))
        self.more_button.setProperty("kind", "flat")
        self.more_button.setMenu(menu)
        layout.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignVCenter)

    def _add_main(self, layout: QHBoxLayout, text: str, action: str) -> None:
        button = QPushButton(text)
        button.setObjectName(f"model-{action}")
        button.setAccessibleName(f"{text} {self.model.name}")
        button.clicked.connect(lambda: self.wanted.emit(action, self.model.id))
        self.main_button = button
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)

"""The models page of the settings: this computer, what goes on, and the models by what they are for."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from desktop.models.machine_card import MachineCard
from desktop.models.row import ModelRow
from desktop.models.transfer import Transfer, TransferStrip
from desktop.note_line import NoteLine
from desktop.plain_label import plain_label
from engine.model_files.events import ModelsListed
from engine.model_files.standing import ModelStanding


class ModelsPage(QWidget):
    """Lays out; installed models stand before those that could be had.

    Signals:
        wanted(str, str): as :attr:`desktop.models.row.ModelRow.wanted`.
    """

    wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelsPage")
        self._is_busy = False
        self._build()

    def _build(self) -> None:
        self.machine_card = MachineCard()
        self.transfer_strip = TransferStrip()
        self.note = NoteLine("modelNote")
        self.import_button = QPushButton(self.tr("Import from disk or USB"))
        self.import_button.setObjectName("importModel")
        menu = QMenu(self)
        self.file_action = menu.addAction(self.tr("A model file (.gguf)…"))
        self.folder_action = menu.addAction(self.tr("A folder or a stick…"))
        self.import_button.setMenu(menu)
        self.automatic_button = QPushButton(self.tr("Choose by memory"))
        self.automatic_button.setObjectName("chooseAutomatically")
        self.automatic_button.setProperty("kind", "flat")
        self.automatic_button.setToolTip(
            self.tr("Take the chat model that suits the memory of this computer")
        )
        self._chat = self._section()
        self._embedders = self._section()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_S, SPACE_XL, SPACE_XL)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.machine_card)
        layout.addWidget(self.transfer_strip)
        layout.addWidget(self.note)
        layout.addLayout(
            self._heading(
                self.tr("Chat models"),
                self.tr("They write the answers. Without one, passages and sentences are shown."),
                self.automatic_button,
                self.import_button,
            )
        )
        layout.addLayout(self._chat)
        layout.addSpacing(SPACE_S)
        layout.addLayout(
            self._heading(
                self.tr("Embedders"),
                self.tr(
                    "They find passages by meaning. Another one needs all passages embedded again; that goes "
                    "on in the background, and the old index answers until then."
                ),
            )
        )
        layout.addLayout(self._embedders)
        layout.addSpacing(SPACE_S)
        layout.addLayout(
            self._heading(
                self.tr("Reranking"),
                self.tr("Needs no model of its own: the embedder compares the best passages word by word."),
            )
        )
        layout.addStretch(1)

    def show_listed(self, listed: ModelsListed) -> None:
        self.machine_card.show_listed(listed)
        order = sorted(listed.models, key=lambda model: not model.installed)
        self._fill(self._chat, [model for model in order if model.role == "chat"])
        self._fill(self._embedders, [model for model in order if model.role == "embedder"])
        self.show_busy(self._is_busy)

    def show_transfer(self, transfer: Transfer | None) -> None:
        self.transfer_strip.show_transfer(transfer)
        self.show_busy(transfer is not None)

    def show_busy(self, is_busy: bool) -> None:
        self._is_busy = is_busy
        for row in self.rows():
            row.set_busy(is_busy)
        self.import_button.setEnabled(not is_busy)
        self.automatic_button.setEnabled(not is_busy)

    def rows(self) -> list[ModelRow]:
        """From top to bottom."""
        sections = (self._chat, self._embedders)
        items = (section.itemAt(place) for section in sections for place in range(section.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, ModelRow)]

    def row(self, model_id: str) -> ModelRow | None:
        return next((row for row in self.rows() if row.model.id == model_id), None)

    def _section(self) -> QVBoxLayout:
        section = QVBoxLayout()
        section.setSpacing(SPACE_S)
        return section

    def _heading(self, title: str, text: str, *buttons: QPushButton) -> QVBoxLayout:
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(plain_label("modelSection", "title", title), 1)
        for button in buttons:
            top.addWidget(button)
        heading = QVBoxLayout()
        heading.setSpacing(SPACE_S // 2)
        heading.addLayout(top)
        heading.addWidget(plain_label("modelSectionText", "caption", text))
        heading.setContentsMargins(0, SPACE_L, 0, 0)
        return heading

    def _fill(self, section: QVBoxLayout, models: Sequence[ModelStanding]) -> None:
        while (item := section.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for model in models:
            row = ModelRow(model)
            row.wanted.connect(self.wanted)
            section.addWidget(row)

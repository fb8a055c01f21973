"""The second step: which models were found, what this computer can do with them, and how to get one."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop import error_text, icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, current_colours
from desktop.models import words
from desktop.models.controller import Told
from desktop.models.machine_card import MachineCard
from desktop.models.transfer import Transfer, TransferStrip
from desktop.note_line import NoteLine
from desktop.plain_label import plain_label
from engine.model_files.events import ModelsListed
from engine.model_files.standing import ModelStanding

_MARK = 20


class FoundLine(QFrame):
    """One model that is looked for: a mark, what was found, and what that means."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._icon, self._role = "state-reading", "muted"
        self.mark = QLabel()
        self.title_label = plain_label(f"{name}Title", "title")
        self.text_label = plain_label(f"{name}Text", "caption")
        lines = QVBoxLayout()
        lines.setSpacing(SPACE_XS)
        lines.addWidget(self.title_label)
        lines.addWidget(self.text_label)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        self.row.setSpacing(SPACE_M)
        self.row.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        self.row.addLayout(lines, 1)
        self._dress()

    def show_found(self, icon: str, role: str, title: str, text: str) -> None:
        self._icon, self._role = icon, role
        self.title_label.setText(title)
        self.text_label.setText(text)
        self.text_label.setVisible(bool(text))
        self._dress()

    def _dress(self) -> None:
        colour = getattr(current_colours(), self._role)
        self.mark.setPixmap(icons.icon(self._icon, colour).pixmap(QSize(_MARK, _MARK)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()


class ModelStep(QWidget):
    """Lays out what the engine found; its buttons are wired by the first run's controller."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelStep")
        self._build()

    def _build(self) -> None:
        title = plain_label("modelStepTitle", "display", self.tr("Models on this computer"))
        lead = plain_label(
            "modelStepLead",
            "lead",
            self.tr("A small model finds passages, a chat model writes the answers. Both run here, offline."),
        )
        for label in (title, lead):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.machine_card = MachineCard(has_advice=False)
        self.embedder_line = FoundLine("embedderFound")
        self.chat_line = FoundLine("chatFound")
        self.import_button = QPushButton(self.tr("Import from disk or USB"))
        self.import_button.setObjectName("firstRunImport")
        menu = QMenu(self)
        self.file_action = menu.addAction(self.tr("A model file (.gguf)…"))
        self.folder_action = menu.addAction(self.tr("A folder or a stick…"))
        self.import_button.setMenu(menu)
        self.download_button = QPushButton(self.tr("Download…"))
        self.download_button.setObjectName("firstRunDownload")
        for button in (self.import_button, self.download_button):
            self.chat_line.row.addWidget(button)
            button.hide()
        self.transfer_strip = TransferStrip()
        self.note = NoteLine("firstRunNote")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(title)
        layout.addWidget(lead)
        layout.addSpacing(SPACE_L)
        for part in (
            self.embedder_line, self.chat_line, self.transfer_strip, self.note, self.machine_card
        ):  # fmt: skip
            layout.addWidget(part)
        self._show_looking()

    def _show_looking(self) -> None:
        self.embedder_line.show_found("state-reading", "muted", self.tr("Looking for models…"), "")
        self.chat_line.hide()

    def show_listed(self, listed: ModelsListed) -> None:
        self.machine_card.show_listed(listed)
        self._show_embedder(listed)
        self._show_chat(listed)
        self.chat_line.show()

    def show_transfer(self, transfer: Transfer | None) -> None:
        self.transfer_strip.show_transfer(transfer)
        for button in (self.import_button, self.download_button):
            button.setEnabled(transfer is None)

    def show_told(self, told: Told) -> None:
        self.note.show_note(told.text, tone=told.tone)

    def _show_embedder(self, listed: ModelsListed) -> None:
        used = next((model for model in listed.models if model.role == "embedder" and model.in_use), None)
        if used is None or not used.installed or used.problem is not None:
            title = self.tr("The embedder cannot be used: passages are found by their words only")
            self.embedder_line.show_found("warning", "warn", title, "")
            return
        title = self.tr("Embedder found: {name}").format(name=used.name)
        self.embedder_line.show_found("state-good", "good", title, words.checked_words(used))

    def _show_chat(self, listed: ModelsListed) -> None:
        chat = [model for model in listed.models if model.role == "chat"]
        taken = next((model for model in chat if model.in_use), None) or next(
            (model for model in chat if model.is_default and model.installed), None
        )
        is_served = listed.server is not None
        self.import_button.setVisible(taken is None and not is_served)
        recommended = next((model for model in chat if model.is_recommended), None)
        self.download_button.setVisible(
            taken is None and not is_served and recommended is not None and recommended.can_download
        )
        if is_served:
            title = self.tr("A chat server of this computer answers: {address}")
            self.chat_line.show_found("state-good", "good", title.format(address=listed.server), "")
        elif taken is not None:
            title = self.tr("Chat model found: {name}").format(name=taken.name)
            text = f"{words.fit_words(taken)[0]} · {words.checked_words(taken)}"
            self.chat_line.show_found("state-good", "good", title, text)
        else:
            self._show_missing(chat, recommended)

    def _show_missing(self, chat: list[ModelStanding], recommended: ModelStanding | None) -> None:
        faulty = next((model for model in chat if model.installed and model.problem is not None), None)
        text = self.tr("Without one you get the passages and sentences themselves, at once.")
        if recommended is not None:
            fitting = self.tr("Suits this computer: {name} ({facts}).")
            text = f"{fitting.format(name=recommended.name, facts=words.facts(recommended))}\n{text}"
        if faulty is not None and faulty.problem is not None:
            fault = error_text.describe(faulty.problem, {"path": faulty.name, "model": faulty.id})
            text = f"{fault.title}\n{text}"
        self.chat_line.show_found("info", "accent", self.tr("No chat model yet"), text)

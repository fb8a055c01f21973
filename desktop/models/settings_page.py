"""Puts the models page into the settings window and wires it."""

from PySide6.QtCore import QObject, Slot

from desktop.models.controller import ModelsController, Told
from desktop.models.page import ModelsPage
from desktop.settings.window import SettingsWindow

NAME = "models"


class ModelsPageController(QObject):
    """Lives as long as its page."""

    def __init__(self, models: ModelsController, window: SettingsWindow) -> None:
        self.page = ModelsPage()
        super().__init__(self.page)
        self._models = models
        self._offer: str | None = None
        page = self.page
        window.add_page(NAME, "models", self.tr("Models"), page)
        models.listed.connect(page.show_listed)
        models.transferred.connect(page.show_transfer)
        models.measured.connect(page.machine_card.show_measuring)
        models.told.connect(self._on_told)
        page.wanted.connect(models.do)
        page.file_action.triggered.connect(models.import_file)
        page.folder_action.triggered.connect(models.import_folder)
        page.automatic_button.clicked.connect(models.use_automatic)
        page.transfer_strip.stop_wanted.connect(models.stop)
        page.machine_card.measure_button.clicked.connect(models.measure)
        page.note.button.clicked.connect(self._on_offer_taken)
        if models.last is not None:
            page.show_listed(models.last)
        models.refresh()

    @Slot(object)
    def _on_told(self, told: Told) -> None:
        self._offer = told.offer
        button = self.tr("Use it") if told.offer is not None else ""
        self.page.note.show_note(told.text, button, told.tone)

    @Slot()
    def _on_offer_taken(self) -> None:
        if self._offer is not None:
            self.page.note.show_note("")
            self._models.do("use", self._offer)

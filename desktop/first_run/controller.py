"""Decides in the first run: which step it is, by what there is, and when it is over."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal, Slot

import resources
from desktop.first_run.ask_step import sample_questions
from desktop.first_run.page import ASK, FOLDER, MODEL, FirstRunPage
from desktop.models.controller import ModelsController, Told
from engine.events import ModelsReady
from engine.model_files.events import ModelsListed
from engine.standing import LibrarySummary

_BEGUN = "first_run/begun"
"""In the window's shape: documents were chosen here, and nobody has come to the end yet."""


class FirstRunController(QObject):
    """Where nothing can be searched, it is the first step. After documents were chosen on its page it goes on
    to the models and to a question, also in a later start, until somebody asks or skips.

    Signals:
        shown(bool): the page is to be shown, or what is behind it.
        question_wanted(str): an example is to be asked; empty: a person wants to write one.
    """

    shown = Signal(bool)
    question_wanted = Signal(str)

    def __init__(
        self, page: FirstRunPage, models: ModelsController, shape: QSettings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._page, self._models, self._shape = page, models, shape
        self._is_leading = False
        self._is_open = False
        self._has_documents = False
        self._has_chat_model = False
        self._goes_without_documents = False
        self._measured: set[str] = set()
        page.back_button.clicked.connect(self._on_back)
        page.skip_button.clicked.connect(self._on_next)
        page.next_button.clicked.connect(self._on_next)
        page.ask_step.question_chosen.connect(self._on_question)
        step = page.model_step
        step.file_action.triggered.connect(models.import_file)
        step.folder_action.triggered.connect(models.import_folder)
        step.download_button.clicked.connect(self._on_download)
        step.transfer_strip.stop_wanted.connect(models.stop)
        step.machine_card.measure_button.clicked.connect(models.measure)
        models.listed.connect(self._on_listed)
        models.transferred.connect(step.show_transfer)
        models.measured.connect(step.machine_card.show_measuring)
        models.told.connect(self._on_told)

    @property
    def is_open(self) -> bool:
        """Whether its page is what the window shows."""
        return self._is_open

    def lead(self, choose: Callable[[], None]) -> None:
        """Let a person choose documents as the first step of the run."""
        self._is_leading = True
        try:
            choose()
        finally:
            self._is_leading = False

    @Slot()
    def on_indexing_began(self) -> None:
        """Go on to the models where the documents were chosen on the page, else to the workspace."""
        self._has_documents = True
        if self._is_leading and self._page.step == FOLDER:
            self._shape.setValue(_BEGUN, True)
            self._open(MODEL)
        elif not self._is_open or self._page.step == FOLDER:
            self._close()
        self._page.show_indexing(is_indexing=True)

    def on_libraries(self, libraries: tuple[LibrarySummary, ...], *, is_busy: bool) -> None:
        """What there is decides whether there is anything to go on with."""
        samples = resources.path("samples")
        has_samples = any(Path(folder) == samples for library in libraries for folder in library.folders)
        self._page.ask_step.show_examples(sample_questions() if has_samples else ())
        self._page.show_indexing(is_indexing=is_busy)
        self._has_documents = bool(libraries) or is_busy
        if not self._has_documents:
            if not (self._is_open and self._goes_without_documents):
                self._open(FOLDER)
        elif not self._is_begun():
            self._close()
        elif not self._is_open or self._page.step == FOLDER:
            self._open(ASK if self._has_chat_model else MODEL)

    @Slot(object)
    def on_models_ready(self, ready: ModelsReady) -> None:
        self._has_chat_model = ready.chat_model is not None
        if self._is_open and self._page.step == MODEL:
            self._page.show_done(is_done=self._has_chat_model)
            self._models.refresh()

    def _is_begun(self) -> bool:
        return bool(self._shape.value(_BEGUN, False, type=bool))

    def _open(self, step: int) -> None:
        if step == MODEL and not (self._is_open and self._page.step == MODEL):
            self._models.refresh()
        self._page.show_step(step, is_done=self._is_done(step))
        if step == ASK:
            self._page.ask_step.setFocus()
        self._is_open = True
        self.shown.emit(True)

    def _is_done(self, step: int) -> bool:
        return self._has_documents if step == FOLDER else self._has_chat_model

    def _close(self) -> None:
        self._shape.remove("first_run")
        self._is_open = False
        self.shown.emit(False)

    @Slot()
    def _on_next(self) -> None:
        if self._page.step == FOLDER:
            self._goes_without_documents = not self._has_documents
            self._open(MODEL)
        elif self._page.step == MODEL:
            self._open(ASK)
        else:
            self._on_question(self._page.ask_step.question())

    @Slot()
    def _on_back(self) -> None:
        self._goes_without_documents = False
        self._open(MODEL if self._page.step == ASK else FOLDER)

    @Slot(str)
    def _on_question(self, question: str) -> None:
        self._close()
        self.question_wanted.emit(question)

    @Slot()
    def _on_download(self) -> None:
        models = self._models.last.models if self._models.last is not None else ()
        for model in models:
            if model.is_recommended:
                self._models.do("download", model.id)

    @Slot(object)
    def _on_listed(self, listed: ModelsListed) -> None:
        self._page.model_step.show_listed(listed)
        used = [model for model in listed.models if model.in_use and model.installed]
        unknown = {model.id for model in used if model.speed is None} - self._measured
        # Once each, and only while somebody looks at it: it costs ten seconds of the machine.
        if self._is_open and self._page.step == MODEL and unknown:
            self._measured |= {model.id for model in used}
            if not self._models.is_measuring:
                self._models.measure()

    @Slot(object)
    def _on_told(self, told: Told) -> None:
        self._page.model_step.show_told(told)

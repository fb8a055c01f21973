"""Decides on models: what is listed, imported, downloaded, chosen, removed and measured, for every view."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.models import questions, words
from desktop.models.transfer import Transfer
from desktop.words import number
from engine.events import Event, ModelsReady, Notice, TaskDone, TaskFailed, TaskStopped
from engine.model_files.commands import (
    ChooseModel,
    ChosenRole,
    DownloadModel,
    ImportModel,
    ListModels,
    MeasureModel,
    ModelCommand,
    RemoveModel,
    VerifyModel,
)
from engine.model_files.events import (
    MeasureProgress,
    ModelArrived,
    ModelChosen,
    ModelProgress,
    ModelRemoved,
    ModelsListed,
    ModelVerified,
    SourceGivenUp,
)
from engine.model_files.standing import ModelStanding

_CAUTIONS = frozenset({"model_not_in_catalogue", "model_too_large"})
"""What a person may decide otherwise."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came of something; ``tone`` is info or warn, ``offer`` is a model that could be used now."""

    text: str
    tone: str = "info"
    offer: str | None = None


class ModelsController(QObject):
    """One task with files at a time. Questions stand over ``parent_of()``.

    Signals:
        listed(object): the ModelsListed of now.
        transferred(object): the Transfer that goes on, or None.
        measured(object): the share of a measurement that is done (0 to 1), or None.
        told(object): a Told.
        ready(object): a ModelsReady; other models are in use than before.
        embedder_changed(): all knowledge bases have to be brought in step.
    """

    listed = Signal(object)
    transferred = Signal(object)
    measured = Signal(object)
    told = Signal(object)
    ready = Signal(object)
    embedder_changed = Signal()

    def __init__(
        self, bridge: EngineBridge, parent_of: Callable[[], QWidget], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._parent_of = parent_of
        self._transfer_task: int | None = None
        self._measure_task: int | None = None
        self._passages = 0
        self.last: ModelsListed | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something goes on with a model's files."""
        return self._transfer_task is not None

    @property
    def is_measuring(self) -> bool:
        return self._measure_task is not None

    def set_passages(self, count: int) -> None:
        """How many passages all knowledge bases have, which is what another embedder costs."""
        self._passages = count

    @Slot()
    def refresh(self) -> None:
        self._bridge.send(ListModels(self._bridge.new_task()), self._on_listed)

    @Slot(str, str)
    def do(self, action: str, model_id: str) -> None:
        """What a row of the models page asks for."""
        model = self._find(model_id)
        if model is None or self.is_busy:
            return
        if action == "use":
            self.use(model)
        elif action == "import":
            self.import_folder()
        elif action == "verify":
            text = self.tr("Checking {name}").format(name=model.name)
            self._begin(VerifyModel(self._bridge.new_task(), model.id), text)
        elif action == "download" and questions.wants_download(self._parent_of(), model):
            text = self.tr("Downloading {name}").format(name=model.name)
            self._begin(DownloadModel(self._bridge.new_task(), model.id), text)
        elif action == "remove" and questions.wants_removal(self._parent_of(), model):
            text = self.tr("Removing {name}").format(name=model.name)
            self._begin(RemoveModel(self._bridge.new_task(), model.id), text, can_stop=False)

    def use(self, model: ModelStanding) -> None:
        """Take a model into use, after a word about what that costs where it is an embedder."""
        if model.role == "embedder":
            models = self.last.models if self.last is not None else ()
            minutes = words.embedding_minutes(self._passages, model, models)
            if not questions.wants_embedder(self._parent_of(), model, self._passages, minutes):
                return
        self._choose("embedder" if model.role == "embedder" else "chat", model.id, model.name)

    @Slot()
    def use_automatic(self) -> None:
        """Take the chat model that suits the memory of this computer."""
        if not self.is_busy:
            self._choose("chat", None, self.tr("the chat model that suits this computer"))

    @Slot()
    def import_file(self) -> None:
        if not self.is_busy and (path := questions.model_file(self._parent_of())) is not None:
            command = ImportModel(self._bridge.new_task(), path)
            self._begin(command, self.tr("Importing {name}").format(name=path.name))

    @Slot()
    def import_folder(self) -> None:
        if not self.is_busy and (path := questions.model_folder(self._parent_of())) is not None:
            command = ImportModel(self._bridge.new_task(), path)
            self._begin(command, self.tr("Importing {name}").format(name=path.name or str(path)))

    @Slot()
    def stop(self) -> None:
        if self._transfer_task is not None:
            self._bridge.stop_task(self._transfer_task)

    @Slot()
    def measure(self) -> None:
        """Measure, or stop measuring."""
        if self._measure_task is not None:
            self._bridge.stop_task(self._measure_task)
            return
        self._measure_task = self._bridge.new_task()
        self.measured.emit(0.0)
        self._bridge.send(MeasureModel(self._measure_task), self._on_measure_event)

    def _choose(self, role: ChosenRole, model: str | None, name: str) -> None:
        text = self.tr("Loading {name}").format(name=name)
        self._begin(ChooseModel(self._bridge.new_task(), role, model), text, can_stop=False)

    def _begin(self, command: ModelCommand, text: str, *, can_stop: bool = True) -> None:
        self._transfer_task = command.task_id
        self.transferred.emit(Transfer(text, can_stop=can_stop))
        self._bridge.send(command, partial(self._on_event, command, text))

    def _on_listed(self, event: Event) -> None:
        if isinstance(event, ModelsListed):
            self.last = event
            self.listed.emit(event)
        elif isinstance(event, TaskFailed):
            self._tell_failure(event.code, event.params)

    def _on_event(self, command: ModelCommand, text: str, event: Event) -> None:
        if isinstance(event, ModelProgress):
            self.transferred.emit(Transfer(text, event.done, event.total))
        elif isinstance(event, SourceGivenUp):
            # The next source may take its time; which one failed stands in the end's own words.
            self.transferred.emit(Transfer(text))
        elif isinstance(event, ModelArrived):
            self._on_arrived(event)
        elif isinstance(event, (ModelVerified, ModelRemoved, ModelChosen)):
            self._tell(event)
        elif isinstance(event, ModelsReady):
            self.ready.emit(event)
        elif isinstance(event, (TaskDone, TaskStopped, TaskFailed)):
            self._end()
            if isinstance(event, TaskFailed):
                self._on_failed(command, text, event)
            elif isinstance(event, TaskStopped):
                self.told.emit(Told(self.tr("Stopped.")))

    def _end(self) -> None:
        self._transfer_task = None
        self.transferred.emit(None)
        self.refresh()

    def _on_failed(self, command: ModelCommand, text: str, event: TaskFailed) -> None:
        if event.code in _CAUTIONS and isinstance(command, ImportModel) and not command.anyway:
            caution = error_text.describe(event.code, event.params)
            if questions.wants_anyway(self._parent_of(), caution):
                self._begin(ImportModel(self._bridge.new_task(), command.path, anyway=True), text)
            return
        self._tell_failure(event.code, event.params)

    def _on_arrived(self, event: ModelArrived) -> None:
        if event.in_catalogue:
            text = self.tr("{name} is here and was checked.").format(name=event.name)
        else:
            text = self.tr("{name} was added. It is not in the catalogue: only its header was checked.")
            text = text.format(name=event.name)
        used = [model for model in self.last.models if model.in_use] if self.last is not None else []
        is_first = event.role == "chat" and not any(model.role == "chat" for model in used)
        self.told.emit(Told(text, offer=None if is_first else event.model))
        if is_first and (self.last is None or self.last.server is None):
            # Nobody imports a first chat model to go on without one.
            self._bridge.send(ChooseModel(self._bridge.new_task(), "chat", None), self._on_first_loaded)

    def _on_first_loaded(self, event: Event) -> None:
        if isinstance(event, ModelsReady):
            self.ready.emit(event)
        elif isinstance(event, TaskFailed):
            self._tell_failure(event.code, event.params)
        elif isinstance(event, TaskDone):
            self.refresh()

    def _tell(self, event: ModelVerified | ModelRemoved | ModelChosen) -> None:
        name = self._name(event.model)
        if isinstance(event, ModelVerified):
            text = self.tr("{name}: every byte is right.").format(name=name)
        elif isinstance(event, ModelRemoved):
            text = self.tr("{name} was removed, {size} are free again.")
            text = text.format(name=name, size=words.size_words(event.freed))
        elif event.role == "chat":
            text = self.tr("{name} answers from now on.").format(name=name)
        else:
            text = self.tr(
                "{name} is used from now on. {count} passages are embedded again in the background."
            )
            text = text.format(name=name, count=number(event.passages))
            self.embedder_changed.emit()
        self.told.emit(Told(text))

    def _on_measure_event(self, event: Event) -> None:
        if isinstance(event, MeasureProgress):
            self.measured.emit(min(1.0, event.done_s / event.total_s))
        elif isinstance(event, Notice):
            self._tell_failure(event.code, event.params)
        elif isinstance(event, (TaskDone, TaskStopped, TaskFailed)):
            self._measure_task = None
            self.measured.emit(None)
            if isinstance(event, TaskFailed):
                self._tell_failure(event.code, event.params)
            self.refresh()

    def _tell_failure(self, code: str, params: object) -> None:
        found = error_text.describe(code, params)  # type: ignore[arg-type]
        self.told.emit(Told(f"{found.title} {found.advice}".strip(), tone="warn"))

    def _find(self, model_id: str | None) -> ModelStanding | None:
        models = self.last.models if self.last is not None else ()
        return next((model for model in models if model.id == model_id), None)

    def _name(self, model_id: str | None) -> str:
        model = self._find(model_id)
        return model.name if model is not None else model_id or ""

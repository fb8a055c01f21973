"""The jobs on models that need the engine: listing, choosing, removing and measuring them."""

import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import psutil

from engine import native
from engine.cancel import CancelToken
from engine.chat import speed, speed_test
from engine.errors import CodedError
from engine.events import Event, ModelsReady, Notice
from engine.model_files.commands import ChooseModel, ListModels, MeasureModel, RemoveModel, RestChatModel
from engine.model_files.events import (
    MeasureProgress,
    ModelChosen,
    ModelMeasured,
    ModelRemoved,
    ModelRested,
    ModelsListed,
)
from engine.model_files.standing import Fit, Machine, ModelStanding
from engine.workspace import Workspace
from models import arrival
from models.catalogue import CatalogueModel
from models.errors import ModelError, ModelInUse, ModelMissing, ModelUnknown
from models.gguf import read_header
from models.installed import InstalledModel

Steps = Iterator[Event | None]
_Result = TypeVar("_Result")

TOTAL_S = speed_test.CHAT_S + speed_test.EMBEDDER_S


def list_models(command: ListModels, workspace: Workspace) -> Steps:
    """Reads headers of files that nobody has checked yet, no weights."""
    machine = _machine(workspace)
    here = {model.id: model for model in workspace.models.installed()}
    speeds = speed_test.kept(workspace.home)
    loaded = workspace.loaded_generator
    held = here.get(loaded.model_id) if loaded is not None else None
    # What is loaded gives its memory back before another one is loaded.
    room = machine.free_memory + (_memory_needed(held) if held is not None else 0)
    default = held.id if held is not None else workspace.default_chat()
    recommended = workspace.models.known.recommended_chat(room).id
    rows = []
    for entry in workspace.models.known.models:
        found = here.pop(entry.id, None)
        is_embedder = entry.role == "embedder"
        in_use = entry.id == (workspace.settings.embedder if is_embedder else loaded and loaded.model_id)
        rows.append(
            ModelStanding(
                id=entry.id,
                role=entry.role,
                name=entry.name,
                size=found.size if found and entry.structure else entry.size,
                memory_needed=entry.memory_needed,
                fit=_fit(entry.memory_needed, room, machine, in_use=in_use),
                licence=entry.licence,
                installed=found is not None,
                checked_by=found.checked_by if found else None,
                problem=found.problem if found else None,
                in_use=in_use,
                is_default=entry.id == (workspace.settings.embedder if is_embedder else default),
                is_recommended=entry.id == recommended,
                can_download=entry.structure is None and entry.bundled_folder is None,
                is_permanent=entry.bundled_folder is not None,
                publisher=entry.publisher,
                speed=speeds.get(_identity(entry.id, entry, found)) if found else None,
            )
        )
    for model in here.values():
        needed = _memory_needed(model)
        rows.append(
            ModelStanding(
                id=model.id,
                role="chat",
                name=model.id,
                size=model.size,
                memory_needed=needed,
                fit=_fit(needed, room, machine, in_use=model is held),
                in_catalogue=False,
                installed=True,
                checked_by=model.checked_by,
                problem=model.problem,
                in_use=model is held,
                is_default=model.id == default,
                speed=speeds.get(_identity(model.id, None, model)),
            )
        )
    yield ModelsListed(command.task_id, tuple(rows), machine, workspace.chat_server)


def choose(command: ChooseModel, workspace: Workspace) -> Steps:
    """Take a model into use and remember it; where it cannot be loaded, the one before is used again.

    Raises:
        ModelUnknown, ModelMissing: it is not on this machine, or is of another role.
        ModelTooLarge: it needs more memory than there is.
        ModelError, GenerationFailed, EmbedderUnusable: it cannot be loaded.
    """
    if command.model is not None:
        model = _installed(workspace, command.model)
        if model.role != command.role:
            raise ModelUnknown(model=command.model)
        needed, total = _memory_needed(model), native.total_memory()
        if needed > total:
            raise arrival.too_large(command.model, needed, total)
    if command.role == "embedder":
        yield from _choose_embedder(command, workspace)
        return
    before = _stored(workspace, "model")
    workspace.settings_file.change({"model": command.model, "model_path": None})
    workspace.take_settings()
    workspace.renew_chat_model()
    yield None
    try:
        loaded = workspace.generator()
    except CodedError:
        if command.model is not None:
            workspace.settings_file.change({"model": before})
            workspace.take_settings()
            workspace.renew_chat_model()
        raise
    yield ModelChosen(command.task_id, "chat", loaded.model_id)
    yield _ready(command.task_id, workspace)


def _choose_embedder(command: ChooseModel, workspace: Workspace) -> Steps:
    before = workspace.settings.embedder
    stored = _stored(workspace, "embedder")
    workspace.settings_file.change({"embedder": command.model})
    workspace.take_embedder()
    yield None
    if workspace.embedder() is None and workspace.embedder_error is not None:
        error = workspace.embedder_error
        workspace.settings_file.change({"embedder": stored})
        workspace.take_embedder()
        raise error
    chosen = workspace.settings.embedder
    libraries = workspace.libraries.chosen(()) if chosen != before else []
    yield ModelChosen(command.task_id, "embedder", chosen, sum(lib.chunk_count() for lib in libraries))
    yield _ready(command.task_id, workspace)


def _stored(workspace: Workspace, name: str) -> str | None:
    """What the settings file names; None: the default."""
    value = workspace.settings_file.read().get(name)
    return None if value is None else str(value)


def _ready(task_id: int, workspace: Workspace) -> ModelsReady:
    embedder, generator = workspace.embedder(), workspace.loaded_generator
    return ModelsReady(
        task_id, embedder.model_id if embedder else None, generator.model_id if generator else None
    )


def remove(command: RemoveModel, workspace: Workspace) -> Steps:
    """Delete a model; the chat model in use only where it is the only one.

    Raises:
        ModelUnknown, ModelMissing: it is not on this machine.
        ModelPermanent, ModelStorageFailed: it cannot be deleted.
        ModelInUse: another one could be chosen first.
    """
    store = workspace.models
    model = _installed(workspace, command.model)
    loaded = workspace.loaded_generator
    if model.role == "embedder" and model.id == workspace.settings.embedder:
        raise ModelInUse(model=model.id)
    is_loaded = loaded is not None and loaded.model_id == model.id
    if is_loaded and any(other.role == "chat" and other.id != model.id for other in store.installed()):
        raise ModelInUse(model=model.id)
    if _stored(workspace, "model") == model.id:
        workspace.settings_file.reset(frozenset({"model"}))
        workspace.take_settings()
    if is_loaded:
        workspace.renew_chat_model()
    store.remove(model.id)
    yield ModelRemoved(command.task_id, model.id, model.size)
    yield _ready(command.task_id, workspace)


def rest(command: RestChatModel, workspace: Workspace) -> Steps:
    """Free the chat model when it has not been needed for long."""
    if (model := workspace.rest_chat_model()) is not None:
        yield ModelRested(command.task_id, model)


def measure(command: MeasureModel, workspace: Workspace, token: CancelToken) -> Steps:
    """Measure what is in use, the embedder first; files are not read meanwhile.

    A chat model that is missing costs no more than its figures. Raises Cancelled.
    """
    with workspace.quiet():
        embedder = workspace.embedder()
        yield None
        if embedder is not None:
            steps = speed_test.measure_embedder(embedder, token)
            measured = yield from _timed(steps, command.task_id, 0.0)
            speed_test.keep(
                workspace.home, speed_test.embedder_identity(workspace.settings.embedder), measured
            )
            yield ModelMeasured(command.task_id, workspace.settings.embedder, "embedder", measured)
        try:
            generator = workspace.generator()
        except CodedError as exc:
            if not isinstance(exc, ModelMissing):
                yield Notice(command.task_id, exc.code, exc.params)
            return
        yield None
        chat = yield from _timed(
            speed_test.measure_chat(generator, token), command.task_id, speed_test.EMBEDDER_S
        )
        if chat is None:
            yield Notice(command.task_id, "speed_too_slow", {"model": generator.model_id})
            return
        if (file := _file_of(workspace, generator.model_id)) is not None:
            speed_test.keep(workspace.home, speed.identity(file), chat)
        yield ModelMeasured(command.task_id, generator.model_id, "chat", chat)


def _timed(
    steps: Generator[float, None, _Result], task_id: int, before_s: float
) -> Generator[Event | None, None, _Result]:
    """The steps as progress after ``before_s`` seconds of the whole test."""
    try:
        while True:
            spent = next(steps)
            yield MeasureProgress(task_id, min(TOTAL_S, before_s + spent), TOTAL_S)
    except StopIteration as end:
        result: _Result = end.value
        return result
    finally:
        steps.close()


def _installed(workspace: Workspace, model_id: str) -> InstalledModel:
    for model in workspace.models.installed():
        if model.id == model_id:
            return model
    workspace.models.known.find(model_id)
    raise ModelMissing(model=model_id)


def _memory_needed(model: InstalledModel) -> int:
    """Bytes; of a file whose header cannot be read no more than its size is known."""
    if model.entry is not None:
        return model.entry.memory_needed
    try:
        return arrival.memory_needed(model.size, read_header(model.path))
    except ModelError:
        return model.size


def _fit(needed: int, room: int, machine: Machine, *, in_use: bool) -> Fit:
    """``room`` is what a model may take of the memory, in bytes."""
    if needed > machine.total_memory:
        return "too_large"
    return "fits" if in_use or needed <= room else "tight"


def _identity(model_id: str, entry: CatalogueModel | None, found: InstalledModel) -> str:
    if entry is not None and entry.role == "embedder":
        return speed_test.embedder_identity(model_id)
    return speed.identity(found.path)


def _file_of(workspace: Workspace, model_id: str) -> Path | None:
    """The file of a chat model of this program; None for one of a server."""
    try:
        return workspace.models.locate(model_id)
    except ModelError:
        return None


def _machine(workspace: Workspace) -> Machine:
    folder = workspace.models.folder
    while not folder.exists():
        folder = folder.parent
    return Machine(
        processor=speed.processor(),
        cores=psutil.cpu_count(logical=False) or workspace.threads,
        threads=workspace.threads,
        total_memory=native.total_memory(),
        free_memory=native.free_memory(),
        free_disk=shutil.disk_usage(folder).free,
    )

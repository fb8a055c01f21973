"""The tasks on model files that need no more than the models folder; they run aside (:mod:`engine.aside`)."""

import time
from functools import partial
from pathlib import Path

from engine import native
from engine.aside import Tell, Work
from engine.cancel import CancelToken
from engine.commands import Command
from engine.model_files.commands import DownloadModel, ImportModel, VerifyModel
from engine.model_files.events import ModelArrived, ModelProgress, ModelVerified, SourceGivenUp
from engine.paths import Home
from models import arrival, fetch
from models.installed import InstalledModel
from models.store import ModelStore
from models.verification import Report

_PROGRESS_EVERY_S = 0.1


def work_of(command: Command, home: Home) -> Work | None:
    """What such a command does; None for a command of the engine thread."""
    if isinstance(command, ImportModel):
        return partial(import_model, command, home.models)
    if isinstance(command, DownloadModel):
        return partial(download, command, home.models)
    if isinstance(command, VerifyModel):
        return partial(verify, command, home.models)
    return None


def import_model(command: ImportModel, folder: Path, tell: Tell, token: CancelToken) -> None:
    """Copy and check a model; nothing is left of one that is refused or stopped on the way.

    Raises as :func:`models.arrival.look`, :func:`models.arrival.demand_expected` and
    :meth:`models.store.ModelStore.add`, and Cancelled.
    """
    store = ModelStore(folder)
    found = arrival.look(command.path, store.known)
    if not command.anyway:
        arrival.demand_expected(found, native.total_memory())
    wanted = None if command.anyway else found.entry
    model = store.add(found.path, _paced(command.task_id, tell, token), wanted)
    tell(_arrived(command.task_id, model))


def download(command: DownloadModel, folder: Path, tell: Tell, token: CancelToken) -> None:
    """Let the acquisition process fetch a model; it is told the model's id and the models folder, no more.

    Raises Cancelled, and the ModelError that the process ended with.
    """
    store = ModelStore(folder)
    store.known.find(command.model)
    acquisition = fetch.start_acquisition(command.model, folder)
    try:
        for event in acquisition.watched():
            token.check()
            if isinstance(event, fetch.FetchProgress):
                tell(ModelProgress(command.task_id, event.done, event.total, event.source))
            elif isinstance(event, fetch.SourceGivenUp):
                tell(SourceGivenUp(command.task_id, event.source, event.reason))
    finally:
        acquisition.stop()
    model = next(model for model in store.installed() if model.id == command.model)
    tell(_arrived(command.task_id, model))


def verify(command: VerifyModel, folder: Path, tell: Tell, token: CancelToken) -> None:
    """Read every byte; raises as :meth:`models.store.ModelStore.verify`, and Cancelled."""
    ModelStore(folder).verify(command.model, _paced(command.task_id, tell, token))
    tell(ModelVerified(command.task_id, command.model))


def _arrived(task_id: int, model: InstalledModel) -> ModelArrived:
    name = model.entry.name if model.entry else model.id
    role = "embedder" if model.role == "embedder" else "chat"
    return ModelArrived(task_id, model.id, name, role, model.entry is not None)  # type: ignore[arg-type]


def _paced(task_id: int, tell: Tell, token: CancelToken) -> Report:
    """Tells ten times a second, and stops the work when it shall be stopped."""
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        token.check()
        now = time.monotonic()
        if now - last >= _PROGRESS_EVERY_S or done == total:
            last = now
            tell(ModelProgress(task_id, done, total))

    return report

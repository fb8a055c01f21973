"""The model files on this machine.

The models folder holds one ``.gguf`` file a chat model, named by its id, and beside it the markers
``<id>.verified.json``. A user may drop a GGUF file there; its id is the file's name without suffix. The
embedder that ships with the program is not in the folder; another one has a folder there, named by its id.
"""

import contextlib
import os
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from models import folders
from models.catalogue import Catalogue, CatalogueModel, catalogue
from models.errors import (
    ModelDamaged,
    ModelError,
    ModelMissing,
    ModelPermanent,
    ModelUnknown,
    ModelUnreadable,
)
from models.gguf import is_part_name, read_header
from models.installed import InstalledModel, problem_of
from models.structure import WEIGHTS
from models.verification import (
    Report,
    Seen,
    check_files,
    copy_file,
    demand_space,
    hash_file,
    read_marker,
    still_as_seen,
    storage_error,
    unreported,
    write_marker,
)

_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]')


class ModelStore:
    """Finds, checks, adds and removes models; safe to create before the folder exists."""

    def __init__(self, folder: Path, known: Catalogue | None = None) -> None:
        self.folder = folder
        self.known = known or catalogue()

    def locate(self, model_id: str) -> Path:
        """An embedder's folder or a chat model's GGUF file.

        Raises ModelUnknown, or ModelMissing for a known model that is not here. Says nothing about the
        content: :meth:`ensure_verified` does.
        """
        entry = self._entry(model_id)
        if entry is None:
            # Ids are compared with names that are there, so an id can never lead out of the folder.
            for file in self._added_files():
                if file.stem == model_id:
                    return file
            raise ModelUnknown(model=model_id)
        if entry.bundled_folder:
            path = Path(__file__).parent / entry.bundled_folder
            present = all((path / file.name).is_file() for file in entry.files)
        elif entry.structure:
            path = self.folder / entry.id
            present = path.is_dir()
        else:
            path = self.folder / entry.files[0].name
            present = path.is_file()
        if not present:
            raise ModelMissing(model=model_id)
        return path

    def ensure_verified(self, model_id: str, report: Report = unreported) -> Path:
        """The model's path, hashed unless its marker says that nothing changed since the last time."""
        path = self.locate(model_id)
        if not self._is_verified(model_id, path):
            self.verify(model_id, report)
        return path

    def verify(self, model_id: str, report: Report = unreported) -> Path:
        """Check every byte again and write the marker; raises what is wrong with the files."""
        path = self.locate(model_id)
        entry = self._entry(model_id)
        marker = self._marker(model_id)
        before = read_marker(marker)
        try:
            if entry is not None and entry.structure:
                seen = folders.check(path, entry, before, report)
            else:
                marker.unlink(missing_ok=True)
                if entry is None or entry.role == "chat":
                    read_header(path)
                if entry is not None:
                    seen = check_files(_folder_of(path, entry), entry.files, report)
                else:
                    seen = {path.name: _unlike_before(path, hash_file(path, report), before)}
        except OSError as exc:
            raise ModelUnreadable(path=str(path), detail=exc.strerror or str(exc)) from exc
        self.remember(model_id, seen)
        return path

    def remember(self, model_id: str, seen: Mapping[str, Seen]) -> None:
        """Write the completeness marker of files that were just hashed and found right."""
        # A models folder that cannot be written to costs a hash at each start, not the model.
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_marker(self._marker(model_id), seen)

    def weights_hash(self, model_id: str) -> str:
        """The SHA-256 of an embedder's weights that the catalogue does not state; else empty.

        Two trainings may go by one id there, and their vectors must not be compared. Raises OSError, and as
        :meth:`locate`.
        """
        path, entry = self.locate(model_id), self._entry(model_id)
        if entry is None or entry.structure is None:
            return ""
        recorded = read_marker(self._marker(model_id)).get(WEIGHTS)
        return (recorded or hash_file(path / WEIGHTS)).sha256

    def is_verified(self, model_id: str) -> bool:
        """Whether the files are here and unchanged since they were hashed; reads no content."""
        try:
            return self._is_verified(model_id, self.locate(model_id))
        except ModelError:
            return False

    def installed(self) -> list[InstalledModel]:
        """Every model that is here, catalogue first; reads headers of unverified files only."""
        ids = [entry.id for entry in self.known.models] + [file.stem for file in self._added_files()]
        models: list[InstalledModel] = []
        for model_id in ids:
            with contextlib.suppress(ModelMissing, ModelUnknown):
                models.append(self._describe(model_id, self.locate(model_id)))
        return models

    def default_chat(self, free_memory: int) -> str | None:
        """The chat model to use when none is named; None when there is none that could be loaded.

        In order: the best one meant for so much free memory, another of the catalogue that fits, one the
        user added, and last one that may be tight.
        """
        chat = [m for m in self.installed() if m.role == "chat" and m.problem is None]
        known = [(m.id, m.entry) for m in chat if m.entry]
        in_order = [
            *(model_id for model_id, entry in known if entry.default_free_memory <= free_memory),
            *(model_id for model_id, entry in known if entry.memory_needed <= free_memory),
            *(m.id for m in chat if m.entry is None),
            *(model_id for model_id, _ in reversed(known)),
        ]
        return in_order[0] if in_order else None

    def add(
        self, file: Path, report: Report = unreported, wanted: CatalogueModel | None = None
    ) -> InstalledModel:
        """Copy a GGUF file or an embedder's folder into the models folder, all or nothing.

        A file with the bytes of a catalogue model becomes that model, whatever its name; any other gets
        its own name as id, unless it had to be the model ``wanted``: then it raises ModelDamaged. A folder is
        checked as :func:`models.folders.recognise` says.
        """
        if file.is_dir():
            return self._add_folder(file, report)
        read_header(file)
        incoming = self.folder / f".{os.getpid()}-{threading.get_ident()}.incoming"
        size = file.stat().st_size
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _sweep(self.folder)
            demand_space(self.folder, size)
            sha256 = copy_file(file, incoming, report)
            entry = self.known.by_hash(sha256)
            if wanted is not None and entry is not wanted:
                raise ModelDamaged(path=str(file))
            model_id = entry.id if entry else self._own_id(file, sha256)
            target = self.folder / (entry.files[0].name if entry else f"{model_id}.gguf")
            incoming.replace(target)
            facts = target.stat()
            self.remember(model_id, {target.name: Seen(sha256, facts.st_size, facts.st_mtime_ns)})
        except OSError as exc:
            raise storage_error(self.folder, exc, size) from exc
        finally:
            incoming.unlink(missing_ok=True)
        return self._describe(model_id, target)

    def _add_folder(self, folder: Path, report: Report) -> InstalledModel:
        """An embedder; one that is here already is replaced, and its record with it."""
        try:
            entry = folders.recognise(folder, self.known)
            size = folders.size_of(folder)
        except OSError as exc:
            raise ModelUnreadable(path=str(folder), detail=exc.strerror or str(exc)) from exc
        target = self.folder / entry.id
        try:
            seen = folders.copy_in(folder, target, report)
        except OSError as exc:
            raise storage_error(self.folder, exc, size) from exc
        self.remember(entry.id, seen)
        return self._describe(entry.id, target)

    def remove(self, model_id: str) -> None:
        """Delete a model's files and marker; raises ModelPermanent for one that ships with the program."""
        entry = self._entry(model_id)
        if entry and entry.bundled_folder:
            raise ModelPermanent(model=model_id)
        path = self.locate(model_id)
        try:
            self._marker(model_id).unlink(missing_ok=True)
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        except OSError as exc:
            raise storage_error(self.folder, exc, 0) from exc

    def _entry(self, model_id: str) -> CatalogueModel | None:
        return next((entry for entry in self.known.models if entry.id == model_id), None)

    def _marker(self, model_id: str) -> Path:
        return self.folder / f"{model_id}.verified.json"

    def _is_verified(self, model_id: str, path: Path) -> bool:
        entry = self._entry(model_id)
        seen = read_marker(self._marker(model_id))
        if entry and entry.structure:
            return folders.is_as_recorded(path, seen)
        if entry:
            # A new catalogue may name other bytes than those verified once.
            wanted = {file.name: file.sha256 for file in entry.files}
            if {name: file.sha256 for name, file in seen.items()} != wanted:
                return False
            return still_as_seen(_folder_of(path, entry), seen)
        return set(seen) == {path.name} and still_as_seen(path.parent, seen)

    def _describe(self, model_id: str, path: Path) -> InstalledModel:
        entry = self._entry(model_id)
        if entry and entry.structure:
            size = folders.size_of(path)
        else:
            size = entry.size if entry and entry.bundled_folder else path.stat().st_size
        is_unchanged = self._is_verified(model_id, path)
        problem = None if is_unchanged else problem_of(path, entry, size)
        return InstalledModel(model_id, path, size, is_unchanged, entry, problem)

    def _added_files(self) -> Iterator[Path]:
        known = {entry.files[0].name for entry in self.known.models if entry.role != "embedder"}
        try:
            files = sorted(self.folder.iterdir())
        except OSError:
            return
        for file in files:
            # One part of a split model is listed too: its owner should learn why it cannot be used.
            looks_like_model = file.suffix.lower() == ".gguf" or is_part_name(file.name)
            if looks_like_model and file.name not in known and not file.name.startswith("."):
                yield file

    def _own_id(self, file: Path, sha256: str) -> str:
        stem = _NOT_IN_NAMES.sub("-", file.stem).strip(". ") or "model"
        return f"{stem}-{sha256[:8]}" if self._entry(stem) else stem


def _sweep(folder: Path) -> None:
    """Copies that a killed process left unfinished."""
    import psutil

    for left in folder.glob(".*.incoming"):
        owner = left.name[1:].partition("-")[0]
        if left.is_file() and owner.isdecimal() and not psutil.pid_exists(int(owner)):
            left.unlink(missing_ok=True)


def _folder_of(path: Path, entry: CatalogueModel) -> Path:
    return path if entry.bundled_folder else path.parent


def _unlike_before(path: Path, now: Seen, before: dict[str, Seen]) -> Seen:
    """An added file has no published hash; but other bytes at the same time of change are decay."""
    earlier = before.get(path.name)
    if earlier and earlier.mtime_ns == now.mtime_ns and earlier.sha256 != now.sha256:
        raise ModelDamaged(path=str(path))
    return now

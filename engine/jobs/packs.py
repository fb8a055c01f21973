"""The jobs that write a library as a pack and take one in (:mod:`engine.index.pack`)."""

from collections.abc import Generator, Iterator
from typing import TypeVar

from engine import shelf
from engine.cancel import CancelToken
from engine.commands import ExportLibrary, ImportLibrary, IngestFolders
from engine.drafts import drafting, settle
from engine.errors import LibraryNameTaken, NotReadable
from engine.events import Event, IngestFinished, LibraryExported, LibraryImported, StepProgress
from engine.index.library import Library
from engine.index.pack import archive, export, load
from engine.index.pack.export import Exported, Progress
from engine.index.pack.origin import Origin
from engine.intake import changes
from engine.jobs.indexing import Steps, ingest
from engine.libraries import Libraries
from engine.shelf import WriteLock
from engine.version import program_version
from engine.workspace import Workspace

_T = TypeVar("_T")


def export_library(
    command: ExportLibrary, workspace: Workspace, token: CancelToken
) -> Iterator[Event | None]:
    """Write a library as a pack; nobody writes to it meanwhile.

    Raises:
        LibraryUnknown, LibraryBusy, or as :func:`engine.index.pack.export.write`: no file was touched.
    """
    library = workspace.libraries.open(command.library)
    settings = workspace.settings_of(library)
    with WriteLock(library):
        steps = export.write(
            library, command.file.absolute(), program=program_version(), settings=settings,
            reading=changes.reading(settings),
        )  # fmt: skip
        made: Exported = yield from _watched(steps, command.task_id, "progress_export", token)
    yield LibraryExported(command.task_id, library.name, command.file, made.size, made.documents, made.chunks)


def take_in(
    command: ImportLibrary, workspace: Workspace, token: CancelToken
) -> Generator[Event | None, None, str]:
    """Make a library of a pack; returns its name.

    Raises:
        NotReadable, PackInvalid, IndexMismatch, LibraryNameTaken, WrongUse, NoSpace, StorageFailed: there is
            no new library, and nothing is left of it.
    """
    if not command.file.is_file():
        raise NotReadable(path=str(command.file))
    if command.relink is not None and not command.relink.is_dir():
        raise NotReadable(path=str(command.relink))
    place = workspace.home.libraries
    with archive.Reader(command.file) as pack, drafting(place) as draft:
        name = _free_name(workspace.libraries, pack.manifest.library, command.library)
        # The catalogue knows what the embedder in use makes; loading it to ask would take seconds.
        known = Origin.of_catalogue(workspace.settings.embedder)
        origin = load.check_origin(command.file, pack.manifest, known)
        made = draft / "library"
        steps = load.read(pack, command.file, made, name, origin, workspace.threads)
        yield from _watched(steps, command.task_id, "progress_import", token)
        settle(made, place / shelf.free_id(name, {folder.name for folder in place.iterdir()}))
    return name


def unlinked(library: Library) -> int:
    """How many documents of a library are known without a place on this machine."""
    folders = library.folders().items()
    return sum(len(library.files(folder_id)) for folder_id, path in folders if not path.is_absolute())


def _free_name(libraries: Libraries, own: str, wanted: str | None) -> str:
    """The name that was asked for, or the pack's own with the first number that makes it new."""
    number, name = 1, wanted or own
    while True:
        try:
            libraries.check_name(name)
            return name
        except LibraryNameTaken:
            if wanted is not None:
                raise
            number += 1
            name = f"{own} {number}"


def _watched(
    steps: Generator[Progress, None, _T], task_id: int, code: str, token: CancelToken
) -> Generator[Event | None, None, _T]:
    """The steps as events; a task that was stopped ends at the next one."""
    try:
        while True:
            done, total = next(steps)
            token.check()
            yield StepProgress(task_id, code, done, total)
    except StopIteration as end:
        result: _T = end.value
        return result
    finally:
        steps.close()


def import_library(command: ImportLibrary, workspace: Workspace, token: CancelToken) -> Steps:
    """Take a pack in; then look for its documents in the folder that was named."""
    name = yield from take_in(command, workspace, token)
    library = workspace.libraries.open(name)
    relinked, embedded = None, 0
    if command.relink is not None:
        before = unlinked(library)
        again = IngestFolders(command.task_id, (command.relink,), name)
        for event in ingest(again, workspace, token):
            yield event
            if isinstance(event, IngestFinished):
                embedded = event.embedded
        relinked = before - unlinked(library)
    documents = sum(library.counts().values())
    yield LibraryImported(command.task_id, name, documents, library.chunk_count(), relinked, embedded)

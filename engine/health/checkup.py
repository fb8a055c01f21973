"""The story of a check and of a repair, for ``zhiye doctor`` and the window alike."""

import sqlite3
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path

from engine import shelf, summaries
from engine.errors import CodedError, LibraryDamaged, LibraryNewer, LibraryUnknown
from engine.health import inside, machine, repair
from engine.index import particulars
from engine.index.database import storage_error
from engine.index.library import Library
from engine.shelf import FolderLock
from engine.standing import Finding, LibraryHealth
from engine.workspace import Workspace


@dataclass(slots=True)
class Case:
    """One library: its folder and what is wrong with it.

    ``name`` is its id where nothing tells its name; then there are no figures (``health``) either.
    """

    folder: Path
    name: str
    findings: list[Finding]
    health: LibraryHealth | None

    def has(self, code: str) -> bool:
        return any(finding.code == code for finding in self.findings)


@dataclass(slots=True)
class Report:
    """``machine`` are findings that are no library's; ``told`` is what a repair has to say."""

    cases: list[Case] = field(default_factory=list)
    machine: list[Finding] = field(default_factory=list)
    told: list[Finding] = field(default_factory=list)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of libraries first."""
        return (*self.told, *(f for case in self.cases for f in case.findings), *self.machine)

    @property
    def libraries(self) -> tuple[LibraryHealth, ...]:
        return tuple(case.health for case in self.cases if case.health is not None)


def check(workspace: Workspace, name: str | None = None) -> Generator[None, None, Report]:
    """Look through one library, or through all of them and this machine.

    Raises:
        LibraryUnknown: there is no such library.
    """
    report = Report((yield from _cases(workspace, name)))
    if name is not None:
        if not report.cases:
            raise LibraryUnknown(name=name)
        return report
    for finding in machine.look_at(workspace):
        if finding is not None:
            report.machine.append(finding)
        yield None
    return report


def _cases(workspace: Workspace, name: str | None) -> Generator[None, None, list[Case]]:
    cases = []
    for known in workspace.libraries.names():
        if name in (None, known):
            cases.append((yield from _open_case(known, workspace)))
    return cases + [case for case in _closed_cases(workspace) if name in (None, case.name)]


def _open_case(name: str, workspace: Workspace) -> Generator[None, None, Case]:
    library = workspace.libraries.open(name)
    found: list[Finding] = []
    for finding in inside.look_through(library, workspace.embedder()):
        if finding is not None:
            found.append(replace(finding, library=name))
        yield None
    left_over = sum(int(str(f.params["count"])) for f in found if f.code in inside.LEFT_OVER)
    try:
        summary = summaries.of(workspace, name)
    except (CodedError, sqlite3.DatabaseError):  # a finding says why
        summary = None
    return Case(Path(library.file).parent, name, found, LibraryHealth(name, summary, left_over))


def _closed_cases(workspace: Workspace) -> Iterator[Case]:
    """The libraries that cannot be opened, or that another one hides."""
    home, libraries = workspace.home.libraries, workspace.libraries
    for key, error in libraries.damaged.items():
        is_damaged = isinstance(error, LibraryDamaged) and not isinstance(error, LibraryNewer)
        yield _closed(home / key, error.code, error.params, error.exit_code, is_damaged)
    for key, name in libraries.hidden.items():
        yield _closed(home / key, "library_hidden", {"name": name}, inside.DAMAGED, True)
    for folder in sorted(home.iterdir()):
        file = folder / "library.sqlite"
        if not folder.name.startswith(".") and not file.exists() and (folder / particulars.FILE).exists():
            params = {"path": str(file), "detail": "no such file"}
            yield _closed(folder, "library_damaged", params, inside.DAMAGED, True)


def _closed(folder: Path, code: str, params: Mapping[str, object], exit_code: int, can_repair: bool) -> Case:
    noted = particulars.read(folder)
    name = shelf.noted_name(folder) or (noted.name if noted else None)
    finding = Finding(code, name, params, exit_code, can_repair)
    return Case(folder, name or folder.name, [finding], LibraryHealth(name) if name else None)


# -- repair -------------------------------------------------------------------------------------------


def mend(workspace: Workspace, name: str | None = None) -> Generator[None, None, Report]:
    """Check, put right what can be, check again; raises as :func:`check`.

    The report holds what is wrong now, why something could not be put right, and what was put right.
    """
    report = yield from check(workspace, name)
    before, told = report.cases, []
    for case in before:
        try:
            told += yield from _mend(case, workspace)
        except (CodedError, sqlite3.DatabaseError) as exc:
            error = exc if isinstance(exc, CodedError) else storage_error(exc, str(case.folder))
            told.append(Finding(error.code, case.name, error.params, error.exit_code))
    folders = {case.folder: case for case in before}
    report.cases = [case for case in (yield from _cases(workspace, None)) if case.folder in folders]
    for case in report.cases:
        told += [
            replace(finding, repaired=True)
            for finding in folders[case.folder].findings
            if finding.can_repair and not case.has(finding.code)
        ]
    report.told = told
    return report


def _mend(case: Case, workspace: Workspace) -> Generator[None, None, list[Finding]]:
    """One library; raises LibraryBusy, StorageFailed or NoSpace: it stands as it was."""
    told: list[Finding] = []
    release = workspace.libraries.release
    if not any(finding.can_repair for finding in case.findings):
        return told
    with FolderLock(case.folder, case.name):
        if case.has("library_damaged"):
            figures, aside = yield from repair.rescue(
                case.folder, workspace.dimension, workspace.threads, partial(release, case.folder)
            )
            params = {
                "documents": figures.documents, "lost": figures.lost, "vectors": figures.vectors,
                "path": str(aside),
            }  # fmt: skip
            told.append(Finding("library_salvaged", case.name, params, repaired=True))
            _give_name(case, workspace)
        elif case.has("library_hidden"):
            _give_name(case, workspace)
        else:
            release(case.folder)  # what it has in memory is to be made anew, too
            library = workspace.libraries.open(case.name)
            yield from repair.mend(library, terms=case.has("terms_amiss"))
    return told


def _give_name(case: Case, workspace: Workspace) -> None:
    """See that the library has a name, and one that no other has."""
    opened = [workspace.libraries.open(name) for name in workspace.libraries.names()]
    taken = {library.name for library in opened if library.folder != case.folder}
    library = Library(case.folder, dimension=workspace.dimension, threads=workspace.threads)
    try:
        name = shelf.noted_name(case.folder) or library.name or case.name
        if name in taken:
            name = next(other for other in (f"{name} ({n})" for n in count(2)) if other not in taken)
        if name != library.name:
            shelf.rename(library, name)
        library.checkpoint()  # makes index.faiss
    finally:
        library.close()

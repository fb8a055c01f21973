"""The parts of the proof, one after the other, each under what this system has to hold and watch it."""

import contextlib
import importlib.util
import os
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

from engine import team
from engine.cancel import CancelToken
from engine.errors import ProofRefused
from engine.events import StepProgress
from engine.index.library import Library
from engine.offline_proof import files_read, fingerprints, rehearsal, tracing
from engine.offline_proof.files_read import FilesRead
from engine.offline_proof.fingerprints import FileHash, FolderHash
from models import processes
from models.confinement import landlock

_POLL_S = 0.05
LIMIT_S = 1800.0
"""For one part; a slow machine with a large model writes its answer for minutes."""

PARTS = ("engine.offline_proof.engine_part", "desktop.privacy.window_part")


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt: how (an audit event, a system call, or the kernel's count), whereto, and by whose code."""

    how: str
    target: str
    library: str = ""
    stack: str = ""


@dataclass(frozen=True, slots=True)
class PartProof:
    """``name`` is the code of the part's words; ``problem`` says why it did not come to its end."""

    name: str
    steps: tuple[tuple[str, str], ...]
    isolated: bool
    traced: bool
    tried: tuple[Tried, ...]
    problem: str


@dataclass(frozen=True, slots=True)
class Proof:
    """``at`` is the moment in local time, ``seconds`` how long it took."""

    at: datetime
    seconds: float
    parts: tuple[PartProof, ...]
    files: FilesRead
    versions: tuple[tuple[str, str], ...]
    program: tuple[FolderHash, ...]
    models: tuple[FileHash, ...]
    landlock: int

    @property
    def tried(self) -> tuple[Tried, ...]:
        return tuple(tried for part in self.parts for tried in part.tried)

    @property
    def isolated(self) -> bool:
        """Whether all of it ran in an empty network."""
        return all(part.isolated for part in self.parts)

    @property
    def traced(self) -> bool:
        """Whether each system call was looked at."""
        return all(part.traced for part in self.parts)

    @property
    def ok(self) -> bool:
        """Every step was taken, and nothing was tried."""
        return not self.tried and not any(part.problem for part in self.parts)


ProofSteps = Generator[StepProgress | None, None, Proof]


def parts() -> tuple[str, ...]:
    """Those that are installed: the command line is of use without a window, too."""
    return tuple(part for part in PARTS if not part.startswith("desktop.") or _has_window())


def _has_window() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("desktop", "PySide6"))


def prove(
    task_id: int,
    libraries: Sequence[Library],
    models: Path,
    token: CancelToken,
    modules: Sequence[str] | None = None,
) -> ProofSteps:
    """Run ``modules`` (default: :func:`parts`) with the ``models`` of this machine; returns what was found.

    Raises:
        ProofRefused: a library is shared with a team, so something does leave.
        Cancelled: ``token``; nothing goes on.
        OSError: there is no room for the rehearsal.
    """
    if shared := team.shared(libraries):
        raise ProofRefused(names=tuple(sorted(shared)))
    begun, at = time.monotonic(), datetime.now().astimezone()
    chosen = tuple(modules or parts())
    found: list[PartProof] = []
    files: dict[str, None] = {}
    with tempfile.TemporaryDirectory(prefix="zhiye-proof-", ignore_cleanup_errors=True) as name:
        for number, module in enumerate(chosen):
            yield StepProgress(task_id, "progress_proof", number, len(chosen))
            folder = Path(name, str(number))
            part, opened = yield from _run(module, folder, models, token)
            found.append(part)
            files.update(dict.fromkeys(opened))
        sorted_files = files_read.sort(files, models, Path(name))
    yield StepProgress(task_id, "progress_proof", len(chosen), len(chosen))
    return Proof(
        at, time.monotonic() - begun, tuple(found), sorted_files, tuple(fingerprints.versions()),
        tuple(fingerprints.program()), tuple(fingerprints.files(sorted_files.by_kind["model"])),
        landlock.version(),
    )  # fmt: skip


def _run(
    module: str, folder: Path, models: Path, token: CancelToken
) -> Generator[None, None, tuple[PartProof, tuple[str, ...]]]:
    """One part in its process; ``folder`` is its home, and nothing of the person's is in its environment."""
    out, trace, errors = folder / "found.json", folder / "trace", folder / "errors"
    for new in (folder, folder / "tmp"):
        new.mkdir()
    watching = tracing.command(trace)
    command = [*watching, *processes.command(module), "--out", str(out)]
    with errors.open("wb") as stream:
        process = subprocess.Popen(
            command, cwd=processes.FOLDER, env=_environment(folder, models),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stream,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        try:
            deadline = time.monotonic() + LIMIT_S
            while process.poll() is None and time.monotonic() < deadline:
                token.check()
                time.sleep(_POLL_S)
                yield
        finally:
            _end(process)
    return _judge(module, out, trace if watching else None, errors)


def _judge(module: str, out: Path, trace: Path | None, errors: Path) -> tuple[PartProof, tuple[str, ...]]:
    name = "proof_part_" + module.rpartition(".")[2].removesuffix("_part")
    try:
        found = rehearsal.read(out)
    except (OSError, ValueError):
        lines = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        found = rehearsal.Found((), False, (), None, (), lines[-1] if lines else module)
    tried = [Tried(seen.event, seen.target, seen.library, seen.stack) for seen in found.attempts]
    files = found.files
    seen_natively = 0
    if trace is not None:
        traced = tracing.read(trace)
        files = (*files, *traced.files)
        tried += [Tried(native.call, native.target) for native in traced.attempts]
        seen_natively = len(traced.attempts)
    # What the hook refused never came so far, so the kernel counted native attempts only.
    if (count := (found.unroutable or 0) - seen_natively) > 0:
        tried += [Tried("OutNoRoutes", "?")] * count
    part = PartProof(name, found.steps, found.isolated, trace is not None, tuple(tried), found.problem)
    return part, files


def _environment(folder: Path, models: Path) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ZHIYE_", "QT_"))
    }
    home, temporary = str(folder), str(folder / "tmp")
    return kept | {
        "HOME": home, "USERPROFILE": home, "APPDATA": home, "LOCALAPPDATA": home,
        "TMPDIR": temporary, "TMP": temporary, "TEMP": temporary,
        "ZHIYE_HOME": str(folder / "data"), "ZHIYE_MODELS": str(models),
        "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill what still runs; harmless when it has ended by itself."""
    if process.poll() is None:
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    child.kill()
        process.kill()
    process.wait()

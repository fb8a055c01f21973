"""Looking at this machine: models, memory, disk and the data folder."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from engine import native
from engine.errors import CodedError
from engine.intake.loaders import LoadFailed
from engine.intake.ocr import models as ocr_models
from engine.standing import Finding
from engine.workspace import Workspace
from models.errors import ModelError

_LITTLE_MEMORY = 2 << 30
_LITTLE_DISK = 1 << 30
_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "afpfs", "webdav", "davfs", "fuse.sshfs", "9p"})
"""File systems on which SQLite's write-ahead log is not safe (https://www.sqlite.org/wal.html)."""

MODEL = ModelError.exit_code

Findings = Iterator[Finding | None]


def look_at(workspace: Workspace) -> Findings:
    """What of this machine keeps the program from working as it should; ``None`` is a step."""
    yield from _models(workspace)
    if native.free_memory() < _LITTLE_MEMORY:
        yield Finding("little_memory", None, {"free_mb": native.free_memory() >> 20})
    yield from _home(workspace.home.root)


def _models(workspace: Workspace) -> Findings:
    cuda = torch_cuda()
    if cuda is not None:
        yield Finding("torch_with_cuda", None, {"version": cuda})
    yield None
    if workspace.embedder() is None and workspace.embedder_error is not None:
        yield Finding(workspace.embedder_error.code, None, workspace.embedder_error.params, MODEL)
    yield None
    try:
        workspace.generator()
    except CodedError as exc:
        yield Finding(exc.code, None, exc.params, MODEL)
    yield None
    try:
        ocr_models.load()
    except LoadFailed as exc:
        yield Finding(exc.reason.code, None, exc.reason.params, MODEL)


def _home(root: Path) -> Findings:
    free = shutil.disk_usage(root).free
    if free < _LITTLE_DISK:
        yield Finding("little_disk", None, {"path": str(root), "free_mb": free >> 20})
    try:
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as exc:
        detail = exc.strerror or str(exc)
        yield Finding("home_read_only", None, {"path": str(root), "detail": detail})
    if (kind := network_file_system(root)) is not None:
        yield Finding("home_on_network", None, {"path": str(root), "kind": kind})


def network_file_system(path: Path) -> str | None:
    """The kind of network file system that a folder lies on; None for a disk of this machine."""
    path = path.resolve()
    if path.drive.startswith("\\\\"):
        return "SMB"
    mounts = {Path(part.mountpoint): part for part in psutil.disk_partitions(all=True)}
    nearest = next((mounts[parent] for parent in (path, *path.parents) if parent in mounts), None)
    if nearest is None:
        return None
    is_remote = nearest.fstype.lower() in _NETWORK or "remote" in nearest.opts.split(",")
    return nearest.fstype if is_remote else None


def torch_cuda() -> str | None:
    """The CUDA version torch was built for; None for the CPU build that is wanted, or without torch."""
    try:
        torch = native.torch(1)
    except ImportError:
        return None
    version: str | None = torch.version.cuda
    return version

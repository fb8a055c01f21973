"""``zhiye doctor``: what works on this machine, what does not, and what to do about it."""

import argparse
import platform
from typing import Any

from engine import native
from engine.cli.console import Console
from engine.errors import CodedError
from engine.index import embedders
from engine.intake.loaders import LoadFailed
from engine.intake.ocr import models as ocr_models
from engine.wording import describe
from engine.workspace import Workspace
from models.status import model_status

_LITTLE_MEMORY = 2 << 30


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    findings: list[dict[str, Any]] = []

    def found(code: str, library: str | None = None, **params: Any) -> None:
        words = describe(code, params, console.language)
        findings.append(
            {
                "code": code,
                "library": library,
                "message": words.title,
                "advice": words.advice,
                "repaired": False,
            }
        )

    cuda = _torch_cuda()
    if cuda is not None:
        found("torch_with_cuda", version=cuda)
    if workspace.embedder() is None and workspace.embedder_error is not None:
        found(workspace.embedder_error.code, **workspace.embedder_error.params)
    try:
        workspace.generator()
    except CodedError as exc:
        found(exc.code, **exc.params)
    try:
        ocr_models.load()
    except LoadFailed as exc:
        found(exc.reason.code, **exc.reason.params)
    if native.free_memory() < _LITTLE_MEMORY:
        found("little_memory", free_mb=native.free_memory() >> 20)
    for name in workspace.libraries.names():
        library = workspace.libraries.open(name)
        embedder = workspace.embedder()
        for params in embedders.strangers([library], embedder) if embedder else ():
            found("vectors_of_another_model", name, **params)
        try:
            if len(library.store) != library.chunk_count():
                found("chunks_without_vectors", name, count=library.chunk_count() - len(library.store))
        except CodedError as exc:
            found(exc.code, name, **exc.params)
    for error in workspace.libraries.damaged.values():  # nobody knows their names
        found(error.code, **error.params)
    rows = model_status(workspace.models, native.free_memory())
    record = {
        "ok": not findings,
        "findings": findings,
        "machine": {
            "cpu": platform.processor() or platform.machine(),
            "threads": workspace.threads,
            "memory_free": native.free_memory(),
            "torch_cuda": cuda,
        },
        "models": [{"id": row["id"], "verified": row["verified"]} for row in rows if row["installed"]],
    }
    lines = [f"- {finding['message']} {finding['advice']}" for finding in findings]
    console.result(record, lines or [console.say("doctor_ok")])
    return 0


def _torch_cuda() -> str | None:
    """The CUDA version torch was built for; None for the CPU build that is wanted, or without torch."""
    try:
        torch = native.torch(1)
    except ImportError:
        return None
    version: str | None = torch.version.cuda
    return version

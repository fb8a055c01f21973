"""The first load of a chat model happens in a child process that may die (see :mod:`models.probe`).

The verdict is remembered for this file, this build of llama.cpp and this processor, so that a machine
which cannot run the model is not tried again at every start.
"""

import importlib.metadata
import json
import logging
import platform
from pathlib import Path
from typing import Any

from engine.errors import GenerationFailed, ProcessorUnsupported
from engine.paths import Home
from models.probe import Probe, probe

_log = logging.getLogger(__name__)


def prove(file: Path, home: Home) -> None:
    """Return when this machine can run the model.

    Raises:
        ProcessorUnsupported: llama.cpp was built for instructions that the processor lacks.
        GenerationFailed: the child died otherwise, or llama.cpp is not installed.
    """
    record = home.root / "model-proofs.json"
    proofs = _read(record)
    key = _identity(file)
    if key not in proofs:
        result = probe(file)
        proofs[key] = {"ok": result.ok, "cause": result.cause, "detail": result.detail}
        # What depends on the moment (memory, a busy machine) is tried again next time.
        if result.ok or result.cause == "illegal_instruction":
            _write(record, proofs)
    else:
        result = Probe(**proofs[key])
    if result.cause == "illegal_instruction":
        raise ProcessorUnsupported(model=file.name, processor=platform.processor() or platform.machine())
    if not result.ok:
        raise GenerationFailed(model=file.name, detail=f"{result.cause}: {result.detail}")


def _identity(file: Path) -> str:
    facts = file.stat()
    try:
        build = importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        build = "none"
    return "|".join((file.name, str(facts.st_size), str(facts.st_mtime_ns), build, _processor()))


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _read(record: Path) -> dict[str, dict[str, Any]]:
    try:
        data = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _write(record: Path, proofs: dict[str, dict[str, Any]]) -> None:
    try:
        record.write_text(json.dumps(proofs, indent=1), encoding="utf-8")
    except OSError as exc:  # then the model is simply tried again next time
        _log.info("the proof could not be kept: %s", exc)

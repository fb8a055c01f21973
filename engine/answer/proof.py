"""The first load of a chat model happens in a child process that may die (see :mod:`models.probe`).

The verdict is remembered for this file, this build of llama.cpp and this processor, so that a machine
which cannot run the model is not tried again at every start.
"""

import json
import logging
import platform
from pathlib import Path
from typing import Any

from engine import speed
from engine.errors import GenerationFailed, ProcessorUnsupported
from engine.paths import Home
from models.probe import Probe, probe

_log = logging.getLogger(__name__)


def prove(file: Path, home: Home, threads: int) -> None:
    """Return when this machine can run the model; the child measures how fast it reads, with ``threads``.

    Raises:
        ProcessorUnsupported: llama.cpp was built for instructions that the processor lacks.
        GenerationFailed: the child died otherwise, or llama.cpp is not installed.
    """
    record = home.root / "model-proofs.json"
    proofs = _read(record)
    key = speed.identity(file)
    if key not in proofs:
        result = probe(file, threads)
        proofs[key] = {"ok": result.ok, "cause": result.cause, "detail": result.detail}
        # What depends on the moment (memory, a busy machine) is tried again next time.
        if result.ok or result.cause == "illegal_instruction":
            _write(record, proofs)
        if result.prompt_tokens:
            speed.of_model(file, home).note(result.prompt_tokens, result.prompt_s)
    else:
        result = Probe(**proofs[key])
    if result.cause == "illegal_instruction":
        raise ProcessorUnsupported(model=file.name, processor=platform.processor() or platform.machine())
    if not result.ok:
        raise GenerationFailed(model=file.name, detail=f"{result.cause}: {result.detail}")


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

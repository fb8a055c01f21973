"""The first load of a chat model happens in a child process that may die (see :mod:`models.probe`).

The verdict is remembered for this file, this build of llama.cpp and this processor, so that a machine
which cannot run the model is not tried again at every start. So is the variant of llama.cpp that ran it
(:mod:`models.cpu_variants`), and which ones an illegal instruction ended: those are for no model any more.
"""

import logging
import platform
from pathlib import Path
from typing import Any

from engine import kept_table
from engine.chat import speed
from engine.errors import GenerationFailed, ProcessorUnsupported
from engine.paths import Home
from models import cpu_variants
from models.cpu_variants import BASELINE
from models.probe import Probe, probe

_log = logging.getLogger(__name__)


def prove(file: Path, home: Home, threads: int) -> None:
    """Return when this machine can run the model, with the fastest variant of llama.cpp that does.

    That variant is loaded into this process; the child measures how fast it reads, with ``threads``.

    Raises:
        ProcessorUnsupported: llama.cpp was built for instructions that the processor lacks.
        GenerationFailed: the child died otherwise, or llama.cpp is not installed.
    """
    record = home.root / "model-proofs.json"
    proofs = kept_table.read(record)
    key = speed.identity(file)
    known = proofs.get(key)
    if known is None or known.get("variant", BASELINE) not in (BASELINE, *_alive(proofs)):
        variant, result = _fastest(file, threads, proofs)
        proofs[key] = {"ok": result.ok, "cause": result.cause, "detail": result.detail, "variant": variant}
        # What depends on the moment (memory, a busy machine) is tried again next time.
        if not result.ok and result.cause != "illegal_instruction":
            del proofs[key]
        kept_table.write(record, proofs)
        if result.prompt_tokens:
            speed.of_model(file, home).note(result.prompt_tokens, result.prompt_s)
    else:
        variant = known.get("variant", BASELINE)
        result = Probe(known["ok"], known["cause"], known["detail"])
    if result.cause == "illegal_instruction":
        raise ProcessorUnsupported(model=file.name, processor=platform.processor() or platform.machine())
    if not result.ok:
        raise GenerationFailed(model=file.name, detail=f"{result.cause}: {result.detail}")
    _use(variant, file)


def _use(variant: str, file: Path) -> None:
    used = cpu_variants.loaded()
    if used is None:
        try:
            cpu_variants.load(variant)
        except OSError as exc:
            raise GenerationFailed(model=file.name, detail=str(exc)) from exc
    elif used not in (BASELINE, variant):
        # One process has one llama.cpp: another model chose it. What runs as a variant runs as the baseline.
        raise GenerationFailed(model=file.name, detail=f"needs a restart: llama.cpp runs as {used}")


def _alive(proofs: dict[str, dict[str, Any]]) -> list[str]:
    """The variants that may be tried, the fastest first."""
    ended = proofs.get(_machine(), {})
    return [variant.name for variant in cpu_variants.usable() if variant.name not in ended]


def _fastest(file: Path, threads: int, proofs: dict[str, dict[str, Any]]) -> tuple[str, Probe]:
    """The first variant that runs the model, else what became of the baseline; notes which were ended."""
    for name in _alive(proofs):
        result = probe(file, threads, variant=name)
        if result.ok:
            return name, result
        _log.warning("llama.cpp as %s does not run here: %s %s", name, result.cause, result.detail)
        if result.cause == "illegal_instruction":
            proofs.setdefault(_machine(), {})[name] = result.cause
    return BASELINE, probe(file, threads, variant=BASELINE)


def _machine() -> str:
    """What the end of a variant holds for: the processor, what it lists, and the libraries."""
    return f"variants|{cpu_variants.fingerprint()}|{speed.processor()}"

"""In which precision passages are embedded here: tried in a child process, which may die of it.

A processor may name matrix instructions (AMX) that the system does not grant, and without them it may be
slower in bfloat16 than in float32 (both were met). So a child process times float32, bfloat16 and eight bits,
first with what oneDNN chooses by itself, then, if that killed it, without AMX. The verdict is kept in
``model-precisions.json`` in the data folder, for this model, build of torch, processor and kernel: on another
machine it is asked again.
"""

import hashlib
import json
import logging
import os
import platform
import subprocess
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from engine import kept_table
from engine.chat import speed
from engine.index.bert import Precision
from engine.index.embedding import LEAST_COSINE
from engine.paths import Home
from models import cpu_variants, processes

LEAST_GAIN = 1.2
"""Times the speed of the more exact precision from which on one is used."""

_COARSER: tuple[Precision, ...] = ("bf16", "int8")
"""Than float32: the more exact one first."""

TRIAL_AFTER = 64
"""Batches of passages before a trial begins: it takes about as much time as these, so that a folder of a few
files is done before."""

TIMEOUT_S = 240.0
_ISA = "ONEDNN_MAX_CPU_ISA"
_CHOICES = ("", "AVX512_CORE_BF16")
"""What oneDNN may use at most: everything, or bfloat16 without AMX."""

_log = logging.getLogger(__name__)

Run = Callable[..., "subprocess.CompletedProcess[str]"]


class PrecisionTrial:
    """The trial of one embedder, in ``folder``; see :class:`engine.index.embedding.Trial`.

    To be made before the embedder is loaded: oneDNN reads what it may use once.
    """

    def __init__(
        self, home: Home, folder: Path, *, run: Run = subprocess.run, after: int = TRIAL_AFTER
    ) -> None:
        self._file = home.root / "model-precisions.json"
        self._folder, self._run = folder, run
        self._identity = "|".join((folder.name, metadata.version("torch"), machine(), *_COARSER))
        self._before = after
        self._thread: threading.Thread | None = None
        self._found = self._kept()
        if self._found is not None and self._found["isa"]:
            os.environ.setdefault(_ISA, self._found["isa"])

    def verdict(self) -> Precision | None:
        """The precision, or None while it is not known; begins the trial when it is worth the while."""
        if self._found is not None:
            # What oneDNN may use cannot be changed any more: such a verdict counts from the next start on.
            usable = self._found["isa"] == os.environ.get(_ISA, "")
            return self._found["precision"] if usable else "fp32"
        self._before -= 1
        if self._before < 0 and self._thread is None:
            self._thread = threading.Thread(target=self._try, name="precision trial", daemon=True)
            self._thread.start()
        return None

    def wait(self) -> None:
        """Until the trial that was begun has ended."""
        if self._thread is not None:
            self._thread.join()

    def _try(self) -> None:
        found: dict[str, Any] = {"precision": "fp32", "isa": ""}
        for isa in _CHOICES:
            try:
                result = self._run(
                    [*processes.command("engine.embedders.precision_child"), str(self._folder.absolute())],
                    stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
                    timeout=TIMEOUT_S, cwd=processes.FOLDER, check=False,
                    env=os.environ | ({_ISA: isa} if isa else {}),
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired) as exc:
                _log.info("no trial of precisions: %s", exc)
                break  # that may be of the moment: not kept
            if result.returncode == 0:
                found = _judged(result.stdout, isa)
                kept_table.keep(self._file, self._identity, found)
                break
            _log.warning("a trial of precisions ended with status %s (%s)", result.returncode, isa or "all")
            if not processes.was_killed(result.returncode):
                break
        else:
            kept_table.keep(self._file, self._identity, found)
        self._found = found

    def _kept(self) -> dict[str, Any] | None:
        kept = kept_table.read(self._file).get(self._identity)
        if (
            isinstance(kept, dict)
            and kept.get("precision") in ("fp32", *_COARSER)
            and kept.get("isa") in _CHOICES
        ):
            return kept
        return None


def _judged(output: str, isa: str) -> dict[str, Any]:
    """What follows from the child's figures; float32 where they make no sense."""
    found: dict[str, Any] = {"precision": "fp32", "isa": ""}
    fastest = 1.0
    try:
        figures = json.loads(output.strip().rpartition("\n")[2])
        for precision in _COARSER:
            if precision not in figures:
                continue
            gain, cosine = (float(figures[precision][name]) for name in ("gain", "cosine"))
            if gain >= LEAST_GAIN * fastest and cosine >= LEAST_COSINE:
                found |= {"precision": precision, "isa": isa}
                fastest = gain
    except (ValueError, KeyError, TypeError):
        return {"precision": "fp32", "isa": ""}
    return found | {"figures": figures}


def machine() -> str:
    """The processor with what it can do, as far as the system tells, and the kernel that has to grant it."""
    flags = " ".join(sorted(cpu_variants.cpu_flags()))
    return f"{speed.processor()}|{hashlib.sha256(flags.encode()).hexdigest()[:12]}|{platform.release()}"

"""Faster builds of llama.cpp's processor library beside the one that runs everywhere.

All instructions that a processor may lack are in one library, ``ggml-cpu`` (1.3 MB), so a variant is this
file alone, in ``llama_cpp/lib/variants/NAME`` with a note of what it needs and which llama.cpp it belongs
to; the setup puts it there (``installer/setup_steps/cpu_variants.py``). Loaded before ``llama_cpp`` is
imported, it takes the place of the baseline, because the linker asks for a library by its soname and finds
that one loaded. Whether it really runs is for :mod:`models.probe` to say: flags are only a promise.
"""

import ctypes
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BASELINE = "baseline"
"""What came with llama.cpp: AVX2, or less on an older processor."""

_LIBRARY, _BASE = "libggml-cpu.so", "libggml-base.so"

_loaded: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """``rank`` orders them, the fastest first; ``digest`` is of the library's bytes, in hexadecimal."""

    name: str
    rank: int
    digest: str


def library_folder() -> Path | None:
    """Where the installed llama.cpp has its libraries; None without one."""
    spec = importlib.util.find_spec("llama_cpp")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "lib"


def usable(folder: Path | None = None, flags: Iterable[str] | None = None) -> tuple[Variant, ...]:
    """The variants in ``folder`` that belong to its llama.cpp and that the ``flags`` promise to run."""
    folder, offered = folder or library_folder(), set(cpu_flags() if flags is None else flags)
    if folder is None or not (folder / _BASE).is_file():
        return ()
    base, found = _digest(folder / _BASE), []
    for note in folder.glob("variants/*/note.json"):
        try:
            facts = json.loads(note.read_text(encoding="utf-8"))
            fits = facts["base"] == base and offered.issuperset(facts["flags"])
            if fits:
                found.append(Variant(note.parent.name, int(facts["rank"]), _digest(note.with_name(_LIBRARY))))
        except (OSError, ValueError, KeyError, TypeError):
            continue  # half written, or of another version: it is as if it were not there
    return tuple(sorted(found, key=lambda variant: variant.rank))


def load(name: str, folder: Path | None = None) -> None:
    """Let this process's llama.cpp use a variant; only before ``llama_cpp`` is imported. Raises OSError."""
    global _loaded
    if name == loaded():
        return
    if loaded() is not None:
        raise OSError(f"llama.cpp runs as {loaded()} already")
    folder = folder or library_folder()
    if name != BASELINE and folder is not None:
        ctypes.CDLL(str(folder / _BASE))  # which the variant needs and must share with llama.cpp
        ctypes.CDLL(str(folder / "variants" / name / _LIBRARY))
    _loaded = name


def loaded() -> str | None:
    """The variant that this process uses; None while that is open."""
    return _loaded or (BASELINE if "llama_cpp.llama_cpp" in sys.modules else None)


@cache
def fingerprint() -> str:
    """What a verdict about variants holds for: the processor's flags and the libraries; empty without any."""
    variants = usable()
    if not variants:
        return ""
    facts = [*sorted(cpu_flags()), *(f"{variant.name}={variant.digest}" for variant in variants)]
    return hashlib.sha256(" ".join(facts).encode()).hexdigest()[:16]


def cpu_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """The instructions that the system lists for the processor; none where it lists none."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return frozenset()
    line = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(line.partition(":")[2].split())


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()

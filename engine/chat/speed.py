"""How fast this machine reads a prompt, measured where it happens and kept for the next start.

Kept in ``model-speeds.json`` in the data folder, by model file, build of llama.cpp and processor: another
processor or another file is measured anew.
"""

import importlib.metadata
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path

from engine import kept_table
from engine.paths import Home
from models import cpu_variants

LEAST_TOKENS = 64
"""A shorter piece of prompt says little about the speed."""

KEPT = 9
"""Measurements; their median counts, so that one while the machine was busy does not."""

MUCH_FASTER = 1.5


class PromptSpeed:
    """Prompt tokens a second of one model on this machine.

    ``tokens_per_second`` is the median of what earlier starts measured. It stays the same until the next one,
    so that a conversation keeps its budget, unless the machine turns out to be much faster: the first
    measurement may have been made while it was busy.
    """

    def __init__(self, file: Path, identity: str) -> None:
        self._file, self._identity = file, identity
        self._known = _numbers(kept_table.read(file).get(identity))
        self.tokens_per_second = statistics.median(self._known) if self._known else None

    def note(self, tokens: int, seconds: float) -> None:
        """``tokens`` of a prompt were read in ``seconds``; what cannot be kept is measured again."""
        if tokens < LEAST_TOKENS or seconds <= 0:
            return
        self._known = [*self._known, round(tokens / seconds, 1)][-KEPT:]
        median = statistics.median(self._known)
        if self.tokens_per_second is None or median > MUCH_FASTER * self.tokens_per_second:
            self.tokens_per_second = median
        kept_table.keep(self._file, self._identity, self._known)


def of_model(file: Path, home: Home) -> PromptSpeed:
    """The speed of a GGUF file."""
    return PromptSpeed(_store(home), identity(file))


def of_server(address: str, model: str, home: Home) -> PromptSpeed:
    """The speed of a model of a server on this machine."""
    return PromptSpeed(_store(home), "|".join((address, model, processor())))


def identity(file: Path) -> str:
    """What a measurement or a proof holds for: the file, the build of llama.cpp and the processor."""
    facts = file.stat()
    try:
        build = importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        build = "none"
    build = "+".join(filter(None, (build, cpu_variants.fingerprint())))
    return "|".join((file.name, str(facts.st_size), str(facts.st_mtime_ns), build, processor()))


def processor() -> str:
    """The processor's name as it calls itself."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _store(home: Home) -> Path:
    return home.root / "model-speeds.json"


def _numbers(value: object) -> list[float]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [float(each) for each in value if isinstance(each, (int, float)) and each > 0][-KEPT:]

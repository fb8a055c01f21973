"""Modules that run as processes of their own: with ``python -m``, in a package by the executable."""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

FLAG = "--process"
"""First argument of the packages' executable, followed by the module's name."""

FOLDER = Path(__file__).parents[1]
"""Where these processes run: away from a person's folder, in which a subfolder called "models" would be taken
for this package."""

MODULES = frozenset(
    {
        "models.acquire",
        "models.probe",
        "engine.embedders.precision_child",
        "engine.offline_proof.engine_part",
        "desktop.privacy.window_part",
    }
)


_WINDOWS_FAULTS = range(0xC0000000, 0xD0000000)


def was_killed(status: int) -> bool:
    """Whether a process with this exit status died of a signal, or of a fault on Windows."""
    return status < 0 or status in _WINDOWS_FAULTS


def command(module: str) -> tuple[str, ...]:
    """The start of the command line that runs ``module``."""
    if getattr(sys, "frozen", False):
        # Never the windowed executable, whose streams go nowhere.
        console = Path(sys.executable).with_stem("zhiye")
        return str(console), FLAG, module
    return sys.executable, "-m", module


def run(module: str, arguments: Sequence[str]) -> int:
    """Run one of :data:`MODULES` in this process and return its exit status."""
    if module not in MODULES:
        sys.stderr.write(f"{module} is no process of this program\n")
        return 2
    status: int = importlib.import_module(module).main(list(arguments))
    return status

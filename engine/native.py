"""The order and the terms on which heavy native libraries come into the process.

Windows cannot initialise torch's libraries once Qt's are loaded, so :func:`preload` runs before Qt.
Everywhere else the heavy modules are imported late, in the engine thread, torch before faiss.
"""

import ctypes
import gc
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import psutil


def preload(platform: str = sys.platform) -> list[str]:
    """Load torch's libraries with ctypes before Qt on Windows; returns the names loaded.

    Importing torch itself would cost seconds; loading c10 in the right order costs milliseconds.
    """
    if platform != "win32":
        return []
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return []
    folder = Path(spec.origin).parent / "lib"
    loaded = []
    for name in ("libiomp5md.dll", "c10.dll"):
        library = folder / name
        if library.exists():
            ctypes.CDLL(str(library))
            loaded.append(name)
    return loaded


_SPINS = "1000"
"""Rounds, some microseconds: the next operation of a running model comes within them."""


def core_count() -> int:
    """Physical cores that this program may run on."""
    return thread_count(1 << 16)


def thread_count(wanted: int | None = None, cores: int | None = None) -> int:
    """Threads for the native libraries: physical cores up to three, from four on one is left free.

    ``wanted`` is clamped to the machine: more threads than cores lock llama.cpp up.
    """
    cores = cores or psutil.cpu_count(logical=False) or os.cpu_count() or 1
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    cores = max(1, min(cores, allowed))
    if wanted is not None:
        return max(1, min(wanted, cores))
    return cores if cores <= 3 else cores - 1


@contextmanager
def patient_imports() -> Iterator[None]:
    """Imports of thousands of modules that do not hold up the window.

    Without it each full garbage collection on the way walked all objects made so far with the GIL held: 100
    to 200 ms at a time in which nothing was painted. What was imported stays, so it is frozen afterwards.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


_KEPT_BYTES = 64 << 20
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""glibc's names for them (malloc.h)."""


def keep_freed_memory() -> None:
    """Let glibc keep some memory that was freed instead of giving it back and asking for it again.

    A forward pass makes and drops pieces of a few MB all the time; in eight bits the system's clearing of the
    same pages took a third of the time.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        for name in (_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD):
            libc.mallopt(name, _KEPT_BYTES)


def torch(threads: int) -> ModuleType:
    """Import torch, single pool of ``threads``, and keep OpenMP from spinning between batches."""
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    os.environ.setdefault("KMP_BLOCKTIME", "0")
    # A progress bar written to the streams of a windowed build, which has none, ends the program.
    os.environ["TQDM_DISABLE"] = os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    with _patient_threads():
        if "torch" not in sys.modules:
            keep_freed_memory()
            _load_without_gil("torch", ("libc10", "libtorch_cpu"))
        import torch as module

    module.set_num_threads(threads)
    return module


@contextmanager
def _patient_threads() -> Iterator[None]:
    """Load a library whose GNU OpenMP soon lets threads that wait for each other sleep.

    By default they spin for milliseconds, and where another program (or a parsing process) has one of the two
    cores, that is the time the other thread would need: a batch took 3 to 10 times longer. Threads that never
    spin cost a chat model 30 % of its speed on a quiet machine; these cost 4 % (tests/bench/README.md).
    It is read once, when the library comes in. On Linux llama.cpp loaded after torch shares torch's.
    """
    name = "GOMP_SPINCOUNT"
    if name in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ[name] = _SPINS
    try:
        yield
    finally:
        del os.environ[name]


def limit_threads(threads: int) -> None:
    """Let the libraries that are loaded already go on with so many threads."""
    if "torch" in sys.modules:
        torch(threads)
    if "faiss" in sys.modules:
        faiss(threads)


def faiss(threads: int) -> ModuleType:
    """Import faiss after torch (two OpenMP runtimes in the other order abort on some systems)."""
    with patient_imports(), _patient_threads():
        torch(threads)
        import faiss as module

    # More than one thread crashes faiss beside torch's OpenMP on macOS.
    module.omp_set_num_threads(1 if sys.platform == "darwin" else threads)
    return module


def _load_without_gil(package: str, names: Sequence[str]) -> None:
    """Load a package's shared libraries ahead of its import.

    The import system's own dlopen holds the GIL, 200 ms for libtorch_cpu; a foreign call gives it up.
    """
    spec = importlib.util.find_spec(package)
    if sys.platform == "win32" or spec is None or spec.origin is None:
        return
    libc = ctypes.CDLL(None)
    for library in (file for name in names for file in (Path(spec.origin).parent / "lib").glob(f"{name}.*")):
        libc.dlopen(os.fsencode(library), os.RTLD_NOW | os.RTLD_LOCAL)


def free_memory() -> int:
    """Bytes that can be used without swapping."""
    return int(psutil.virtual_memory().available)


def total_memory() -> int:
    """Bytes of memory that this machine has."""
    return int(psutil.virtual_memory().total)

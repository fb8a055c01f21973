"""What a parsing process may take and reach: documents come from anywhere, and parsers have faults.

On Linux the kernel keeps it off every network (seccomp, and Landlock for TCP) and lets it write nowhere but
into its two folders (Landlock); LibreOffice, which it starts, inherits both, and where it is installed a
child may make and remove sockets in /tmp. macOS has the limits of memory
and files, Windows the parent's watch over memory and time alone. Reading is not narrowed: which folders a
person adds next is not known when a child starts, and without a network what it reads goes to its parent.
"""

import contextlib
import ctypes
import signal
import sys
from pathlib import Path

import psutil

from engine.config import Settings
from engine.intake.scratch import Scratch
from models.confinement import landlock, seccomp

_PR_SET_PDEATHSIG = 1

_HARD_LIMIT = 1.5
"""Share of ``file_memory_mb`` at which the system refuses memory, where the parent's watch was too late."""

_LARGEST_FILE = 2 << 30
"""Bytes of one file in the folder for temporary files; a converted presentation has tens of megabytes."""

_OPEN_FILES = 512
"""LibreOffice, which maps fonts and libraries, needs about two hundred."""


def be_modest(settings: Settings) -> None:
    """Give way to everything a person waits for, and never take all memory.

    No limit of processor time: it would count a process's life, which is many files; a file that says nothing
    for ``file_timeout_s`` is ended by the parent. The limit of memory is one of data: libraries reserve
    addresses by the gigabyte that they never use.
    """
    process = psutil.Process()
    with contextlib.suppress(psutil.Error, OSError):
        # 0x4000 is Windows' BELOW_NORMAL_PRIORITY_CLASS, which psutil knows there only.
        process.nice(0x4000 if sys.platform == "win32" else 5)
    with contextlib.suppress(psutil.Error, OSError, AttributeError):  # macOS has no priorities of reading
        if sys.platform == "win32":
            process.ionice(psutil.IOPRIO_LOW)
        else:
            process.ionice(psutil.IOPRIO_CLASS_BE, 7)
    if sys.platform.startswith("linux"):
        # A child that stands still for a question never sees that its parent has crashed meanwhile.
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if sys.platform != "win32":
        import resource

        memory = int(settings.file_memory_mb * _HARD_LIMIT) << 20
        limits = {
            resource.RLIMIT_DATA: memory,
            resource.RLIMIT_FSIZE: _LARGEST_FILE,
            resource.RLIMIT_NOFILE: _OPEN_FILES,
            # A core file would hold the document.
            resource.RLIMIT_CORE: 0,
        }
        for what, limit in limits.items():
            hard = resource.getrlimit(what)[1]
            most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def confine(scratch: Scratch) -> None:
    """No network and no writing outside ``scratch``, for good, where the system can do that."""
    # Late: the loaders need the index, and the index what stands above this module.
    from engine.intake import legacy

    writable = (scratch.disk, scratch.memory, Path("/dev/null"))
    # LibreOffice has its socket in /tmp, whatever TMPDIR says.
    meeting = (Path("/tmp"),) if legacy.find_program() is not None else ()
    landlock.confine(landlock.Bounds(writable, meeting=meeting, is_offline=True))
    seccomp.deny_network()

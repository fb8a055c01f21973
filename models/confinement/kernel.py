"""The system calls that the limits are made with, and their numbers on this processor."""

import ctypes
import os
import platform
import sys
from dataclasses import dataclass
from functools import cache

_PR_SET_NO_NEW_PRIVS = 38


@dataclass(frozen=True, slots=True)
class Processor:
    """Numbers of ``asm/unistd.h`` and ``linux/audit.h``.

    Calls from ``foreign_from`` on are another ABI's. Calls from number 424 on are the same on all processors.
    """

    audit_arch: int
    socket: int
    ptrace: int
    process_vm_readv: int
    process_vm_writev: int
    foreign_from: int | None = None


SECCOMP = {"x86_64": 317, "aarch64": 277}
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
IO_URING_SETUP, PIDFD_GETFD = 425, 438

_PROCESSORS = {
    # 0x40000000 marks the calls of x32, which run with the same audit number.
    "x86_64": Processor(0xC000003E, 41, 101, 310, 311, 0x40000000),
    "aarch64": Processor(0xC00000B7, 198, 117, 270, 271),
}


def processor() -> Processor | None:
    """What is known of this processor; None where the limits cannot be set."""
    return _PROCESSORS.get(platform.machine()) if sys.platform == "linux" else None


@cache
def libc() -> ctypes.CDLL:
    """The C library, with its errno kept for :func:`ctypes.get_errno`."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def call(number: int, *arguments: object) -> int:
    """One system call; raises OSError where it fails."""
    result = int(libc().syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def forbid_new_rights() -> None:
    """No program started from here on gains rights by being set-uid; both limits ask for it.

    Raises OSError.
    """
    if libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")

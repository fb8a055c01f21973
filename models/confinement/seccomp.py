"""No sockets but Unix ones: a seccomp filter (Linux 3.17, the kernel's ``userspace-api/seccomp_filter``).

A filter sees the numbers that a system call is made with and not what pointers point to, so it can tell a
family of sockets and no address: it is for processes that need no loopback server either.
"""

import ctypes
import errno
import logging
import platform
from collections.abc import Iterator

from models.confinement import kernel

_log = logging.getLogger(__name__)

_LOAD, _EQUALS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
"""Classic BPF: load a word, jump if equal, jump if at least, return."""

_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in ``struct seccomp_data``; the known processors are little-endian: the low half is first."""

_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM

_UNIX = 1
"""AF_UNIX; Python does not name it on every system."""

_SET_MODE_FILTER = 1
_ALL_THREADS = 1
_KEEP_SPECULATION = 4
"""Older kernels would slow the process down for having a filter (its code is not hostile, its input is)."""

Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, constant."""


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("jt", ctypes.c_ubyte),
        ("jf", ctypes.c_ubyte),
        ("k", ctypes.c_uint),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction)))


def program(processor: kernel.Processor) -> list[Instruction]:
    """The filter: every call is allowed but these, which fail with EPERM.

    ``socket`` for any family but AF_UNIX; io_uring, which opens sockets past the filter; what reaches into
    other processes, which may have no filter; and all calls of another ABI, whose numbers mean other things.
    """
    refused = (
        kernel.IO_URING_SETUP, kernel.PIDFD_GETFD,
        processor.ptrace, processor.process_vm_readv, processor.process_vm_writev,
    )  # fmt: skip
    tests = [(_EQUALS, number) for number in refused]
    if processor.foreign_from is not None:
        tests.append((_AT_LEAST, processor.foreign_from))
    return list(_assemble(processor, tests))


def _assemble(processor: kernel.Processor, tests: list[tuple[int, int]]) -> Iterator[Instruction]:
    """Jumps count instructions from the next one; the last three are: load the family, allow, refuse."""
    left = len(tests)
    yield _LOAD, 0, 0, _ARCH
    yield _EQUALS, 0, left + 6, processor.audit_arch
    yield _LOAD, 0, 0, _NUMBER
    yield _EQUALS, left + 1, 0, processor.socket
    for position, (test, number) in enumerate(tests):
        yield test, left - position + 3, 0, number
    yield _RETURN, 0, 0, _ALLOW
    yield _LOAD, 0, 0, _FIRST_ARGUMENT
    yield _EQUALS, 0, 1, _UNIX
    yield _RETURN, 0, 0, _ALLOW
    yield _RETURN, 0, 0, _REFUSE


def deny_network() -> bool:
    """Bind this process, its threads and all that it starts, for good; False where that is not possible."""
    processor = kernel.processor()
    if processor is None:
        return False
    instructions = program(processor)
    array = (_Instruction * len(instructions))(*(_Instruction(*fields) for fields in instructions))
    filter_program = _Program(len(instructions), array)
    flags = _ALL_THREADS | _KEEP_SPECULATION
    try:
        kernel.forbid_new_rights()
        number = kernel.SECCOMP[platform.machine()]
        return kernel.call(number, _SET_MODE_FILTER, flags, ctypes.byref(filter_program)) == 0
    except OSError as exc:
        _log.warning("no native seal here: %s", exc)
        return False

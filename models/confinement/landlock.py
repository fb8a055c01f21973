"""What a process may read and write: Landlock (Linux 5.13, the kernel's ``userspace-api/landlock``)."""

import contextlib
import ctypes
import logging
import os
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from models.confinement import kernel

_log = logging.getLogger(__name__)

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_FILE, _MAKE_SOCKET = 1 << 5, 1 << 9
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_CHANGE_FOLDER = sum(1 << bit for bit in range(4, 13))
"""Make and remove files, folders, links, sockets and devices."""

_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE

_TCP = 0b11  # bind and connect
_SCOPES = 0b11  # abstract Unix sockets and signals of processes that were not started from here
_VERSION_FLAG = 1
_RULE_BENEATH = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


@dataclass(frozen=True, slots=True)
class Bounds:
    """Files and folders with all that is in them; what is not there is passed over.

    ``readable`` None: everything may be read. In ``meeting`` folders Unix sockets may be made, and files
    removed, as sockets that are left behind have to be. ``is_offline``: no TCP either, and other programs of
    this user can neither be signalled nor be reached by abstract sockets (from Landlock's versions 4 and 6
    on).
    """

    writable: Collection[Path]
    readable: Collection[Path] | None = None
    meeting: Collection[Path] = ()
    is_offline: bool = False


def version() -> int:
    """Of Landlock in this kernel; 0 where there is none."""
    if kernel.processor() is None:
        return 0
    with contextlib.suppress(OSError):
        return kernel.call(kernel.LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return 0


def confine(bounds: Bounds) -> bool:
    """Keep this process and all that it starts within ``bounds``, for good; False where it cannot."""
    found = version()
    if not found:
        return False
    writing = _WRITE_FILE | _CHANGE_FOLDER
    writing |= (_REFER if found >= 2 else 0) | (_TRUNCATE if found >= 3 else 0)
    handled = writing | (0 if bounds.readable is None else _READ)
    is_offline = bounds.is_offline
    rules = _Ruleset(
        handled, _TCP if is_offline and found >= 4 else 0, _SCOPES if is_offline and found >= 6 else 0
    )
    # A kernel refuses a structure with more in it than it knows.
    size = 8 if found < 4 else 16 if found < 6 else 24
    try:
        ruleset = kernel.call(kernel.LANDLOCK_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
        try:
            for path in bounds.readable or ():
                _allow(ruleset, path, handled & _READ)
            for path in bounds.meeting:
                _allow(ruleset, path, _MAKE_SOCKET | _REMOVE_FILE)
            for path in bounds.writable:
                _allow(ruleset, path, handled)
            kernel.forbid_new_rights()
            kernel.call(kernel.LANDLOCK_RESTRICT_SELF, ruleset, 0)
        finally:
            os.close(ruleset)
    except OSError as exc:
        _log.warning("Landlock is here and cannot be used: %s", exc)
        return False
    return True


def _allow(ruleset: int, path: Path, allowed: int) -> None:
    if sys.platform != "linux":
        return
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = _Beneath(allowed if path.is_dir() else allowed & _OF_FILES, opened)
        kernel.call(kernel.LANDLOCK_ADD_RULE, ruleset, _RULE_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(opened)

"""The network seal: nothing Python does in this process can leave the machine.

``install()`` is the first statement of every entry point and child process. It adds an audit hook
(PEP 578), which cannot be removed again, that refuses name look-ups and connections to anything but
loopback and Unix sockets, and remembers each attempt: one that a library swallows still counts. Where a
person shares a library with a team, exactly that server's host and port are let through (:func:`allow`).
Native sockets do not pass the hook: :func:`confine` and :mod:`engine.intake.confinement` have the kernel
refuse those, and ``zhiye prove-offline`` shows that there are none. gRPC, which reaches a team's server, is
the known exception: the hook does not see it.
"""

import ipaddress
import os
import socket
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import OutsideConnection
from models.confinement import seccomp

_LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost", ""})
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
_FRAMES = 8
_PROGRAM = "zhiye"
_STANDARD_LIBRARY = str(Path(os.__file__).parent)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One refused attempt: the audit event, its target, the innermost frames, and whose code it was.

    ``library`` is the package of the innermost frame that is not the standard library's, ``zhiye`` for the
    program's own.
    """

    event: str
    target: str
    stack: str
    library: str = ""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A server that may be reached: the name that a person gave, its port and its addresses."""

    host: str
    port: int
    addresses: tuple[str, ...]

    @property
    def first(self) -> str:
        """An address with the port, for a URI."""
        address = self.addresses[0]
        return f"[{address}]:{self.port}" if ":" in address else f"{address}:{self.port}"


_attempts: list[Attempt] = []
_allowed: dict[tuple[str, int], Allowed] = {}
_users: Counter[tuple[str, int]] = Counter()
_looked_up: str | None = None
_installed = False


def install() -> None:
    """Seal this process and set the hub libraries' offline switches. Safe to call again."""
    global _installed
    os.environ.update(_OFFLINE)
    if not _installed:
        _installed = True
        sys.addaudithook(_audit)


def attempts() -> tuple[Attempt, ...]:
    """What tried to leave this process so far."""
    return tuple(_attempts)


def remember(attempt: Attempt) -> None:
    """Count an attempt that a child process has told of."""
    _attempts.append(attempt)


def confine() -> bool:
    """Have the kernel refuse every socket that is not a Unix one, in this process and all that it starts.

    Linux only, and for good: not for a process that speaks to a chat server of this machine or to a team's,
    nor for one that starts a download. False where it is not possible.
    """
    return seccomp.deny_network()


def allow(host: str, port: int) -> Allowed:
    """Let this process reach one server, until :func:`withdraw` was called as often; looked up once, here.

    Raises:
        OSError: the name is not known.
    """
    global _looked_up
    if (host, port) not in _allowed:
        _looked_up = host
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        finally:
            _looked_up = None
        addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
        _allowed[(host, port)] = Allowed(host, port, addresses)
    _users[(host, port)] += 1
    return _allowed[(host, port)]


def withdraw(host: str, port: int) -> None:
    """One that asked for a server needs it no longer; after the last one it is refused again."""
    _users[(host, port)] -= 1
    if _users[(host, port)] <= 0:
        del _users[(host, port)]
        _allowed.pop((host, port), None)


def allowed() -> tuple[Allowed, ...]:
    """The servers that this process may reach beside this machine."""
    return tuple(_allowed.values())


def _audit(event: str, args: tuple[Any, ...]) -> None:
    # Called for every audited action of the interpreter: decide in one step for all others.
    if not event.startswith("socket."):
        return
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        target = args[1] if len(args) > 1 else None
        if target is not None and not _is_local(target) and not _is_allowed(target):
            _refuse(event, target)
    elif event == "socket.getaddrinfo" or event in ("socket.gethostbyname", "socket.gethostbyaddr"):
        if not _is_local_name(args[0]) and args[0] != _looked_up:
            _refuse(event, args[0])
    elif event == "socket.getnameinfo" and not _is_local(args[0]):
        _refuse(event, args[0])


def _is_allowed(address: object) -> bool:
    if not _allowed or not isinstance(address, tuple) or len(address) < 2:
        return False
    return any(address[0] in known.addresses and address[1] == known.port for known in _allowed.values())


def _is_local(address: object) -> bool:
    if isinstance(address, (str, bytes)):
        return True  # a Unix socket's path
    if isinstance(address, tuple) and address and isinstance(address[0], (str, bytes)):
        return _is_local_name(address[0])
    # Netlink and vsock addresses are tuples of numbers: no way out through the former, the latter is one.
    return isinstance(address, tuple) and bool(address) and address[0] == 0 and len(address) == 2


def _is_local_name(name: object) -> bool:
    if name is None:
        return True
    text = name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)
    text = text.rstrip(".").lower()
    if text in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse(event: str, target: object) -> None:
    frames = traceback.extract_stack()[:-2]
    text = target.decode("ascii", "backslashreplace") if isinstance(target, bytes) else str(target)
    stack = "".join(traceback.format_list(frames[-_FRAMES:]))
    _attempts.append(Attempt(event, text, stack, _library([frame.filename for frame in frames])))
    raise OutsideConnection(target=text)


def _library(files: Sequence[str]) -> str:
    """Whose code the innermost of these frames' files is, leaving Python's own modules out."""
    for file in reversed(files):
        parts = Path(file).parts
        for place in ("site-packages", "dist-packages"):
            if place in parts[:-1]:
                return parts[parts.index(place) + 1].removesuffix(".py")
        if not file.startswith((_STANDARD_LIBRARY, "<")):
            return _PROGRAM
    return _PROGRAM

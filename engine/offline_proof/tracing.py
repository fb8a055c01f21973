"""What a process and all that it started asked of the kernel, as strace wrote it down.

Connections and messages are looked at with their addresses; no content is (``-s 0``), so no document is in
the trace. A name look-up counts as an attempt although its server may be on this machine: it asks others.
"""

import ipaddress
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

_CALLS = "connect,sendto,sendmsg,sendmmsg,io_uring_setup,open,openat,openat2"

_DNS = frozenset({53, 853, 5353})
_RESOLVER_SOCKETS = ("/run/systemd/resolve/", "/var/run/systemd/resolve/")

_LINE = re.compile(r"^(?:\d+\s+)?(?P<call>\w+)\((?P<rest>.*)$")
_FAMILY = re.compile(r"sa_family=(AF_\w+)")
_PORT = re.compile(r"sin6?_port=htons\((\d+)\)")
_IP4 = re.compile(r'sin_addr=inet_addr\("([^"]+)"\)')
_IP6 = re.compile(r'inet_pton\(AF_INET6, "([^"]+)"')
_UNIX_PATH = re.compile(r'sun_path=@?"((?:[^"\\]|\\.)*)"')
_OPENED = re.compile(r'"((?:[^"\\]|\\.)*)", (?:\{flags=)?(O_\w+(?:\|O_\w+)*).*= \d+$')
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)")

_HARMLESS = frozenset({"AF_UNSPEC", "AF_NETLINK"})
"""A disconnect, and questions to the kernel."""


@dataclass(frozen=True, slots=True)
class NativeAttempt:
    """``call`` is the system call, ``target`` an address with its port or the socket's path."""

    call: str
    target: str


@dataclass(frozen=True, slots=True)
class Trace:
    """``files`` were opened for reading, each once, in order."""

    attempts: tuple[NativeAttempt, ...]
    files: tuple[str, ...]


def command(file: Path) -> tuple[str, ...]:
    """What to put before a command that is to be traced into ``file``; empty where there is no strace."""
    program = shutil.which("strace") if sys.platform == "linux" else None
    if program is None:
        return ()
    # Only the calls that are looked at stop the process: it runs at nearly its own speed.
    return program, "-f", "--seccomp-bpf", "-qqq", "-s", "0", "-e", f"trace={_CALLS}", "-o", str(file)


def read(file: Path) -> Trace:
    """Raises OSError where there is no trace."""
    with file.open(encoding="utf-8", errors="surrogateescape") as lines:
        return parse(lines)


def parse(lines: Iterable[str]) -> Trace:
    """A call that another process interrupted stands in two lines; the first one has the address."""
    attempts: list[NativeAttempt] = []
    files: dict[str, None] = {}
    for line in lines:
        found = _LINE.match(line.rstrip("\n"))
        if found is None:
            continue
        call, rest = found["call"], found["rest"]
        if call.startswith("open"):
            opened = _OPENED.search(rest)
            if opened is not None and not {"O_WRONLY", "O_DIRECTORY"} & set(opened[2].split("|")):
                files[_plain(opened[1])] = None
        elif call == "io_uring_setup":
            attempts.append(NativeAttempt(call, "io_uring"))
        else:
            attempts += [NativeAttempt(call, target) for target in _outside(rest)]
    return Trace(tuple(attempts), tuple(files))


def _outside(arguments: str) -> Iterator[str]:
    """Targets that are not this machine; one call may send to several."""
    places = [found.start() for found in _FAMILY.finditer(arguments)]
    for begin, end in pairwise([*places, len(arguments)]):
        part = arguments[begin:end]
        family = part.removeprefix("sa_family=").partition(",")[0].partition("}")[0]
        if family == "AF_UNIX":
            path = _UNIX_PATH.search(part)
            if path is not None and _plain(path[1]).startswith(_RESOLVER_SOCKETS):
                yield _plain(path[1])
        elif family in ("AF_INET", "AF_INET6"):
            address = (_IP4 if family == "AF_INET" else _IP6).search(part)
            port = _PORT.search(part)
            if address is None or port is None:
                yield family
            elif not ipaddress.ip_address(address[1]).is_loopback or int(port[1]) in _DNS:
                yield f"[{address[1]}]:{port[1]}" if family == "AF_INET6" else f"{address[1]}:{port[1]}"
        elif family not in _HARMLESS:
            yield family


def _plain(text: str) -> str:
    """A path as strace quotes it: other bytes than ASCII are octal numbers."""

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8)]) if code.isdigit() else {b"n": b"\n", b"t": b"\t"}.get(code, code)

    raw = text.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(byte, raw).decode("utf-8", "backslashreplace")

"""A network of one's own with nothing in it: network namespaces (Linux, ``network_namespaces(7)``)."""

import fcntl
import logging
import os
import socket
import struct
from pathlib import Path

from models.confinement import kernel

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_INTERFACE_FLAGS = 0x8914
_UP = 0x1

_log = logging.getLogger(__name__)


def isolate() -> bool:
    """Leave every network but an empty one with loopback; False where the system does not let this user.

    Call it before the process has a second thread. What it starts is in there, too.
    """
    user, group = os.getuid(), os.getgid()
    try:
        if kernel.processor() is None:
            return False
        if kernel.libc().unshare(_NEW_NETWORK):
            # Without rights of its own it takes a namespace of users, too, in which it has them.
            if kernel.libc().unshare(_NEW_USER | _NEW_NETWORK):
                return False
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
        _raise_loopback()
    except OSError as exc:
        _log.warning("the empty network has no loopback: %s", exc)
    return interfaces() == ("lo",)


def interfaces() -> tuple[str, ...]:
    """The network interfaces that this process could send by."""
    return tuple(name for _, name in socket.if_nameindex())


def unroutable() -> int:
    """How often anything in this network wanted to send where no way leads to, since it is there.

    The kernel counts it for each connect and each datagram of any process (``Ip: OutNoRoutes``), so it tells
    in an empty network what native code tried. 0 where it is not counted.
    """
    return _count_of_ip4() + _count_of_ip6()


def _count_of_ip4() -> int:
    try:
        lines = Path("/proc/self/net/snmp").read_text(encoding="ascii").splitlines()
        names, values = (line.split() for line in lines if line.startswith("Ip:"))
        return int(dict(zip(names, values, strict=True))["OutNoRoutes"])
    except (OSError, ValueError, KeyError):
        return 0


def _count_of_ip6() -> int:
    try:
        lines = Path("/proc/self/net/snmp6").read_text(encoding="ascii").splitlines()
        return int(dict(line.split() for line in lines)["Ip6OutNoRoutes"])
    except (OSError, ValueError, KeyError):
        return 0


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_INTERFACE_FLAGS, struct.pack("16sH14x", b"lo", _UP))

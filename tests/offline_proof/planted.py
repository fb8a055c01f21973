"""Parts of a proof that do one thing each; which one, their modules say (``planted_*.py``)."""

import ctypes
import socket
import struct
from collections.abc import Callable

from engine.offline_proof.rehearsal import Step


def native_connect(step: Step) -> None:
    """As a C library would: no Python between the call and the kernel."""
    libc = ctypes.CDLL(None)
    handle = libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
    address = struct.pack("<HH4s8x", socket.AF_INET, socket.htons(443), bytes((192, 0, 2, 7)))
    libc.connect(handle, address, len(address))
    step("proof_opened", "x")


def python_connect(step: Step) -> None:
    try:
        socket.create_connection(("192.0.2.7", 443), timeout=1)
    except Exception:
        step("proof_opened", "x")


def local_connect(step: Step) -> None:
    """Loopback and Unix sockets are this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()
    ours, theirs = socket.socketpair()
    ours.close()
    theirs.close()
    step("proof_opened", "x")


def failing(step: Step) -> None:
    step("proof_opened", "x")
    raise RuntimeError("kein Papier")


def main(work: Callable[[Step], None], arguments: list[str] | None) -> int:
    from engine.offline_proof import rehearsal

    rehearsal.prepare()
    return rehearsal.main(work, arguments)

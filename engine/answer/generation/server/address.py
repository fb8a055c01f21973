"""The address of a chat server: loopback, literally."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from engine.errors import ServerNotLocal


@dataclass(frozen=True, slots=True)
class Address:
    """``host`` is a loopback address in numbers, ``path`` what stands before the protocol's own paths."""

    host: str
    port: int
    path: str = ""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.path}"


def parse(text: str) -> Address:
    """The address a person wrote: ``http://127.0.0.1:11434``, ``localhost:8080/v1``, ``[::1]:8080``.

    Only 127.0.0.0/8, ::1 and the word localhost, which is 127.0.0.1 here whatever a hosts file says. Port 80
    where none is named. Another scheme than http, a user name or a name of any kind is not local.

    Raises:
        ServerNotLocal: anything else; nothing has been connected to or looked up.
    """
    written = text.strip()
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        host, port = parts.hostname or "", parts.port
    except ValueError as exc:
        raise ServerNotLocal(address=text) from exc
    is_plain = parts.scheme == "http" and not (parts.username or parts.password or parts.query)
    if not is_plain or port == 0:
        raise ServerNotLocal(address=text)
    return Address(_loopback(host, text), 80 if port is None else port, _before(parts.path))


def _before(path: str) -> str:
    """A path without the end that the protocols add themselves; people copy addresses with it."""
    return path.rstrip("/").removesuffix("/v1").removesuffix("/api")


def _loopback(host: str, text: str) -> str:
    if host == "localhost":
        return "127.0.0.1"
    try:
        found = ipaddress.ip_address(host)
    except ValueError as exc:
        raise ServerNotLocal(address=text) from exc
    if not found.is_loopback or "%" in host:
        raise ServerNotLocal(address=text)
    return str(found)

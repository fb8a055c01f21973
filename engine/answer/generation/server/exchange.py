"""One request to a server and the lines of its answer, read in a thread: Stop works at every moment."""

import http.client
import json
import queue
import socket
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from typing import Any

from engine.answer.generation.server.address import Address
from engine.answer.generation.server.protocols import error_of
from engine.cancel import CancelToken
from engine.errors import ServerBusy, ServerFailed, ServerUnreachable

SILENCE_S = 120.0
"""Longest time without a byte: a prompt may take long to be read, a model long to be loaded."""

CONNECT_S = 5.0
LONGEST_LINE = 1 << 20
"""Bytes; no piece of an answer is that long."""

PAUSES_S = (1.0, 3.0)
"""Before the second and the third try at a server that is busy or only starting."""

_BUSY = frozenset({429, 503})
_POLL_S = 0.05
_ERROR_BYTES = 64 << 10


class Busy(Exception):
    """The server may answer if it is asked again; the text says why."""


def lines(
    address: Address,
    path: str,
    body: Mapping[str, Any] | None,
    *,
    model: str,
    token: CancelToken,
    silence_s: float = SILENCE_S,
) -> Generator[bytes | None, None, None]:
    """The lines of the answer to a request (GET without ``body``) as they come; None while nothing does.

    A server that is busy (429, 503) or where nobody listens yet is asked twice more, after growing pauses.
    The socket is closed at once when ``token`` is cancelled and when the iterator is closed.

    Raises:
        Cancelled: the token was cancelled.
        ServerBusy, ServerUnreachable: at the third try; or it said nothing for ``silence_s``, or broke off.
        ServerFailed: it answered with an error, sent a page, or a line of more than a megabyte.
    """
    for pause in (*PAUSES_S, None):
        exchange = _Exchange(address, path, body, model, silence_s)
        try:
            yield from exchange.run(token)
            return
        except Busy as exc:
            if pause is None:
                kind = ServerUnreachable if isinstance(exc.__cause__, OSError) else ServerBusy
                raise kind(address=str(address), model=model, detail=str(exc)) from exc
            yield from _wait(pause, token)
        finally:
            exchange.close()


def _wait(seconds: float, token: CancelToken) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        token.check()
        time.sleep(min(_POLL_S, seconds))
        yield None


class _Exchange:
    """A connection and the thread that reads from it; the thread ends when the socket is closed."""

    def __init__(
        self, address: Address, path: str, body: Mapping[str, Any] | None, model: str, silence_s: float
    ) -> None:
        self._address, self._path, self._body, self._model = address, path, body, model
        self._silence_s = silence_s
        self._connection = http.client.HTTPConnection(address.host, address.port, timeout=CONNECT_S)
        self._found: queue.SimpleQueue[bytes | Exception | None] = queue.SimpleQueue()
        # The connection forgets its socket once a response will end with it.
        self._socket: socket.socket | None = None
        self._is_closed = False

    def run(self, token: CancelToken) -> Iterator[bytes | None]:
        token.check()
        threading.Thread(target=self._read, name="zhiye-chat-server", daemon=True).start()
        last = time.monotonic()
        while True:
            token.check()
            try:
                found = self._found.get(timeout=_POLL_S)
            except queue.Empty:
                if time.monotonic() - last > self._silence_s:
                    raise self._unreachable(f"no byte within {self._silence_s:.0f} s") from None
                yield None
                continue
            last = time.monotonic()
            if isinstance(found, Exception):
                raise found
            if found is None:
                return
            yield found

    def close(self) -> None:
        """Close the socket now: a thread that is reading from it comes back, and the server sees it."""
        self._is_closed = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        """The thread: puts lines, then None, or the error that ended it."""
        try:
            with closing(self._connection):
                self._exchange()
            self._found.put(None)
        except Exception as exc:  # a border: raised again where somebody waits
            self._found.put(exc)

    def _exchange(self) -> None:
        try:
            self._connection.connect()
            self._socket = self._connection.sock
            if self._is_closed:
                return
            with closing(self._answer()) as response:
                self._check(response)
                while line := response.readline(LONGEST_LINE + 1):
                    if len(line) > LONGEST_LINE:
                        raise self._failed("a line of more than a megabyte")
                    self._found.put(line)
        except ConnectionRefusedError as exc:
            raise Busy("nobody listens there") from exc
        except (OSError, http.client.HTTPException, ValueError) as exc:
            detail = " ".join(f"{type(exc).__name__} {exc}".split())[:200]
            raise self._unreachable(detail) from exc

    def _answer(self) -> http.client.HTTPResponse:
        self._connection.sock.settimeout(None)  # silence is measured by who waits
        headers = {"Accept": "application/json, text/event-stream"}
        path = self._address.path + self._path
        if self._body is None:
            self._connection.request("GET", path, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            self._connection.request("POST", path, json.dumps(self._body).encode(), headers)
        return self._connection.getresponse()

    def _check(self, response: http.client.HTTPResponse) -> None:
        kind = response.headers.get_content_type()
        if response.status == 200 and kind != "text/html":
            return
        said = response.read(_ERROR_BYTES).decode("utf-8", "replace")
        try:
            detail = error_of(json.loads(said))
        except ValueError:
            detail = None
        text = f"HTTP {response.status}" + (f": {detail}" if detail else f", {kind}")
        if response.status in _BUSY:
            raise Busy(text)
        raise self._failed(text)

    def _failed(self, detail: str) -> ServerFailed:
        return ServerFailed(address=str(self._address), model=self._model, detail=detail)

    def _unreachable(self, detail: str) -> ServerUnreachable:
        return ServerUnreachable(address=str(self._address), model=self._model, detail=detail)

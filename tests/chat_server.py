"""A chat server on loopback that says what a test tells it to, in a thread of its own."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Reply = Callable[[socket.socket], None]


@dataclass
class ChatServer:
    """``replies`` are taken one a request, the last one for ever; ``requests`` are what came in."""

    port: int
    replies: list[Reply]
    requests: list[tuple[str, Any]] = field(default_factory=list)
    closed_early: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(*replies: Reply, family: int = socket.AF_INET) -> Iterator[ChatServer]:
    host = "127.0.0.1" if family == socket.AF_INET else "::1"
    listener = socket.create_server((host, 0), family=family)
    server = ChatServer(listener.getsockname()[1], list(replies))
    threads: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=_serve, args=(server, connection)))
            threads[-1].start()

    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield server
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(5)
        for thread in threads:
            thread.join(5)
            assert not thread.is_alive()


def _serve(server: ChatServer, connection: socket.socket) -> None:
    with connection:
        connection.settimeout(5)
        try:
            server.requests.append(_request(connection))
            reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
            reply(connection)
        except OSError:
            server.closed_early.set()


def _request(connection: socket.socket) -> tuple[str, Any]:
    with connection.makefile("rb") as stream:
        line = stream.readline().decode()
        length = 0
        while (header := stream.readline().strip()) != b"":
            if header.lower().startswith(b"content-length:"):
                length = int(header.partition(b":")[2])
        body = stream.read(length)
    return line.rsplit(" ", 1)[0], json.loads(body) if body else None


def raw(data: bytes) -> Reply:
    return lambda connection: connection.sendall(data)


def answer(body: bytes, status: str = "200 OK", kind: str = "application/json") -> Reply:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return raw(head.encode() + body)


def stream(pieces: Sequence[bytes], kind: str = "text/event-stream", *, ends: bool = True) -> Reply:
    """Chunked, a chunk a piece; without its last chunk when it does not end."""

    def reply(connection: socket.socket) -> None:
        connection.sendall(
            f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for piece in pieces:
            connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        if ends:
            connection.sendall(b"0\r\n\r\n")

    return reply


def silent(connection: socket.socket) -> None:
    """Takes the request and says nothing until the other side closes; then that is an error here."""
    if connection.recv(1) == b"":
        raise ConnectionError


def endless(piece: bytes) -> Reply:
    def reply(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while True:
            connection.sendall(piece)
            time.sleep(0.001)

    return reply


def openai(*texts: str, last: bytes = b"data: [DONE]\n\n", **more: Any) -> Reply:
    pieces = [b"data: %s\n\n" % json.dumps({"choices": [{"delta": {"content": t}}]}).encode() for t in texts]
    if more:
        pieces.append(b"data: %s\n\n" % json.dumps({"choices": []} | more).encode())
    return stream([piece for piece in (*pieces, last) if piece])


def ollama(*texts: str, **more: Any) -> Reply:
    said = [{"message": {"content": text}, "done": False} for text in texts]
    said.append({"message": {"content": ""}, "done": True} | more)
    return stream([json.dumps(each).encode() + b"\n" for each in said], "application/x-ndjson")


def listing(*names: str, protocol: str = "openai") -> Reply:
    if protocol == "openai":
        return answer(json.dumps({"data": [{"id": name} for name in names]}).encode())
    return answer(json.dumps({"models": [{"name": name} for name in names]}).encode())

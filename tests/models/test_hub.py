"""Resume and refusals of a hub, against a server on the loopback interface."""

import hashlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from models.catalogue import HubSource, ModelFile
from models.sources import SourceFailed
from models.sources.hub import Hub, within
from models.verification import unreported


class Server(ThreadingHTTPServer):
    """Serves ``content``; the switches make it misbehave."""

    daemon_threads = True

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.ranges: list[str | None] = []
        self.knows_ranges = True
        self.content_type = "application/octet-stream"
        self.status = 200
        self.stop_after: int | None = None


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.server.knows_ranges else 0
        body = self.server.content[start:]
        self.send_response(206 if start else self.server.status)
        self.send_header("Content-Type", self.server.content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.server.stop_after is not None:
            body, self.server.stop_after = body[: self.server.stop_after], None
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(content: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with Server(content) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def hub(server: Server) -> Hub:
    return Hub(HubSource("hub", f"http://127.0.0.1:{server.server_port}/{{file}}"))


@pytest.fixture
def file(content: bytes) -> ModelFile:
    return ModelFile("m.gguf", len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "m.part"


def test_a_file_is_fetched_whole(hub: Hub, file: ModelFile, part: Path, content: bytes) -> None:
    seen: list[tuple[int, int]] = []
    hub.fetch(file, part, lambda done, total: seen.append((done, total)))
    assert part.read_bytes() == content
    assert seen[-1] == (file.size, file.size)


def test_what_is_there_is_not_fetched_again(
    server: Server, hub: Hub, file: ModelFile, part: Path, content: bytes
) -> None:
    part.write_bytes(content[:100])
    hub.fetch(file, part, unreported)
    assert server.ranges == ["bytes=100-"]
    assert part.read_bytes() == content


def test_a_broken_connection_goes_on_where_it_stopped(
    server: Server, hub: Hub, file: ModelFile, part: Path, content: bytes
) -> None:
    server.stop_after = 200
    hub.fetch(file, part, unreported)
    assert server.ranges == [None, "bytes=200-"]
    assert part.read_bytes() == content


def test_a_server_without_ranges_starts_over(
    server: Server, hub: Hub, file: ModelFile, part: Path, content: bytes
) -> None:
    server.knows_ranges = False
    part.write_bytes(b"x" * 100)
    hub.fetch(file, part, unreported)
    assert part.read_bytes() == content


def test_a_web_page_is_refused(server: Server, hub: Hub, file: ModelFile, part: Path) -> None:
    server.content_type = "text/html; charset=utf-8"
    with pytest.raises(SourceFailed, match="web page"):
        hub.fetch(file, part, unreported)
    assert not part.exists()


def test_a_file_of_another_size_is_refused(server: Server, hub: Hub, file: ModelFile, part: Path) -> None:
    server.content += b"more"
    with pytest.raises(SourceFailed, match="another size"):
        hub.fetch(file, part, unreported)


def test_an_error_page_fails_the_source(server: Server, hub: Hub, file: ModelFile, part: Path) -> None:
    server.status = 404
    with pytest.raises(SourceFailed, match="404"):
        hub.fetch(file, part, unreported)


def test_a_closed_port_fails_at_once(file: ModelFile, part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as closed:
        port = closed.server_port
    with pytest.raises(SourceFailed, match="not reachable"):
        Hub(HubSource("hub", f"http://127.0.0.1:{port}/{{file}}")).fetch(file, part, unreported)


def test_a_silent_call_is_given_up() -> None:
    released = threading.Event()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        within(0.05, lambda: released.wait(10))
    released.set()
    assert time.monotonic() - started < 5


def test_the_call_s_own_error_comes_through() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        within(5, fail)
    assert within(5, lambda: 7) == 7


def test_an_error_of_the_network_never_passes_for_one_of_the_disk(
    hub: Hub, file: ModelFile, part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unroutable(*_: Any, **__: Any) -> Any:
        raise OSError(113, "No route to host")

    monkeypatch.setattr("urllib.request.urlopen", unroutable)
    with pytest.raises(SourceFailed, match="No route to host"):
        hub.fetch(file, part, unreported)

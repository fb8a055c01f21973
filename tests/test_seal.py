import asyncio
import http.client
import importlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import seal
from engine.errors import OutsideConnection
from models.confinement import kernel
from tests.conftest import ROOT

NOWHERE = ("192.0.2.7", 9)
NAME = "seal-test.invalid"


def _socket(kind: int = socket.SOCK_STREAM) -> socket.socket:
    return socket.socket(socket.AF_INET, kind)


def _with_socket(kind: int, use: Callable[[socket.socket], Any]) -> None:
    with _socket(kind) as made:
        use(made)


ATTEMPTS: dict[str, Callable[[], Any]] = {
    "connect": lambda: _with_socket(socket.SOCK_STREAM, lambda s: s.connect(NOWHERE)),
    "connect_ex": lambda: _with_socket(socket.SOCK_STREAM, lambda s: s.connect_ex(NOWHERE)),
    "udp connect": lambda: _with_socket(socket.SOCK_DGRAM, lambda s: s.connect(NOWHERE)),
    "sendto": lambda: _with_socket(socket.SOCK_DGRAM, lambda s: s.sendto(b"x", NOWHERE)),
    "sendmsg": lambda: _with_socket(socket.SOCK_DGRAM, lambda s: s.sendmsg([b"x"], [], 0, NOWHERE)),
    "create_connection": lambda: socket.create_connection(NOWHERE, timeout=1),
    "getaddrinfo": lambda: socket.getaddrinfo(NAME, 443),
    "getaddrinfo bytes": lambda: socket.getaddrinfo(NAME.encode(), 443),
    "gethostbyname": lambda: socket.gethostbyname(NAME),
    "gethostbyname_ex": lambda: socket.gethostbyname_ex(NAME),
    "gethostbyaddr": lambda: socket.gethostbyaddr("192.0.2.7"),
    "getnameinfo": lambda: socket.getnameinfo(NOWHERE, 0),
    "asyncio": lambda: asyncio.run(asyncio.open_connection(*NOWHERE)),
}


@pytest.mark.parametrize("way", sorted(ATTEMPTS))
def test_every_way_out_is_refused_and_remembered(way: str) -> None:
    before = len(seal.attempts())
    with pytest.raises(OutsideConnection) as caught:
        ATTEMPTS[way]()
    (attempt,) = seal.attempts()[before:]
    assert "192.0.2.7" in attempt.target or NAME in attempt.target
    assert caught.value.params["target"] == attempt.target
    assert attempt.event.startswith("socket.")
    assert "test_seal.py" in attempt.stack or way == "asyncio"


def test_an_attempt_that_is_swallowed_is_still_remembered() -> None:
    before = len(seal.attempts())
    try:
        socket.getaddrinfo(NAME, 80)
    except Exception:
        pass
    assert [attempt.event for attempt in seal.attempts()[before:]] == ["socket.getaddrinfo"]


@pytest.mark.parametrize("family", ["127.0.0.1", "localhost"])
def test_loopback_works(family: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection((family, server.getsockname()[1]), timeout=5) as client,
        server.accept()[0] as accepted,
    ):
        client.sendall(b"x")
        assert accepted.recv(1) == b"x"


def test_http_reaches_this_machine_and_no_other_also_where_a_proxy_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://192.0.2.7:3128")
    with socket.create_server(("127.0.0.1", 0)) as server:
        near = http.client.HTTPConnection("127.0.0.1", server.getsockname()[1], timeout=5)
        near.connect()
        near.close()
    for host in (NOWHERE[0], NAME):
        before = len(seal.attempts())
        away = http.client.HTTPConnection(host, 11434, timeout=5)
        with pytest.raises(OutsideConnection):
            away.connect()
        assert len(seal.attempts()) == before + 1


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no Unix sockets here")
def test_unix_sockets_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may have a hundred bytes only
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("s")
        server.listen()
        client.connect("s")


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("127.0.0.1", True), ("127.8.9.10", True), ("::1", True), ("::1%lo", True), ("localhost", True),
        ("LOCALHOST.", True), (b"localhost", True), (None, True), ("", True),
        ("0.0.0.0", False), ("10.0.0.1", False), ("192.0.2.7", False), ("fe80::1%eth0", False),
        ("2001:db8::1", False), ("::ffff:192.0.2.7", False), ("localhost.example", False),
        ("127.0.0.1.example", False), ("<broadcast>", False),
    ],
)  # fmt: skip
def test_what_counts_as_this_machine(name: object, local: bool) -> None:
    assert seal._is_local_name(name) is local


def test_installing_again_adds_no_second_hook() -> None:
    seal.install()
    before = len(seal.attempts())
    with pytest.raises(OutsideConnection):
        socket.gethostbyname(NAME)
    assert len(seal.attempts()) == before + 1


def _python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=60, cwd=ROOT,
        env={**os.environ, **environment},
    )  # fmt: skip


def test_a_process_of_its_own_remembers_what_a_library_swallowed() -> None:
    code = """
import json, os, socket
from engine import seal
assert "HF_HUB_OFFLINE" not in os.environ
seal.install()
def library():
    ways = (socket.create_connection, ("192.0.2.7", 443)), (socket.gethostbyname, "seal-test.invalid")
    for use, target in ways:
        try:
            use(target)
        except Exception:
            pass
library()
print(json.dumps([[a.event, a.target] for a in seal.attempts()] + [os.environ["HF_HUB_OFFLINE"]]))
"""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("HF_", "TRANSFORMERS_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT, env=environment
    )
    assert done.returncode == 0, done.stderr
    first, second, offline = json.loads(done.stdout)
    # create_connection looks the address up first, and that is refused already.
    assert first == ["socket.getaddrinfo", "192.0.2.7"]
    assert second == ["socket.gethostbyname", NAME]
    assert offline == "1"


def test_importing_the_engine_loads_no_heavy_library() -> None:
    code = """
import sys, pkgutil, importlib
import engine, engine.thread, engine.cli.run, engine.workspace, engine.pipeline
import engine.index.portable, engine.evaluation.measure, engine.intake.reading
heavy = {"torch", "faiss", "llama_cpp", "fitz", "pymupdf", "transformers", "sentence_transformers", "opencc"}
print(sorted(heavy & {name.split(".")[0] for name in sys.modules}))
"""
    done = _python(code)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_an_attempt_names_the_library_that_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "neugierig"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "import urllib.request\n\ndef ask():\n    urllib.request.urlopen('http://seal-test.invalid/')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    module = importlib.import_module("neugierig")
    before = len(seal.attempts())
    with pytest.raises(OutsideConnection):
        module.ask()
    assert [attempt.library for attempt in seal.attempts()[before:]] == ["neugierig"]


@pytest.mark.skipif(kernel.processor() is None, reason="Linux on x86-64 or arm64")
@pytest.mark.parametrize(("settings", "mode"), [("top_k: 5", "2"), ("server: http://127.0.0.1:9", "0")])
def test_a_command_of_its_own_has_no_native_sockets_unless_a_server_answers(
    settings: str, mode: str, tmp_path: Path
) -> None:
    (tmp_path / "s.yaml").write_text(settings, encoding="utf-8")
    code = """
import sys
from engine.cli import main
assert main() == 0
(line,) = [line for line in open("/proc/self/status", encoding="ascii") if line.startswith("Seccomp:")]
print("mode", line.split()[1])
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "status", "--config", str(tmp_path / "s.yaml")],
        capture_output=True, text=True, timeout=60, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"mode {mode}" in done.stdout

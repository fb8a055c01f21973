"""Loopback, as it is written; whatever else is refused before anything is looked up or connected to."""

import pytest

from engine import seal
from engine.answer.generation import server
from engine.answer.generation.server.address import parse
from engine.errors import ServerNotLocal


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost:1234", "http://127.0.0.1:1234"),
        ("HTTP://LocalHost:1234/v1/", "http://127.0.0.1:1234"),
        ("http://127.8.9.10:80/api", "http://127.8.9.10:80"),
        ("[::1]:8080", "http://[::1]:8080"),
        (" http://127.0.0.1:8080/chat ", "http://127.0.0.1:8080/chat"),
        ("127.0.0.1", "http://127.0.0.1:80"),
    ],
)
def test_an_address_of_this_machine_is_understood(written: str, address: str) -> None:
    assert str(parse(written)) == address


ELSEWHERE = [
    "http://192.168.1.5:11434", "10.0.0.1:80", "example.com:80", "http://0.0.0.0:11434", "0:80",
    "http://127.0.0.1@example.com:80", "http://user:pw@127.0.0.1:80", "http://127.0.0.1.example.com:80",
    "http://localhost.example:80", "localhost.:80", "http://localhost.localdomain:80", "https://127.0.0.1:443",
    "ftp://127.0.0.1", "2130706433:80", "0x7f000001:80", "127.1:80", "0177.0.0.1:80", "[::ffff:127.0.0.1]:80",
    "[::ffff:192.0.2.7]:80", "[fe80::1%eth0]:80", "[::1%eth0]:80", "[::]:80", "１２７.0.0.1:80",
    "localhоst:80",
    "http://127.0.0.1:99999", "http://127.0.0.1:x", "http://127.0.0.1:0", "", "http://", "http://[::1",
    "/tmp/s",
]  # fmt: skip


@pytest.mark.parametrize("written", ELSEWHERE)
def test_anything_else_is_refused_before_any_connection(written: str) -> None:
    before = len(seal.attempts())
    with pytest.raises(ServerNotLocal) as failure:
        parse(written)
    assert failure.value.params == {"address": written}
    with pytest.raises(ServerNotLocal):
        server.models(written, "openai")
    assert len(seal.attempts()) == before, "not even a name was looked up"

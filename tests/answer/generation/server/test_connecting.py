"""From the settings to a server's model."""

from pathlib import Path

import pytest

from engine.answer.generation import server
from engine.answer.generation.server import exchange
from engine.config import Settings
from engine.errors import ServerFailed, ServerNotLocal, ServerUnreachable
from engine.paths import Home
from tests.chat_server import answer, listing, openai, serving


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "PAUSES_S", (0.01, 0.03))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_the_models_of_a_server_are_listed() -> None:
    with serving(listing("qwen2.5-1.5b", "别的")) as running:
        assert server.models(running.address + "/v1", "openai") == ("qwen2.5-1.5b", "别的")
    assert running.requests == [("GET /v1/models", None)]
    with serving(listing("qwen2.5:0.5b", protocol="ollama")) as running:
        assert server.models(running.address, "ollama") == ("qwen2.5:0.5b",)
    assert running.requests == [("GET /api/tags", None)]


def test_the_first_model_is_taken_where_none_is_named(home: Home) -> None:
    with serving(listing("a", "b")) as running:
        generator = server.connect(running.address, Settings(), home)
    assert (generator.model_id, generator.context_length) == ("a", 4096)


def test_the_named_model_is_taken_and_the_context_of_the_settings(home: Home) -> None:
    with serving(listing("a", "b:latest", protocol="ollama")) as running:
        settings = Settings(server_protocol="ollama", server_model="b", context_length=8192)
        generator = server.connect(running.address, settings, home)
    assert (generator.model_id, generator.context_length) == ("b:latest", 8192)


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("qwen2.5:0.5b", "small"), ("Qwen2.5-0.5B-Instruct", "small"), ("qwen2.5:1.5b", "large"),
        ("qwen3-8b", "large"), ("gpt-oss", "large"), ("model-10.5bit", "large"),
    ],
)  # fmt: skip
def test_the_name_says_which_prompt_it_gets(name: str, prompt: str, home: Home) -> None:
    with serving(listing(name)) as running:
        assert server.connect(running.address, Settings(), home).prompt == prompt


def test_a_model_that_the_server_lacks_is_named_beside_those_it_has(home: Home) -> None:
    with serving(listing("a")) as running, pytest.raises(ServerFailed, match="only a") as failure:
        server.connect(running.address, Settings(server_model="x"), home)
    assert failure.value.params["model"] == "x"


@pytest.mark.parametrize("reply", [listing(), answer(b"[]"), answer(b"<p>", kind="text/html"), answer(b"{")])
def test_a_server_without_models_is_a_typed_error(reply: object, home: Home) -> None:
    with serving(reply) as running, pytest.raises(ServerFailed):  # type: ignore[arg-type]
        server.connect(running.address, Settings(), home)


def test_a_server_that_is_not_there_can_be_tried_again(home: Home) -> None:
    with serving(openai("x")) as running:
        address = running.address
    with pytest.raises(ServerUnreachable) as failure:
        server.connect(address, Settings(), home)
    assert failure.value.retryable


def test_a_server_elsewhere_is_refused(home: Home) -> None:
    with pytest.raises(ServerNotLocal):
        server.connect("http://192.0.2.7:11434", Settings(), home)

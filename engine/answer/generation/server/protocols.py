"""What the two protocols send and understand: OpenAI's chat completions and Ollama's chat.

Whatever a server sends is hostile text: every field is looked at before it is used.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.answer.prompting import Message


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a streamed answer; ``text`` may be empty.

    ``is_whole``: no more text follows, only figures; ``is_last``: nothing follows.
    ``prompt_tokens`` comes with the last line, where a server counts; ``prompt_s`` is how long it says that
    reading them took.
    """

    text: str = ""
    is_whole: bool = False
    is_last: bool = False
    prompt_tokens: int | None = None
    prompt_s: float | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A chat to ask for; lengths in tokens."""

    model: str
    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    context_length: int
    seed: int


class ChatProtocol(Protocol):
    """How a server is spoken to. Paths come behind the address."""

    chat_path: str
    models_path: str

    def body(self, request: Request) -> dict[str, Any]: ...

    def part(self, line: bytes) -> Part | None:
        """One line of the answer, None for one without a say; raises ValueError for garbage."""
        ...

    def models(self, data: Any) -> tuple[str, ...]:
        """The names in the server's list; raises ValueError for something else."""
        ...


class OpenAi:
    """``/v1/chat/completions`` with server-sent events."""

    chat_path, models_path = "/v1/chat/completions", "/v1/models"

    def body(self, request: Request) -> dict[str, Any]:
        return {
            "model": request.model,
            "messages": list(request.messages),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def part(self, line: bytes) -> Part | None:
        name, _, value = line.partition(b":")
        if name.strip() != b"data":
            if name.strip() in (b"event", b"id", b"retry", b""):
                return None  # other fields of an event; a comment begins with the colon
            return Part(error=error_of(_object(line)) or "no event")
        if value.strip() == b"[DONE]":
            return Part(is_last=True)
        data = _object(value)
        if (error := error_of(data)) is not None:
            return Part(error=error)
        choices = data.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else {}
        delta = choice.get("delta") if isinstance(choice, dict) else None
        usage, timings = _mapping(data.get("usage")), _mapping(data.get("timings"))
        return Part(
            text=_text(_mapping(delta).get("content")),
            is_whole=isinstance(choice, dict) and isinstance(choice.get("finish_reason"), str),
            prompt_tokens=_count(usage.get("prompt_tokens")),
            prompt_s=_seconds(timings.get("prompt_ms"), 1e3) if timings.get("prompt_n") else None,
        )

    def models(self, data: Any) -> tuple[str, ...]:
        return _names(data, "data", "id")


class Ollama:
    """``/api/chat`` with a JSON object a line."""

    chat_path, models_path = "/api/chat", "/api/tags"

    def body(self, request: Request) -> dict[str, Any]:
        return {
            "model": request.model,
            "messages": list(request.messages),
            "stream": True,
            "options": {
                "num_predict": request.max_tokens,
                "temperature": request.temperature,
                # Without it Ollama cuts the prompt's beginning off at a length of its own, silently.
                "num_ctx": request.context_length,
                "seed": request.seed,
            },
        }

    def part(self, line: bytes) -> Part | None:
        data = _object(line)
        if (error := error_of(data)) is not None:
            return Part(error=error)
        if "message" not in data and "done" not in data:
            raise ValueError("no message")
        return Part(
            text=_text(_mapping(data.get("message")).get("content")),
            is_last=data.get("done") is True,
            prompt_tokens=_count(data.get("prompt_eval_count")),
            prompt_s=_seconds(data.get("prompt_eval_duration"), 1e9),
        )

    def models(self, data: Any) -> tuple[str, ...]:
        return _names(data, "models", "name")


PROTOCOLS: Mapping[str, ChatProtocol] = {"openai": OpenAi(), "ollama": Ollama()}


def error_of(data: Any) -> str | None:
    """What an error object says, in the shapes that servers send it in; None where it is none."""
    error = _mapping(data).get("error")
    if error is None:
        return None
    said = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(said).split())[:300]


def _object(line: bytes) -> dict[str, Any]:
    data = json.loads(line.decode("utf-8", "replace"))
    if not isinstance(data, dict):
        raise ValueError("no JSON object")
    return data


def _names(data: Any, listed: str, name: str) -> tuple[str, ...]:
    entries = _mapping(data).get(listed)
    if not isinstance(entries, list):
        raise ValueError(f"no list of models under {listed!r}")
    found = [entry.get(name) for entry in entries if isinstance(entry, dict)]
    return tuple(each for each in found if isinstance(each, str) and each)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _seconds(value: Any, unit: float) -> float | None:
    return value / unit if isinstance(value, (int, float)) and value > 0 else None

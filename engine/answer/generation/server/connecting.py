"""From the settings to a server's chat model."""

import json
import re
from typing import Any

from engine.answer.generation.server import exchange
from engine.answer.generation.server.address import Address, parse
from engine.answer.generation.server.generator import ServerGenerator
from engine.answer.generation.server.protocols import PROTOCOLS, ChatProtocol
from engine.cancel import CancelToken
from engine.chat import speed
from engine.config import Settings
from engine.errors import ServerFailed
from engine.paths import Home

CONTEXT_LENGTH = 4096
"""Tokens where the settings name none: the protocols do not say what a server was started with."""

SILENCE_S = 10.0
"""For the list of models, which takes no thinking."""

_BILLIONS = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)b(?![a-z])", re.IGNORECASE)


def connect(address: str, settings: Settings, home: Home) -> ServerGenerator:
    """The model that the settings name, else the first of the server's list.

    The name says which prompt it gets: below a billion parameters (``qwen2.5:0.5b``) that for small models.

    Raises:
        ServerNotLocal: the address is not one of loopback; nothing was connected to.
        ServerUnreachable, ServerBusy: nobody listens or it is busy, at the third try.
        ServerFailed: it has no such model, or sends something else than a list.
    """
    place, protocol = parse(address), PROTOCOLS[settings.server_protocol]
    listed = _models(place, protocol)
    wanted = settings.server_model
    known = {wanted, f"{wanted}:latest"} & set(listed) if wanted else set(listed[:1])
    if not known:
        detail = "it has no such model, only " + ", ".join(listed[:5]) if listed else "it has no model"
        raise ServerFailed(address=str(place), model=wanted or "-", detail=detail)
    name = known.pop()
    size = _BILLIONS.search(name)
    prompt = "small" if size is not None and float(size[1]) < 1 else "large"
    length = settings.context_length or CONTEXT_LENGTH
    return ServerGenerator(place, protocol, name, prompt, length, speed.of_server(str(place), name, home))


def models(address: str, protocol: str) -> tuple[str, ...]:
    """The names of the models that a server has; raises as :func:`connect`."""
    return _models(parse(address), PROTOCOLS[protocol])


def _models(place: Address, protocol: ChatProtocol) -> tuple[str, ...]:
    lines = exchange.lines(
        place, protocol.models_path, None, model="-", token=CancelToken(), silence_s=SILENCE_S
    )
    text = b"".join(line for line in lines if line is not None)
    try:
        data: Any = json.loads(text)
        return protocol.models(data)
    except ValueError as exc:
        raise ServerFailed(address=str(place), model="-", detail=f"no list of models: {exc}") from exc

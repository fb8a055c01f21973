"""How long the context of a chat model is made: what an answer needs, the model allows and memory holds.

Each token of context keeps a key and a value in every layer (``cache_bytes`` of
:class:`models.gguf.GgufHeader`): 12 KiB for Qwen2.5-0.5B, 28 KiB for 1.5B; 4,096 tokens take 48 and 112 MiB.
"""

from engine.answer.budget import MOST
from engine.config import Settings
from models.gguf import GgufHeader

USUAL, LEAST = 4096, 1024
"""Tokens. With the usual length rules, a question of a thousand tokens, evidence and an answer fit."""

_BESIDE = 1500
"""Tokens for rules and question."""

_SHARE = 0.5
"""Of the memory that the weights leave free; the rest is for what is computed, and for others."""

_STEP = 256


def choose(header: GgufHeader, size: int, free_memory: int, settings: Settings) -> int:
    """Tokens of context for a model whose file has ``size`` bytes, with ``free_memory`` bytes before loading.

    The smallest of: what the settings ask for (else evidence + answer + 1,500, and 4,096 at least); the
    length that the model was trained for; half of (free memory − file) ÷ bytes a token. Never below 1,024,
    unless the model was trained for less.
    """
    needed = (settings.context_budget or MOST) + settings.max_tokens + _BESIDE
    wanted = settings.context_length or max(USUAL, needed)
    trained = header.context_length or wanted
    fits = wanted
    if header.cache_bytes:
        fits = int(max(0, free_memory - size) * _SHARE) // header.cache_bytes
    length = max(min(wanted, fits), LEAST) // _STEP * _STEP
    return min(length, trained)

"""Counting in the embedder's own tokens, always of the normalised text it will be given."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from engine.normalise import normalise, normalise_with_offsets

SPECIAL_TOKENS = 2
"""[CLS] and [SEP], which the embedder puts around every text."""

_BLOCK = 4000
"""Longest piece encoded at once: one huge line must not need memory for all its tokens."""


class TokenCounter(Protocol):
    """Counts without the special tokens."""

    def count(self, text: str) -> int:
        """Number of tokens of ``text``, exactly."""
        ...

    def starts(self, text: str) -> list[int]:
        """Indices in ``text`` of the characters that begin a token, in order; one may occur twice.

        Nearly exact: a word may be cut differently inside a longer text than by itself.
        """
        ...


class EmbedderTokens:
    """The token counter of bge-small-zh-v1.5, from its tokenizer file alone: no model is loaded."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    @classmethod
    def from_file(cls, path: Path) -> "EmbedderTokens":
        from tokenizers import Tokenizer

        # Read as bytes: the library opens no path with non-ASCII characters on some systems.
        tokenizer = Tokenizer.from_buffer(path.read_bytes())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(tokenizer)

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(normalise(text), add_special_tokens=False).ids)

    def starts(self, text: str) -> list[int]:
        result: list[int] = []
        for begin, end in _blocks(text):
            result += self._starts(text[begin:end], begin)
        return result

    def _starts(self, piece: str, begin: int) -> list[int]:
        normal = normalise(piece)
        offsets = self._tokenizer.encode(normal, add_special_tokens=False).offsets
        if len(normal) == len(piece):
            return [begin + start for start, _ in offsets]
        # Characters that became several or none: follow each one.
        normal, origin = normalise_with_offsets(piece)
        offsets = self._tokenizer.encode(normal, add_special_tokens=False).offsets
        return [begin + origin[start] for start, _ in offsets]


def _blocks(text: str) -> Sequence[tuple[int, int]]:
    """Cut at line breaks, or after so many characters where there is none."""
    blocks: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = min(len(text), start + _BLOCK)
        if end < len(text):
            line = text.rfind("\n", start, end)
            end = line + 1 if line > start else end
        blocks.append((start, end))
        start = end
    return blocks


@lru_cache(maxsize=1)
def embedder_tokens() -> EmbedderTokens:
    """The counter of the embedder that is shipped with the program."""
    import models

    folder = Path(models.__file__).parent / "bge-small-zh-v1.5"
    return EmbedderTokens.from_file(folder / "tokenizer.json")

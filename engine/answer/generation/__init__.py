"""Generation: the seam (:class:`Generator`) between answers and whatever writes them.

:mod:`engine.answer.generation.llama` runs a GGUF file in this process, the room ``server`` beside it asks a
local server.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.answer.prompting import Message
from engine.cancel import CancelToken

SEED = 7
"""Of an answer's first writing: the same prompt gives the same words."""


@dataclass(frozen=True, slots=True)
class PromptRead:
    """``done`` of ``total`` prompt tokens have been read."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of visible answer text; ``tokens`` is how many tokens were generated so far."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A question put behind a prompt, and the two answers whose first tokens are weighed."""

    question: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Margin:
    """How much likelier the first answer of a :class:`Choice` is: the difference of two logits."""

    value: float


class Generator(Protocol):
    """A chat model. ``context_length`` is in tokens; ``prompt`` names its prompt file."""

    model_id: str
    context_length: int
    prompt: str

    def count_tokens(self, text: str) -> int:
        """Tokens of plain text."""
        ...

    def prompt_tokens(self, messages: Sequence[Message]) -> int:
        """Tokens of the whole prompt after templating."""
        ...

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        """Read the prompt, then write; raises Cancelled when stopped and GenerationFailed when it dies."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Seeded(Protocol):
    """What a :class:`Generator` may do besides: write other words for the same prompt with another seed."""

    seed: int


@runtime_checkable
class ReadsMargins(Protocol):
    """What a :class:`Generator` may do besides: weigh two answers without writing either."""

    def margins(
        self, messages: Sequence[Message], choices: Sequence[Choice], token: CancelToken
    ) -> Iterator[PromptRead | Margin]:
        """Read the messages, then yield a Margin for each choice in turn, put behind the last message.

        Only what differs is read for each, and a prompt of :meth:`Generator.generate` that begins like the
        messages goes on from there. Raises Cancelled when stopped and GenerationFailed when it dies.
        """
        ...

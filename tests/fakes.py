"""Doubles of the heavy seams, behind the same Protocols: an embedder, a chat model and a reader."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.answer.generation import Piece, PromptRead
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.config import Settings
from engine.index import lexical
from engine.index.embedding import Vectors
from engine.intake.messages import ReadMessage, ReadRequest
from engine.intake.reading import answer


class FakeEmbedder:
    """Vectors from hashed bigrams: alike texts are near, and every run gives the same."""

    model_id = "fake"
    precision = "fp32"
    step_tokens = 512

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.embedded: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded.extend(texts)
        return (
            np.stack([self._vector(text) for text in texts])
            if texts
            else np.zeros((0, self.dimension), np.float32)
        )

    def embed_query(self, question: str) -> Vectors:
        return self._vector(question)

    def _vector(self, text: str) -> Vectors:
        vector = np.full(self.dimension, 0.01, np.float32)
        for term in lexical.terms(text):
            vector[int.from_bytes(hashlib.sha256(term.encode()).digest()[:4], "big") % self.dimension] += 1
        normed: Vectors = vector / np.linalg.norm(vector)
        return normed


class FakeGenerator:
    """Says what it was told to, piece by piece; counts a token a character and refuses to overflow."""

    model_id = "fake-chat"
    prompt = "large"

    def __init__(self, *replies: str, context_length: int = 4096) -> None:
        self.context_length = context_length
        self.replies = list(replies)
        self.prompts: list[Sequence[Message]] = []
        self.closed = False

    def count_tokens(self, text: str) -> int:
        return len(text)

    def prompt_tokens(self, messages: Sequence[Message]) -> int:
        return sum(len(message["content"]) + 8 for message in messages)

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        total = self.prompt_tokens(messages)
        if total + max_tokens >= self.context_length:
            raise ValueError(f"Requested tokens ({total + max_tokens}) exceed context window")
        self.prompts.append(messages)
        yield PromptRead(total, total)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        for count, character in enumerate(reply, start=1):
            token.check()
            yield Piece(character, count)

    def close(self) -> None:
        self.closed = True


class InlineReader:
    """Reads in this process, without the child."""

    at_once = 1

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self.paths: list[Path] = []
        self.watched = 0

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        self.paths.append(request.path)
        yield None
        yield from answer(request, self._settings)

    def watch(self) -> None:
        self.watched += 1

    def spent_s(self) -> float:
        """What it spends is counted as this process's own."""
        return 0.0

    def pause(self) -> None: ...

    def resume(self) -> None: ...

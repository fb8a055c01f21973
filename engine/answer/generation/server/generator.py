"""A chat model of a local server as a :class:`engine.answer.generation.Generator`."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from engine.answer.generation import SEED, Piece, PromptRead
from engine.answer.generation.server import counting, exchange
from engine.answer.generation.server.address import Address
from engine.answer.generation.server.protocols import ChatProtocol, Part, Request
from engine.answer.generation.streams import LoopGuard, Surrogates, VisibleText
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.chat.speed import PromptSpeed
from engine.errors import ServerFailed, ServerUnreachable

_CHARACTERS = 8
"""Of a token at most: a server that does not keep to the length of an answer is cut off."""


class ServerGenerator:
    """Keeps no connection between two answers; token counts are estimates (:mod:`.counting`)."""

    def __init__(
        self,
        address: Address,
        protocol: ChatProtocol,
        model: str,
        prompt: str,
        context_length: int,
        speed: PromptSpeed,
        silence_s: float = exchange.SILENCE_S,
    ) -> None:
        self.model_id, self.prompt, self.context_length, self.seed = model, prompt, context_length, SEED
        self._address, self._protocol, self._speed = address, protocol, speed
        self._silence_s = silence_s

    @property
    def prompt_speed(self) -> float | None:
        """Prompt tokens a second; None before the first answer."""
        return self._speed.tokens_per_second

    def count_tokens(self, text: str) -> int:
        return counting.estimate(text)

    def prompt_tokens(self, messages: Sequence[Message]) -> int:
        return counting.of_messages(messages)

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        """As the Protocol says; a step comes at least every twentieth of a second while the server is silent.

        Raises ServerUnreachable, ServerBusy or ServerFailed.
        """
        total = self.prompt_tokens(messages)
        if total + max_tokens >= self.context_length:
            raise self._failed(f"prompt of {total} tokens does not fit")
        yield PromptRead(0, total)
        request = Request(self.model_id, messages, max_tokens, temperature, self.context_length, self.seed)
        with closing(self._parts(request, token)) as parts:
            yield from self._pieces(parts, total, max_tokens)

    def _pieces(
        self, parts: Iterator[Part | None], total: int, max_tokens: int
    ) -> Iterator[PromptRead | Piece]:
        whole, visible, guard = Surrogates(), VisibleText(), LoopGuard()
        count = written = 0
        for part in parts:
            if part is None:
                if not count:
                    yield PromptRead(0, total)
                continue
            if part.prompt_tokens:
                # By the server's own clock only: time to the first piece may hold the loading of a model.
                if part.prompt_s:
                    self._speed.note(part.prompt_tokens, part.prompt_s)
                yield PromptRead(part.prompt_tokens, part.prompt_tokens)
            if not part.text:
                continue
            count += 1
            if count == 1:
                yield PromptRead(total, total)
            written += len(part.text)
            text = visible.feed(whole.feed(part.text))
            if text:
                yield Piece(text, count)
            if visible.stopped or guard.is_looping(text):
                break
            if count >= max_tokens or written >= max_tokens * _CHARACTERS:
                break
        if rest := visible.end():
            yield Piece(rest, count)

    def _parts(self, request: Request, token: CancelToken) -> Generator[Part | None, None, None]:
        """The answer's parts to its last one; None while nothing comes."""
        protocol = self._protocol
        is_over = False
        with closing(
            exchange.lines(
                self._address, protocol.chat_path, protocol.body(request), model=self.model_id, token=token,
                silence_s=self._silence_s,
            )
        ) as lines:  # fmt: skip
            for line in lines:
                if line is None:
                    yield None
                    continue
                if not line.strip():
                    continue
                try:
                    part = protocol.part(line)
                except ValueError as exc:
                    raise self._failed(f"not an answer: {line[:80].decode('utf-8', 'replace')!r}") from exc
                if part is None:
                    continue
                if part.error is not None:
                    raise self._failed(part.error)
                is_over = is_over or part.is_whole or part.is_last
                yield part
                if part.is_last:
                    break
        if not is_over:
            raise ServerUnreachable(
                address=str(self._address), model=self.model_id, detail="the answer ended in the middle"
            )

    def _failed(self, detail: str) -> ServerFailed:
        return ServerFailed(address=str(self._address), model=self.model_id, detail=detail)

    def close(self) -> None:
        """Nothing is open between two answers."""

"""Qwen GGUF files through llama.cpp, in this process.

``Llama`` is not thread-safe: one owner. The prompt is fed in slices, so that Stop and progress work while it
is read, and what two prompts have in common at their beginning is not read twice.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine import native
from engine.answer.generation import SEED, Choice, Margin, Piece, PromptRead
from engine.answer.generation.lookup import PromptLookup
from engine.answer.generation.streams import STOP_MARKS, Characters, LoopGuard, VisibleText
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.chat.speed import PromptSpeed
from engine.errors import GenerationFailed

SLICE = 128
"""Prompt tokens per step."""


def chat_format(metadata: dict[str, str], path: str) -> Any:
    """The formatter of a GGUF's own chat template; ChatML for Qwen files that lost theirs.

    llama-cpp-python would take the Llama 2 format for a file without a template, silently.

    Raises:
        GenerationFailed: no template and not a Qwen architecture, or a template that does not parse.
    """
    from llama_cpp import llama_chat_format

    template = metadata.get("tokenizer.chat_template")
    if template is None:
        if not metadata.get("general.architecture", "").startswith("qwen"):
            raise GenerationFailed(model=path, detail="no chat template")
        template = llama_chat_format.CHATML_CHAT_TEMPLATE
    try:
        return llama_chat_format.Jinja2ChatFormatter(
            template=template, eos_token="<|im_end|>", bos_token="", stop_token_ids=None
        )
    except Exception as exc:  # jinja2 is llama-cpp-python's dependency, not ours
        raise GenerationFailed(model=path, detail=f"chat template: {exc}") from exc


class LlamaGenerator:
    """A GGUF file in this process."""

    def __init__(
        self,
        path: Path,
        model_id: str,
        prompt: str,
        *,
        threads: int,
        context_length: int = 4096,
        speed: PromptSpeed | None = None,
    ) -> None:
        """Load the file, whose header must have been checked before; ``speed`` is told what was measured.

        Raises:
            GenerationFailed: llama.cpp cannot load it, or it has no usable chat template.
        """
        self.model_id, self.prompt, self.seed, self._speed = model_id, prompt, SEED, speed
        self.guesses = True
        try:
            from llama_cpp import Llama

            self._llama = Llama(
                model_path=str(path),
                n_ctx=context_length,
                n_batch=SLICE,
                n_threads=threads,
                n_threads_batch=threads,
                seed=SEED,
                verbose=False,
            )
        except Exception as exc:  # ValueError, RuntimeError, OSError, depending on what fails
            raise GenerationFailed(model=str(path), detail=str(exc)) from exc
        self.context_length = self._llama.n_ctx()
        self._format = chat_format(self._llama.metadata, str(path))
        self._stops = self._stop_tokens()

    def _stop_tokens(self) -> frozenset[int]:
        found = {self._llama.token_eos()}
        for mark in STOP_MARKS:
            tokens = self._llama.tokenize(mark.encode(), add_bos=False, special=True)
            if len(tokens) == 1:
                found.add(tokens[0])
        return frozenset(found)

    @property
    def prompt_speed(self) -> float | None:
        """Prompt tokens a second; None where none was measured."""
        return None if self._speed is None else self._speed.tokens_per_second

    def count_tokens(self, text: str) -> int:
        return len(self._llama.tokenize(text.encode("utf-8"), add_bos=False, special=False))

    def prompt_tokens(self, messages: Sequence[Message]) -> int:
        return len(self._tokens(messages))

    def _tokens(self, messages: Sequence[Message]) -> list[int]:
        # enable_thinking is Qwen3's own switch; templates that do not know it ignore it.
        try:
            text = self._format(messages=list(messages), enable_thinking=False).prompt
        except Exception as exc:  # a template may refuse roles with an exception of its own
            raise GenerationFailed(model=self.model_id, detail=f"chat template: {exc}") from exc
        tokens: list[int] = self._llama.tokenize(text.encode("utf-8"), add_bos=False, special=True)
        return tokens

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        tokens = self._tokens(messages)
        if len(tokens) + max_tokens >= self.context_length:
            raise GenerationFailed(model=self.model_id, detail=f"prompt of {len(tokens)} tokens does not fit")
        try:
            yield from self._read(tokens, token)
            yield from self._write(max_tokens, temperature, token)
        except RuntimeError as exc:
            self._llama.reset()
            raise GenerationFailed(model=self.model_id, detail=str(exc)) from exc

    def margins(
        self, messages: Sequence[Message], choices: Sequence[Choice], token: CancelToken
    ) -> Iterator[PromptRead | Margin]:
        *before, last = messages
        try:
            for choice in choices:
                asked = last | {"content": f"{last['content']}\n\n{choice.question}"}
                tokens = self._tokens([*before, asked])
                if len(tokens) >= self.context_length:
                    detail = f"prompt of {len(tokens)} tokens does not fit"
                    raise GenerationFailed(model=self.model_id, detail=detail)
                yield from self._read(tokens, token)
                yield Margin(self._logit(choice.first) - self._logit(choice.second))
        except RuntimeError as exc:
            self._llama.reset()
            raise GenerationFailed(model=self.model_id, detail=str(exc)) from exc

    def _logit(self, word: str) -> float:
        """Of a word's first token at the end of what was read."""
        import llama_cpp

        first = self._llama.tokenize(word.encode("utf-8"), add_bos=False, special=False)[0]
        # Llama.scores is filled only where the logits of every prompt token are kept, 600 KB each.
        return float(llama_cpp.llama_get_logits_ith(self._llama.ctx, -1)[first])

    def _read(self, tokens: list[int], token: CancelToken) -> Iterator[PromptRead]:
        llama = self._llama
        common = 0
        for old, new in zip(llama.input_ids[: llama.n_tokens], tokens[:-1], strict=False):
            if old != new:
                break
            common += 1
        llama.n_tokens = common  # eval() forgets what lies behind
        yield PromptRead(common, len(tokens))
        spent_s = 0.0
        for start in range(common, len(tokens), SLICE):
            token.check()
            begun = time.perf_counter()
            llama.eval(tokens[start : start + SLICE])
            spent_s += time.perf_counter() - begun
            yield PromptRead(min(start + SLICE, len(tokens)), len(tokens))
        if self._speed is not None:
            self._speed.note(len(tokens) - common, spent_s)

    def _write(self, max_tokens: int, temperature: float, token: CancelToken) -> Iterator[Piece]:
        llama, characters, visible, guard = self._llama, Characters(), VisibleText(), LoopGuard()
        llama.set_seed(self.seed)
        for count, next_token in enumerate(self._sampled(max_tokens, temperature, token), 1):
            if next_token in self._stops:
                break
            text = visible.feed(characters.feed(llama.detokenize([next_token], special=True)))
            if text:
                yield Piece(text, count)
            if visible.stopped or guard.is_looping(text):
                break
        if rest := visible.end():
            yield Piece(rest, count)

    def _sampled(self, max_tokens: int, temperature: float, token: CancelToken) -> Iterator[int]:
        """The tokens of the answer, each drawn from the model's logits after all tokens before it.

        Guesses are only fed along with the token before them: their logits are used where the token drawn
        is the one guessed, else they are forgotten.
        """
        llama = self._llama
        lookup = PromptLookup(llama.input_ids[: llama.n_tokens].tolist())
        place = llama.n_tokens - 1  # of the token whose logits are drawn from
        for left in reversed(range(max_tokens)):
            token.check()
            drawn = llama.sample(temp=temperature, top_k=40, top_p=0.9, min_p=0.05, idx=place)
            yield drawn
            place += 1
            lookup.add(drawn)
            if left and not (place < llama.n_tokens and llama.input_ids[place] == drawn):
                llama.n_tokens = place  # what was guessed wrongly is overwritten
                self._feed([drawn, *(lookup.guess()[: left - 1] if self.guesses else ())])

    def _feed(self, tokens: list[int]) -> None:
        """As Llama.eval, with logits after each of the tokens and not only after the last."""
        llama = self._llama
        if len(tokens) == 1:
            llama.eval(tokens)
            return
        start = llama.n_tokens
        llama._ctx.kv_cache_seq_rm(-1, start, -1)
        llama._batch.set_batch(batch=tokens, n_past=start, logits_all=True)
        llama._ctx.decode(llama._batch)
        llama.input_ids[start : start + len(tokens)] = tokens
        llama.n_tokens = start + len(tokens)

    def close(self) -> None:
        """Free the model now; at interpreter exit it would be freed too late and noisily."""
        self._llama.close()


def load(
    path: Path,
    model_id: str,
    prompt: str,
    threads: int | None = None,
    context_length: int = 4096,
    speed: PromptSpeed | None = None,
) -> LlamaGenerator:
    """The generator of a GGUF file with threads set by us (llama.cpp would take all for the prompt)."""
    return LlamaGenerator(
        path, model_id, prompt, threads=native.thread_count(threads), context_length=context_length,
        speed=speed,
    )  # fmt: skip

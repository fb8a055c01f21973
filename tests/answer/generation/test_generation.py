"""Qwen files through llama.cpp, with a stand-in for the native object: templates, slices, stops, Stop."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from engine.answer.generation import Choice, Margin, Piece, PromptRead
from engine.answer.generation.llama import SLICE, LlamaGenerator, chat_format
from engine.cancel import Cancelled, CancelToken
from engine.errors import GenerationFailed

SPECIAL = {"<|im_start|>": 1001, "<|im_end|>": 1002, "<|endoftext|>": 1003}
MESSAGES = [{"role": "system", "content": "你是助手"}, {"role": "user", "content": "保密期限？"}]


class FakeLlama:
    """A token a byte, special marks as tokens of their own; says what ``script`` holds."""

    script: ClassVar[list[int]] = []
    metadata: ClassVar[dict[str, str]] = {"general.architecture": "qwen2"}
    fails: Exception | None = None

    def __init__(self, **options: Any) -> None:
        if type(self).fails is not None:
            raise type(self).fails
        self.options = options
        self.input_ids = np.zeros(options["n_ctx"], np.intc)
        self.n_tokens = 0
        self.evaluated: list[int] = []
        self.resets = 0
        self.closed = False
        self.dies = False
        self._said = iter(self.script)
        self.ctx = self._ctx = self._batch = self
        self.batch: list[int] = []

    def n_ctx(self) -> int:
        return int(self.options["n_ctx"])

    def token_eos(self) -> int:
        return SPECIAL["<|im_end|>"]

    def tokenize(self, data: bytes, *, add_bos: bool, special: bool) -> list[int]:
        assert not add_bos
        tokens: list[int] = []
        while data:
            mark = next((m for m in SPECIAL if special and data.startswith(m.encode())), None)
            tokens.append(SPECIAL[mark] if mark else data[0])
            data = data[len(mark.encode()) if mark else 1 :]
        return tokens

    def detokenize(self, tokens: list[int], *, special: bool) -> bytes:
        names = {number: mark.encode() for mark, number in SPECIAL.items()}
        return b"".join(names.get(token) or bytes([token]) for token in tokens)

    def eval(self, tokens: list[int]) -> None:
        if self.dies:
            raise RuntimeError("llama_decode returned -1")
        self.input_ids[self.n_tokens : self.n_tokens + len(tokens)] = tokens
        self.n_tokens += len(tokens)
        self.evaluated.append(len(tokens))

    def kv_cache_seq_rm(self, sequence: int, start: int, end: int) -> None:
        assert (sequence, start, end) == (-1, self.n_tokens, -1)

    def set_batch(self, batch: list[int], n_past: int, logits_all: bool) -> None:
        assert logits_all
        assert n_past == self.n_tokens
        self.batch = batch

    def decode(self, batch: "FakeLlama") -> None:
        if self.dies:
            raise RuntimeError("llama_decode returned -1")
        self.evaluated.append(len(batch.batch))

    def sample(self, **_: float) -> int:
        return next(self._said)

    def set_seed(self, seed: int) -> None:
        self._said = iter(self.script)

    def reset(self) -> None:
        self.n_tokens = 0
        self.resets += 1

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> type[FakeLlama]:
    class Scripted(FakeLlama):
        pass

    monkeypatch.setattr("llama_cpp.Llama", Scripted)
    return Scripted


def make(context_length: int = 2048) -> LlamaGenerator:
    return LlamaGenerator(Path("模型.gguf"), "模型", "small", threads=1, context_length=context_length)


def run(
    generator: LlamaGenerator, max_tokens: int = 64, token: CancelToken | None = None
) -> list[PromptRead | Piece]:
    steps = generator.generate(MESSAGES, max_tokens=max_tokens, temperature=0.1, token=token or CancelToken())
    return list(steps)


def said(steps: list[PromptRead | Piece]) -> str:
    return "".join(step.text for step in steps if isinstance(step, Piece))


@pytest.mark.parametrize("architecture", ["qwen2", "qwen3", "qwen2moe"])
def test_a_qwen_file_without_template_gets_chatml(architecture: str) -> None:
    formatter = chat_format({"general.architecture": architecture}, "模型.gguf")
    prompt = formatter(messages=MESSAGES).prompt
    assert prompt.startswith("<|im_start|>system\n你是助手<|im_end|>")
    assert prompt.rstrip().endswith("<|im_start|>assistant")


def test_a_files_own_template_is_used() -> None:
    template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    metadata = {"general.architecture": "gemma", "tokenizer.chat_template": template}
    assert chat_format(metadata, "模型.gguf")(messages=MESSAGES).prompt == "<system>你是助手<user>保密期限？"


@pytest.mark.parametrize(
    "metadata",
    [
        {"general.architecture": "llama"},
        {},
        {"general.architecture": "qwen2", "tokenizer.chat_template": "{% for %}"},
    ],
)
def test_without_a_usable_template_the_model_is_refused(metadata: dict[str, str]) -> None:
    with pytest.raises(GenerationFailed) as failure:
        chat_format(metadata, "模型.gguf")
    assert failure.value.params["model"] == "模型.gguf"


def test_a_template_that_refuses_our_roles_is_a_typed_error(llama: type[FakeLlama]) -> None:
    template = "{{ raise_exception('no system role') }}"
    llama.metadata = {"general.architecture": "gemma", "tokenizer.chat_template": template}
    with pytest.raises(GenerationFailed, match="no system role"):
        make().prompt_tokens(MESSAGES)


@pytest.mark.parametrize("error", [ValueError("no file"), RuntimeError("bad tensor"), OSError("denied")])
def test_a_file_that_cannot_be_loaded_is_a_typed_error(llama: type[FakeLlama], error: Exception) -> None:
    llama.fails = error
    with pytest.raises(GenerationFailed) as failure:
        make()
    assert str(error) in failure.value.params["detail"]


def test_the_prompt_is_read_in_slices_with_progress(llama: type[FakeLlama]) -> None:
    llama.script = [*"十年。".encode(), SPECIAL["<|im_end|>"]]
    generator = make()
    steps = run(generator)
    reads = [step for step in steps if isinstance(step, PromptRead)]
    total = generator.prompt_tokens(MESSAGES)
    assert reads[0] == PromptRead(0, total)
    assert reads[-1] == PromptRead(total, total)
    native = generator._llama
    assert max(native.evaluated) <= SLICE
    assert said(steps) == "十年。"


def test_what_two_prompts_have_in_common_is_read_once(llama: type[FakeLlama]) -> None:
    llama.script = [*b"ok", SPECIAL["<|im_end|>"]]
    generator = make()
    run(generator)
    native = generator._llama
    native.evaluated.clear()
    steps = run(generator)
    total = generator.prompt_tokens(MESSAGES)
    assert steps[0] == PromptRead(total - 1, total)
    assert native.evaluated[0] == 1
    assert list(native.input_ids[:total]) == generator._tokens(MESSAGES)


@pytest.mark.parametrize("mark", ["<|im_end|>", "<|endoftext|>", "<|im_start|>"])
def test_a_stop_token_ends_the_answer(llama: type[FakeLlama], mark: str) -> None:
    llama.script = [*"十年。".encode(), SPECIAL[mark], *b"user: more" * 50]
    assert said(run(make(), 512)) == "十年。"


def test_a_stop_mark_spelt_out_in_characters_ends_it_too(llama: type[FakeLlama]) -> None:
    llama.script = [*"十年。<|im_end|>还有".encode() * 20]
    generator = make()
    assert said(run(generator, 512)) == "十年。"


def test_the_length_is_capped(llama: type[FakeLlama]) -> None:
    llama.script = [*b"abcdefghijklmnopqrstuvwxyz0123456789"]
    steps = run(make(), 20)
    assert said(steps) == "abcdefghijklmnopqrst"
    assert isinstance(steps[-1], Piece)
    assert steps[-1].tokens == 20


def test_a_loop_is_cut_short(llama: type[FakeLlama]) -> None:
    llama.script = [*"秘密级数据的保密期限为六年，到期自动解密并归档。".encode() * 12]
    assert len(said(run(make(4096), 1024))) < 24 * 5


def test_rare_characters_arrive_whole(llama: type[FakeLlama]) -> None:
    llama.script = [*"保密期限𠮷😀".encode(), SPECIAL["<|im_end|>"]]
    pieces = [step.text for step in run(make()) if isinstance(step, Piece)]
    assert "".join(pieces) == "保密期限𠮷😀"
    assert all("\ufffd" not in piece for piece in pieces)


def test_a_prompt_that_does_not_fit_is_refused_before_anything_is_read(llama: type[FakeLlama]) -> None:
    generator = make(128)
    native = generator._llama
    with pytest.raises(GenerationFailed, match="does not fit"):
        run(generator, 100)
    assert native.evaluated == []


def test_a_model_that_dies_is_a_typed_error_and_starts_afresh(llama: type[FakeLlama]) -> None:
    generator = make()
    native = generator._llama
    native.dies = True
    with pytest.raises(GenerationFailed, match="llama_decode"):
        run(generator)
    assert native.resets == 1
    native.dies = False
    llama.script = [*b"ok", SPECIAL["<|im_end|>"]]
    assert said(run(generator)) == "ok"


def test_stop_works_while_the_prompt_is_read(llama: type[FakeLlama], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.answer.generation.llama.SLICE", 8)
    generator, token = make(), CancelToken()
    steps = generator.generate(MESSAGES, max_tokens=16, temperature=0, token=token)
    assert isinstance(next(steps), PromptRead)
    assert isinstance(next(steps), PromptRead)
    token.cancel()
    with pytest.raises(Cancelled):
        next(steps)
    assert generator._llama.n_tokens == 8


def test_stop_works_while_it_writes(llama: type[FakeLlama]) -> None:
    llama.script = [*b"abcdef"]
    token = CancelToken()

    def pieces() -> Iterator[str]:
        for step in make().generate(MESSAGES, max_tokens=16, temperature=0, token=token):
            if isinstance(step, Piece):
                yield step.text

    written = pieces()
    assert next(written) == "a"
    token.cancel()
    with pytest.raises(Cancelled):
        next(written)


def test_control_marks_in_plain_text_are_counted_as_text(llama: type[FakeLlama]) -> None:
    assert make().count_tokens("<|im_end|>") == len("<|im_end|>")


def test_closing_frees_the_model(llama: type[FakeLlama]) -> None:
    generator = make()
    generator.close()
    assert generator._llama.closed


CAN, HAS = Choice("能回答吗？", "Y", "N"), Choice("有没有写明？", "是", "否")


@pytest.fixture
def logits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was read whenever logits were asked for; a token's logit is its number."""
    read: list[str] = []

    def of_last(ctx: FakeLlama, place: int) -> range:
        assert place == -1
        read.append(ctx.detokenize(list(ctx.input_ids[: ctx.n_tokens]), special=True).decode())
        return range(2_000)

    monkeypatch.setattr("llama_cpp.llama_get_logits_ith", of_last)
    return read


def test_a_margin_is_the_difference_of_the_logits_of_two_first_tokens(
    llama: type[FakeLlama], logits: list[str]
) -> None:
    steps = list(make().margins(MESSAGES, [CAN, HAS], CancelToken()))
    found = [step.value for step in steps if isinstance(step, Margin)]
    assert found == [ord("Y") - ord("N"), "是".encode()[0] - "否".encode()[0]]
    assert "能回答吗？<|im_end|>" in logits[0] and "能回答吗？" not in logits[-1]
    assert logits[0].endswith("assistant\n")


def test_choices_and_answer_share_what_was_read_of_the_evidence(
    llama: type[FakeLlama], logits: list[str]
) -> None:
    llama.script = [*b"ok", SPECIAL["<|im_end|>"]]
    generator = make()
    *before, last = MESSAGES
    shared = max(at for at, read in enumerate(generator._tokens(MESSAGES)) if read == SPECIAL["<|im_end|>"])
    reads = [s for s in generator.margins(MESSAGES, [CAN, HAS], CancelToken()) if isinstance(s, PromptRead)]
    assert [read.done for read in reads if read.done < read.total] == [0, shared + 2]
    answer = [*before, last | {"content": last["content"] + "\n\n请回答。"}]
    steps = list(generator.generate(answer, max_tokens=16, temperature=0, token=CancelToken()))
    first = steps[0]
    assert isinstance(first, PromptRead)
    assert first.done == shared + 2
    assert said(steps) == "ok"


def test_stop_works_between_two_choices(llama: type[FakeLlama], logits: list[str]) -> None:
    token, found = CancelToken(), 0
    with pytest.raises(Cancelled):
        for step in make().margins(MESSAGES, [CAN, HAS], token):
            if isinstance(step, Margin):
                found += 1
                token.cancel()
    assert found == 1


def test_a_choice_that_does_not_fit_is_refused_before_anything_is_read(llama: type[FakeLlama]) -> None:
    generator = make(64)
    with pytest.raises(GenerationFailed, match="does not fit"):
        list(generator.margins(MESSAGES, [CAN], CancelToken()))
    assert generator._llama.evaluated == []


def test_a_model_that_dies_while_choices_are_read_starts_afresh(llama: type[FakeLlama]) -> None:
    generator = make()
    generator._llama.dies = True
    with pytest.raises(GenerationFailed, match="llama_decode"):
        list(generator.margins(MESSAGES, [CAN], CancelToken()))
    assert generator._llama.resets == 1


class Continuing(FakeLlama):
    """Says at each place what ``text`` has there, and only where it has read all that comes before."""

    text: ClassVar[bytes] = b""

    def sample(self, **options: float) -> int:
        idx = int(options["idx"])
        assert idx < self.n_tokens
        written = bytes(self.input_ids[len(self.prompt) : idx + 1].tolist())
        assert self.text.startswith(written)
        rest = self.text[len(written) :]
        return rest[0] if rest else SPECIAL["<|im_end|>"]

    @property
    def prompt(self) -> list[int]:
        read: list[int] = self.input_ids[: self.n_tokens].tolist()
        return read[: len(read) - read[::-1].index(SPECIAL["<|im_start|>"]) + len("assistant\n")]


QUOTED = "报销单应当在出差结束后十个工作日内提交，逾期须说明理由。"
FOREIGN = "答案不在这些文字里，abcdefghijklmnopqrstuvwxyz。"


@pytest.mark.parametrize(
    ("text", "most"),
    [(QUOTED, 0.3), (QUOTED[:20] + "abcdefg" + QUOTED[3:15], 0.6), (FOREIGN, 1.0)],
    ids=["quoted", "quoted in part", "not in the prompt"],
)
def test_guesses_save_steps_and_change_no_word(
    monkeypatch: pytest.MonkeyPatch, text: str, most: float
) -> None:
    monkeypatch.setattr("llama_cpp.Llama", Continuing)
    monkeypatch.setattr(Continuing, "text", text.encode())
    messages = [{"role": "user", "content": f"{QUOTED}什么时候提交？"}]

    def written(*, guesses: bool) -> tuple[str, int]:
        generator = make(2048)
        generator.guesses = guesses
        steps = list(generator.generate(messages, max_tokens=512, temperature=0, token=CancelToken()))
        read = len(range(0, generator.prompt_tokens(messages), SLICE))
        return said(steps), len(generator._llama.evaluated) - read

    plain, guessed = written(guesses=False), written(guesses=True)
    assert plain == (text, len(text.encode()))
    assert guessed[0] == text
    assert guessed[1] <= most * plain[1]


@pytest.mark.parametrize("length", range(1, 12))
def test_guesses_do_not_write_past_the_length(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr("llama_cpp.Llama", Continuing)
    text = "abcdefghijklmnopqrst"
    monkeypatch.setattr(Continuing, "text", text.encode())
    messages = [{"role": "user", "content": text}]
    generator = make(2048)
    steps = list(generator.generate(messages, max_tokens=length, temperature=0, token=CancelToken()))
    assert said(steps) == text[:length]
    assert generator._llama.n_tokens <= generator.prompt_tokens(messages) + length


def test_an_answer_that_stopped_within_a_guess_leaves_a_prefix_that_can_be_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("llama_cpp.Llama", Continuing)
    monkeypatch.setattr(Continuing, "text", QUOTED.encode())
    messages = [{"role": "user", "content": QUOTED * 2}]
    generator, token = make(2048), CancelToken()
    steps = generator.generate(messages, max_tokens=512, temperature=0, token=token)
    for step in steps:
        if isinstance(step, Piece) and step.tokens > 20:
            token.cancel()
            break
    with pytest.raises(Cancelled):
        list(steps)
    again = list(generator.generate(messages, max_tokens=512, temperature=0, token=CancelToken()))
    total = generator.prompt_tokens(messages)
    assert again[0] == PromptRead(total - 1, total)
    assert said(again) == QUOTED

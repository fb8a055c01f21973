"""First token and tokens per second against bare llama.cpp calls with the same tokens; processor variants."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine import native, paths
from engine.answer import prompting
from engine.answer.evidence import Evidence
from engine.answer.generation import Piece, llama
from engine.answer.generation.llama import LlamaGenerator
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.documents import SearchHit
from models import cpu_variants
from models.catalogue import catalogue
from models.probe import probe
from models.store import ModelStore
from resources import path as resource
from tests.bench.measuring import Row, alternating, median_ms, ratio, seconds

ANSWER_TOKENS, ROUNDS = 96, 3

QUOTING = "从入职到离职，年休假的申请、天数和结转是怎么规定的？请逐条引用原文。"
ENGLISH = "How is annual leave applied for, granted and carried over? Answer in English."


def run() -> Iterator[Row]:
    best = next((variant.name for variant in cpu_variants.usable()), cpu_variants.BASELINE)
    cpu_variants.load(best)
    store = ModelStore(paths.home().models)
    for model in store.installed():
        entry = next((m for m in catalogue().models if m.id == model.id), None)
        if model.role == "chat" and model.problem is None and entry is not None:
            file = store.ensure_verified(model.id)
            yield from _variant(file, best)
            yield from _model(file, model.id, entry.prompt or "small")


def _variant(file: Path, best: str) -> Iterator[Row]:
    """What the best variant of llama.cpp reads a second, against the baseline, each in its own process."""
    if best == cpu_variants.BASELINE:
        return
    threads = native.thread_count()
    took: dict[str, list[float]] = {best: [], cpu_variants.BASELINE: []}
    for _ in range(ROUNDS):
        for name, values in took.items():
            tried = probe(file, threads, variant=name)
            values.append(tried.prompt_s / tried.prompt_tokens)
    own, plain = took[best], took[cpu_variants.BASELINE]
    yield Row(
        f"reading with {best}, {file.stem}", f"{1 / min(own):.0f} tokens/s",
        f"baseline {1 / min(plain):.0f}, ratio {ratio(plain, own)}",
    )  # fmt: skip


def _model(file: Path, model_id: str, prompt_name: str) -> Iterator[Row]:
    ours, bare = llama.load(file, model_id, prompt_name), _bare(file)
    messages = {q: prompting.load(prompt_name, q).messages(q, _evidence()) for q in (QUOTING, ENGLISH)}
    tokens = {question: ours._tokens(prompt) for question, prompt in messages.items()}

    def first(question: str) -> None:
        next(step for step in _steps(ours, messages[question], 8) if isinstance(step, Piece))

    def first_of_ours() -> None:
        ours._llama.reset()
        first(QUOTING)

    def first_of_bare() -> None:
        bare.reset()
        next(bare.generate(tokens[QUOTING], temp=0.1))

    own, plain = alternating(first_of_ours, first_of_bare, rounds=ROUNDS)
    yield Row(
        f"first token, {model_id}", f"{median_ms(own)} for {len(tokens[QUOTING])} prompt tokens",
        f"bare llama.cpp {median_ms(plain)}, ratio {ratio(own, plain)}",
    )  # fmt: skip
    again = [_seconds_after(first, QUOTING) for _ in range(ROUNDS)]
    yield Row(f"first token, same prompt again, {model_id}", median_ms(again))
    other = [_seconds_after(first, question) for question in (ENGLISH, QUOTING, ENGLISH)]
    yield Row(
        f"first token, another question about the same passages, {model_id}", median_ms(other),
        f"ratio to a prompt not read before {ratio(other, own)}",
    )  # fmt: skip

    for name, question in (("an answer that quotes", QUOTING), ("in another language", ENGLISH)):
        pairs = [
            (_rate_of_ours(ours, messages[question]), _rate_of_bare(bare, tokens[question]))
            for _ in range(ROUNDS)
        ]
        own, plain = [1 / rate for rate, _ in pairs], [1 / rate for _, rate in pairs]
        yield Row(
            f"writing {name}, {model_id}", f"{1 / min(own):.1f} tokens/s",
            f"bare llama.cpp {1 / min(plain):.1f}, speed ratio {ratio(plain, own)}",
        )  # fmt: skip
    ours.close()
    bare.close()


def _seconds_after(first: Any, question: str) -> float:
    return seconds(lambda: first(question))


def _steps(ours: LlamaGenerator, messages: Sequence[Message], length: int) -> Iterator[object]:
    return ours.generate(messages, max_tokens=length, temperature=0.1, token=CancelToken())


def _rate_of_ours(ours: LlamaGenerator, messages: Sequence[Message]) -> float:
    """Tokens a second after the first ones, the prompt having been read."""
    begun, first = 0.0, 0
    for step in _steps(ours, messages, ANSWER_TOKENS):
        if isinstance(step, Piece):
            begun, first = (begun, first) if first else (time.perf_counter(), step.tokens)
            last, ended = step.tokens, time.perf_counter()
    return (last - first) / (ended - begun)


def _rate_of_bare(bare: Any, tokens: list[int]) -> float:
    """The same of llama-cpp-python's own loop, up to its end of turn."""
    steps = bare.generate(tokens, temp=0.1, top_k=40, top_p=0.9, min_p=0.05)
    next(steps)
    begun = time.perf_counter()
    for count in range(1, ANSWER_TOKENS):  # noqa: B007
        if next(steps) == bare.token_eos():
            break
    return count / (time.perf_counter() - begun)


def _bare(path: Path) -> Any:
    from llama_cpp import Llama

    threads = native.thread_count()
    return Llama(
        model_path=str(path), n_ctx=4096, n_threads=threads, n_threads_batch=threads, seed=7, verbose=False
    )


def _evidence() -> list[Evidence]:
    """Three passages of a sample, each as long as the product's are."""
    text = resource("samples", "员工休假管理规定.md").read_text(encoding="utf-8").replace("\n\n", "\n")
    found = []
    for number in (1, 2, 3):
        passage = text[260 * (number - 1) : 260 * number]
        hit = SearchHit(number, 1.0, 1.0, 1.0, "", "员工休假管理规定.md", "员工休假管理规定", 1, None, None,
                        (), (), "", passage, 1)  # fmt: skip
        found.append(Evidence(number, hit, passage))
    return found

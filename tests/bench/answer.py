"""Time to the first token and tokens per second against bare llama.cpp calls on the same prompt."""

import statistics
import time
from collections.abc import Iterable, Iterator

from engine import native, paths
from engine.answer import generation, prompting
from engine.answer.evidence import Evidence
from engine.answer.generation import Piece
from engine.cancel import CancelToken
from engine.documents import SearchHit
from models.catalogue import catalogue
from models.store import ModelStore
from tests.bench.measuring import Row, alternating, median_ms, ratio, seconds

ANSWER_TOKENS = 48


def run() -> Iterator[Row]:
    store = ModelStore(paths.home().models)
    for model in store.installed():
        entry = next((m for m in catalogue().models if m.id == model.id), None)
        if model.role == "chat" and model.problem is None and entry is not None:
            yield from _model(store, model.id, entry.prompt or "small")


def _model(store: ModelStore, model_id: str, prompt_name: str) -> Iterator[Row]:
    path = store.ensure_verified(model_id)
    ours = generation.load(path, model_id, prompt_name)
    question = "差旅报销单最晚几天内提交？"
    messages = prompting.load(prompt_name, question).messages(question, _evidence())
    tokens = ours._tokens(messages)
    bare = _bare(path)

    def first_of_ours() -> None:
        ours._llama.reset()
        next(
            s
            for s in ours.generate(messages, max_tokens=8, temperature=0.1, token=CancelToken())
            if isinstance(s, Piece)
        )

    def first_of_bare() -> None:
        bare.reset()
        next(bare.generate(tokens, temp=0.1))

    own, plain = alternating(first_of_ours, first_of_bare, rounds=3)
    yield Row(
        f"first token, {model_id}", f"{median_ms(own)} for {len(tokens)} prompt tokens",
        f"bare llama.cpp {median_ms(plain)}, ratio {ratio(own, plain)}",
    )  # fmt: skip
    again = seconds(
        lambda: next(
            s
            for s in ours.generate(messages, max_tokens=8, temperature=0.1, token=CancelToken())
            if isinstance(s, Piece)
        )
    )
    yield Row(f"first token, same prompt again, {model_id}", f"{1000 * again:.0f} ms")

    def writing() -> Iterator[float]:
        """Seconds a token, the first left out: both have read the prompt by then."""
        steps = ours.generate(messages, max_tokens=ANSWER_TOKENS, temperature=0.1, token=CancelToken())
        yield from _per_token(step.tokens for step in steps if isinstance(step, Piece))

    own_rate = statistics.median(rate for _ in range(3) for rate in writing())
    bare_rate = statistics.median(
        rate
        for _ in range(3)
        for rate in _per_token(range(1, ANSWER_TOKENS + 1), iter(bare.generate(tokens, temp=0.1)))
    )
    yield Row(
        f"writing, {model_id}",
        f"{1 / own_rate:.1f} tokens/s",
        f"bare llama.cpp {1 / bare_rate:.1f}, ratio {bare_rate / own_rate:.2f}",
    )
    ours.close()
    bare.close()


def _per_token(counts: Iterable[int], beside: Iterator[object] | None = None) -> Iterator[float]:
    """Median-ready seconds per token of what is iterated; ``beside`` is advanced with each count."""
    last_time, last_count = None, 0
    for count in counts:
        if beside is not None and next(beside, None) is None:
            return
        now = time.perf_counter()
        if last_time is not None and count > last_count:
            yield (now - last_time) / (count - last_count)
        last_time, last_count = now, count


def _bare(path: object) -> "generation.Any":
    from llama_cpp import Llama

    threads = native.thread_count()
    return Llama(
        model_path=str(path), n_ctx=4096, n_threads=threads, n_threads_batch=threads, seed=7, verbose=False
    )


def _evidence() -> list[Evidence]:
    text = "差旅费用应当在出差结束后十个工作日内提交报销单，逾期须说明理由并经部门负责人批准。" * 6
    hit = SearchHit(
        1, 1.0, 1.0, 1.0, "", "差旅报销办法.pdf", "差旅报销办法", 2, None, None, (), (), "", text, 1
    )
    return [Evidence(number, hit, text) for number in (1, 2, 3)]

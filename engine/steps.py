"""Work in short steps: from a long one in a thread of its own, and to its end where nobody waits for more."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

_POLL_S = 0.05

_T = TypeVar("_T")


def finish(steps: Generator[object, None, _T]) -> _T:
    """Take all steps; returns and raises what they do."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result


def in_thread(
    work: Callable[[], _T], stop: Callable[[], None] | None = None, name: str = "zhiye-work"
) -> Generator[None, None, _T]:
    """Do ``work`` in a thread; a step a moment until it is done. Returns and raises what it does.

    Whoever gives the steps up waits for its end; ``stop`` is called first to bring that about.
    """
    with ThreadPoolExecutor(1, thread_name_prefix=name) as pool:
        future = pool.submit(work)
        try:
            while not future.done():
                wait([future], timeout=_POLL_S)
                yield
        except GeneratorExit:
            if stop is not None and not future.done():
                stop()
            raise
    return future.result()

"""The child's side of :mod:`engine.embedders.precision`: times the precisions and compares their vectors.

``python -m engine.embedders.precision_child FOLDER`` prints one line of JSON, for each precision that works
here its ``gain`` (float32's time over its own) and ``cosine`` (the least of all texts), or dies where the
processor cannot do it. It is processor time of one thread: the parent is embedding meanwhile, and by the
clock a gain of 3 looked like 1.1.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from engine.index.bert import Precision
from engine.index.embedding import Vectors

ROUNDS = 3
_SAMPLES = ("员工休假管理规定.md", "IT服务台常见问题.md", "产品保修政策-英文版.md")
_HOPELESS = 4.0
"""Times float32's time for the shortest texts, from which on a precision is not tried any further: where the
processor has nothing for it, the whole trial would take minutes."""
_LENGTHS = (60, 120, 200, 320)
"""Characters; passages are of many lengths, and each new one may cost time of its own."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    from engine import seal

    seal.install()
    parser = argparse.ArgumentParser(prog="python -m engine.embedders.precision_child")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    sys.stdout.write(json.dumps(measure(options.folder)) + "\n")
    return 0


def measure(folder: Path) -> dict[Precision, dict[str, float]]:
    """Gain and least cosine by precision; the cosine is nan where the vectors are no numbers."""
    from engine import native

    torch = native.torch(1)
    from engine.index.embedding import BgeEmbedder

    model = BgeEmbedder.load_model(folder, 1)
    texts = _texts()
    batches = [texts[start : start + 3] for start in range(0, len(texts), 3)]

    def timed(precision: Precision, chosen: Sequence[list[str]] = batches) -> tuple[float, list[Vectors]]:
        begun = time.thread_time()
        made = [model.encode(batch, precision) for batch in chosen]
        return time.thread_time() - begun, made

    def is_hopeless(precision: Precision) -> bool:
        shortest = batches[:1]
        times = []
        for each in ("fp32", precision):
            timed(each, shortest)  # the first time makes its products
            times.append(timed(each, shortest)[0])
        return times[1] > _HOPELESS * times[0]

    tried: list[Precision] = ["int8"]
    if torch.backends.cpu.get_cpu_capability() == "AVX512":  # else in software, many times slower
        tried.insert(0, "bf16")
    tried = [precision for precision in tried if not is_hopeless(precision)]
    seconds: dict[Precision, list[float]] = {precision: [] for precision in ("fp32", *tried)}
    cosine = dict.fromkeys(tried, 1.0)
    for _ in range(ROUNDS):
        spent, exact = timed("fp32")
        seconds["fp32"].append(spent)
        for precision in tried:
            spent, coarse = timed(precision)
            seconds[precision].append(spent)
            likeness = [float((a * b).sum(axis=1).min()) for a, b in zip(exact, coarse, strict=True)]
            cosine[precision] = min(cosine[precision], *likeness)
    return {
        precision: {
            "gain": round(min(seconds["fp32"]) / min(seconds[precision]), 2),
            "cosine": round(cosine[precision], 6),
        }
        for precision in tried
    }


def _texts() -> list[str]:
    import resources
    from engine.normalise import normalise

    whole = "".join(
        normalise(resources.path("samples", name).read_text(encoding="utf-8")) for name in _SAMPLES
    )
    found: list[str] = []
    start = 0
    while start < len(whole):
        length = _LENGTHS[len(found) % len(_LENGTHS)]
        found.append(whole[start : start + length])
        start += length
    return sorted(found, key=len)


if __name__ == "__main__":
    sys.exit(main())

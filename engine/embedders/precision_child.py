"""The child's side of :mod:`engine.embedders.precision`: times both precisions and compares their vectors.

``python -m engine.embedders.precision_child FOLDER`` prints one line of JSON, ``gain`` (float32's time over
that of bfloat16) and ``cosine`` (the least of all texts), or dies where the processor cannot do it. It is
processor time of one thread: the parent is embedding meanwhile, and by the clock a gain of 3 looked like 1.1.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 3
_SAMPLES = ("员工休假管理规定.md", "IT服务台常见问题.md", "产品保修政策-英文版.md")
_LENGTHS = (60, 120, 200, 320)
"""Characters; passages are of many lengths, and each new one may cost time of its own."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    from engine import seal

    seal.install()
    parser = argparse.ArgumentParser(prog="python -m engine.embedders.precision_child")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    gain, cosine = measure(options.folder)
    sys.stdout.write(json.dumps({"gain": round(gain, 2), "cosine": round(cosine, 6)}) + "\n")
    return 0


def measure(folder: Path) -> tuple[float, float]:
    """Gain and least cosine; nan where the vectors are no numbers."""
    from engine import native

    torch = native.torch(1)
    if torch.backends.cpu.get_cpu_capability() != "AVX512":
        return 0.0, 0.0  # in software, many times slower
    from engine.index.embedding import BgeEmbedder

    model = BgeEmbedder.load_model(folder, 1)
    texts = _texts()
    batches = [texts[start : start + 3] for start in range(0, len(texts), 3)]
    seconds = {"fp32": float("inf"), "bf16": float("inf")}
    cosine = 1.0
    for _ in range(ROUNDS):
        exact, begun = [], time.thread_time()
        for batch in batches:
            exact.append(model.encode(batch, "fp32"))
        between = time.thread_time()
        coarse = [model.encode(batch, "bf16") for batch in batches]
        ended = time.thread_time()
        seconds["fp32"] = min(seconds["fp32"], between - begun)
        seconds["bf16"] = min(seconds["bf16"], ended - between)
        likeness = [float((a * b).sum(axis=1).min()) for a, b in zip(exact, coarse, strict=True)]
        cosine = min(cosine, *likeness)
    return seconds["fp32"] / seconds["bf16"], cosine


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

"""What a coarser precision of the passages' vectors costs: ``python -m tests.quality.precisions [--sets …]``.

Vectors alone, questions in float32, the right document among the first one and five documents. In *mixed*
every second passage is in float32, as in a library that changed over in the midst.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import native, normalise, seal
from engine.config import DEFAULT_EMBEDDER
from engine.index.bert import Precision
from engine.index.embedding import BgeEmbedder, Vectors, batches
from engine.paths import home
from models.store import ModelStore
from tests.quality import corpora

PRECISIONS: tuple[Precision, ...] = ("bf16", "int8")
SETS = (*corpora.CHINESE, *corpora.ENGLISH)
_SAME = 1e-6


def measure(name: str, cache: Path, precisions: Sequence[Precision]) -> list[str]:
    """The lines of one set's table."""
    folder = ModelStore(home().models).ensure_verified(DEFAULT_EMBEDDER)
    model = BgeEmbedder.load_model(folder, native.thread_count())
    with corpora.opened(name, cache) as (library, embedder):
        stored = list(library.all_chunks())
        asked = [question for question in corpora.questions(name) if question.answerable]
        questions = np.stack([embedder.embed_query(question.question) for question in asked])
        made: dict[str, Vectors] = {"fp32": library.vectors([each.row for each in stored])}
    texts = [normalise.normalise(each.chunk.prefix + each.chunk.text) for each in stored]
    documents = [each.document for each in stored]
    right = [[question.is_right(document) for document in documents] for question in asked]
    for precision in precisions:
        vectors = np.zeros((len(texts), corpora.DIMENSION), np.float32)
        for batch in batches([each.chunk.tokens for each in stored], 2048):
            vectors[batch] = model.encode([texts[i] for i in batch], precision)
        made[precision] = vectors
        made[f"{precision}, mixed"] = vectors.copy()
        made[f"{precision}, mixed"][::2] = made["fp32"][::2]
    places = {label: _places(questions @ vectors.T, documents, right) for label, vectors in made.items()}
    lines = []
    for label, place in places.items():
        cosine = (made[label] * made["fp32"]).sum(axis=1)
        hits = " | ".join(f"{(place < cutoff).mean():.4f}" for cutoff in (1, 5, 10))
        lines.append(f"| {name}, {label} | {hits} | {cosine.min():.5f} | {cosine.mean():.5f} |")
    return lines


def _places(
    scores: NDArray[np.float32], documents: Sequence[str], right: Sequence[Sequence[bool]]
) -> NDArray[np.int64]:
    """How many other documents come before the first right one, by question."""
    numbers = {document: number for number, document in enumerate(dict.fromkeys(documents))}
    of = np.array([numbers[document] for document in documents])
    best = np.full((len(scores), len(numbers)), -np.inf, np.float32)
    np.maximum.at(best.T, of, scores.T)
    is_right = np.zeros(best.shape, bool)
    rows, columns = np.nonzero(np.array(right))
    is_right[rows, of[columns]] = True
    first = np.where(is_right, best, -np.inf).max(axis=1, keepdims=True)
    return (best > first + _SAME).sum(axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.precisions", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--precisions", nargs="+", choices=PRECISIONS, default=PRECISIONS)
    options = parser.parse_args()
    seal.install()
    print("| set | hit@1 | hit@5 | hit@10 | least cosine | mean cosine |\n|---|---|---|---|---|---|")
    for name in options.sets:
        print("\n".join(measure(name, options.cache, options.precisions)), flush=True)


if __name__ == "__main__":
    main()

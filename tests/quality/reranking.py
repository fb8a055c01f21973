"""What reranking does: ``python -m tests.quality.reranking [--cache DIR] [--write]``.

The weights of :class:`engine.answer.retrieval.reranking.WordReranker` are fitted on all Chinese sets but
one and measured on that one, set by set; the English sets, and questions asked in another wording, have no
part in any fit. Each question gives its candidates as the product's own search finds them; a candidate is
right when it holds the evidence or the gold answer in the right document. The likelihood of a right
candidate under a softmax over the candidates is maximised (ListNet with one level, Cao et al., ICML 2007),
every set weighing the same. ``--write`` fits on all Chinese sets and keeps the weights in
resources/reranking.json.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import resources
from engine import seal
from engine.answer import retrieval
from engine.answer.retrieval import reranking
from engine.answer.retrieval.reranking import Passage
from engine.config import Settings
from engine.evaluation.sought import Corpus
from tests.quality import corpora

SHRINK = 0.5
"""The fitted weights are halved: the fit leans on few of the questions, those where the order changes at all.
Measured with a quarter, a half and all of them; every set gains with each."""

_RIDGE = 0.01
_STEPS = 120
_RATE = 0.05

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question's candidates, best first: fused score and features (n, 4), right passage, right document."""

    columns: Numbers
    right: NDArray[np.bool_]
    document: NDArray[np.bool_]


def observe(name: str, cache: Path, vectors: Path) -> list[Asked]:
    """The candidates of a set's questions."""
    found = []
    with corpora.opened(name, cache, vectors=vectors) as (library, embedder):
        corpus = Corpus([library])
        for question in corpora.questions(name, limit=corpora.LIMIT):
            if not question.answerable:
                continue
            hits = retrieval.search(
                question.question, [library], embedder, Settings(rerank=False), reranking.CANDIDATES
            )
            seen = reranking.features(
                question.question, [Passage(hit.text, hit.title, hit.section) for hit in hits]
            )
            sought = corpus.seek(question)
            rows = [
                [hit.score, *(each[feature] for feature in reranking.FEATURES)]
                for hit, each in zip(hits, seen, strict=True)
            ]
            document = [sought.is_right(hit) for hit in hits]
            right = [sought.any_in([hit]) for hit in hits] if sought.by_text else document
            found.append(Asked(np.array(rows), np.array(right), np.array(document)))
    return found


def fit(sets: Sequence[Sequence[Asked]]) -> Numbers:
    """Weights of fused score and features, the fused score's being 1."""
    asked = [
        (each, 1 / len(one)) for one in sets for each in one if each.right.any() and not each.right.all()
    ]
    weight = np.array([share for _, share in asked])
    weight /= weight.sum()
    shape = len(asked), max(len(each.right) for each, _ in asked), 1 + len(reranking.FEATURES)
    columns, absent, right = np.zeros(shape), np.full(shape[:2], -1e9), np.zeros(shape[:2])
    for place, (each, _) in enumerate(asked):
        n = len(each.right)
        columns[place, :n] = each.columns - each.columns.mean(axis=0)
        absent[place, :n], right[place, :n] = 0, each.right
    scale = np.sqrt((columns**2).mean(axis=(0, 1))) + 1e-9
    columns /= scale
    weights = np.eye(shape[2])[0]
    mean, square = np.zeros(shape[2]), np.zeros(shape[2])
    for step in range(1, _STEPS + 1):  # Adam (Kingma and Ba, ICLR 2015)
        likely = _softmax(columns @ weights + absent)
        wanted = likely * right
        wanted /= wanted.sum(axis=1, keepdims=True) + 1e-30
        pull = (weight[:, None, None] * (wanted - likely)[:, :, None] * columns).sum(axis=(0, 1))
        slope = _RIDGE * weights - pull
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    weights /= scale
    weights /= weights[0]
    weights[1:] *= SHRINK
    return weights


def _softmax(scores: Numbers) -> Numbers:
    raised: Numbers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def figures(asked: Sequence[Asked], weights: Numbers) -> dict[str, float]:
    """hit@1, hit@10 and MRR@10 of documents; hit@1, hit@5 and MRR@10 of passages."""
    ranks: dict[str, list[int]] = {"document": [], "passage": []}
    for each in asked:
        order = np.argsort(-(each.columns @ weights), kind="stable")
        for name, flags in (("document", each.document), ("passage", each.right)):
            places = np.flatnonzero(flags[order])
            ranks[name].append(int(places[0]) + 1 if len(places) else 99)
    document, passage = (np.array(ranks[name]) for name in ("document", "passage"))
    return {
        "document hit@1": float((document == 1).mean()),
        "document hit@10": float((document <= 10).mean()),
        "document MRR": float(np.where(document <= 10, 1 / document, 0).mean()),
        "passage hit@1": float((passage == 1).mean()),
        "passage hit@5": float((passage <= 5).mean()),
        "passage MRR": float(np.where(passage <= 10, 1 / passage, 0).mean()),
    }


def table(observed: Mapping[str, Sequence[Asked]]) -> None:
    """Print a line a set, fused order and reranked, with weights that the set had no part in."""
    fused = np.eye(1 + len(reranking.FEATURES))[0]
    names = list(figures(next(iter(observed.values())), fused))
    print(f"| set | questions | {' | '.join(names)} | weights |")
    print(f"|{'---|' * (len(names) + 3)}")
    for name, asked in observed.items():
        own, _ = corpora.ASKED_OTHERWISE.get(name, (name, ""))
        rest = [observed[other] for other in corpora.CHINESE if other != own and other in observed]
        weights = fit(rest)
        before, after = figures(asked, fused), figures(asked, weights)
        cells = [f"{before[key]:.3f} → {after[key]:.3f}" for key in names]
        print(
            f"| {name} | {len(asked)} | {' | '.join(cells)} | {', '.join(f'{w:.1f}' for w in weights[1:])} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    parser.add_argument("--write", action="store_true", help="keep weights fitted on all Chinese sets")
    options = parser.parse_args()
    seal.install()
    vectors = options.vectors or options.cache
    names = (*corpora.CHINESE, *corpora.ENGLISH, *corpora.ASKED_OTHERWISE)
    observed = {name: observe(name, options.cache, vectors) for name in names}
    table(observed)
    if options.write:
        weights = fit([observed[name] for name in corpora.CHINESE])
        kept: dict[str, Any] = {
            "weights": dict(zip(reranking.FEATURES, np.round(weights[1:], 2).tolist(), strict=True)),
            "fitted_on": list(corpora.CHINESE),
            "made_by": "python -m tests.quality.reranking --write",
        }
        file = Path(resources.__file__).parent / "reranking.json"
        file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        print(f"kept: {kept['weights']}")


if __name__ == "__main__":
    main()

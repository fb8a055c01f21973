"""The ablation table of retrieval: ``python -m tests.quality.retrieval [--sets …] [--cache DIR]``.

Every way ranks the same candidates of the same questions, those that may be asked over a whole library and
have an answer. *Sentences* is the share of questions all of whose evidence sentences, blanks not counted,
stand whole in the first 3, 5 or 8 passages; only questions count whose sentences some passage holds whole.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from engine import seal
from engine.answer.grounding.facts import squeezed
from engine.evaluation import metrics
from engine.evaluation.dataset import Question
from tests.quality import corpora
from tests.quality.retrieval.ways import WEIGHTS, Passage, Way, compared, ways

SETS = (*corpora.CHINESE, *corpora.ENGLISH, *corpora.NOISY)
CUTOFFS = (3, 5, 8)

_FIGURES = ("hit@1", "hit@5", "recall@5", "all_evidence@5", "mrr@10")


class Tally:
    """The figures of one way, question by question."""

    def __init__(self) -> None:
        self._ranked: list[metrics.Ranked] = []
        self._whole: dict[int, list[bool]] = {cutoff: [] for cutoff in CUTOFFS}

    def add(self, question: Question, found: Sequence[Passage], sentences: Sequence[str]) -> None:
        """``sentences``: squeezed; none where they do not count."""
        seen: set[str] = set()
        right = []
        for passage in found:
            right.append(question.is_right(passage.document) and passage.document not in seen)
            seen.add(passage.document)
        self._ranked.append(metrics.Ranked(tuple(right), len(question.documents)))
        for cutoff in CUTOFFS if sentences else ():
            texts = [squeezed(passage.text) for passage in found[:cutoff]]
            self._whole[cutoff].append(all(any(one in text for text in texts) for one in sentences))

    def line(self, name: str) -> str:
        figures = metrics.retrieval(self._ranked)
        values = [figures[figure] for figure in _FIGURES]
        values += [metrics.share(self._whole[cutoff]) for cutoff in CUTOFFS]
        cells = ["–" if value is None else f"{value:.3f}" for value in values]
        return f"| {name} | {' | '.join(cells)} |"


def measure(
    name: str, chosen: Sequence[Way], cache: Path, data: Path, vectors: Path | None, limit: int | None
) -> list[str]:
    """The lines of one set's table."""
    with corpora.opened(name, cache, data, vectors) as (library, embedder):
        passages = {
            stored.row: Passage(stored.document, stored.chunk.text) for stored in library.all_chunks()
        }
        texts = [squeezed(passage.text) for passage in passages.values()]
        asked = [question for question in corpora.questions(name, data, limit) if question.answerable]
        tallies = [Tally() for _ in chosen]
        for question in asked:
            sentences = [squeezed(sentence) for sentence in question.evidence]
            if not all(any(sentence in text for text in texts) for sentence in sentences):
                sentences = []
            found = compared(question.question, library, embedder, chosen, passages)
            for tally, ranked in zip(tallies, found, strict=True):
                tally.add(question, ranked, sentences)
    columns = [*_FIGURES, *(f"sentences@{cutoff}" for cutoff in CUTOFFS)]
    head = [f"| {name}, {len(asked)} questions | {' | '.join(columns)} |", f"|{'---|' * (len(columns) + 1)}"]
    return head + [tally.line(way.name) for way, tally in zip(chosen, tallies, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.retrieval", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="folder of the sets")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    parser.add_argument("--limit", type=int, help="questions of a set, evenly spread")
    parser.add_argument("--weights", default=",".join(map(str, WEIGHTS)), help="dense weights of the sums")
    options = parser.parse_args()
    seal.install()
    chosen = ways([float(weight) for weight in options.weights.split(",")])
    for name in options.sets:
        lines = measure(name, chosen, options.cache, options.data, options.vectors, options.limit)
        print("\n".join(lines), end="\n\n", flush=True)


if __name__ == "__main__":
    main()

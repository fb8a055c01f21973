"""The figures of ``zhiye eval`` over all sets: ``python -m tests.quality.sets [--sets …] [--cache DIR]``.

Each set is indexed once into a library in ``--cache`` and opened again the next time; vectors of questions
are kept there, too. Questions without an answer of their own are those of the set, or, where it has
``leave_out_docs.txt``, those asked of the library without these documents.
"""

import argparse
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import seal
from engine.config import Settings
from engine.evaluation import dataset, measure
from engine.index.library import Library
from tests.quality import corpora

SETS = (*corpora.CHINESE, *corpora.ENGLISH, *corpora.NOISY)

_COLUMNS = ("hit@1", "hit@5", "mrr@10", "passage_hit@1", "passage_hit@5", "all_evidence@5")


def measure_set(
    name: str, cache: Path, settings: Settings, *, data: Path = corpora.DATA, vectors: Path | None = None,
    limit: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The record of one set; its gate also over questions whose document was left out."""
    with corpora.opened(name, cache, data, vectors) as (library, embedder):
        asked = corpora.questions(name, data, limit)
        tally = measure.Tally()
        record = measure.evaluate(asked, [library], embedder, settings, tally=tally)
        left_out = data / name / "leave_out_docs.txt"
        if left_out.is_file():
            removed = [
                replace(question, answerable=False)
                for question in dataset.read_questions(data / name / "questions_leave_out.jsonl")
            ]
            with _without(cache / name, left_out.read_text(encoding="utf-8").split()) as rest:
                record = measure.evaluate(removed[:limit], [rest], embedder, settings, tally=tally)
    return record


@contextmanager
def _without(folder: Path, documents: list[str]) -> Iterator[Library]:
    """A copy of a library that lacks some documents, with figures of its own."""
    copy = folder.with_name(f"{folder.name}_left_out")
    if not (copy / "done").is_file():
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        (copy / "done").unlink()
        rest = Library(copy, dimension=corpora.DIMENSION)
        (place,) = rest.folders()
        for document in documents:
            rest.remove_file(place, document)
        rest.checkpoint()
        rest.close()
        (copy / "done").write_text("", encoding="utf-8")
    rest = Library(copy, dimension=corpora.DIMENSION)
    try:
        yield rest
    finally:
        rest.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    parser.add_argument("--limit", type=int, help="questions of a set, evenly spread")
    parser.add_argument("--no-rerank", action="store_true", help="hits in the order of the fused score")
    options = parser.parse_args()
    seal.install()
    settings = Settings(rerank=not options.no_rerank)
    print(f"| set | questions | {' | '.join(_COLUMNS)} | AUC | refused: rightly | wrongly | lost at | ms |")
    print(f"|{'---|' * (len(_COLUMNS) + 7)}")
    for name in options.sets:
        record = measure_set(name, options.cache, settings, vectors=options.vectors, limit=options.limit)
        print(_line(name, record), flush=True)


def _line(name: str, record: dict[str, Any]) -> str:
    def cell(value: float | None) -> str:
        return "–" if value is None else f"{value:.3f}"

    figures = [cell(record["retrieval"][column]) for column in _COLUMNS]
    gate = [cell(record["gate"][key]) for key in ("auc", "refused_unanswerable", "refused_answerable")]
    lost = Counter(miss["stage"] for miss in record["misses"])
    stages = ", ".join(f"{stage} {count}" for stage, count in lost.most_common()) or "–"
    each = 1000 * record["seconds"] / max(1, record["questions"])
    return f"| {name} | {record['questions']} | {' | '.join([*figures, *gate])} | {stages} | {each:.0f} |"


if __name__ == "__main__":
    main()

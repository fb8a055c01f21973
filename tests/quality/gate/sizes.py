"""The gate as it ships in a library of eight documents, and in one of thousands.

    python -m tests.quality.gate.sizes SETS LIBRARIES SCRATCH

SETS and LIBRARIES as for ``collect``; their calibration is made anew. Small: three times eight documents are
drawn of each set, all others are removed from a copy in SCRATCH, and the library is calibrated as after any
indexing. Large: each Chinese set is asked together with rgb_zh, 6,371 documents. The shipped weights and
threshold were fitted on these sets, in libraries of other sizes.
"""

import random
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.answer import retrieval
from engine.answer.gate import calibration, weights
from engine.answer.gate.figures import DENSE
from engine.answer.gate.missing import named
from engine.answer.gate.search_figures import TERMS
from engine.answer.gate.surroundings import of_libraries
from engine.config import Settings
from engine.index import lexical
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from resources import folder
from tests.quality.gate import collect

DOCUMENTS, DRAWS, LARGE = 8, 3, "rgb_zh"
QUESTIONS, SEED = 60, 11


@dataclass(slots=True)
class Counted:
    """Which questions were refused, with their document and without it."""

    falsely: list[bool] = field(default_factory=list)
    rightly: list[bool] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{sum(self.rightly) / len(self.rightly):.3f} | {sum(self.falsely) / len(self.falsely):.3f} | "
            f"{len(self.falsely)}"
        )


def ask(
    questions: Sequence[Mapping[str, Any]], libraries: Sequence[Library], embedder: Embedder, counted: Counted
) -> None:
    """Judge each question with its document and without it; the document is in the first library."""
    settings, model = Settings.model_validate({}), weights.load()["hybrid"]
    threshold, shift = model.thresholds["balanced"], calibration.shift(libraries)
    right_of = collect.right_documents(questions)
    for item in questions:
        question = str(item["question"])
        right = right_of[question]
        hits = retrieval.search(question, libraries, embedder, settings, collect.DEPTH)
        wanted = lexical.query_terms(named(question))[:TERMS]
        around = of_libraries(question, wanted, libraries, embedder)
        others = [hit for hit in hits if hit.document not in right]
        fewer = calibration.without(libraries[0], around, libraries[0].rows_of(right))
        for found, seen, refused in ((hits, around, counted.falsely), (others, fewer, counted.rightly)):
            figures = collect.figures(question, found, seen)
            judged = figures is not None and DENSE[0] in figures
            refused.append(not judged or model.probability(figures or {}, shift) < threshold)


def small(questions: Path, whole: Path, scratch: Path, embedder: Embedder) -> Counted:
    """Libraries of eight documents that are right for some questions."""
    counted = Counted()
    everything = [item for item in collect.asked_of(questions) if item.get("answerable", True)]
    drawn = random.Random(SEED)
    for _ in range(DRAWS):
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(whole, scratch)
        library = Library(scratch, dimension=embedder.dimension)
        kept = frozenset(drawn.sample(sorted({str(item["doc_id"]) for item in everything}), DOCUMENTS))
        files = library.db.execute("SELECT folder_id, path FROM documents").fetchall()
        library.remove_files([(at, document) for at, document in files if document not in kept])
        recalibrate(library, embedder)
        of_these = [item for item in everything if collect.right_documents([item])[item["question"]] <= kept]
        ask(of_these[:QUESTIONS], [library], embedder, counted)
        library.close()
    return counted


def large(questions: Path, libraries: Sequence[Library], embedder: Embedder) -> Counted:
    """A set's library asked together with a large one."""
    counted = Counted()
    everything = [item for item in collect.asked_of(questions) if item.get("answerable", True)]
    ask(everything[:QUESTIONS], libraries, embedder, counted)
    return counted


def recalibrate(library: Library, embedder: Embedder) -> None:
    """As after indexing."""
    library.set_meta("gate", "{}")
    for _ in calibration.calibrating(library, embedder, Settings.model_validate({})):
        pass


def rows(sets: Path, folders: Path, scratch: Path) -> Iterator[str]:
    """Lines of a Markdown table, as they are measured."""
    embedder = BgeEmbedder(folder().parent / "models" / "bge-small-zh-v1.5", "bge-small-zh-v1.5", 512, 1)
    yield "| set | documents | refused | falsely | questions |\n|---|---|---|---|---|"
    big = Library(folders / LARGE, dimension=embedder.dimension)
    recalibrate(big, embedder)
    for name in collect.SETS:
        if name == LARGE:
            continue
        questions = sets / name / "questions.jsonl"
        yield f"| {name} | 8 | {small(questions, folders / name, scratch, embedder)} |"
        if name.endswith("_en"):
            continue
        own = Library(folders / name, dimension=embedder.dimension)
        recalibrate(own, embedder)
        yield f"| {name} | with {LARGE} | {large(questions, [own, big], embedder)} |"
        own.close()
    big.close()


def main(sets: Path, folders: Path, scratch: Path) -> None:
    """Print the table."""
    for line in rows(sets, folders, scratch / "eight"):
        print(line, flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))

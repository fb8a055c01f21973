"""The gate's figures of every question, with its document and without it.

    python -m tests.quality.gate.collect SETS LIBRARIES OUT.jsonl

SETS holds folders with ``questions.jsonl``, LIBRARIES a folder of the same name with the corpus indexed
(documents named by their id). A question is answerable with its document; without it the document's
passages leave the hits, the term counts and the moments. At most 200 questions a set, drawn with a fixed
seed, those that name their subject first. rgb_zh is full of news about the same events: what is left when
the right documents are gone are near misses.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.answer import retrieval
from engine.answer.gate import calibration
from engine.answer.gate.figures import Held
from engine.answer.gate.missing import named
from engine.answer.gate.search_figures import TERMS, Surroundings, figures_of
from engine.answer.gate.surroundings import of_libraries
from engine.config import Settings
from engine.documents import SearchHit
from engine.index import lexical
from engine.index.embedding import BgeEmbedder, Embedder
from engine.index.library import Library
from engine.jsonlines import read_objects
from resources import folder

SETS = (
    "cmrc2018", "drcd", "expmrc_zh", "lawbench_articles", "rageval_en", "rageval_zh", "rgb_zh", "xquad_en",
    "xquad_zh",
)  # fmt: skip
REPEATING = ("rgb_zh",)
"""Sets whose other documents are about the very subject of the question."""

QUESTIONS, DEPTH, JUDGED = 200, 40, 5
SEED = 7


def asked_of(file: Path) -> list[dict[str, Any]]:
    """Questions for a whole library: a sample of the answerable ones, and all that have no answer."""
    everything = [i for i in read_objects(file) if i.get("scope") not in ("document", "given_context")]
    answerable = [item for item in everything if item.get("answerable", True)]
    drawn = random.Random(SEED)
    named_subject = [item for item in answerable if item.get("scope", "corpus") == "corpus"]
    others = [item for item in answerable if item.get("scope", "corpus") != "corpus"]
    drawn.shuffle(named_subject)
    drawn.shuffle(others)
    return (named_subject + others)[:QUESTIONS] + [i for i in everything if not i.get("answerable", True)]


def right_documents(questions: Sequence[Mapping[str, Any]]) -> Mapping[str, frozenset[str]]:
    """The documents that hold the answer to each question, by its words: some are asked more than once."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in questions:
        named_there = (item.get("doc_id"), *(item.get("doc_ids") or ()))
        found[item["question"]].update(str(document) for document in named_there if document)
    return {question: frozenset(documents) for question, documents in found.items()}


def figures(question: str, hits: Sequence[SearchHit], around: Surroundings) -> dict[str, float] | None:
    """What the gate would weigh; None where it weighs nothing."""
    asked = named(question)
    wanted = lexical.query_terms(asked)[:TERMS]
    hits = hits[:JUDGED]
    if not wanted or not hits:
        return None
    return figures_of(asked, wanted, hits, Held.of(wanted, hits), around)


def rows(name: str, questions: Path, library: Library, embedder: Embedder) -> Iterator[dict[str, Any]]:
    """One record for each question and condition: ``with``, ``without``, ``near_miss`` or ``self_made``."""
    settings = Settings.model_validate({})
    asked = asked_of(questions)
    right_of = right_documents([item for item in asked if item.get("answerable", True)])
    for item in asked:
        question = str(item["question"])
        hits = retrieval.search(question, [library], embedder, settings, DEPTH)
        wanted = lexical.query_terms(named(question))[:TERMS]
        around = of_libraries(question, wanted, [library], embedder)
        if not item.get("answerable", True):
            yield {"set": name, "kind": "near_miss", "figures": figures(question, hits, around)}
            continue
        yield {"set": name, "kind": "with", "figures": figures(question, hits, around)}
        right = right_of[question]
        own = library.rows_of(right)
        others = [hit for hit in hits if hit.document not in right]
        fewer = calibration.without(library, around, own)
        kind = "near_miss" if name in REPEATING else "without"
        yield {"set": name, "kind": kind, "figures": figures(question, others, fewer)}
    for made in calibration.self_made(library, embedder, settings):
        yield {"set": name, "kind": "self_made", "figures": made}


def main(sets: Path, libraries: Path, out: Path) -> None:
    """Write the records of every set that there is a library of."""
    embedder = BgeEmbedder(folder().parent / "models" / "bge-small-zh-v1.5", "bge-small-zh-v1.5", 512, 1)
    with out.open("w", encoding="utf-8") as file:
        for name in SETS:
            if not (libraries / name / "library.sqlite").is_file():
                continue
            library = Library(libraries / name, dimension=embedder.dimension)
            for record in rows(name, sets / name / "questions.jsonl", library, embedder):
                if record["figures"] is not None:
                    file.write(json.dumps(record) + "\n")
            library.close()


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))

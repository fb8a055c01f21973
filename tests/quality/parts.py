"""What it gains to search for each part of a question: ``python -m tests.quality.parts [--sets …]``.

Pairs are made of two answerable questions of a set about different documents, joined by 「，」 or 「以及」
(", and" in English). *Both* is the share of pairs for which the passages handed on (``top_k``, five) hold the
evidence of both: a passage of a right document with one of the answers, or with an evidence sentence.
*Cut* is the share of pairs that the rules cut in two; *wrongly*, that of the set's own questions which they
cut.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import seal
from engine.answer import parts, searching
from engine.answer.grounding.facts import squeezed
from engine.answer.prompting import is_chinese
from engine.config import Settings
from engine.documents import SearchHit
from engine.evaluation.dataset import Question
from engine.index.library import Library
from tests.quality import corpora

SETS = (*corpora.CHINESE, "xquad_en", "rageval_en")
PAIRS, _SEED = 150, 7


def pairs(asked: Sequence[Question], count: int) -> Iterator[tuple[Question, Question, str]]:
    """Two questions about different documents, and both in one sentence; the same ones every time."""
    rng = random.Random(_SEED)
    able = [q for q in asked if q.answerable and (q.answers or q.evidence)]
    made = 0
    while made < count:
        first, second = rng.sample(able, 2)
        if first.documents & second.documents:
            continue
        made += 1
        begin, rest = (q.question.strip().rstrip("？?。.") for q in (first, second))
        if is_chinese(begin):
            joint = rng.choice(("，", "以及"))
        else:
            joint, rest = ", and ", rest[:1].lower() + rest[1:]
        yield first, second, f"{begin}{joint}{rest}{'？' if is_chinese(begin) else '?'}"


def is_held(question: Question, hits: Sequence[SearchHit]) -> bool:
    """Whether a right document's passage holds an answer, or a sentence of the evidence."""
    wanted = [squeezed(text) for text in (*question.answers, *question.evidence)]
    texts = [squeezed(hit.text) for hit in hits if question.is_right(hit.document)]
    return any(one.rstrip("。.") in text for one in wanted for text in texts)


def measure(name: str, options: argparse.Namespace) -> str:
    """The set's line of the table."""
    asked = corpora.questions(name)
    both: dict[bool, list[bool]] = {True: [], False: []}
    cut = []
    with corpora.opened(name, options.cache, vectors=options.vectors) as (library, embedder):
        for first, second, text in pairs(asked, options.pairs):
            cut.append(len(parts.split(text)) == 2)
            for in_parts in both:
                hits = found(text, library, embedder, Settings(parts=in_parts))
                both[in_parts].append(is_held(first, hits) and is_held(second, hits))
    wrongly = sum(bool(parts.split(q.question)) for q in asked) / len(asked)
    figures = [sum(cut) / len(cut), *(sum(both[way]) / len(both[way]) for way in (False, True))]
    cells = " | ".join(f"{figure:.3f}" for figure in figures)
    return f"| {name} | {len(cut)} | {cells} | {len(asked)} | {wrongly:.4f} |"


def found(
    text: str, library: Library, embedder: corpora.RememberingEmbedder, settings: Settings
) -> tuple[SearchHit, ...]:
    return searching.find(text, [library], embedder, settings).hits


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.parts", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    options = parser.parse_args()
    seal.install()
    print("| set | pairs | cut | both, whole | both, in parts | questions | wrongly |")
    print(f"|{'---|' * 7}")
    for name in options.sets:
        print(measure(name, options), flush=True)


if __name__ == "__main__":
    main()

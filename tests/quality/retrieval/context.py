"""What the prompt's evidence holds: ``python -m tests.quality.retrieval.context --model FILE.gguf``.

The share of questions whose evidence stands in the blocks that fit into a budget, counted with the chat
model's own tokens: whole passages one after the other → the same passages trimmed. Evidence is every sentence
of ``evidence`` (any of them where they are one in several writings), else the wording of a gold answer.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from engine import seal
from engine.answer import evidence, retrieval, sentences, trimming
from engine.answer.grounding.facts import squeezed
from engine.answer.hits import neighbours
from engine.config import Settings
from engine.documents import SearchHit
from engine.evaluation import metrics
from engine.evaluation.dataset import Question
from tests.quality import corpora

BLOCK_TOKENS = 25
"""Tokens of a block's own lines."""

BUDGETS = (300, 450, 700, 1000, 1400)

SETS = ("rageval_zh", "rageval_en", "expmrc_zh", "cmrc2018", "drcd", "lawbench_articles")
ALL_SENTENCES = ("rageval_zh", "rageval_en")
BY_ANSWER = ("cmrc2018", "drcd")

Count = Callable[[str], int]


def token_counter(model: Path) -> Count:
    """Counts with the vocabulary of a GGUF file; its weights stay on disk."""
    from llama_cpp import Llama

    vocabulary = Llama(str(model), vocab_only=True, verbose=False)
    return lru_cache(maxsize=100_000)(lambda text: len(vocabulary.tokenize(text.encode(), add_bos=False)))


def whole(passages: Sequence[SearchHit], count: Count, budget: int) -> list[str]:
    """Whole passages while they fit; the last one cut at a sentence, if a third of it is left."""
    found: list[str] = []
    for hit in passages:
        budget -= BLOCK_TOKENS
        text = hit.text
        if count(text) > budget:
            ends = [end for _, end in sentences.split(text) if count(text[:end]) <= budget]
            text = text[: max(ends, default=0)]
        if text and (not found or len(text) * 3 >= len(hit.text)):
            found.append(text)
        if text is not hit.text:
            break
        budget -= count(text)
    return found


def is_held(name: str, question: Question, given: Sequence[str]) -> bool:
    """Whether ``given`` (squeezed) hold the evidence."""
    sought = question.answers if name in BY_ANSWER else question.evidence
    wanted = [squeezed(one).rstrip("。.") for one in sought]
    held = [any(one in text for text in given) for one in wanted]
    return all(held) if name in ALL_SENTENCES else any(held)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.retrieval.context", description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="chat model, for its vocabulary")
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="SET")
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="folder of the sets")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    parser.add_argument("--limit", type=int, help="questions of a set, evenly spread")
    options = parser.parse_args()
    seal.install()
    count, settings = token_counter(options.model), Settings()
    print("| set | questions |", " | ".join(f"{budget} tokens" for budget in BUDGETS), "|")
    print("|---|---|" + "---|" * len(BUDGETS))
    for name in options.sets:
        held: dict[tuple[int, bool], list[bool]] = {}
        with corpora.opened(name, options.cache, options.data, options.vectors) as (library, embedder):
            rarity = trimming.rarity_in([library])
            texts = [squeezed(stored.chunk.text) for stored in library.all_chunks()]
            for question in corpora.questions(name, options.data, options.limit):
                if not question.answerable or not is_held(name, question, texts):
                    continue
                hits = retrieval.search(question.question, [library], embedder, settings, settings.top_k)
                near = list(evidence.around(hits, lambda hit: neighbours(hit, library)))
                for budget in BUDGETS:
                    given = list(map(squeezed, whole([*hits, *near], count, budget)))
                    held.setdefault((budget, False), []).append(is_held(name, question, given))
                    kept = trimming.trim(
                        question.question, hits, near, count, budget, lambda hit: BLOCK_TOKENS, rarity
                    )
                    given = [squeezed(trimming.joined(each.hit.text, each.kept)) for each in kept]
                    held.setdefault((budget, True), []).append(is_held(name, question, given))
        cells = [
            " → ".join(f"{metrics.share(held[budget, trimmed]) or 0:.3f}" for trimmed in (False, True))
            for budget in BUDGETS
        ]
        print(f"| {name} | {len(held[BUDGETS[0], True])} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

"""What the prompt's evidence holds: ``python -m tests.quality.retrieval.context --model FILE.gguf``.

The share of questions all of whose evidence sentences stand in the blocks that fit into the budget, counted
with the chat model's own tokens, with the hits alone and with the passages around them.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

from engine import seal
from engine.answer import evidence, retrieval
from engine.answer.facts import squeezed
from engine.answer.hits import neighbours
from engine.config import Settings
from engine.documents import SearchHit
from engine.evaluation import metrics
from engine.index.library import Library
from tests.quality import corpora

BLOCK_TOKENS = 25
"""Tokens of a block's own lines."""

SETS = ("rageval_zh", "rageval_en")


def token_counter(model: Path) -> Callable[[str], int]:
    """Counts with the vocabulary of a GGUF file; its weights stay on disk."""
    from llama_cpp import Llama

    vocabulary = Llama(str(model), vocab_only=True, verbose=False)
    return lambda text: len(vocabulary.tokenize(text.encode(), add_bos=False))


def around(hits: Sequence[SearchHit], library: Library) -> Iterable[SearchHit]:
    return evidence.around(hits, lambda hit: neighbours(hit, library))


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
    print("| set | questions | hits alone | tokens | with the passages around them | tokens |")
    print("|---|---|---|---|---|---|")
    for name in options.sets:
        held: tuple[list[bool], list[bool]] = ([], [])
        tokens: tuple[list[int], list[int]] = ([], [])
        with corpora.opened(name, options.cache, options.data, options.vectors) as (library, embedder):
            texts = [squeezed(stored.chunk.text) for stored in library.all_chunks()]
            for question in corpora.questions(name, options.data, options.limit):
                sentences = [squeezed(sentence) for sentence in question.evidence]
                if not sentences or not all(any(one in text for text in texts) for one in sentences):
                    continue
                hits = retrieval.search(question.question, [library], embedder, settings, settings.top_k)
                for at, wanted in enumerate((hits, chain(hits, around(hits, library)))):
                    blocks = evidence.fit(wanted, count, settings.context_budget, lambda hit: BLOCK_TOKENS)
                    given = [squeezed(block.text) for block in blocks]
                    held[at].append(all(any(one in text for text in given) for one in sentences))
                    tokens[at].append(sum(count(block.text) + BLOCK_TOKENS for block in blocks))
        cells = [
            f"{metrics.share(held[at]) or 0:.3f} | {sum(tokens[at]) / max(1, len(tokens[at])):.0f}"
            for at in (0, 1)
        ]
        print(f"| {name} | {len(held[0])} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

"""Second questions about the same documents: with the evidence of the one before kept, and read anew.

    python -m tests.quality.answers.turns --model FILE.gguf [--pairs 8] [--sets …]

Of each document two questions of its set are drawn; the second is asked behind the first, once with fresh
evidence and once as :mod:`engine.answer.turns` continues it. The table gives the share of the prompt that it
reads, the time to its first answer token, its margins and whether its answer holds a gold answer.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from engine import seal
from engine.answer import llama, prompting, turns
from engine.answer.evidence import Evidence
from engine.answer.generation import Margin, Piece
from engine.answer.llama import LlamaGenerator
from engine.answer.reading import questions
from engine.cancel import CancelToken
from engine.config import Settings
from engine.evaluation.dataset import Question, read_questions
from engine.evaluation.stages import contains_gold
from engine.index.library import Library
from tests.quality import corpora
from tests.quality.answers import cases, collect
from tests.quality.answers.cases import Case

MARGINS = ("can", "has")
SETS = ("cmrc2018", "drcd", "xquad_zh", "rageval_zh", "xquad_en")


@dataclass(frozen=True, slots=True)
class Asked:
    """What one way of asking a second question came to; ``read`` and ``tokens`` are tokens of its prompt."""

    read: int
    tokens: int
    seconds: float
    margin: float
    holds_gold: bool


def pairs_of(name: str, count: int, seed: int) -> list[tuple[Question, Question]]:
    """Two answerable questions each about the same documents of a set."""
    by_document: dict[tuple[str, ...], list[Question]] = {}
    for question in read_questions(corpora.DATA / name / "questions.jsonl"):
        if cases.has_answer(question) and question.documents:
            by_document.setdefault(tuple(sorted(question.documents)), []).append(question)
    chance = random.Random(f"{seed} {name}")
    several = [found for found in by_document.values() if len(found) > 1]
    chance.shuffle(several)
    return [(first, second) for first, second in (chance.sample(found, 2) for found in several[:count])]


def ask(
    question: Question, blocks: Sequence[Evidence], generator: LlamaGenerator, settings: Settings
) -> Asked:
    """Read, weigh and answer as the product does."""
    prompt, token = prompting.load(generator.prompt, question.question), CancelToken()
    known = questions.load(prompt.language)
    messages = prompt.beginning(question.question, blocks)
    total, held = generator.prompt_tokens(messages), generator.held(messages)
    started, first, margin, text = time.monotonic(), 0.0, 0.0, ""
    for step in generator.margins(messages, [known[name] for name in MARGINS], token):
        if isinstance(step, Margin):
            margin += step.value
    for piece in generator.generate(
        prompt.after_reading().messages(question.question, blocks),
        max_tokens=collect.ANSWER_TOKENS, temperature=settings.temperature, token=token,
    ):  # fmt: skip
        if isinstance(piece, Piece):
            first = first or time.monotonic() - started
            text += piece.text
    return Asked(total - held, total, first, margin, contains_gold(question, text))


def second_questions(
    name: str, count: int, generator: LlamaGenerator, settings: Settings, seed: int
) -> Iterator[tuple[Asked, Asked]]:
    """Each second question with fresh evidence and with the first one's kept."""
    pairs = pairs_of(name, count, seed)
    wanted = frozenset(question.qid for pair in pairs for question in pair)
    with corpora.opened(name) as (library, embedder):
        of = cases.of_set(name, library, embedder, settings, len(wanted), only=wanted)
        found = {case.question.qid: case for case in of if case.condition == "with"}
    library = Library(corpora.CACHE / name, dimension=corpora.DIMENSION)
    for first, second in pairs:
        if first.qid in found and second.qid in found:
            yield _both(found[first.qid], found[second.qid], library, generator, settings)
    library.close()


def _both(
    first: Case, second: Case, library: Library, generator: LlamaGenerator, settings: Settings
) -> tuple[Asked, Asked]:
    before = collect.blocks_of(first, library, generator, settings)
    fresh = collect.blocks_of(second, library, generator, settings)
    prompt = prompting.load(generator.prompt, second.question.question)
    together = turns.continued(before, fresh, second.question.question, generator, prompt, settings)
    ask(first.question, before, generator, settings)
    kept = ask(second.question, together, generator, settings)
    ask(first.question, before, generator, settings)
    return ask(second.question, fresh, generator, settings), kept


def _line(name: str, found: Sequence[Asked]) -> str:
    read = fmean(each.read / each.tokens for each in found)
    seconds, margin = fmean(each.seconds for each in found), fmean(each.margin for each in found)
    tokens, gold = fmean(each.tokens for each in found), fmean(each.holds_gold for each in found)
    figures = f"{tokens:.0f} | {read:.2f} | {seconds:.2f} s | {margin:.2f} | {gold:.3f}"
    return f"| {name} | {len(found)} | {figures} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.answers.turns", description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--pairs", type=int, default=8, help="of each set")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    seal.install()
    settings = Settings(context_budget=collect.BUDGET)
    generator = llama.load(options.model, options.model.stem, "large")
    print("| second question | asked | tokens | of them read | first token | margins | holds gold |")
    print("|---|---|---|---|---|---|---|")
    everything: list[tuple[Asked, Asked]] = []
    for name in options.sets:
        found = list(second_questions(name, options.pairs, generator, settings, options.seed))
        everything += found
        print(_line(f"{name}, evidence anew", [fresh for fresh, _ in found]), flush=True)
        print(_line(f"{name}, evidence kept", [kept for _, kept in found]), flush=True)
    print(_line("all, evidence anew", [fresh for fresh, _ in everything]))
    print(_line("all, evidence kept", [kept for _, kept in everything]))
    ratios = [kept.seconds / fresh.seconds for fresh, kept in everything]
    print(f"\nfirst token, kept against anew: median {median(ratios):.2f} of {len(ratios)} pairs")


if __name__ == "__main__":
    main()

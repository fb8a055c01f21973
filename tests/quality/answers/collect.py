"""The margins of every case, and for some the answer as the model writes it.

    python -m tests.quality.answers.collect --model FILE.gguf --out READ.jsonl [--count N] [--every K]

Resumable: what stands in READ.jsonl is not asked again, and each case is written as soon as it is read, one
of each set and condition in turn. Everything is the product's own: evidence, prompt, margins, answer.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from engine import seal
from engine.answer import evidence, generation, prompting
from engine.answer.evidence import Evidence
from engine.answer.generation import Margin, Piece, PromptRead, llama
from engine.answer.generation.llama import LlamaGenerator
from engine.answer.hits import neighbours
from engine.answer.reading import questions
from engine.answer.trimming import rarity_in
from engine.cancel import CancelToken
from engine.config import Settings
from engine.index.library import Library
from tests.quality import corpora
from tests.quality.answers import cases
from tests.quality.answers.cases import Case

BUDGET = 350
"""Evidence tokens by default, whatever this machine's speed."""

ANSWER_TOKENS = 160


def blocks_of(
    case: Case, library: Library, generator: generation.Generator, settings: Settings
) -> tuple[Evidence, ...]:
    """What the product gives its model; passages around a hit only where their document is there."""
    asked = case.question.question
    gone = case.question.documents if case.condition == "without" else frozenset[str]()
    return evidence.for_prompt(
        asked,
        case.hits,
        generator,
        prompting.load(generator.prompt, asked),
        settings,
        lambda hit: [near for near in neighbours(hit, library) if near.document not in gone],
        rarity_in([library]),
    )


def read(
    case: Case,
    library: Library,
    generator: LlamaGenerator,
    settings: Settings,
    margins: Collection[str] = (),
    *,
    answered: bool,
) -> dict[str, Any]:
    """The record of one case; ``margins`` names the questions asked about its evidence, all by default."""
    question = case.question.question
    prompt = prompting.load(generator.prompt, question)
    blocks = blocks_of(case, library, generator, settings)
    known, token = questions.load(prompt.language), CancelToken()
    asked = {name: choice for name, choice in known.items() if not margins or name in margins}
    started, prefix = time.monotonic(), 0
    found: list[float] = []
    for step in generator.margins(prompt.beginning(question, blocks), list(asked.values()), token):
        if isinstance(step, Margin):
            found.append(step.value)
        elif not found:
            prefix = step.total
    record: dict[str, Any] = {
        "set": case.set, "condition": case.condition, "qid": case.question.qid, "language": prompt.language,
        "model": generator.model_id, "gate": case.gate.probability, "let_through": case.gate.answerable,
        "margins": dict(zip(asked, found, strict=True)), "tokens": prefix,
        "read_s": round(time.monotonic() - started, 3),
        "evidence": [[block.hit.row, block.text, block.kept] for block in blocks],
    }  # fmt: skip
    if answered:
        record |= _written(prompt, question, blocks, generator, settings)
        read_first = prompt.after_reading()
        if read_first != prompt and case.gate.answerable:  # else nothing would be written
            record["written_read"] = _written(read_first, question, blocks, generator, settings)["written"]
    return record


def _written(
    prompt: prompting.Prompt,
    question: str,
    blocks: Sequence[Evidence],
    generator: LlamaGenerator,
    settings: Settings,
) -> dict[str, Any]:
    started, first, text, again = time.monotonic(), None, "", 0
    for step in generator.generate(
        prompt.messages(question, blocks), max_tokens=ANSWER_TOKENS, temperature=settings.temperature,
        token=CancelToken(),
    ):  # fmt: skip
        if isinstance(step, PromptRead):
            again = again or step.total - step.done
        elif isinstance(step, Piece):
            first = first or time.monotonic() - started
            text += step.text
    return {"prompt": prompt.name, "written": text, "read_again": again, "first_s": first,
            "write_s": round(time.monotonic() - started, 3)}  # fmt: skip


def in_turn(found: Sequence[Case]) -> Iterator[tuple[int, Case]]:
    """The first of each set and condition, then the second of each, numbered by round."""
    groups: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in found:
        groups[case.set, case.condition].append(case)
    for number, together in enumerate(zip_longest(*groups.values())):
        yield from ((number, case) for case in together if case is not None)


def _records(file: Path) -> Iterator[dict[str, Any]]:
    if file.is_file():
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.answers.collect", description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--prompt", choices=("large", "small"), default="large")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines; appended to")
    parser.add_argument("--sets", nargs="+", default=cases.SETS, metavar="SET")
    parser.add_argument("--count", type=int, default=20, help="questions of a set and condition")
    parser.add_argument(
        "--every", type=int, default=3, help="every how many rounds answers are written; 0: never"
    )
    parser.add_argument("--conditions", nargs="+", choices=cases.CONDITIONS, default=cases.CONDITIONS)
    parser.add_argument("--evidence", type=int, default=BUDGET, help="tokens; default: %(default)s")
    parser.add_argument("--margins", nargs="+", default=[], help="names of the questions; default: all")
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="folder of the sets")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seed", type=int, default=cases.SEED, help="which questions are drawn")
    parser.add_argument(
        "--apart-from", type=Path, nargs="*", default=[], metavar="READ.jsonl",
        help="files whose questions are not asked again, under no condition",
    )  # fmt: skip
    options = parser.parse_args()
    seal.install()
    done = {(r["set"], r["condition"], r["qid"]) for r in _records(options.out)}
    seen = {(r["set"], r["qid"]) for file in options.apart_from for r in _records(file)}
    settings = Settings(context_budget=options.evidence)
    libraries: dict[str, Library] = {}
    found: list[Case] = []
    for name in options.sets:
        with corpora.opened(name, options.cache, options.data, options.vectors) as (library, embedder):
            found += cases.of_set(
                name, library, embedder, settings, options.count, options.data, options.seed,
                without=frozenset(qid for of, qid in seen if of == name),
            )  # fmt: skip
        libraries[name] = Library(options.cache / name, dimension=corpora.DIMENSION)
    generator = llama.load(options.model, options.model.stem, options.prompt, options.threads)
    with options.out.open("a", encoding="utf-8") as file:
        for number, case in in_turn(found):
            if case.key not in done and case.hits and case.condition in options.conditions:
                answered = bool(options.every) and number % options.every == 0
                record = read(
                    case, libraries[case.set], generator, settings, options.margins, answered=answered
                )
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                file.flush()


if __name__ == "__main__":
    main()

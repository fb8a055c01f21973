"""How many planted errors the checks of answers flag, and how many right sentences.

    python -m tests.quality.answers.seeding [--sets …] [--count N] [--seed N] [--misses KIND]

Right: sentences of the documents as they stand, rewritten by rules, answers of the sets in full and in brief,
statements about made-up tables. Wrong: each of the first two with one error planted. A sentence counts as
flagged when its verdict is unsupported or it is shown with the mark of a detail; a second table counts
the verdict only.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from engine import seal
from engine.answer import grounding
from engine.answer.evidence import Evidence
from engine.answer.grounding.checked import Checked
from engine.documents import Page, PageSpan, SearchHit
from tests.quality.answers import paraphrasing, planting, tables
from tests.quality.answers.statements import DATA, Case, Set

TUNED = ("cmrc2018", "drcd", "rgb_zh", "rageval_zh", "rageval_en", "xquad_en")
"""Sets on which limits were chosen."""

REPORTED = ("expmrc_zh", "xquad_zh", "lawbench_articles", "expmrc_en")

Trial = tuple[str, bool, str, str, tuple[tuple[str, str, str], ...], str]
"""Kind, whether it is wrong, question, text, passages, what was planted."""


def evidence(passages: Sequence[tuple[str, str, str]]) -> list[Evidence]:
    return [
        Evidence(number, SearchHit(
            number, 1.0, None, None, "", document, title, 1, None, None, (), (PageSpan(1, 0, len(text)),),
            f"{document}-{number}", text, number,
        ), text)
        for number, (document, title, text) in enumerate(passages, start=1)
    ]  # fmt: skip


def check(question: str, text: str, passages: Sequence[tuple[str, str, str]]) -> Checked:
    return grounding.check(text, evidence(passages), lambda hit: {1: Page(1, hit.text)}, question=question)


def trials(name: str, count: int, seed: int, data: Path = DATA) -> Iterator[Trial]:
    """The trials of one set, right ones and wrong ones."""
    chance = random.Random(f"{seed} {name}")
    material = Set(name, data)
    names = planting.asked_names(material.questions)
    cases = material.cases(count, chance)
    for case in cases:
        yield "as it stands", False, case.question, case.statement, case.passages, ""
        yield (
            "rewritten",
            False,
            case.question,
            paraphrasing.paraphrase(case.statement, chance),
            case.passages,
            "",
        )
    for case in material.long(count // 4, chance):
        yield "answer in full", False, case.question, case.statement, case.passages, ""
    for case in material.short(count // 2, chance):
        yield "answer in brief", False, case.question, case.statement, case.passages, ""
    for case in cases:
        yield from _wrong(case, names, chance)
    for case, other in pairwise(cases):
        if case.passages[0][0] != other.passages[0][0]:
            own = tuple(p for p in other.passages if p[0] == other.passages[0][0])
            yield "subject", True, case.question, other.statement, own, ""


def _wrong(case: Case, names: Sequence[str], chance: random.Random) -> Iterator[Trial]:
    for kind, plant in planting.PLAIN.items():
        text = case.statement if chance.random() < 0.5 else paraphrasing.paraphrase(case.statement, chance)
        if (planted := plant(case, text, chance)) is not None:
            yield kind, True, case.question, planted[0], case.passages, planted[1]
    for kind, rename in planting.NAMED.items():
        if (planted := rename(case, case.statement, chance, names)) is not None:
            yield kind, True, case.question, planted[0], case.passages, planted[1]


def table_trials(count: int, seed: int) -> Iterator[Trial]:
    for table, right, row, column in tables.tables(count, random.Random(seed)):
        passages = (("预算.xlsx", "设备", table),)
        yield "table, right", False, "", right, passages, ""
        yield "table, other row", True, "", row, passages, ""
        yield "table, other column", True, "", column, passages, ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=[*TUNED, *REPORTED], metavar="SET")
    parser.add_argument("--count", type=int, default=120, help="sentences of a set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", metavar="KIND", help="print the sentences of a kind that went wrong")
    options = parser.parse_args()
    seal.install()
    check("", "热身。", (("d", "t", "热身。"),))
    refused: dict[tuple[str, str, bool], list[bool]] = defaultdict(list)
    flagged: dict[tuple[str, str, bool], list[bool]] = defaultdict(list)
    milliseconds: list[float] = []
    for name in [*options.sets, "tables"]:
        made = (
            table_trials(options.count, options.seed)
            if name == "tables"
            else trials(name, options.count, options.seed)
        )
        for kind, wrong, question, text, passages, planted in made:
            started = time.process_time()
            checked = check(question, text, passages)
            milliseconds.append(1000 * (time.process_time() - started))
            told = [s for s in checked.sentences if s.verdict != "no_claim"]
            unsupported = [s.verdict == "unsupported" for s in told]
            marked = [s.verdict == "unsupported" or bool(s.flags) for s in told]
            refused[name, kind, wrong] += [any(unsupported)] if wrong else unsupported
            found = [any(marked)] if wrong else marked
            flagged[name, kind, wrong] += found
            if options.misses in (kind, "all") and any(each != wrong for each in found):
                for s in told:
                    if wrong or s.verdict == "unsupported" or s.flags:
                        flags = [(f.kind, f.text, f.why) for f in s.flags]
                        print(f"[{name}] {kind}: {planted!r} {s.text} {flags}")
    for title, counted in (("flagged", flagged), ("unsupported", refused)):
        print(f"\n{title}\n")
        _print(counted, options.sets)
    milliseconds.sort()
    print(
        f"\n{len(milliseconds)} answers; ms each: median {milliseconds[len(milliseconds) // 2]:.1f}, "
        f"p95 {milliseconds[int(len(milliseconds) * 0.95)]:.1f}, most {milliseconds[-1]:.1f}"
    )


def _print(flagged: dict[tuple[str, str, bool], list[bool]], names: Sequence[str]) -> None:
    groups = {
        "tuned on": [n for n in names if n in TUNED],
        "reported": [n for n in names if n not in TUNED],
    }
    shown = [*names, "tables"]
    print(f"| | {' | '.join(shown)} | {' | '.join(groups)} |")
    print(f"|{'---|' * (len(shown) + len(groups) + 1)}")
    for wrong, title in ((False, "right"), (True, "wrong")):
        kinds = list(dict.fromkeys(kind for _, kind, is_wrong in flagged if is_wrong == wrong))
        for kind in [*kinds, f"all {title}"]:
            cells = []
            for columns in [*[[n] for n in shown], *groups.values()]:
                values = [
                    v for (n, k, w), vs in flagged.items() for v in vs
                    if n in columns and w == wrong and kind in (k, f"all {title}")
                ]  # fmt: skip
                cells.append(f"{sum(values) / len(values):.3f} ({len(values)})" if values else "–")
            print(f"| {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

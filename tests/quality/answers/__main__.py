"""What each check of an answer is worth: ``python -m tests.quality.answers READ.jsonl [--mode balanced]``.

READ.jsonl is what ``collect`` wrote for one model; cases with a written answer count. The checks are
added in turn: the prompt alone, the gate, the reading verdict, the grounding of every sentence.
Verdicts are weighed with weights that no question of the case's set had a part in.

* *unsupported shown*: of the sentences shown that claim something, those that the evidence does not
  support, as the grounding judges them; all sentences that answer a question without an answer count as
  unsupported.
* *contains gold*: of the answerable questions, those whose answer as shown has the wording of a gold
  answer; under *of short gold* only gold answers of up to 20 characters (English: 60) count: they can
  be written word by word.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import seal
from engine.answer import grounding
from engine.answer.evidence import Evidence
from engine.answer.grounding import correcting
from engine.answer.grounding.checked import Checked
from engine.answer.hits import neighbours
from engine.answer.refusal import is_refusal
from engine.config import Settings
from engine.documents import Page, SearchHit
from engine.evaluation import metrics
from engine.evaluation.stages import contains_gold
from engine.index.library import Library
from engine.jsonlines import read_objects
from tests.quality import corpora
from tests.quality.answers import cases, fit
from tests.quality.answers.cases import Case

LAYERS = ("prompt alone", "with the gate", "with reading", "with grounding")
SHORT, SHORT_EN = 20, 60


@dataclass
class Layer:
    """What is counted of one layer; a number of ones and zeros each."""

    unsupported: list[bool] = field(default_factory=list)
    absent: list[bool] = field(default_factory=list)
    near: list[bool] = field(default_factory=list)
    falsely: list[bool] = field(default_factory=list)
    gold: list[bool] = field(default_factory=list)
    short_gold: list[bool] = field(default_factory=list)

    def add(self, case: Case, shown: str | None, checked: Checked) -> None:
        """Count one case; ``shown`` is what a person would see, None for a refusal."""
        question = case.question
        if case.condition == "with":
            self.falsely.append(shown is None)
            if question.answers:
                holds = shown is not None and contains_gold(question, shown)
                self.gold.append(holds)
                if any(_is_short(answer) for answer in question.answers):
                    self.short_gold.append(holds)
        else:
            (self.absent if case.condition == "without" else self.near).append(shown is None)
        if shown is not None:
            claims = [sentence for sentence in checked.sentences if sentence.verdict != "no_claim"]
            self.unsupported += [case.condition != "with" or s.verdict == "unsupported" for s in claims]

    def line(self, name: str) -> str:
        figures = (self.unsupported, self.absent, self.near, self.falsely, self.gold, self.short_gold)
        cells = [f"{metrics.share(values) or 0:.3f}" if values else "–" for values in figures]
        return f"| {name} | {' | '.join(cells)} |"


def _is_short(answer: str) -> bool:
    return len(answer) <= (SHORT_EN if answer.isascii() else SHORT)


def layers(
    case: Case, record: dict[str, Any], least: float, sure: float, library: Library
) -> Iterator[tuple[str | None, Checked]]:
    """What is shown after each layer, None for a refusal, and what the checks say to it.

    ``sure`` is the reading verdict's probability.
    """
    written = str(record["written"])
    checked = checked_answer(written, case, record, library)
    shown = None if not written.strip() or is_refusal(written) else written
    yield shown, checked
    yield (shown if case.gate.answerable else None), checked
    written = str(record.get("written_read", written))
    checked = checked_answer(written, case, record, library)
    refused = sure < least or not case.gate.answerable or not written.strip() or is_refusal(written)
    yield (None if refused else written), checked
    # Without its marks, which stand inside a gold answer of two sentences.
    said = " ".join(sentence.text for sentence in checked.sentences)
    yield (None if refused or checked.refused_after(sure) is not None else said), checked


def checked_answer(written: str, case: Case, record: dict[str, Any], library: Library) -> Checked:
    """The product's own check of what the model wrote."""
    near = [each for hit in case.hits for each in neighbours(hit, library)]
    by_row = {hit.row: hit for hit in (*near, *case.hits)}
    blocks = [
        Evidence(number, by_row[row], text, tuple((start, end) for start, end in kept))
        for number, (row, text, kept) in enumerate(record["evidence"], start=1)
    ]

    def page_texts(hit: SearchHit) -> dict[int, Page]:
        numbers = sorted({span.page for span in hit.spans})
        return {page.number: page for page in library.pages(hit.row, numbers)}

    question = case.question.question
    checked = grounding.check(written, blocks, page_texts, question)
    return correcting.in_the_words_of_the_source(checked, blocks, page_texts, question)


def verdicts(
    records: Sequence[dict[str, Any]], mode: str, fitted_on: Sequence[dict[str, Any]] | None = None,
    *, as_shipped: bool = False, thresholds_as_shipped: bool = False,
) -> dict[tuple[str, str, str], tuple[float, float]]:  # fmt: skip
    """Probability and least probability of each record, by weights that its set had no part in.

    They are fitted on the other sets of ``fitted_on``, without any on those of ``records``; with
    ``as_shipped`` only the least probability is, with ``thresholds_as_shipped`` nothing. A model without
    weights is not asked: everything passes.
    """
    material = records if fitted_on is None else fitted_on
    found = {(r["set"], r["condition"], r["qid"]): (1.0, 0.0) for r in records}
    for language in {record["language"] for record in records}:
        own = [record for record in records if record["language"] == language]
        names = fit.shipped_margins(own[0]["model"], language)
        for name in {record["set"] for record in own} if names else ():
            same_language = [record for record in material if record["language"] == language]
            others = fit.without_texts_of(same_language, name)
            model = fit.shipped_model(own[0]["model"], language) if as_shipped else fit.fit(others, names)
            if thresholds_as_shipped:
                least = fit.shipped_thresholds(own[0]["model"], language)[mode]
            else:
                least = fit.thresholds(others, names, model)[mode]
            mine = [record for record in own if record["set"] == name]
            for record, sure in zip(mine, fit.probabilities(mine, names, model), strict=True):
                found[record["set"], record["condition"], record["qid"]] = float(sure), least
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.answers", description=__doc__)
    parser.add_argument("file", type=Path, metavar="READ.jsonl")
    parser.add_argument("--mode", choices=("strict", "balanced", "loose"), default="balanced")
    parser.add_argument(
        "--fitted-on", type=Path, metavar="READ.jsonl",
        help="records that the verdicts are fitted on; default: the other sets of READ.jsonl",
    )  # fmt: skip
    parser.add_argument(
        "--shipped-weights", action="store_true",
        help="weigh as shipped; thresholds are those of the other sets all the same",
    )  # fmt: skip
    parser.add_argument("--as-shipped", action="store_true", help="weights and thresholds of the product")
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="folder of the sets")
    parser.add_argument("--cache", type=Path, default=corpora.CACHE, help="folder of the sets' libraries")
    parser.add_argument("--vectors", type=Path, help="folder of the questions' vectors; default: the cache")
    options = parser.parse_args()
    seal.install()
    records = list(read_objects(options.file))
    fitted_on = None if options.fitted_on is None else list(read_objects(options.fitted_on))
    sure = verdicts(
        records, options.mode, fitted_on, as_shipped=options.shipped_weights or options.as_shipped,
        thresholds_as_shipped=options.as_shipped,
    )  # fmt: skip
    written = {(r["set"], r["condition"], r["qid"]): r for r in records if "written" in r}
    settings = Settings(mode=options.mode)
    tables: dict[str, dict[str, Layer]] = defaultdict(lambda: {name: Layer() for name in LAYERS})
    for name in sorted({key[0] for key in written}):
        with corpora.opened(name, options.cache, options.data, options.vectors) as (library, embedder):
            asked = frozenset(qid for of, _, qid in written if of == name)
            for case in cases.of_set(name, library, embedder, settings, len(asked), options.data, only=asked):
                if (record := written.get(case.key)) is None:
                    continue
                probability, least = sure[case.key]
                found = layers(case, record, least, probability, library)
                for layer, (shown, checked) in zip(LAYERS, found, strict=True):
                    for table in ("all", record["language"], name):
                        tables[table][layer].add(case, shown, checked)
    columns = (
        "unsupported shown",
        "absent refused",
        "near refused",
        "falsely",
        "contains gold",
        "of short gold",
    )
    for name, table in tables.items():
        print(f"\n| {name} | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
        print("\n".join(table[layer].line(layer) for layer in LAYERS))


if __name__ == "__main__":
    main()

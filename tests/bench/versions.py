"""Versions of documents: what it costs to find them among 10,000, and to look again after one edit."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from engine.answer import filters
from engine.index import versions
from engine.index.library import Library
from engine.steps import finish
from tests.bench.measuring import Row, seconds
from tests.indexed import put

DOCUMENTS, FAMILIES, PASSAGES = 10_000, 2_000, 3


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as place, closing(Library(Path(place), dimension=1)) as library:
        chance = random.Random(3)
        for number in range(DOCUMENTS - FAMILIES):
            texts = [_text(chance) for _ in range(PASSAGES)]
            put(library, f"{number % 50:02}/文件{chr(0x4E00 + number)} v1.txt", texts)
            if number < FAMILIES:
                put(
                    library,
                    f"{number % 50:02}/文件{chr(0x4E00 + number)} v2.txt",
                    [*texts[1:], _text(chance)],
                )

        def group() -> None:
            finish(versions.group(library, filters.own_date))

        first = seconds(group)
        found = library.db.execute("SELECT count(DISTINCT family) FROM versions").fetchone()[0]
        yield Row(
            "versions among 10,000 documents, the first time", f"{first:.1f} s",
            f"{found} families of two, all text compared",
        )  # fmt: skip
        yield Row("the same, nothing changed", f"{1000 * seconds(group):.1f} ms")
        put(library, "00/文件一 v2.txt", [_text(chance)])
        yield Row("the same, one document edited", f"{1000 * seconds(group):.0f} ms")


def _text(chance: random.Random) -> str:
    return "".join(chance.choices(_LETTERS, k=200))


_LETTERS = "".join(map(chr, range(0x4E00, 0x5A00)))

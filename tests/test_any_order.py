"""Whatever the order in which files come, in whatever portions, with whatever goes in between: one index."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.answer import retrieval
from engine.config import Settings
from engine.index.library import Library
from engine.intake import scanner
from tests.desk import Desk
from tests.fakes import FakeEmbedder, InlineReader
from tests.soak import snapshot
from tests.soak.fresh import FreshIndex

SETTINGS = Settings(chunk_size=64, chunk_overlap=16)
SENTENCES = [f"第{n}号制度规定，办理期限为{n + 3}个工作日，由第{n}科负责。" for n in range(6)]
TEXTS = [
    SENTENCES[0],
    "\n\n".join(SENTENCES[:3]),
    "\n\n".join(SENTENCES),
    f"# 关于第四号\n\n## 总则\n\n{SENTENCES[4]}\n\n## 附则\n\n{SENTENCES[5]}",
    "",
    "\n".join(SENTENCES[2:5]),
]
NAMES = ["甲.md", "乙.txt", "子/丙.md", "子/丁.txt", "子/深/戊.md", "庚 2.txt"]
QUESTIONS = ("丙办法第4号的办理期限", "由哪一科负责", "附则", "甲")

Round = tuple[list[str], int, set[str]]
"""The order in which files are found, how many are there at most, which hold something else until later."""

contents = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(TEXTS), min_size=1)
rounds = st.lists(
    st.tuples(st.permutations(NAMES), st.integers(0, len(NAMES)), st.sets(st.sampled_from(NAMES))),
    min_size=1,
    max_size=4,
)
quick = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # fmt: skip


@contextmanager
def found_in(order: Sequence[str]) -> Iterator[None]:
    """The files of the folder are found in this order, whatever folder they are in."""
    scan = scanner.scan
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            scanner, "scan", lambda *given: sorted(scan(*given), key=lambda file: order.index(file.relative))
        )
        yield


def put(folder: Path, files: Mapping[str, str]) -> None:
    """The folder holds these files and no others."""
    for name in NAMES:
        path = folder / name
        if name in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[name], encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


@contextmanager
def taken_in(wanted: Mapping[str, str], turns: list[Round]) -> Iterator[Desk]:
    """A desk whose folder ends with the files ``wanted``, after several syncs."""
    with TemporaryDirectory() as place:
        desk = Desk(Path(place))
        desk.settings, desk.reader = SETTINGS, InlineReader(SETTINGS)
        for order, count, others in turns:
            here = [name for name in order[:count] if name in wanted]
            put(desk.folder, {name: ("草稿。" if name in others else "") + wanted[name] for name in here})
            with found_in(order):
                desk.ingest()
        put(desk.folder, wanted)
        with found_in(turns[0][0]):
            desk.ingest()
        yield desk
        desk.library.close()


def found(library: Library) -> list[list[tuple[float, str, str]]]:
    """The passages for each question; those of one score in order of their names."""
    hits = (retrieval.search(question, [library], FakeEmbedder(), SETTINGS, 50) for question in QUESTIONS)
    return [sorted((-round(hit.score, 5), hit.document, hit.chunk) for hit in some) for some in hits]


@quick
@given(contents, rounds)
def test_files_in_any_order_and_any_portions_give_one_index(
    wanted: dict[str, str], turns: list[Round]
) -> None:
    unlike = {name: text.replace("制度", f"{Path(name).stem}办法") for name, text in wanted.items()}
    with taken_in(unlike, turns) as desk:
        library = desk.library
        assert snapshot.damage(library) + snapshot.remains(library) == []
        fresh = FreshIndex(desk.folder, FakeEmbedder(), SETTINGS).library(library.name)
        assert snapshot.differences(snapshot.take(library), snapshot.take(fresh)) == []
        assert found(library) == found(fresh)
        fresh.close()


@quick
@given(contents, rounds)
def test_of_copies_too_whichever_comes_first(wanted: dict[str, str], turns: list[Round]) -> None:
    with taken_in(wanted, turns) as desk:
        library = desk.library
        assert snapshot.damage(library) + snapshot.remains(library) == []
        # What is the same in two files was read under the name of whichever came first.
        fresh = FreshIndex(desk.folder, FakeEmbedder(), SETTINGS)
        names = [
            {desk.folder / name: other.name for name in wanted if Path(name).suffix == other.suffix}
            for other in map(Path, NAMES)
        ]
        ways = [fresh.snapshot(), *map(fresh.snapshot, names)]
        assert snapshot.differences(snapshot.take(library), *ways) == []

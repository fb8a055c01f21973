"""A damaged library.sqlite: what can be read is kept, the rest is read again, no text is embedded twice."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.events import FileFinished
from engine.index import mending, particulars
from engine.index.library import Library
from engine.index.salvage import Salvaged, salvage
from tests.desk import Desk
from tests.index.test_first_release import FIXTURE as FIRST_RELEASE

PAGE = 4096
DOCUMENTS = 16
WORDS = (
    "保密",
    "期限",
    "数据",
    "差旅",
    "报销",
    "访客",
    "登记",
    "合同",
    "采购",
    "校准",
    "仪器",
    "园区",
    "审批",
)


def write_documents(desk: Desk, count: int = DOCUMENTS) -> None:
    """Some short, some of many passages, some whose text fills several pages of the database."""
    pick = random.Random(5)
    for number in range(count):
        paragraphs = [
            f"## 第{part}节\n\n" + "，".join(pick.choices(WORDS, k=60)) + f"。编号 {number}-{part}。"
            for part in range(1 + number % 7 * 3)
        ]
        desk.write(f"部门{number % 3}/文件{number:02}.md", f"# 文件{number}\n\n" + "\n\n".join(paragraphs))


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place with a folder and its library, closed; and what is in it."""
    place = tmp_path_factory.mktemp("materials")
    desk = Desk(place)
    write_documents(desk)
    desk.ingest()
    desk.library.set_meta("profile", "long")
    particulars.note(desk.library)
    desk.library.close()
    return place


@pytest.fixture
def place(material: Path, tmp_path: Path) -> Path:
    return copied(material, tmp_path / "stelle")


def copied(material: Path, place: Path) -> Path:
    shutil.copytree(material / "库", place / "库")
    return place


def saved(place: Path, material: Path) -> tuple[Desk, Salvaged]:
    """The library that is made of the damaged one in ``place``, with the folder of the material."""
    fresh = Library(place / "neu", dimension=64)
    *_, figures = salvage(place / "库" / "library.sqlite", fresh, particulars.read(place / "库"))
    assert figures is not None
    desk = Desk(place / "daneben", fresh)
    desk.folder = material / "资料 一"
    return desk, figures


def everything(library: Library) -> dict[str, list[Any]]:
    """What a library holds, without row ids, times and what was met on the way to it."""
    ask = library.db.execute
    library.db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, terms, instance)")
    found = {
        "documents": ask("SELECT f.path, d.path, size, content_hash, kind, title, state, reason, details,"
                         " reading, (SELECT o.path FROM documents o WHERE o.id = d.copy_of)"
                         " FROM documents d JOIN folders f ON f.id = folder_id ORDER BY 1, 2"),
        "pages": ask("SELECT d.path, number, text, label, from_ocr, boxes FROM pages"
                     " JOIN documents d ON d.id = document_id ORDER BY 1, 2"),
        "chunks": ask("SELECT d.path, ordinal, chunk, text, prefix, spans, section, tokens, vector_key"
                      " FROM chunks JOIN documents d ON d.id = document_id ORDER BY 1, 2"),
        "terms": ask("SELECT d.path, ordinal, term, col, offset FROM temp.words w JOIN chunks c"
                     " ON c.id = w.doc JOIN documents d ON d.id = document_id ORDER BY 1, 2, 3, 4, 5"),
        "vectors": ask("SELECT key, vector FROM vectors ORDER BY key"),
    }  # fmt: skip
    return {name: rows.fetchall() for name, rows in found.items()}


@pytest.fixture(scope="module")
def fresh(material: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What an index of the folder from nothing holds."""
    desk = Desk(tmp_path_factory.mktemp("vergleich"))
    desk.folder = material / "资料 一"
    desk.ingest()
    found = everything(desk.library)
    desk.library.close()
    return found


def bring_up_to_date(desk: Desk) -> None:
    desk.ingest()
    with desk.library.transaction():
        mending.end_expectation(desk.library.db)


def inputs(library: Library) -> dict[str, str]:
    return dict(library.db.execute("SELECT vector_key, prefix || text FROM chunks"))


def check(desk: Desk, fresh: dict[str, list[Any]], profile: str = "long") -> None:
    """After a sync all is as in a fresh index, and only what could not be read was embedded."""
    known = {key for (key,) in desk.library.db.execute("SELECT key FROM vectors")}
    bring_up_to_date(desk)
    assert everything(desk.library) == fresh
    lost = {text for key, text in inputs(desk.library).items() if key not in known}
    assert set(desk.embedded) == lost
    assert desk.library.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(desk.library.store) == desk.library.chunk_count()
    assert (desk.library.name, desk.library.meta("profile")) == ("库", profile)


def test_of_a_file_that_is_whole_everything_is_kept(
    place: Path, material: Path, fresh: dict[str, Any]
) -> None:
    desk, figures = saved(place, material)
    assert (figures.documents, figures.lost) == (DOCUMENTS, 0)
    assert everything(desk.library) == fresh
    before = (place / "库" / "library.sqlite").read_bytes()
    check(desk, fresh)
    assert desk.read == [] and desk.embedded == []
    assert (place / "库" / "library.sqlite").read_bytes() == before
    desk.library.close()


def damage_pages(file: Path, chosen: random.Random, count: int, fill: Callable[[int], bytes]) -> list[int]:
    """Overwrite pages other than the first; returns their numbers."""
    pages = file.stat().st_size // PAGE
    numbers = chosen.sample(range(2, pages + 1), count)
    with file.open("r+b") as database:
        for number in numbers:
            database.seek((number - 1) * PAGE)
            database.write(fill(PAGE))
    return numbers


@pytest.mark.parametrize("kind", ["noise", "zeros", "ones"])
@pytest.mark.parametrize("count", [1, 3, 12])
@pytest.mark.parametrize("seed", range(2))
def test_pages_that_were_overwritten(
    place: Path, material: Path, fresh: dict[str, Any], kind: str, count: int, seed: int
) -> None:
    chosen = random.Random(f"{kind} {count} {seed}")
    fill = {"noise": chosen.randbytes, "zeros": bytes, "ones": lambda size: b"\xff" * size}[kind]
    damage_pages(place / "库" / "library.sqlite", chosen, count, fill)
    desk, figures = saved(place, material)
    assert figures.vectors >= len(fresh["vectors"]) - 30 * count
    check(desk, fresh)
    desk.library.close()


@pytest.mark.parametrize("kind", ["noise", "zeros"])
def test_one_page_of_each_table_after_the_other(
    place: Path, material: Path, fresh: dict[str, Any], kind: str
) -> None:
    """Every single page of what lies under the first documents, not only those that chance finds."""
    with closing(sqlite3.connect(place / "库" / "library.sqlite")) as db:
        tables = (
            "documents",
            "folders",
            "meta",
            "pages",
            "chunks",
            "vectors",
            "terms_data",
            "sqlite_sequence",
        )
        pages = [
            row[0]
            for table in tables
            for row in db.execute(
                "SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno LIMIT 2", (table,)
            )
        ]
    for number in pages:
        here = copied(material, place / str(number))
        with (here / "库" / "library.sqlite").open("r+b") as file:
            file.seek((number - 1) * PAGE)
            file.write(random.Random(number).randbytes(PAGE) if kind == "noise" else bytes(PAGE))
        desk, _ = saved(here, material)
        check(desk, fresh)
        desk.library.close()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    harm=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=40)),
        min_size=1,
        max_size=6,
    )
)
def test_bytes_that_changed_anywhere(
    tmp_path_factory: pytest.TempPathFactory,
    material: Path,
    fresh: dict[str, Any],
    harm: list[tuple[float, bytes]],
) -> None:
    """No check of SQLite's sees a changed letter; what was computed from the text does."""
    here = copied(material, tmp_path_factory.mktemp("stelle"))
    file = here / "库" / "library.sqlite"
    size = file.stat().st_size
    with file.open("r+b") as database:
        for place, data in harm:
            database.seek(int(place * size))
            database.write(data)
    desk, _ = saved(here, material)
    bring_up_to_date(desk)
    found = everything(desk.library)
    # The page's own text has no check value; it was proven where a passage lies on it.
    for name in ("chunks", "terms"):
        assert found[name] == fresh[name], name
    assert {key for key, _ in found["vectors"]} == {key for key, _ in fresh["vectors"]}
    assert desk.library.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    desk.library.close()


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_a_file_that_was_cut_off(place: Path, material: Path, fresh: dict[str, Any], share: float) -> None:
    file = place / "库" / "library.sqlite"
    with file.open("r+b") as database:
        database.truncate(int(file.stat().st_size * share))
    desk, _ = saved(place, material)
    check(desk, fresh)
    desk.library.close()


@pytest.mark.parametrize("length", [16, 100, PAGE])
def test_without_its_beginning_the_vectors_are_found_and_nothing_is_embedded(
    place: Path, material: Path, fresh: dict[str, Any], length: int
) -> None:
    with (place / "库" / "library.sqlite").open("r+b") as database:
        database.write(bytes(length))
    desk, figures = saved(place, material)
    assert (figures.documents, figures.vectors) == (0, len(fresh["vectors"]))
    assert list(desk.library.folders().values()) == [material / "资料 一"]
    check(desk, fresh)
    assert len(desk.read) == DOCUMENTS and desk.embedded == []
    desk.library.close()


def test_vectors_that_sqlite_has_lost_come_from_the_cache(
    place: Path, material: Path, fresh: dict[str, Any]
) -> None:
    file = place / "库" / "library.sqlite"
    with closing(sqlite3.connect(file)) as db:
        pages = db.execute(
            "SELECT pageno FROM dbstat WHERE name = 'vectors' AND pagetype = 'leaf'"
        ).fetchall()
    with file.open("r+b") as database:
        for (number,) in pages:
            database.seek((number - 1) * PAGE)
            database.write(bytes(PAGE))
    without = copied(place, place / "ohne")
    (without / "库" / "index.faiss").unlink()
    for here, are_saved in ((place, True), (without, False)):
        desk, figures = saved(here, material)
        assert figures.lost == 0
        assert (figures.vectors == len(fresh["vectors"])) == are_saved
        check(desk, fresh)
        assert (desk.embedded == []) == are_saved
        desk.library.close()


def test_no_id_of_a_passage_is_used_twice(place: Path, material: Path) -> None:
    file = place / "库" / "library.sqlite"
    with closing(sqlite3.connect(file)) as db:
        highest = db.execute("SELECT max(id) FROM chunks").fetchone()[0]
        db.execute(
            "DELETE FROM documents WHERE id = (SELECT document_id FROM chunks WHERE id = ?)", (highest,)
        )
        db.commit()
    desk, _ = saved(place, material)
    desk.ingest()
    assert desk.library.db.execute("SELECT max(id) FROM chunks").fetchone()[0] > highest
    desk.library.close()


# -- the write-ahead log ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def in_the_log(material: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same library as a program that was killed leaves it: half in the file, the rest in the log."""
    place, killed = tmp_path_factory.mktemp("protokoll"), tmp_path_factory.mktemp("abgebrochen")
    desk = Desk(place)
    desk.folder = material / "资料 一"
    desk.library.db.execute("PRAGMA wal_autocheckpoint = 0")
    steps = desk.steps()
    for event in steps:
        if isinstance(event, FileFinished) and event.done == 8:
            desk.library.db.execute("PRAGMA wal_checkpoint")
        if isinstance(event, FileFinished) and event.done == 14:
            break
    particulars.note(desk.library)
    (killed / "库").mkdir()
    for name in ("library.sqlite", "library.sqlite-wal", particulars.FILE):
        shutil.copy(place / "库" / name, killed / "库" / name)
    desk.library.close()
    assert (killed / "库" / "library.sqlite-wal").stat().st_size > 10 * PAGE
    return killed


@pytest.mark.parametrize("harm", ["none", "cut", "noise at the end", "noise in the middle", "zeros", "gone"])
@pytest.mark.parametrize("is_headless", [False, True])
def test_a_log_that_is_torn_or_gone(
    in_the_log: Path, material: Path, tmp_path: Path, fresh: dict[str, Any], harm: str, is_headless: bool
) -> None:
    here = copied(in_the_log, tmp_path / "stelle")
    log = here / "库" / "library.sqlite-wal"
    data = log.read_bytes()
    noise = random.Random(7).randbytes(3000)
    half = len(data) // 2
    spoilt = {
        "none": data,
        "cut": data[: len(data) - 5000],
        "noise at the end": data[:-3000] + noise,
        "noise in the middle": data[:half] + noise + data[half + 3000 :],
        "zeros": bytes(len(data)),
        "gone": None,
    }[harm]
    if spoilt is None:
        log.unlink()
    else:
        log.write_bytes(spoilt)
    if is_headless:
        with (here / "库" / "library.sqlite").open("r+b") as database:
            database.write(bytes(PAGE))
    desk, figures = saved(here, material)
    assert figures.vectors > 0
    if harm == "none" and not is_headless:
        assert (figures.documents, figures.lost) == (14, 0)
    check(desk, fresh, "")
    desk.library.close()


def test_a_library_of_the_first_release_is_saved_with_all_it_holds(tmp_path: Path) -> None:
    (tmp_path / "库").mkdir()
    shutil.copyfile(FIRST_RELEASE, tmp_path / "库" / "library.sqlite")
    shutil.copytree(tmp_path / "库", tmp_path / "heil")
    fresh = Library(tmp_path / "neu", dimension=64)
    *_, figures = salvage(tmp_path / "库" / "library.sqlite", fresh)
    whole = Library(tmp_path / "heil", dimension=64)
    assert figures is not None and figures.lost == 0
    assert everything(fresh) == everything(whole)
    fresh.close()
    whole.close()

"""What a check finds in a library and on this machine, and what a repair puts right."""

import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace as Namespace
from typing import Any

import psutil
import pytest

from engine import jobs, wording
from engine.cancel import CancelToken
from engine.commands import CheckHealth, RepairLibraries
from engine.config import Settings
from engine.errors import LibraryUnknown
from engine.events import HealthChecked
from engine.health import checkup, integrity, machine
from engine.health.checkup import Report
from engine.index import outcome, particulars
from engine.index.library import Library
from engine.index.migrations import STEPS
from engine.paths import Home
from engine.shelf import WriteLock
from engine.standing import Finding
from engine.steps import finish
from engine.workspace import Workspace
from tests.conftest import ROOT
from tests.desk import Desk
from tests.fakes import FakeEmbedder
from tests.index.test_salvage import everything


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家 目录")


@pytest.fixture
def ours(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A workspace with everything in order around its libraries."""
    fake = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", lambda self: fake)
    monkeypatch.setattr(Workspace, "dimension", fake.dimension)
    monkeypatch.setattr(machine, "look_at", lambda workspace: iter(()))
    made = Workspace(home, Settings())
    yield made
    made.close()


@pytest.fixture
def desk(ours: Workspace, tmp_path: Path) -> Desk:
    """The library 库 of that workspace, with three documents and a copy."""
    made = Desk(tmp_path, ours.libraries.for_writing("库"))
    ours.libraries.names()
    for number, text in enumerate(("保密期限为十年。", "差旅报销须在十日内提交。", "访客须在前台登记。")):
        made.write(f"文件{number}.md", f"# 标题{number}\n\n{text}")
    made.write("副本.md", "# 标题0\n\n保密期限为十年。")
    made.ingest()
    particulars.note(made.library)
    return made


def overwrite_root_of_pages(file: Path) -> None:
    """Make the table of pages unreadable."""
    with sqlite3.connect(file) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'pages'").fetchone()
    db.close()
    with file.open("r+b") as raw:
        raw.seek((page - 1) * 4096)
        raw.write(b"\xff" * 4096)


def found(report: Report) -> dict[str, Finding]:
    return {finding.code: finding for finding in report.findings}


def open_codes(report: Report) -> set[str]:
    return {finding.code for finding in report.findings if not finding.repaired}


def test_a_library_in_order_has_no_findings_and_figures(ours: Workspace, desk: Desk) -> None:
    report = finish(checkup.check(ours))
    assert report.findings == ()
    (health,) = report.libraries
    assert (health.name, health.left_over) == ("库", 0)
    assert health.summary is not None
    assert health.summary.chunks == desk.library.chunk_count()
    assert health.summary.generation == desk.library.generation > 0
    assert health.summary.last_error is None


def test_an_empty_library_is_in_order(ours: Workspace) -> None:
    ours.libraries.for_writing("空")
    assert finish(checkup.check(ours)).findings == ()


def test_a_check_of_an_unknown_library_says_so(ours: Workspace, desk: Desk) -> None:
    for look in (checkup.check, checkup.mend):
        with pytest.raises(LibraryUnknown):
            finish(look(ours, "没有"))


def test_the_window_gets_the_same_as_a_job(ours: Workspace, desk: Desk) -> None:
    sql(f"DELETE FROM vectors WHERE {LAST}")(desk.library.db)
    for command, code, is_repaired in (
        (CheckHealth(7), "vectors_missing", False),
        (RepairLibraries(7), "vectors_missing", True),
    ):
        *_, event = jobs.start(command, ours, CancelToken())
        assert isinstance(event, HealthChecked)
        assert event.task_id == 7
        assert [health.name for health in event.libraries] == ["库"]
        finding = next(finding for finding in event.findings if finding.code == code)
        assert finding.repaired == is_repaired


Harm = Callable[[sqlite3.Connection], Any]


def sql(*statements: str) -> Harm:
    """What a fault of a program, or of another one, might have done to the tables."""

    def harm(db: sqlite3.Connection) -> None:
        db.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            db.execute(statement)
        db.execute("PRAGMA foreign_keys = ON")

    return harm


OTHER = "f" * 64
LAST = "key = (SELECT max(key) FROM vectors)"


@pytest.mark.parametrize(
    ("code", "count", "harm"),
    [
        ("rows_without_owner", 2, sql("DELETE FROM documents WHERE path = '文件1.md'")),
        ("rows_without_owner", 1, sql("UPDATE documents SET folder_id = 99 WHERE path = '文件2.md'")),
        ("copies_without_original", 1, sql("UPDATE documents SET copy_of = 99 WHERE copy_of IS NOT NULL")),
        ("terms_amiss", 1, sql("DELETE FROM terms_docsize WHERE id = 1")),
        ("terms_amiss", 3, sql("INSERT INTO terms (terms) VALUES ('delete-all')")),
        ("terms_amiss", 1, sql("UPDATE terms_data SET block = zeroblob(20) WHERE id > 10")),
        ("vectors_unusable", 1, sql(f"UPDATE vectors SET vector = zeroblob(256) WHERE {LAST}")),
        ("vectors_unusable", 1, sql(f"UPDATE vectors SET vector = substr(vector, 1, 128) WHERE {LAST}")),
        ("vectors_missing", 1, sql(f"DELETE FROM vectors WHERE {LAST}")),
        ("vectors_unnamed", 1, sql(f"INSERT INTO vectors SELECT '{OTHER}', vector FROM vectors LIMIT 1")),
        ("leftovers", 1, sql("INSERT INTO staged_pages (number, text, from_ocr) VALUES (1, '半页', 0)")),
    ],
)  # fmt: skip
def test_disorder_inside_is_found_put_right_and_costs_no_more_than_what_was_lost(
    ours: Workspace, desk: Desk, code: str, count: int, harm: Harm
) -> None:
    before = everything(desk.library)
    harm(desk.library.db)
    report = finish(checkup.check(ours))
    assert found(report)[code].params == {"count": count}
    assert found(report)[code].library == "库"
    repaired = finish(checkup.mend(ours, "库"))
    assert found(repaired)[code].repaired
    assert open_codes(repaired) <= {"chunks_without_vectors"}
    desk.library = ours.libraries.open("库")
    desk.ingest()
    assert everything(desk.library) == before
    assert finish(checkup.check(ours)).findings == ()
    assert len(desk.embedded) == (code in ("vectors_unusable", "vectors_missing"))


def test_what_belongs_to_no_document_is_counted_in_the_figures(ours: Workspace, desk: Desk) -> None:
    sql(
        f"INSERT INTO vectors SELECT '{OTHER}', vector FROM vectors LIMIT 1",
        "DELETE FROM documents WHERE path = '文件1.md'",
    )(desk.library.db)
    (health,) = finish(checkup.check(ours, "库")).libraries
    assert health.left_over == 3
    (health,) = finish(checkup.mend(ours, "库")).libraries
    assert health.left_over == 0


def test_vectors_of_a_change_that_goes_on_are_not_left_over(ours: Workspace, desk: Desk) -> None:
    desk.library.set_meta("embedder_coming", "another/fp32/64/1")
    sql(f"INSERT INTO vectors SELECT '{OTHER}', vector FROM vectors LIMIT 1")(desk.library.db)
    assert finish(checkup.mend(ours)).findings == ()
    assert ours.libraries.open("库").known_vectors([OTHER]) == {OTHER}


@pytest.mark.parametrize("harm", ["missing", "torn", "of another program"])
def test_the_cache_is_made_from_sqlite(ours: Workspace, desk: Desk, harm: str) -> None:
    file = Path(desk.library.file).with_name("index.faiss")
    whole = file.read_bytes()
    if harm == "missing":
        file.unlink()
    elif harm == "torn":
        file.write_bytes(b"\0" * 40 + whole[40:])
    else:
        file.write_bytes(whole[: len(whole) // 2])
    code = {"missing": "cache_missing", "torn": "cache_damaged"}.get(harm, "cache_outdated")
    report = finish(checkup.check(ours))
    assert [finding.code for finding in report.findings] == [code]
    assert found(report)[code].exit_code == 0
    assert open_codes(finish(checkup.mend(ours))) == set()
    assert file.exists() and finish(checkup.check(ours)).findings == ()
    desk.library = ours.libraries.open("库")
    assert desk.found("保密期限")[0].document == "副本.md"


def test_a_folder_that_is_away_is_told_of_and_not_repaired(ours: Workspace, desk: Desk) -> None:
    away = desk.folder.rename(desk.folder.with_name("别处"))
    report = finish(checkup.mend(ours))
    assert found(report)["folder_unreachable"].params == {"path": str(desk.folder)}
    assert not found(report)["folder_unreachable"].repaired
    assert ours.libraries.open("库").chunk_count() == 3
    away.rename(desk.folder)


def test_files_of_a_killed_program_are_cleared_away_unless_somebody_writes(
    ours: Workspace, desk: Desk, home: Home
) -> None:
    left = Path(desk.library.file).with_name(".index.faiss.4711.tmp")
    left.write_bytes(b"halb")
    killed_repair = Path(desk.library.file).with_name(".salvaged") / "library.sqlite"
    killed_repair.parent.mkdir()
    killed_repair.write_bytes(b"halb")
    other = Workspace(home, Settings())
    with WriteLock(other.libraries.open("库")):
        assert "leftovers" not in open_codes(finish(checkup.check(ours)))
        sql("INSERT INTO terms (terms) VALUES ('delete-all')")(desk.library.db)
        report = finish(checkup.mend(ours))
        assert open_codes(report) == {"library_busy", "terms_amiss"}
        assert left.exists()
    other.close()
    assert open_codes(finish(checkup.mend(ours))) == set()
    assert not left.exists() and not killed_repair.parent.exists()


def test_a_check_that_is_stopped_leaves_no_thread_behind(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    is_running = threading.Event()

    def endless(db: sqlite3.Connection) -> None:
        is_running.set()
        db.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")

    monkeypatch.setattr(integrity, "_problem", endless)
    steps = integrity.check(Path(desk.library.file), may_write=True)
    next(steps)
    assert is_running.wait(5)
    time.sleep(0.1)  # what is interrupted before it has begun goes on
    steps.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("zhiye-integrity")]


def test_every_finding_has_words_and_advice() -> None:
    sources = (ROOT / "engine" / "health").glob("*.py")
    found = {
        code
        for source in sources
        for code in re.findall(
            r'(?:Finding\(|code = |^ +)"([a-z]+(?:_[a-z]+)+)"', source.read_text("utf-8"), re.M
        )
    }
    assert {"terms_amiss", "cache_missing", "library_salvaged", "little_disk"} <= found
    for language in ("zh", "en"):
        for code in found:
            assert wording.describe(code, {}, language).advice, code


# -- libraries that cannot be opened ----------------------------------------------------------------


def test_a_damaged_library_is_saved_under_its_name_and_the_old_file_kept(
    ours: Workspace, desk: Desk, home: Home
) -> None:
    before = everything(desk.library)
    ours.libraries.rename("库", "新名")
    file = Path(desk.library.file)
    ours.close()
    spoilt = bytes(4096) + file.read_bytes()[4096:]
    file.write_bytes(spoilt)
    report = finish(checkup.check(ours))
    assert found(report)["library_damaged"].library == "新名"
    assert found(report)["library_damaged"].exit_code == 4
    assert report.libraries[0].summary is None
    repaired = finish(checkup.mend(ours, "新名"))
    assert found(repaired)["library_damaged"].repaired
    told = found(repaired)["library_salvaged"]
    assert (told.params["documents"], told.params["vectors"]) == (0, 3)
    assert Path(str(told.params["path"])).read_bytes() == spoilt
    assert open_codes(repaired) == set()
    desk.library = ours.libraries.open("新名")
    assert list(desk.library.folders().values()) == [desk.folder]
    desk.ingest()
    assert everything(desk.library) == before
    assert desk.embedded == []


def test_a_second_damage_keeps_both_old_files(
    ours: Workspace, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(desk.library.file)
    for _ in range(2):
        ours.close()
        file.write_bytes(bytes(100) + file.read_bytes()[100:])
        finish(checkup.mend(ours))
    kept = [path for path in file.parent.iterdir() if ".damaged-" in path.name]
    assert len(kept) == 2


def test_a_library_whose_file_is_gone_comes_back_with_its_folders(ours: Workspace, desk: Desk) -> None:
    desk.library.set_meta("profile", "precise")
    particulars.note(desk.library)
    file = Path(desk.library.file)
    ours.close()
    file.unlink()
    report = finish(checkup.mend(ours))
    assert found(report)["library_damaged"].repaired
    library = ours.libraries.open("库")
    assert list(library.folders().values()) == [desk.folder]
    assert library.meta("profile") == "precise"


def test_damage_is_found_in_a_library_that_opens(ours: Workspace, desk: Desk) -> None:
    file = Path(desk.library.file)
    ours.close()
    overwrite_root_of_pages(file)
    assert ours.libraries.names() == ["库"]
    report = finish(checkup.check(ours))
    assert open_codes(report) == {"library_damaged"}
    report = finish(checkup.mend(ours))
    assert open_codes(report) == set()
    assert ours.libraries.open("库").meta("name") == "库"


def test_a_repair_that_finds_no_room_leaves_everything_as_it_was(
    ours: Workspace, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(desk.library.file)
    ours.close()
    file.write_bytes(bytes(4096) + file.read_bytes()[4096:])

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in file.parent.iterdir() if path.name != ".writing"}

    before = files()
    usage = shutil.disk_usage(file)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    report = finish(checkup.mend(ours))
    assert open_codes(report) == {"no_space", "library_damaged"}
    assert files() == before


def test_a_newer_library_is_left_alone(ours: Workspace, desk: Desk) -> None:
    file = Path(desk.library.file)
    desk.library.db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    ours.close()
    before = file.read_bytes()
    report = finish(checkup.mend(ours))
    assert open_codes(report) == {"library_newer"}
    assert not found(report)["library_newer"].can_repair
    assert file.read_bytes() == before


def test_of_two_libraries_of_one_name_the_hidden_one_gets_another(
    ours: Workspace, desk: Desk, home: Home
) -> None:
    second = Library(home.libraries / "0123456789ab", dimension=64)
    second.set_meta("name", "库")
    second.close()
    ours.close()
    assert open_codes(finish(checkup.check(ours))) == {"library_hidden"}
    assert open_codes(finish(checkup.mend(ours))) == set()
    assert ours.libraries.names() == ["库", "库 (2)"]


def test_a_question_between_two_steps_of_a_repair_does_not_keep_the_old_file_open(
    ours: Workspace, desk: Desk
) -> None:
    file = Path(desk.library.file)
    ours.libraries.close()
    overwrite_root_of_pages(file)
    for _ in checkup.mend(ours):
        ours.libraries.names()  # opens what it can
    desk.library = ours.libraries.open("库")
    desk.ingest()
    assert desk.library.chunk_count() == 3
    assert finish(checkup.check(ours)).findings == ()


def test_another_process_sees_the_repaired_library(ours: Workspace, desk: Desk, home: Home) -> None:
    other = Workspace(home, Settings())
    assert other.libraries.open("库").chunk_count() == 3
    file = Path(desk.library.file)
    desk.library.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ours.libraries.close()
    with file.open("r+b") as raw:
        raw.write(bytes(100))
    finish(checkup.mend(ours))
    assert other.libraries.open("库").chunk_count() == 0
    other.close()


# -- the last error ----------------------------------------------------------------------------------


def test_the_error_that_ended_a_sync_is_kept_until_one_goes_well(desk: Desk) -> None:
    with pytest.raises(LibraryUnknown), outcome.noted(desk.library):
        raise LibraryUnknown(name="甲")
    told = outcome.last_error(desk.library)
    assert told is not None
    assert (told.code, told.params) == ("library_unknown", {"name": "甲"})
    assert told.at.endswith("+00:00")
    with outcome.noted(desk.library):
        pass
    assert outcome.last_error(desk.library) is None


def test_what_a_library_is_stands_beside_it(desk: Desk) -> None:
    desk.library.set_meta("profile", "long")
    with outcome.noted(desk.library):
        pass
    folder = Path(desk.library.file).parent
    noted = particulars.read(folder)
    assert noted is not None
    assert noted.name == "库"
    assert noted.facts["profile"] == "long"
    assert list(noted.folders.values()) == [str(desk.folder)]
    text = (folder / particulars.FILE).read_text(encoding="utf-8")
    assert "保密" not in text and "文件0" not in text
    for harm in (b"", b"[]", b"{}", b'{"folders": {"x": 1}, "facts": {}}', b"\xff"):
        (folder / particulars.FILE).write_bytes(harm)
        assert particulars.read(folder) is None


# -- the machine -------------------------------------------------------------------------------------


def machine_findings(workspace: Workspace) -> dict[str, Finding]:
    return {finding.code: finding for finding in machine._home(workspace.home.root) if finding}


def test_little_disk_and_a_home_that_cannot_be_written_are_told(
    ours: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine_findings(ours) == {}
    usage = shutil.disk_usage(ours.home.root)._replace(free=100 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)

    def refused(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    told = machine_findings(ours)
    assert told["little_disk"].params["free_mb"] == 100
    assert told["home_read_only"].params["detail"] == "Permission denied"


@pytest.mark.parametrize(("kind", "options", "is_remote"), [
    ("ext4", "rw", False), ("nfs4", "rw", True), ("CIFS", "rw", True), ("NTFS", "rw,remote", True),
])  # fmt: skip
def test_a_home_on_a_network_place_is_told(
    ours: Workspace, monkeypatch: pytest.MonkeyPatch, kind: str, options: str, is_remote: bool
) -> None:
    root = str(ours.home.root.resolve())
    parts = [
        Namespace(mountpoint="/", fstype="ext4", opts="rw"),
        Namespace(mountpoint=root, fstype=kind, opts=options),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all=False: parts)
    assert ("home_on_network" in machine_findings(ours)) == is_remote

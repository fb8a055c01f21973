"""A full disk, a home that cannot be written, files that others hold, a file that breaks under the program:
nothing good is thrown away, the person is told, and what can still be searched is.

Without root nothing can be mounted, and root writes where permissions forbid it. So a read-only home is tried
twice: mounted, where the machine allows it, and everywhere at the one place where the system would have
answered (``os.access``, ``sqlite3.connect``). What Windows answers comes from ``os.replace``.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine import jobs
from engine.answer_events import AnswerFinished
from engine.cancel import CancelToken
from engine.commands import AskQuestion, ListLibraries
from engine.config import Settings
from engine.errors import CodedError, LibraryDamaged, StorageFailed
from engine.events import LibrariesListed, Notice
from engine.health import checkup, machine
from engine.index import database, particulars
from engine.index.database import connect, is_read_only
from engine.index.library import Library
from engine.paths import Home
from engine.steps import finish
from engine.workspace import Workspace
from tests.cli import shapes
from tests.cli.conftest import FILES, QUESTION, Run, embedder, folder, indexed, zhiye  # noqa: F401 - fixtures
from tests.conftest import ROOT
from tests.desk import Desk
from tests.fakes import FakeEmbedder
from tests.index.test_salvage import everything

PAGE = 4096


def write_documents(desk: Desk, count: int = 12) -> None:
    for number in range(count):
        desk.write(f"文件{number:02}.md", f"# 标题{number}\n\n" + f"第{number}份文件的内容各不相同。" * 40)


def fresh_index(desk: Desk, place: Path) -> dict[str, list[object]]:
    """What an index of the same folder from nothing holds."""
    other = Desk(place)
    other.folder = desk.folder
    other.ingest()
    found = everything(other.library)
    other.library.close()
    return found


def is_whole(library: Library) -> bool:
    return bool(library.db.execute("PRAGMA integrity_check").fetchone()[0] == "ok")


# -- a full disk -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pages", [0, 4, 12])
def test_a_disk_that_fills_up_ends_the_sync_and_keeps_what_was_written(
    desk: Desk, tmp_path: Path, pages: int
) -> None:
    write_documents(desk)
    (now,) = desk.library.db.execute("PRAGMA page_count").fetchone()
    desk.library.db.execute(f"PRAGMA max_page_count = {now + pages}")
    with pytest.raises(StorageFailed) as failure:
        desk.ingest()
    assert "full" in str(failure.value.params["detail"])
    assert is_whole(desk.library)
    kept = desk.contents()
    assert {document for document, *_ in kept} < {f"文件{number:02}.md" for number in range(12)}
    desk.library.db.execute("PRAGMA max_page_count = 1000000")
    desk.ingest()
    assert [row for row in desk.contents() if row in kept] == kept
    assert everything(desk.library) == fresh_index(desk, tmp_path / "neu")


_CHILD = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from engine.errors import CodedError
from tests.desk import Desk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
desk = Desk(Path({place!r}))
try:
    desk.ingest()
except CodedError as error:
    print(error.code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of the size of a file are POSIX")
@pytest.mark.parametrize("limit", [160 << 10, 400 << 10])
def test_a_file_that_may_not_grow_is_the_same_as_a_full_disk(tmp_path: Path, limit: int) -> None:
    desk = Desk(tmp_path)
    write_documents(desk, 40)
    desk.library.close()
    script = _CHILD.format(root=str(ROOT), place=str(tmp_path), limit=limit)
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=120)
    assert child.stdout.split() == ["storage_failed"], child.stderr
    desk.library = Library(tmp_path / "库", dimension=64)
    assert is_whole(desk.library)
    desk.ingest()
    assert everything(desk.library) == fresh_index(desk, tmp_path / "neu")
    desk.library.close()


@contextmanager
def mounted(*options: str, at: Path) -> Iterator[None]:
    """A mount of its own; skips where the machine does not allow it."""
    allowed = sys.platform == "linux" and shutil.which("mount") is not None
    if not allowed or subprocess.run(["mount", *options, str(at)], capture_output=True).returncode:
        pytest.skip("nothing can be mounted on this machine")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    place = tmp_path / "盘"
    place.mkdir()
    with mounted("-t", "tmpfs", "-o", "size=600k", "tmpfs", at=place):
        desk = Desk(tmp_path, Library(place / "库", dimension=64))
        write_documents(desk, 60)
        with pytest.raises(StorageFailed):
            desk.ingest()
        assert is_whole(desk.library)
        kept = desk.contents()
        desk.library.close()
        desk.library = Library(place / "库", dimension=64)
        assert desk.contents() == kept
        desk.library.close()


# -- a home that cannot be written ------------------------------------------------------------------


@contextmanager
def read_only(place: Path) -> Iterator[None]:
    with mounted("--bind", str(place), at=place):
        subprocess.run(["mount", "-o", "remount,bind,ro", str(place)], check=True)
        yield


@pytest.mark.usefixtures("indexed")
def test_a_home_on_a_read_only_disk_is_searched_and_says_that_it_cannot_be_written(
    zhiye: Run,  # noqa: F811
    folder: Path,  # noqa: F811
    private_home: Path,
) -> None:
    expected = zhiye("search", QUESTION, "--json").record["hits"]
    with read_only(private_home):
        assert zhiye("search", QUESTION, "--json").record["hits"] == expected
        asked = zhiye("ask", QUESTION, "--no-model", "--json")
        assert asked.code == 0 and asked.record["answer"]
        assert "没有保存" in asked.err
        assert zhiye("status", "--json").record["libraries"][0]["counts"] == {"indexed": 3}
        for arguments in (["ingest", folder], ["sync"], ["libraries", "rename", "制度", "别的"]):
            shapes.check_error({"error": zhiye(*arguments, "--json").record["error"]}, "storage_failed")
        codes = {finding["code"] for finding in zhiye("doctor", "--repair", "--json").record["findings"]}
        assert {"home_read_only", "library_read_only"} <= codes
    assert zhiye("sync", "--json").code == 0


@pytest.fixture
def no_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system answers for files that may be read and not written."""
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK)


@pytest.mark.usefixtures("no_writing")
def test_a_library_that_may_not_be_written_is_opened_for_reading(desk: Desk) -> None:
    desk.write("一.md", "# 一\n\n保密期限为十年。")
    desk.ingest()
    place = Path(desk.library.file)
    found = desk.found("保密期限")
    desk.library.close()
    before = place.read_bytes()
    desk.library = Library(place.parent, dimension=64)
    assert is_read_only(desk.library.db)
    assert desk.found("保密期限") == found
    for write in (lambda: desk.library.set_meta("name", "别的"), desk.ingest):
        with pytest.raises(StorageFailed):
            write()
    assert place.read_bytes() == before


def test_where_no_file_can_be_made_beside_it_the_database_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite cannot read a database in WAL mode when it can make no -shm, unless it is told not to try."""
    file = tmp_path / "库.sqlite"
    db = connect(file)
    db.execute("CREATE TABLE words (word)")
    db.execute("INSERT INTO words VALUES ('保密')")
    db.close()
    opened = sqlite3.connect

    def on_a_read_only_disk(name: str, **options: object) -> sqlite3.Connection:
        if "immutable" in name:
            return opened(name, **options)  # type: ignore[call-overload]
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(database.sqlite3, "connect", on_a_read_only_disk)
    db = connect(file)
    assert is_read_only(db)
    assert db.execute("SELECT word FROM words").fetchall() == [("保密",)]
    db.close()
    # What stands in the log only would silently be missing.
    file.with_name("库.sqlite-wal").write_bytes(b"something")
    with pytest.raises(StorageFailed):
        connect(file)


@pytest.mark.usefixtures("no_writing")
def test_the_window_is_told_of_a_library_that_can_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", lambda self: fake)
    monkeypatch.setattr(Workspace, "dimension", 64)
    workspace = Workspace(Home(tmp_path / "家"), Settings())
    desk = Desk(tmp_path, workspace.libraries.for_writing("库"))
    desk.write("一.md", "# 一\n\n保密期限为十年。")
    desk.ingest()
    workspace.libraries.close()
    events = list(jobs.start(ListLibraries(1), workspace, CancelToken()))
    assert [event.code for event in events if isinstance(event, Notice)] == ["library_read_only"]
    assert isinstance(events[-1], LibrariesListed) and events[-1].libraries[0].chunks == 1
    workspace.close()


def test_an_answer_is_shown_though_it_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", lambda self: fake)
    monkeypatch.setattr(Workspace, "dimension", 64)
    workspace = Workspace(Home(tmp_path / "家"), Settings())
    desk = Desk(tmp_path, workspace.libraries.for_writing("库"))
    desk.write("一.md", "# 一\n\n保密期限为十年。")
    desk.ingest()
    workspace.home.history.mkdir()  # no file can be made where a folder is
    events = list(jobs.start(AskQuestion(1, "保密期限", use_model=False), workspace, CancelToken()))
    assert [event.code for event in events if isinstance(event, Notice)] == ["run_not_kept"]
    assert isinstance(events[-1], AnswerFinished)
    workspace.close()


# -- files that others hold (Windows) ---------------------------------------------------------------


def held(*_: object, **__: object) -> None:
    """What Windows answers for a file that another program has open without sharing it."""
    error = PermissionError(13, "The process cannot access the file because it is being used")
    error.winerror = 32
    raise error


def test_a_held_index_file_fails_the_save_and_the_library_stands(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_documents(desk, 3)
    with monkeypatch.context() as windows:
        windows.setattr("engine.index.replacing.os.replace", held)
        windows.setattr("engine.index.replacing.time.monotonic", iter(range(10_000)).__next__)
        with pytest.raises(StorageFailed):
            desk.ingest()
    assert {document for document, *_ in desk.contents()} == {f"文件{number:02}.md" for number in range(3)}
    assert desk.found("第1份文件")
    desk.ingest()
    assert desk.embedded == [] and desk.read == []
    assert Path(desk.library.file).with_name("index.faiss").exists()


def test_held_particulars_stop_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.index.replacing.os.replace", held)
    monkeypatch.setattr("engine.index.replacing.time.monotonic", iter(range(10_000)).__next__)
    particulars.note(desk.library)
    assert particulars.read(Path(desk.library.file).parent) is None


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Workspace, Path]]:
    """A workspace with a library whose first page is gone."""
    fake = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", lambda self: fake)
    monkeypatch.setattr(Workspace, "dimension", 64)
    monkeypatch.setattr(machine, "look_at", lambda workspace: iter(()))
    workspace = Workspace(Home(tmp_path / "家"), Settings())
    desk = Desk(tmp_path, workspace.libraries.for_writing("库"))
    write_documents(desk, 3)
    desk.ingest()
    particulars.note(desk.library)
    file = Path(desk.library.file)
    workspace.libraries.close()
    file.write_bytes(bytes(PAGE) + file.read_bytes()[PAGE:])
    yield workspace, file
    workspace.close()


def test_a_damaged_file_that_another_program_holds_is_not_exchanged(
    damaged: tuple[Workspace, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, file = damaged
    before = file.read_bytes()
    with monkeypatch.context() as windows:
        windows.setattr("engine.index.replacing.os.replace", held)
        windows.setattr("engine.index.replacing.time.monotonic", iter(range(10_000)).__next__)
        codes = {finding.code for finding in finish(checkup.mend(workspace)).findings}
    assert codes == {"storage_failed", "library_damaged"}
    assert file.read_bytes() == before
    report = finish(checkup.mend(workspace))
    assert all(finding.repaired for finding in report.findings)


def test_a_repair_on_a_disk_without_links_keeps_the_damaged_file_too(
    damaged: tuple[Workspace, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, file = damaged
    before = file.read_bytes()

    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    finish(checkup.mend(workspace))
    (aside,) = [path for path in file.parent.iterdir() if ".damaged-" in path.name]
    assert aside.read_bytes() == before
    assert workspace.libraries.names() == ["库"]


@pytest.mark.parametrize("after", ["link", "log"])
def test_a_repair_that_is_killed_while_it_exchanges_the_files_is_made_again(
    damaged: tuple[Workspace, Path], monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    workspace, file = damaged
    file.with_name("library.sqlite-wal").write_bytes(b"torn")

    def killed(source: Path, target: Path, *_: object) -> None:
        if after == "log" and target.name.endswith("-wal"):
            os.rename(source, target)  # noqa: PTH104
            return
        raise KeyboardInterrupt

    with monkeypatch.context() as program:
        program.setattr("engine.health.repair.replace", killed)
        with pytest.raises(KeyboardInterrupt):
            finish(checkup.mend(workspace))
    assert file.exists()
    assert all(finding.repaired for finding in finish(checkup.mend(workspace)).findings)
    assert len(workspace.libraries.open("库").folders()) == 1


# -- a file that breaks under the program -------------------------------------------------------------


@pytest.mark.parametrize(("table", "work"), [("pages", "sync"), ("chunks", "search"), ("documents", "sync")])
@pytest.mark.usefixtures("indexed")
def test_damage_in_the_middle_of_the_work_is_said_to_be_that(
    zhiye: Run,  # noqa: F811
    folder: Path,  # noqa: F811
    private_home: Path,
    table: str,
    work: str,
) -> None:
    file = next((private_home / "libraries").glob("*/library.sqlite"))
    with sqlite3.connect(file) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    db.close()
    with file.open("r+b") as raw:
        raw.seek((page - 1) * PAGE)
        raw.write(b"\xff" * PAGE)
    (folder / "保密.md").write_text("# 保密\n\n改过的内容。", encoding="utf-8")
    arguments = [QUESTION] if work == "search" else ["制度"]
    result = zhiye(work, *arguments, "--json")
    assert result.code == 4
    shapes.check_error(result.record, "library_damaged")
    assert "doctor --repair" in result.record["error"]["advice"]
    assert zhiye("doctor", "--repair", "--json").code in (0, 3)  # this machine may have no chat model
    assert zhiye("sync", "制度", "--json").record["counts"] == {"indexed": len(FILES)}
    assert zhiye("search", "改过的内容", "--json").record["hits"][0]["document"] == "保密.md"


def test_damage_found_while_writing_is_typed_and_the_transaction_over(desk: Desk) -> None:
    with pytest.raises(LibraryDamaged), desk.library.transaction():
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error
    assert not desk.library.db.in_transaction


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_CORRUPT, LibraryDamaged),
        (sqlite3.SQLITE_CORRUPT_VTAB, LibraryDamaged),
        (sqlite3.SQLITE_NOTADB, LibraryDamaged),
        (sqlite3.SQLITE_FULL, StorageFailed),
        (sqlite3.SQLITE_IOERR_WRITE, StorageFailed),
        (sqlite3.SQLITE_BUSY, StorageFailed),
        (sqlite3.SQLITE_READONLY, StorageFailed),
    ],
)
def test_what_sqlite_raises_is_damage_or_a_refusal_of_the_disk(code: int, kind: type[CodedError]) -> None:
    error = sqlite3.OperationalError("whatever SQLite says")
    error.sqlite_errorcode = code
    assert type(database.storage_error(error, "库")) is kind


def test_text_that_is_not_utf8_is_damage(desk: Desk) -> None:
    desk.library.db.execute("INSERT INTO meta VALUES ('odd', CAST(x'ff' AS TEXT))")
    with pytest.raises(sqlite3.OperationalError) as caught:
        desk.library.meta("odd")
    assert isinstance(database.storage_error(caught.value, "库"), LibraryDamaged)


def test_the_window_is_told_of_damage_and_not_of_something_internal(
    damaged: tuple[Workspace, Path],
) -> None:
    workspace, _ = damaged
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    found = jobs.failure(error, workspace)
    assert (found.code, found.params["path"]) == ("library_damaged", str(workspace.home.libraries))
    events = list(jobs.start(ListLibraries(1), workspace, CancelToken()))
    assert [event.code for event in events if isinstance(event, Notice)] == ["library_damaged"]
    assert isinstance(events[-1], LibrariesListed)

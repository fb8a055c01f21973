import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import drafts, shelf
from engine.backup import database_copies
from engine.backup import making as backup_module
from engine.backup import restoring as restore_module
from engine.backup.making import MANIFEST, PREFIX, back_up
from engine.backup.restoring import KEPT_ASIDE, restore
from engine.cancel import Cancelled, CancelToken
from engine.commands import BackUp, Restore
from engine.config import Settings
from engine.errors import BackupInvalid, BackupTooNew, CodedError, LibraryNameTaken, NoSpace, StorageFailed
from engine.events import BackedUp, Restored
from engine.index.library import Library
from engine.paths import Home
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder
from tests.indexed import put

Make = Callable[[str], Workspace]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """``make("家")`` opens a home of this name."""
    monkeypatch.setattr(Workspace, "dimension", 64)
    opened: list[Workspace] = []

    def open_home(name: str) -> Workspace:
        opened.append(Workspace(Home(tmp_path / name), Settings()))
        return opened[-1]

    yield open_home
    for workspace in opened:
        workspace.close()


@pytest.fixture
def ours(make: Make) -> Workspace:
    """A home with two libraries, one of which was renamed, and two runs."""
    workspace = make("家")
    for name in ("制度", "合同"):
        put(
            workspace.libraries.for_writing(name),
            f"{name}.txt",
            [f"{name}的第一条", f"{name}的第二条"],
            FakeEmbedder(),
        )
    workspace.libraries.rename("合同", "旧合同")
    for question in ("甲", "乙"):
        workspace.runs.save(question, False, "m", {"question": question}, [shelf.library_id("制度")])
    return workspace


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "移动硬盘" / "备份"


def make_backup(workspace: Workspace, place: Path) -> BackedUp:
    *steps, last = back_up(BackUp(3, place), workspace, CancelToken())
    assert isinstance(last, BackedUp)
    assert all(event is None or event.task_id == 3 for event in steps)
    return last


def bring_back(workspace: Workspace, folder: Path) -> Restored:
    *_, last = restore(Restore(4, folder), workspace, CancelToken())
    assert isinstance(last, Restored)
    return last


def contents(home: Home) -> dict[str, bytes]:
    """Every file of a home with its bytes."""
    return {
        str(path.relative_to(home.root)): path.read_bytes() for path in home.root.rglob("*") if path.is_file()
    }


def unchanged(workspace: Workspace, folder: Path, error: type[CodedError]) -> CodedError:
    """A restore fails and leaves everything in the home as it was."""
    workspace.libraries.names()
    before = contents(workspace.home)
    with pytest.raises(error) as caught:
        bring_back(workspace, folder)
    after = contents(workspace.home)
    assert after.keys() - {name for name in after if name.endswith("-shm")} <= before.keys()
    assert {name: data for name, data in after.items() if not name.endswith(("-shm", "-wal"))} == {
        name: data for name, data in before.items() if not name.endswith(("-shm", "-wal"))
    }
    return caught.value


def texts(library: Library) -> list[str]:
    return [stored.chunk.text for stored in library.all_chunks()]


# -- making -------------------------------------------------------------------------------------------


def test_a_backup_holds_libraries_and_runs_and_nothing_else(ours: Workspace, place: Path) -> None:
    ours.libraries.open("制度").checkpoint()  # index.faiss is there
    done = make_backup(ours, place)
    assert done.folder.parent == place and done.folder.name.startswith(PREFIX)
    ids = {shelf.library_id("制度"), shelf.library_id("合同")}
    files = {path.relative_to(done.folder).as_posix() for path in done.folder.rglob("*") if path.is_file()}
    assert files == {MANIFEST, "history.sqlite", *(f"libraries/{found}/library.sqlite" for found in ids)}
    manifest = json.loads((done.folder / MANIFEST).read_text(encoding="utf-8"))
    assert {(item["id"], item["name"]) for item in manifest["libraries"]} == {
        (shelf.library_id("制度"), "制度"),
        (shelf.library_id("合同"), "旧合同"),
    }
    assert set(done.libraries) == {"制度", "旧合同"} and done.left_out == ()
    assert done.size == sum(path.stat().st_size for path in done.folder.rglob("*.sqlite"))


def test_each_backup_is_a_folder_of_its_own(ours: Workspace, place: Path) -> None:
    first, second = make_backup(ours, place).folder, make_backup(ours, place).folder
    assert first != second and {first, second} == set(place.iterdir())


def test_what_is_written_meanwhile_does_no_harm(ours: Workspace, place: Path, make: Make) -> None:
    library = ours.libraries.open("制度")
    put(library, "多.txt", [f"第{number}条 " + "内容" * 200 for number in range(300)], FakeEmbedder())
    stop, written = threading.Event(), []
    writer = Library(library.folder, dimension=64)

    def write() -> None:
        while not stop.is_set():
            put(writer, f"{len(written)}.txt", ["又一条", "再一条"], FakeEmbedder())
            written.append(1)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while not written:
            pass
        done = make_backup(ours, place)
    finally:
        stop.set()
        thread.join()
        writer.close()
    there = make("新家")
    bring_back(there, done.folder)
    found = there.libraries.open("制度")
    whole = [len(file.report.path) and file.report.chunks for file in found.files()]
    assert set(whole) == {2, 300}
    assert found.generation == len(found.files())


def test_a_backup_that_was_interrupted_is_none(ours: Workspace, place: Path) -> None:
    token = CancelToken()
    steps = back_up(BackUp(1, place), ours, token)
    next(steps)
    token.cancel()
    with pytest.raises(Cancelled):
        list(steps)
    assert list(place.iterdir()) == []
    steps = back_up(BackUp(1, place), ours, CancelToken())
    next(steps)
    (draft,) = place.iterdir()
    with pytest.raises(BackupInvalid):
        bring_back(ours, place)
    assert draft.is_dir()  # that of somebody who is at work
    steps.close()
    assert list(place.iterdir()) == []


def test_what_a_killed_backup_left_goes_with_the_next(ours: Workspace, place: Path) -> None:
    left = place / ".draft-killed"
    (left / "backup").mkdir(parents=True)
    (left / "lock").touch()
    done = make_backup(ours, place)
    assert list(place.iterdir()) == [done.folder]


def test_a_damaged_library_is_left_out_and_named(ours: Workspace, place: Path, make: Make) -> None:
    ours.close()
    broken, torn = shelf.library_id("制度"), ours.home.libraries / ("0" * 12)
    file = ours.home.libraries / broken / "library.sqlite"
    data = bytearray(file.read_bytes())
    data[8192:12288] = bytes(4096)  # SQLite opens it and finds out later
    file.write_bytes(bytes(data))
    torn.mkdir()
    (torn / "library.sqlite").write_bytes(b"no database" * 100)
    done = make_backup(make("家"), place)
    assert done.libraries == ("旧合同",) and set(done.left_out) == {broken, torn.name}
    assert bring_back(make("新家"), place).libraries == ("旧合同",)


def test_a_full_disk_is_noticed_before(ours: Workspace, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(drafts.shutil, "disk_usage", lambda _: usage._replace(free=100))
    with pytest.raises(NoSpace) as caught:
        make_backup(ours, place)
    assert caught.value.params["needed_mb"] >= 1 and caught.value.params["free_mb"] == 0
    assert not place.exists()


def test_a_disk_that_fills_up_leaves_nothing(
    ours: Workspace, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageFailed(path=str(place), detail="database or disk is full")

    monkeypatch.setattr(backup_module, "copy_database", full)
    with pytest.raises(StorageFailed):
        make_backup(ours, place)
    assert list(place.iterdir()) == []


# -- bringing back ------------------------------------------------------------------------------------


def test_everything_comes_back_in_another_home(ours: Workspace, place: Path, make: Make) -> None:
    done = make_backup(ours, place)
    there = make("新家")
    restored = bring_back(there, place)
    assert (set(restored.libraries), restored.runs, restored.folder) == ({"制度", "旧合同"}, 2, done.folder)
    for name in ("制度", "旧合同"):
        ours_, theirs = ours.libraries.open(name), there.libraries.open(name)
        assert texts(theirs) == texts(ours_) != []
        assert theirs.folders() == ours_.folders()
        assert shelf.id_of(theirs) == shelf.id_of(ours_)
    assert [(run.question, run.asked_at) for run in there.runs.list()] == [
        (run.question, run.asked_at) for run in ours.runs.list()
    ]
    there.remove_library("制度")  # the runs know which library they quote
    assert there.runs.list() == []
    # A renamed library is known by its name even when it cannot be opened.
    folder = there.home.libraries / shelf.library_id("合同")
    assert shelf.closed_folder("旧合同", [folder]) == folder


def test_the_last_of_several_backups_is_taken(ours: Workspace, place: Path, make: Make) -> None:
    make_backup(ours, place)
    put(ours.libraries.for_writing("第三"), "a.txt", ["新的"], FakeEmbedder())
    last = make_backup(ours, place)
    there = make("新家")
    assert bring_back(there, place).folder == last.folder
    assert there.libraries.names() == sorted(["制度", "旧合同", "第三"])


def test_runs_are_kept_once(ours: Workspace, place: Path, make: Make) -> None:
    folder = make_backup(ours, place).folder
    there = make("新家")
    there.runs.save("丙", True, None, {"question": "丙"})
    assert bring_back(there, folder).runs == 2
    for name in there.libraries.names():
        there.libraries.remove(name, lambda _: None)
    assert bring_back(there, folder).runs == 0
    assert sorted(run.question for run in there.runs.list()) == ["丙", "乙", "甲"]


@pytest.mark.parametrize("name", ["制度", "旧合同"])
def test_a_name_that_is_taken_changes_nothing(ours: Workspace, place: Path, make: Make, name: str) -> None:
    folder = make_backup(ours, place).folder
    there = make("新家")
    put(there.libraries.for_writing("另一个"), "a.txt", ["不是它"], FakeEmbedder())
    there.libraries.rename("另一个", name)
    error = unchanged(there, folder, LibraryNameTaken)
    assert error.params == {"name": name}
    assert there.libraries.names() == [name]


def test_an_id_that_is_taken_changes_nothing(ours: Workspace, place: Path, make: Make) -> None:
    folder = make_backup(ours, place).folder
    there = make("新家")
    put(there.libraries.for_writing("制度"), "a.txt", ["不是它"], FakeEmbedder())
    there.libraries.rename("制度", "改了名")
    assert unchanged(there, folder, LibraryNameTaken).params == {"name": "制度"}


def test_a_damaged_library_gives_way_and_is_kept(ours: Workspace, place: Path, make: Make) -> None:
    make_backup(ours, place)
    ours.close()
    folder = ours.home.libraries / shelf.library_id("制度")
    (folder / "library.sqlite").write_bytes(b"broken" * 1000)
    again = make("家")
    again.libraries.remove("旧合同", lambda _: None)
    assert again.libraries.names() == [] and again.libraries.damaged
    restored = bring_back(again, place)
    assert again.libraries.names() == ["制度", "旧合同"] and again.libraries.damaged == {}
    (kept,) = restored.kept_aside
    assert kept.parent == again.home.root / KEPT_ASIDE
    assert (kept / "library.sqlite").read_bytes() == b"broken" * 1000


def test_a_library_of_a_newer_program_stays(ours: Workspace, place: Path, make: Make) -> None:
    make_backup(ours, place)
    ours.close()
    db = sqlite3.connect(ours.home.libraries / shelf.library_id("制度") / "library.sqlite")
    db.execute("PRAGMA user_version = 99")
    db.close()
    again = make("家")
    again.libraries.remove("旧合同", lambda _: None)
    assert again.libraries.names() == []
    assert unchanged(again, place, LibraryNameTaken).params == {"name": "制度"}


Spoil = Callable[[Path], Any]


def _edit(change: Callable[[dict[str, Any]], Any]) -> Spoil:
    def spoil(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        change(manifest)
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")

    return spoil


def _flip(folder: Path) -> None:
    file = next((folder / "libraries").rglob("*.sqlite"))
    data = bytearray(file.read_bytes())
    data[5000] ^= 1
    file.write_bytes(bytes(data))


def _hollow(folder: Path) -> None:
    """A database with a torn page, and a manifest that vouches for it."""
    file = sorted((folder / "libraries").rglob("*.sqlite"))[0]
    data = bytearray(file.read_bytes())
    data[8192:12288] = bytes(4096)
    file.write_bytes(bytes(data))
    digest = database_copies.sha256(file, CancelToken())

    def vouch(manifest: dict[str, Any]) -> None:
        for item in manifest["libraries"]:
            if item["id"] == file.parent.name:
                item["sha256"] = digest

    _edit(vouch)(folder)


SPOILT: dict[str, Spoil] = {
    "no manifest": lambda folder: (folder / MANIFEST).unlink(),
    "torn manifest": lambda folder: (folder / MANIFEST).write_bytes(b"{"),
    "a library is gone": lambda folder: shutil.rmtree(next((folder / "libraries").iterdir())),
    "the runs are gone": lambda folder: (folder / "history.sqlite").unlink(),
    "a bit is another": _flip,
    "a torn page": _hollow,
    "cut short": lambda folder: next((folder / "libraries").rglob("*.sqlite")).write_bytes(b"SQLite"),
    "id is a path": _edit(lambda manifest: manifest["libraries"][0].update(id="../../../etc")),
    "another name": _edit(lambda manifest: manifest["libraries"][0].update(name="别的")),
    "more": _edit(lambda manifest: manifest.update(more=1)),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_a_backup_that_is_not_whole_changes_nothing(
    ours: Workspace, place: Path, make: Make, spoil: Spoil
) -> None:
    folder = make_backup(ours, place).folder
    spoil(folder)
    there = make("新家")
    unchanged(there, folder, BackupInvalid)
    assert there.libraries.names() == []
    assert not list(there.home.libraries.iterdir())


@pytest.mark.parametrize(
    "spoil",
    [
        _edit(lambda manifest: manifest.update(format=2, program="9.0")),
        _edit(lambda manifest: manifest["libraries"][0].update(schema_version=99)),
        _edit(lambda manifest: manifest["history"].update(schema_version=99)),
    ],
)
def test_a_backup_of_a_newer_program_is_refused(
    ours: Workspace, place: Path, make: Make, spoil: Spoil
) -> None:
    folder = make_backup(ours, place).folder
    spoil(folder)
    unchanged(make("新家"), folder, BackupTooNew)


def test_a_library_of_the_first_release_is_brought_up_to_date(
    tmp_path: Path, make: Make, place: Path
) -> None:
    first = Path(__file__).parent / "index" / "fixtures" / "first_release" / "library.sqlite"
    workspace = make("家")
    db = sqlite3.connect(first)
    name = db.execute("SELECT value FROM meta WHERE key = 'name'").fetchone()[0]
    db.close()
    folder = workspace.home.libraries / shelf.library_id(name)
    folder.mkdir()
    shutil.copyfile(first, folder / "library.sqlite")
    done = make_backup(workspace, place)
    assert (
        json.loads((done.folder / MANIFEST).read_text(encoding="utf-8"))["libraries"][0]["schema_version"]
        == 1
    )
    there = make("新家")
    bring_back(there, place)
    assert there.libraries.names() == [name]
    assert texts(there.libraries.open(name))


def test_a_full_disk_changes_nothing(
    ours: Workspace, place: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_backup(ours, place).folder
    there = make("新家")
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(drafts.shutil, "disk_usage", lambda _: usage._replace(free=100))
    unchanged(there, folder, NoSpace)


def test_a_failure_halfway_undoes_what_was_done(
    ours: Workspace, place: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_backup(ours, place)
    ours.close()
    (ours.home.libraries / shelf.library_id("制度") / "library.sqlite").write_bytes(b"broken" * 1000)
    again = make("家")
    again.libraries.remove("旧合同", lambda _: None)
    real, moved = restore_module.settle, []

    def once(draft: Path, target: Path) -> None:
        if moved:
            raise StorageFailed(path=str(target), detail="gone")
        moved.append(target)
        real(draft, target)

    monkeypatch.setattr(restore_module, "settle", once)
    unchanged(again, place, StorageFailed)
    assert again.libraries.names() == [] and len(again.libraries.damaged) == 1

"""Libraries that change their names, and who writes to one."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import shelf
from engine.config import Settings
from engine.errors import (
    LibraryBusy,
    LibraryDamaged,
    LibraryNameTaken,
    LibraryUnknown,
    StorageFailed,
    WrongUse,
)
from engine.index.library import Library
from engine.paths import Home
from engine.shelf import WriteLock
from engine.workspace import Workspace
from tests.conftest import ROOT


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家 目录")


@pytest.fixture
def ours(home: Home) -> Iterator[Workspace]:
    made = Workspace(home, Settings())
    yield made
    made.close()


@pytest.fixture
def other(home: Home) -> Iterator[Workspace]:
    """Another process's view of the same home."""
    made = Workspace(home, Settings())
    yield made
    made.close()


def make(ours: Workspace, name: str) -> Path:
    folder = ours.libraries.for_writing(name).folder
    assert folder is not None
    return folder


def test_a_renamed_library_keeps_its_folder_and_is_found_by_its_new_name(
    ours: Workspace, other: Workspace
) -> None:
    folder = make(ours, "甲")
    ours.libraries.rename("甲", "乙/二")
    assert ours.libraries.names() == other.libraries.names() == ["乙/二"]
    assert ours.libraries.open("乙/二").folder == other.libraries.for_writing("乙/二").folder == folder
    for use in (ours.libraries.open, other.libraries.open, ours.remove_library):
        with pytest.raises(LibraryUnknown):
            use("甲")


def test_a_new_library_of_the_old_name_is_another_one(ours: Workspace, other: Workspace) -> None:
    first = make(ours, "甲")
    ours.libraries.rename("甲", "乙")
    second = make(ours, "甲")
    ours.libraries.rename("甲", "丙")
    third = make(other, "甲")
    assert len({first, second, third}) == 3
    assert ours.libraries.names() == other.libraries.names() == ["丙", "乙", "甲"]
    ours.remove_library("乙")
    assert [folder.exists() for folder in (first, second, third)] == [False, True, True]
    assert other.libraries.names() == ["丙", "甲"]
    other.remove_library("甲")
    assert [folder.exists() for folder in (second, third)] == [True, False]
    assert ours.libraries.names() == ["丙"]


def test_a_library_can_take_a_name_that_became_free(ours: Workspace) -> None:
    first = make(ours, "甲")
    ours.libraries.rename("甲", "乙")
    ours.libraries.rename("乙", "甲")
    assert ours.libraries.open("甲").folder == first


@pytest.mark.parametrize("name", ["甲", "乙"])
def test_a_name_that_is_taken_is_refused(ours: Workspace, name: str) -> None:
    make(ours, "甲")
    make(ours, "乙")
    with pytest.raises(LibraryNameTaken) as failure:
        ours.libraries.rename("甲", name)
    assert failure.value.params == {"name": name}
    assert ours.libraries.names() == ["乙", "甲"]


@pytest.mark.parametrize("name", ["", " \u3000", "\udcff"])
def test_a_name_that_is_none_is_refused(ours: Workspace, name: str) -> None:
    make(ours, "甲")
    with pytest.raises(WrongUse):
        ours.libraries.rename("甲", name)
    assert ours.libraries.names() == ["甲"]


def test_a_library_that_is_not_there_cannot_be_renamed(ours: Workspace) -> None:
    with pytest.raises(LibraryUnknown):
        ours.libraries.rename("甲", "乙")


def test_a_library_that_is_being_written_keeps_its_name(ours: Workspace, other: Workspace) -> None:
    make(ours, "甲")
    with WriteLock(ours.libraries.open("甲")), pytest.raises(LibraryBusy):
        other.libraries.rename("甲", "乙")
    assert other.libraries.names() == ["甲"]


def test_a_name_that_cannot_be_written_is_a_storage_error(ours: Workspace) -> None:
    (make(ours, "甲") / "name.part").mkdir()
    with pytest.raises(StorageFailed):
        ours.libraries.rename("甲", "乙")
    assert ours.libraries.names() == ["甲"]


def test_a_damaged_library_is_known_by_its_present_name_alone(ours: Workspace, home: Home) -> None:
    folder = make(ours, "甲")
    ours.libraries.rename("甲", "乙")
    ours.close()
    (folder / "library.sqlite").write_bytes(b"kein SQLite" * 500)

    later = Workspace(home, Settings())
    with pytest.raises(LibraryUnknown):
        later.remove_library("甲")
    assert make(later, "甲") != folder
    with pytest.raises(LibraryDamaged):
        later.libraries.open("乙")
    with pytest.raises(LibraryNameTaken):
        later.libraries.rename("甲", "乙")
    later.remove_library("乙")
    assert not folder.exists()
    assert later.libraries.names() == ["甲"]
    later.close()


def test_a_library_in_memory_can_be_renamed_and_is_never_busy() -> None:
    library = Library(None, dimension=4)
    shelf.rename(library, "甲")
    assert (library.name, shelf.is_busy(library)) == ("甲", False)
    assert shelf.id_of(library) == shelf.library_id("甲")
    library.close()


def test_a_removal_that_was_ended_in_the_middle_is_finished_at_the_next_start(
    ours: Workspace, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(ours, "甲")
    make(ours, "乙")
    with monkeypatch.context() as patch:

        def ends(path: Path, **_: object) -> None:
            (path / ".writing").unlink(missing_ok=True)
            raise OSError(5, "Input/output error")

        patch.setattr(shelf.shutil, "rmtree", ends)
        with pytest.raises(StorageFailed):
            ours.remove_library("甲")
    assert ours.libraries.names() == ["乙"]
    assert not folder.exists()
    assert len(list(home.libraries.iterdir())) == 2
    make(ours, "甲")
    ours.remove_library("甲")
    assert len(list(home.libraries.iterdir())) == 1
    (home.libraries / ".discarded-0123456789ab").mkdir()
    later = Workspace(home, Settings())
    assert later.libraries.names() == ["乙"]
    assert len(list(home.libraries.iterdir())) == 1
    later.close()


def test_an_open_library_that_breaks_does_not_take_the_others_with_it(ours: Workspace) -> None:
    make(ours, "甲")
    make(ours, "乙")
    ours.libraries.open("甲").db.execute("DROP TABLE meta")
    assert ours.libraries.names() == ["乙", "甲"]
    assert ours.libraries.open("乙").name == "乙"


# -- who writes -----------------------------------------------------------------------------------

HOLD = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_library_is_busy_while_another_process_writes(ours: Workspace) -> None:
    folder = make(ours, "甲")
    library = ours.libraries.open("甲")
    assert not shelf.is_busy(library)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder / ".writing")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as writer:
        assert writer.stdout is not None and writer.stdin is not None
        assert writer.stdout.readline().strip() == b"held"
        assert shelf.is_busy(library)
        with pytest.raises(LibraryBusy), WriteLock(library):
            pass
        writer.stdin.close()
        writer.wait(timeout=20)
    assert not shelf.is_busy(library)
    with WriteLock(library):
        assert shelf.is_busy(library)
    assert not shelf.is_busy(library)

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from engine import paths
from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.errors import HomeFixed, HomeTargetInvalid, LibraryBusy, NoSpace, StorageFailed
from engine.events import StepProgress
from engine.privacy import moving
from engine.privacy.messages import HomeMoved, MoveHome
from engine.shelf import WriteLock
from engine.workspace import Workspace
from tests.privacy.conftest import SENTINEL


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "大硬盘" / "知页 数据"


def moved(workspace: Workspace, target: Path) -> HomeMoved:
    *steps, last = moving.move(MoveHome(5, target), workspace, CancelToken())
    assert isinstance(last, HomeMoved)
    assert all(isinstance(step, StepProgress) and step.task_id == 5 for step in steps)
    done = [step.done for step in steps if isinstance(step, StepProgress)]
    assert done == sorted(done) and done[-1] <= 12
    return last


def restarted() -> Workspace:
    home = paths.home()
    moving.remove_left_behind(home)
    return Workspace(home, Settings())


def check_all(workspace: Workspace) -> None:
    assert workspace.libraries.names() == sorted(["制度", SENTINEL])
    for name in workspace.libraries.names():
        texts = [stored.chunk.text for stored in workspace.libraries.open(name).all_chunks()]
        assert sorted(texts) == sorted([f"第一条{SENTINEL}", "第二条"])
    assert [run.question for run in workspace.runs.list()] == [SENTINEL]
    assert workspace.settings.model_path is not None
    assert (workspace.home.models / "eigenes.gguf").read_bytes() == bytes(range(256)) * 40_000


def test_after_the_next_start_all_is_in_the_new_place_and_nothing_in_the_old(
    workspace: Workspace, settled: Path, target: Path
) -> None:
    told = moved(workspace, target)
    assert told.home == target
    assert settled.is_dir(), "in use until the program ends"
    workspace.close()
    after = restarted()
    assert after.home.root == target
    check_all(after)
    after.close()
    assert not settled.exists()
    assert paths.left_behind() is None


def test_it_can_move_back(workspace: Workspace, settled: Path, target: Path, tmp_path: Path) -> None:
    moved(workspace, target)
    workspace.close()
    there = restarted()
    moved(there, settled)
    there.close()
    back = restarted()
    assert back.home.root == settled
    check_all(back)
    back.close()
    assert not target.exists()
    assert not list((tmp_path / "config").glob("*")), "no note is left at the usual place"


@pytest.mark.parametrize("stop_at", ["copying", "settling", "switching"])
def test_an_end_in_the_middle_loses_nothing(
    stop_at: str, workspace: Workspace, settled: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCut(BaseException):
        pass

    def cut(*_: object) -> None:
        raise PowerCut

    steps = moving.move(MoveHome(5, target), workspace, CancelToken())
    if stop_at == "copying":
        next(steps)
        next(steps)
        steps.close()  # type: ignore[attr-defined]
    else:
        with monkeypatch.context() as patch:
            if stop_at == "settling":
                patch.setattr(moving.drafts, "settle", cut)
            else:
                patch.setattr(moving.paths, "note_place", cut)
            with pytest.raises(PowerCut):
                list(steps)
    workspace.close()
    again = restarted()
    assert again.home.root == settled
    check_all(again)
    if target.exists():
        shutil.rmtree(target)
    moved(again, target)
    again.close()
    assert [entry.name for entry in target.parent.iterdir()] == [target.name], "no draft is left"


def test_a_copy_that_differs_is_not_used(
    workspace: Workspace, settled: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving.os, "fsync", lambda handle: moving.os.truncate(handle, 1))
    with pytest.raises(StorageFailed):
        list(moving.move(MoveHome(5, target), workspace, CancelToken()))
    assert paths.home().root == settled
    assert not target.exists()


def test_being_stopped_leaves_nothing_behind(workspace: Workspace, settled: Path, target: Path) -> None:
    token = CancelToken()
    steps = moving.move(MoveHome(5, target), workspace, token)
    next(steps)
    token.cancel()
    with pytest.raises(Cancelled):
        list(steps)
    assert list(target.parent.iterdir()) == []
    check_all(workspace)


def test_a_full_disk_is_noticed_before(
    workspace: Workspace, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(1, 1, 1_000_000))
    with pytest.raises(NoSpace):
        list(moving.move(MoveHome(5, target), workspace, CancelToken()))
    assert not target.exists()


def test_places_that_cannot_be_are_refused(workspace: Workspace, settled: Path, tmp_path: Path) -> None:
    full = tmp_path / "voll"
    full.mkdir()
    (full / "x").write_bytes(b"")
    for place in (settled, settled / "inside", settled.parent, full):
        with pytest.raises(HomeTargetInvalid):
            list(moving.move(MoveHome(5, place), workspace, CancelToken()))


def test_a_library_that_is_being_written_is_not_copied(workspace: Workspace, target: Path) -> None:
    with WriteLock(workspace.libraries.open("制度")), pytest.raises(LibraryBusy):
        list(moving.move(MoveHome(5, target), workspace, CancelToken()))
    assert not target.exists()


def test_a_home_that_was_named_stays(
    workspace: Workspace, settled: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHIYE_HOME", str(settled))
    with pytest.raises(HomeFixed):
        list(moving.move(MoveHome(5, target), workspace, CancelToken()))


def test_a_disk_that_is_not_there_is_no_new_home(settled: Path, tmp_path: Path) -> None:
    paths.note_place(tmp_path / "U盘" / "数据")
    with pytest.raises(StorageFailed):
        paths.home().create()
    assert not (tmp_path / "U盘").exists()


@pytest.mark.parametrize("note", ["", "{", "[]", '{"home": 3}', '{"home": "relative"}'])
def test_a_damaged_note_means_the_usual_place(note: str, settled: Path, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "home.json").write_text(note, encoding="utf-8")
    assert paths.home().root == settled


def test_other_things_in_the_old_folder_stay_there(workspace: Workspace, settled: Path, target: Path) -> None:
    (settled / "论文.docx").write_bytes(b"x")
    moved(workspace, target)
    workspace.close()
    restarted().close()
    assert [entry.name for entry in settled.iterdir()] == ["论文.docx"]

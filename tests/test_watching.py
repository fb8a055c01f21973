"""The watcher of folders, with real files: what is named after a change, what is noticed without events."""

import ctypes
import errno
import logging
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from engine.watching import directory, shares, watcher
from engine.watching.bursts import MOST_EVENTS, Bursts
from engine.watching.directory import Place, WatchedDirectory
from engine.watching.watcher import FolderWatcher

PATIENCE_S = 20.0
FAST = {"quiet_s": 0.15, "longest_s": 1.0, "check_s": 0.15}

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the ways of inotify")


class Calls:
    """Keeps what was reported, and waits for it."""

    def __init__(self) -> None:
        self.made: list[tuple[str, frozenset[Path]]] = []
        self._changed = threading.Condition()

    def __call__(self, library: str, folders: frozenset[Path]) -> None:
        with self._changed:
            self.made.append((library, folders))
            self._changed.notify_all()

    def named(self, library: str = "库") -> set[Path]:
        return {folder for name, folders in self.made if name == library for folder in folders}

    def wait_until(self, is_enough: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(is_enough, PATIENCE_S), self.made

    def wait_for(self, *folders: Path, library: str = "库") -> None:
        """Until each of these has been named since the last look; forgets what was reported."""
        self.wait_until(lambda: set(folders) <= self.named(library))
        self.made.clear()


@pytest.fixture
def calls() -> Calls:
    return Calls()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "资料 一"
    made.mkdir()
    return made


@pytest.fixture
def watch(calls: Calls) -> Iterator[Callable[..., FolderWatcher]]:
    """Watches folders of 库, and returns when the watch stands."""
    made: list[FolderWatcher] = []

    def begin(*folders: Path, **options: Any) -> FolderWatcher:
        new = FolderWatcher(calls, **{**FAST, **options})
        made.append(new)
        new.watch({"库": folders})
        until(lambda: len(new._places) == len(folders) and not set(new._claims) - is_seen_to(new))
        return new

    yield begin
    for one in made:
        one.close()


def is_seen_to(new: FolderWatcher) -> set[Place]:
    return {*new._watched, *new._unwatchable}


def is_renewed(new: FolderWatcher, old: WatchedDirectory) -> bool:
    found = list(new._watched.values())
    return bool(found) and found != [old]


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


# -- what is named ----------------------------------------------------------------------------------


def test_an_edit_a_new_file_and_a_deletion_name_the_folder_they_are_in(watch, calls, folder):
    inside = folder / "子" / "深"
    inside.mkdir(parents=True)
    file = inside / "规定.md"
    watch(folder)
    for change in (
        lambda: file.write_text("一", encoding="utf-8"),
        lambda: file.write_text("二", encoding="utf-8"),
        file.unlink,
    ):
        change()
        calls.wait_until(lambda: bool(calls.made))
        assert calls.named() == {inside}
        calls.made.clear()


def test_a_move_names_both_folders_also_when_they_are_two_of_the_library(watch, calls, folder, tmp_path):
    other = tmp_path / "资料 二"
    other.mkdir()
    (folder / "甲").mkdir()
    file = folder / "甲" / "一.md"
    file.write_text("一", encoding="utf-8")
    watch(folder, other)
    file.rename(folder / "二.md")
    calls.wait_for(folder / "甲", folder)
    (folder / "二.md").rename(other / "二.md")
    calls.wait_for(folder, other)


def test_a_directory_that_comes_goes_or_gets_another_name_is_named_with_the_one_around_it(
    watch, calls, folder
):
    watch(folder)
    (folder / "甲").mkdir()
    calls.wait_for(folder, folder / "甲")
    (folder / "甲").rename(folder / "乙")
    calls.wait_for(folder, folder / "甲", folder / "乙")
    (folder / "乙").rmdir()
    calls.wait_for(folder, folder / "乙")


def test_what_is_written_below_a_new_directory_is_heard(watch, calls, folder):
    watch(folder)
    deep = folder / "甲" / "乙" / "丙"
    deep.mkdir(parents=True)
    calls.wait_for(folder, folder / "甲")
    (deep / "一.md").write_text("一", encoding="utf-8")
    calls.wait_for(deep)


def test_a_tree_that_is_moved_here_is_watched_and_one_that_leaves_is_not(watch, calls, folder, tmp_path):
    outside = tmp_path / "外"
    (outside / "深").mkdir(parents=True)
    new = watch(folder)
    (first,) = new._watched.values()
    outside.rename(folder / "入")
    calls.wait_for(folder, folder / "入")
    until(lambda: not sys.platform.startswith("linux") or is_renewed(new, first))
    (folder / "入" / "深" / "一.md").write_text("一", encoding="utf-8")
    calls.wait_for(folder / "入" / "深")
    (second,) = new._watched.values()
    (folder / "入").rename(outside)
    calls.wait_for(folder, folder / "入")
    until(lambda: not sys.platform.startswith("linux") or is_renewed(new, second))
    until(lambda: not new._outgoing)
    calls.made.clear()
    (outside / "深" / "二.md").write_text("二", encoding="utf-8")
    (folder / "三.md").write_text("三", encoding="utf-8")
    calls.wait_until(lambda: bool(calls.made))
    assert calls.named() == {folder}


def test_reading_a_document_is_no_change(watch, calls, folder):
    (folder / "读").mkdir()
    (folder / "写").mkdir()
    file = folder / "读" / "一.md"
    file.write_text("一", encoding="utf-8")
    watch(folder)
    for _ in range(50):
        file.read_bytes()
    list(folder.rglob("*"))
    (folder / "写" / "二.md").write_text("二", encoding="utf-8")
    calls.wait_until(lambda: bool(calls.made))
    assert calls.named() == {folder / "写"}


def test_five_hundred_changed_files_are_few_calls_that_name_the_whole_folder(watch, calls, folder):
    deep = folder / "子"
    deep.mkdir()
    watch(folder)
    for number in range(500):
        (deep / f"{number}.md").write_text("一", encoding="utf-8")
    calls.wait_until(lambda: folder in calls.named())
    assert len(calls.made) <= 3


def test_each_library_hears_of_its_own_folders_by_its_own_names(watch, calls, folder, tmp_path):
    link = tmp_path / "捷径"
    link.symlink_to(folder, target_is_directory=True)
    new = watch(folder)
    new.watch({"库": [folder], "另一个": [link]})
    until(lambda: len(new._places) == 2)
    (folder / "一.md").write_text("一", encoding="utf-8")
    calls.wait_until(lambda: bool(calls.named("库") and calls.named("另一个")))
    assert (calls.named("库"), calls.named("另一个")) == ({folder}, {link})


def test_a_folder_that_is_not_wanted_any_more_is_not_watched(watch, calls, folder, tmp_path):
    other = tmp_path / "资料 二"
    other.mkdir()
    new = watch(folder, other)
    new.watch({"库": [other]})
    until(lambda: list(new._watched) == [Place(other.resolve(), True)])
    (folder / "一.md").write_text("一", encoding="utf-8")
    (other / "二.md").write_text("二", encoding="utf-8")
    calls.wait_until(lambda: bool(calls.made))
    assert calls.named() == {other}


def test_a_single_file_is_named_for_its_own_changes_only(watch, calls, folder):
    file = folder / "一.md"
    file.write_text("一", encoding="utf-8")
    watch(file)
    (folder / "邻居.md").write_text("二", encoding="utf-8")
    (folder / "草稿.md").write_text("三", encoding="utf-8")
    (folder / "草稿.md").replace(file)  # how editors save
    calls.wait_until(lambda: bool(calls.made))
    assert calls.named() == {file}
    calls.made.clear()
    file.unlink()
    calls.wait_for(file)
    file.write_text("四", encoding="utf-8")
    calls.wait_for(file)


def test_what_the_program_writes_itself_is_no_change(watch, calls, folder):
    own = folder / ".知页"
    own.mkdir()
    watch(folder, ignored=(own,))
    (own / "library.sqlite").write_bytes(b"1")
    (folder / "子").mkdir()
    calls.wait_until(lambda: bool(calls.made))
    assert calls.named() == {folder, folder / "子"}


# -- what no event tells ----------------------------------------------------------------------------


def test_a_folder_that_goes_and_comes_back_is_named_whole_and_watched_again(watch, calls, folder):
    new = watch(folder)
    shutil.rmtree(folder)
    calls.wait_for(folder)
    until(lambda: not new._watched)
    folder.mkdir()
    (folder / "子").mkdir()
    calls.wait_for(folder)
    until(lambda: bool(new._watched))
    (folder / "子" / "一.md").write_text("一", encoding="utf-8")
    calls.wait_for(folder / "子")


def test_another_directory_of_the_same_name_is_noticed(watch, calls, folder, tmp_path):
    """Renaming the root gives no event: inotify would go on with the old one."""
    (tmp_path / "新" / "子").mkdir(parents=True)
    watch(folder)
    folder.rename(tmp_path / "旧")
    (tmp_path / "新").rename(folder)
    calls.wait_for(folder)
    (folder / "子" / "一.md").write_text("一", encoding="utf-8")
    calls.wait_for(folder / "子")


def test_a_folder_that_is_away_at_first_is_named_when_it_comes(watch, calls, folder, tmp_path):
    stick = tmp_path / "移动硬盘"
    watch(folder, stick)
    (tmp_path / "内容").mkdir()
    (tmp_path / "内容" / "一.md").write_text("一", encoding="utf-8")
    (tmp_path / "内容").rename(stick)
    calls.wait_for(stick)


def test_a_folder_that_is_there_at_first_is_not_named(watch, calls, folder):
    (folder / "一.md").write_text("一", encoding="utf-8")
    watch(folder)
    (folder / "子").mkdir()
    calls.wait_until(lambda: bool(calls.made))
    assert calls.named() == {folder, folder / "子"}
    assert len(calls.made) <= 2


def test_a_folder_that_took_long_to_be_watched_is_named(watch, calls, folder, monkeypatch):
    monkeypatch.setattr(watcher, "LATE_S", -1.0)
    watch(folder)
    calls.wait_for(folder)


@linux
def test_without_watches_left_the_folder_is_named_now_and_then(watch, calls, folder, monkeypatch, caplog):
    refuse(monkeypatch, errno.ENOSPC)
    with caplog.at_level(logging.WARNING):
        watch(folder, rescan_s=0.3)
        calls.wait_for(folder)
        calls.wait_for(folder)
    assert caplog.text.count("watch limit reached") == 1
    assert "looked through every" in caplog.text


@linux
def test_a_directory_without_rights_does_not_keep_the_others_from_being_watched(
    watch, calls, folder, monkeypatch
):
    (folder / "禁").mkdir(mode=0)
    (folder / "子").mkdir()
    refuse(monkeypatch, errno.EACCES, "禁")
    watch(folder)
    (folder / "子" / "一.md").write_text("一", encoding="utf-8")
    calls.wait_for(folder / "子")
    (folder / "禁").chmod(0o700)


def test_a_network_share_is_watched_and_also_looked_through(watch, calls, folder, monkeypatch):
    monkeypatch.setattr(watcher, "is_share", lambda path: True)
    watch(folder, rescan_s=0.3)
    calls.wait_for(folder)
    (folder / "子").mkdir()
    calls.wait_for(folder / "子")


@linux
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_of_watchdog_s_that_died_is_replaced_and_the_folder_named(watch, calls, folder):
    new = watch(folder)
    (watched,) = new._watched.values()
    (emitter,) = watched._observer.emitters

    def die() -> list[object]:
        raise KeyError("a directory that vanished while it was listed")

    emitter._inotify._inotify.read_events = die
    (folder / "一.md").write_text("一", encoding="utf-8")  # lets the thread come round
    until(lambda: is_renewed(new, watched))
    calls.wait_for(folder)
    (folder / "子").mkdir()
    calls.wait_for(folder / "子")


def test_a_share_is_known_by_the_file_system_it_is_mounted_with(monkeypatch, tmp_path):
    mounts = [
        SimpleNamespace(mountpoint=str(tmp_path.anchor), fstype="ext4", opts="rw"),
        SimpleNamespace(mountpoint=str(tmp_path / "共享"), fstype="cifs", opts="rw"),
        SimpleNamespace(mountpoint=str(tmp_path / "盘"), fstype="NTFS", opts="rw,remote"),
        SimpleNamespace(mountpoint=str(tmp_path / "共享" / "本地"), fstype="ext4", opts="rw"),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: mounts)
    found = [shares.is_share(tmp_path / name) for name in ("共享/一", "盘", "共享/本地/二", "别处", "共享二")]
    assert found == [True, True, False, False, False]


# -- the end ----------------------------------------------------------------------------------------


@linux
def test_it_closes_at_once_says_nothing_more_and_leaves_nothing_open(calls, folder):
    before = set(Path("/proc/self/fd").iterdir())
    new = FolderWatcher(calls, **FAST)
    new.watch({"库": [folder]})
    until(lambda: bool(new._watched))
    begun = time.monotonic()
    (folder / "一.md").write_text("一", encoding="utf-8")
    new.close()
    assert time.monotonic() - begun < 1.0
    assert calls.made == []
    assert set(Path("/proc/self/fd").iterdir()) <= before


def test_a_folder_that_does_not_answer_holds_nothing_up(calls, folder, monkeypatch):
    """A dead network share keeps whoever asks about it waiting for minutes."""
    answered = threading.Event()
    monkeypatch.setattr(watcher, "_place_of", lambda folder: answered.wait(PATIENCE_S) and None)
    new = FolderWatcher(calls, **FAST)
    begun = time.monotonic()
    new.watch({"库": [folder]})
    assert time.monotonic() - begun < 0.5
    new.close()
    assert time.monotonic() - begun < 3.0
    answered.set()


# -- bursts -----------------------------------------------------------------------------------------


def test_a_call_comes_at_last_also_when_changes_never_end(calls, folder):
    bursts = Bursts(calls, quiet_s=60, longest_s=0.2)
    end = time.monotonic() + PATIENCE_S
    while not calls.made and time.monotonic() < end:
        bursts.add("库", folder, {folder / "子"})
    bursts.close(1)
    assert calls.made and calls.made[0][0] == "库"


def test_libraries_do_not_wait_for_each_other(calls, folder):
    bursts = Bursts(calls, quiet_s=0.1, longest_s=60)
    bursts.add("静", folder, {folder})
    end = time.monotonic() + PATIENCE_S
    while not calls.named("静") and time.monotonic() < end:
        bursts.add("闹", folder, {folder})
    bursts.close(1)
    assert [library for library, _ in calls.made] == ["静"]


def test_the_whole_folder_is_named_when_there_were_too_many_events_to_be_sure(calls, folder, tmp_path):
    bursts = Bursts(calls, quiet_s=0.1, longest_s=60)
    for number in range(MOST_EVENTS + 1):
        bursts.add("库", folder, {folder / str(number)})
    bursts.add("库", tmp_path, {tmp_path / "子"})
    calls.wait_until(lambda: bool(calls.made))
    bursts.close(1)
    assert calls.named() == {folder, tmp_path / "子"}


def test_a_call_that_fails_does_not_end_the_calls(folder):
    seen: list[str] = []
    told = threading.Event()

    def fail_once(library: str, folders: frozenset[Path]) -> None:
        seen.append(library)
        told.set()
        if library == "甲":
            raise RuntimeError("the window is gone")

    bursts = Bursts(fail_once, quiet_s=0.01, longest_s=1)
    for library in ("甲", "乙"):
        told.clear()
        bursts.add(library, folder, {folder})
        assert told.wait(PATIENCE_S)
    bursts.close(1)
    assert seen == ["甲", "乙"]


def refuse(monkeypatch: pytest.MonkeyPatch, reason: int, name: str = "") -> None:
    """Let the operating system refuse watches (of directories of this name)."""
    from watchdog.observers import inotify_c

    real = inotify_c.inotify_add_watch

    def add_watch(descriptor: int, path: bytes, mask: int) -> int:
        if not os.fsdecode(path).endswith(name):
            return int(real(descriptor, path, mask))
        ctypes.set_errno(reason)
        return -1

    monkeypatch.setattr(inotify_c, "inotify_add_watch", add_watch)


def test_a_directory_that_cannot_be_watched_says_so_at_once(tmp_path):
    with pytest.raises(OSError):
        WatchedDirectory(Place(tmp_path / "没有", True), lambda paths, directories: None)
    assert directory.Place(tmp_path / "没有", True).identity() is None

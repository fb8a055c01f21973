import ctypes
import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import native


@pytest.mark.parametrize(("cores", "expected"), [(1, 1), (2, 2), (3, 3), (4, 3), (8, 7), (64, 63)])
def test_one_core_is_left_free_from_four_on(
    monkeypatch: pytest.MonkeyPatch, cores: int, expected: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)), raising=False)
    monkeypatch.setattr(native.psutil, "cpu_count", lambda logical: cores)
    assert native.thread_count() == native.thread_count(cores=cores) == expected


def test_a_machine_that_does_not_say_how_many_cores_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native.psutil, "cpu_count", lambda logical: None)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert native.thread_count() == 1


def test_only_the_cores_of_this_process_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 5}, raising=False)
    assert native.thread_count(cores=16) == 2
    assert native.thread_count(999, cores=16) == 2


@pytest.mark.parametrize(("wanted", "expected"), [(0, 1), (-3, 1), (1, 1), (4, 4), (8, 8), (999, 8)])
def test_a_wish_is_clamped_to_the_machine(
    monkeypatch: pytest.MonkeyPatch, wanted: int, expected: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    assert native.thread_count(wanted, cores=8) == expected


def test_nothing_is_preloaded_outside_windows() -> None:
    assert native.preload("linux") == native.preload("darwin") == []


def test_torchs_libraries_are_loaded_in_order_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "程序 文件" / "torch" / "lib"
    folder.mkdir(parents=True)
    for name in ("c10.dll", "libiomp5md.dll", "other.dll"):
        (folder / name).write_bytes(b"")
    loaded = []
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: SimpleNamespace(origin=str(folder.parent / "__init__.py"))
    )
    monkeypatch.setattr(ctypes, "CDLL", loaded.append)
    assert native.preload("win32") == ["libiomp5md.dll", "c10.dll"]
    assert loaded == [str(folder / "libiomp5md.dll"), str(folder / "c10.dll")]


def test_windows_without_torch_starts_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert native.preload("win32") == []


def test_torch_comes_before_faiss_and_neither_shows_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    order = []
    torch = SimpleNamespace(set_num_threads=lambda count: order.append(("torch", count)))
    faiss = SimpleNamespace(omp_set_num_threads=lambda count: order.append(("faiss", count)))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "faiss", faiss)
    for name in ("OMP_NUM_THREADS", "KMP_BLOCKTIME", "TQDM_DISABLE", "HF_HUB_DISABLE_PROGRESS_BARS"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    assert native.faiss(2) is faiss
    assert order == [("torch", 2), ("faiss", 1 if sys.platform == "darwin" else 2)]
    assert os.environ["TQDM_DISABLE"] == os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] == "1"
    assert (os.environ["OMP_NUM_THREADS"], os.environ["KMP_BLOCKTIME"]) == ("2", "0")


def test_free_memory_is_a_number_of_bytes() -> None:
    assert native.free_memory() > 1 << 20


def test_libraries_that_are_loaded_take_another_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(native, "torch", lambda threads: told.append(("torch", threads)))
    monkeypatch.setattr(native, "faiss", lambda threads: told.append(("faiss", threads)))
    monkeypatch.setattr(native, "sys", SimpleNamespace(modules={"faiss": object()}))
    native.limit_threads(3)
    assert told == [("faiss", 3)], "what nobody needs yet is not loaded for it"


def test_threads_that_wait_sleep_in_what_is_loaded_and_the_environment_is_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    with native._patient_threads():
        assert os.environ["GOMP_SPINCOUNT"] == "1000"
    assert "GOMP_SPINCOUNT" not in os.environ
    monkeypatch.setenv("GOMP_SPINCOUNT", "50")
    with native._patient_threads():
        assert os.environ["GOMP_SPINCOUNT"] == "50", "somebody's own choice stays"
    assert os.environ["GOMP_SPINCOUNT"] == "50"


class _Libc:
    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def mallopt(self, name: int, value: int) -> int:
        self.asked.append((name, value))
        return 1


@pytest.mark.parametrize(("platform", "names"), [("linux", [-1, -3]), ("win32", []), ("darwin", [])])
def test_glibc_keeps_the_memory_that_a_forward_pass_drops(
    monkeypatch: pytest.MonkeyPatch, platform: str, names: list[int]
) -> None:
    libc = _Libc()
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: libc)
    native.keep_freed_memory()
    assert [name for name, _ in libc.asked] == names
    assert all(value == 64 << 20 for _, value in libc.asked)


def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    native.keep_freed_memory()

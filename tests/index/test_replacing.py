import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.errors import StorageFailed
from engine.index import replacing as replacing_module
from engine.index.replacing import write_file


class Disk:
    """``os.replace`` that fails as told, and a clock that only sleeping moves."""

    def __init__(self, *errors: OSError | None, always: OSError | None = None) -> None:
        self.errors, self.always = list(errors), always
        self.now = 0.0
        self.calls = 0

    def replace(self, source: Path, target: Path) -> None:
        self.calls += 1
        error = self.errors.pop(0) if self.errors else self.always
        if error is not None:
            raise error
        os.rename(source, target)  # noqa: PTH104

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Disk]:
    def install(*errors: OSError | None, always: OSError | None = None) -> Disk:
        made = Disk(*errors, always=always)
        monkeypatch.setattr(replacing_module.os, "replace", made.replace)
        monkeypatch.setattr(
            replacing_module, "time", SimpleNamespace(monotonic=lambda: made.now, sleep=made.sleep)
        )
        return made

    return install


def blocked(winerror: int) -> PermissionError:
    error = PermissionError(13, "拒绝访问")
    error.winerror = winerror
    return error


def test_a_file_held_for_a_moment_is_replaced_in_the_end(tmp_path: Path, disk: Callable[..., Disk]) -> None:
    made = disk(blocked(5), blocked(32))
    write_file(tmp_path / "index.faiss", b"new")
    assert (tmp_path / "index.faiss").read_bytes() == b"new"
    assert made.calls == 3
    assert [path.name for path in tmp_path.iterdir()] == ["index.faiss"]


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_a_file_held_for_good_is_an_honest_error(
    tmp_path: Path, disk: Callable[..., Disk], winerror: int
) -> None:
    file = tmp_path / "index.faiss"
    file.write_bytes(b"old")
    made = disk(always=blocked(winerror))
    begun = time.monotonic()
    with pytest.raises(StorageFailed) as caught:
        write_file(file, b"new")
    assert time.monotonic() - begun < 5
    assert 2 <= made.now < 3
    assert caught.value.params == {"path": str(file), "detail": "拒绝访问"}
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["index.faiss"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "no")])
def test_other_errors_are_not_waited_for(tmp_path: Path, disk: Callable[..., Disk], error: OSError) -> None:
    made = disk(always=error)
    with pytest.raises(StorageFailed):
        write_file(tmp_path / "index.faiss", b"new")
    assert (made.calls, made.now) == (1, 0)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_writers_leftover_goes_with_the_next_good_save(tmp_path: Path) -> None:
    (tmp_path / ".index.faiss.99999.tmp").write_bytes(b"half")
    (tmp_path / ".other.99999.tmp").write_bytes(b"not ours")
    write_file(tmp_path / "index.faiss", b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.99999.tmp", "index.faiss"]


def test_a_place_that_cannot_be_written_is_an_honest_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        write_file(tmp_path / "file" / "index.faiss", b"new")

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from engine.cancel import CancelToken
from engine.config import Settings
from engine.intake.messages import ReadDone, ReadFile
from engine.intake.pool import ParsingPool, default_size


@pytest.fixture
def pool() -> Iterator[ParsingPool]:
    settings = Settings(file_timeout_s=1.5, readers=2, file_memory_mb=300)
    with ParsingPool(settings, reader="tests.intake.reader_double") as made:
        yield made


def ask(pool: ParsingPool, name: str) -> Iterator[object]:
    return pool.answer(ReadFile(Path(name), "hash"), CancelToken())


def end(messages: Iterator[object]) -> ReadDone:
    last = [message for message in messages if message is not None][-1]
    assert isinstance(last, ReadDone)
    return last


@pytest.mark.parametrize(("cores", "size"), [(1, 1), (2, 1), (3, 1), (4, 2), (8, 4), (32, 4)])
def test_a_small_machine_reads_one_file_at_a_time(cores: int, size: int) -> None:
    assert default_size(cores) == size


def test_two_files_are_read_at_once(pool: ParsingPool) -> None:
    assert pool.at_once == 2
    first, second = ask(pool, "a.md"), ask(pool, "b.md")
    reasons = [end(messages).reason for messages in (second, first)]
    assert None not in reasons
    pids = {reason.params["pid"] for reason in reasons if reason is not None}
    assert len(pids) == 2


def test_a_crash_of_one_leaves_the_other_alone(pool: ParsingPool) -> None:
    first, second = ask(pool, "毒.pdf"), ask(pool, "好.md")
    assert end(first).state == "set_aside"
    assert end(second).state == "indexed"
    assert end(ask(pool, "好.md")).state == "indexed"


def test_memory_ends_a_file_also_while_nobody_listens(pool: ParsingPool) -> None:
    ahead = ask(pool, "大.pdf")
    assert end(ask(pool, "慢.pdf")).state == "indexed"
    done = end(ahead)
    assert (done.state, done.reason and done.reason.code) == ("over_budget", "out_of_memory")
    assert end(ask(pool, "好.md")).state == "indexed"


def test_a_paused_child_stands_still_and_is_not_taken_for_slow(pool: ParsingPool) -> None:
    messages = ask(pool, "慢.pdf")
    while next(messages) is None:
        pass
    pool.pause()
    (pid,) = [process.pid for process in pool._processes if process.pid is not None]
    deadline = time.monotonic() + 5
    while psutil.Process(pid).status() != psutil.STATUS_STOPPED and time.monotonic() < deadline:
        time.sleep(0.01)
    used = psutil.Process(pid).cpu_times().user
    time.sleep(2)  # longer than the silence that is allowed
    assert psutil.Process(pid).cpu_times().user == used
    pool.resume()
    assert end(messages).state == "indexed"


def test_closing_while_paused_leaves_no_child(pool: ParsingPool) -> None:
    messages = ask(pool, "死循环.pdf")
    while next(messages) is None:
        pass
    pool.pause()
    pids = [process.pid for process in pool._processes if process.pid is not None]
    pool.close()
    assert not [pid for pid in pids if psutil.pid_exists(pid)]


def test_children_give_way_to_everything_else(pool: ParsingPool) -> None:
    reason = end(ask(pool, "a.md")).reason
    assert reason is not None
    assert psutil.Process(reason.params["pid"]).nice() != psutil.Process().nice()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system ends the child on Linux only")
def test_a_paused_child_does_not_outlive_a_parent_that_crashes() -> None:
    crashing = """
import os
from tests.intake.test_pool import CancelToken, ParsingPool, Path, ReadFile, Settings
if __name__ == "__main__":
    pool = ParsingPool(Settings(readers=1), reader="tests.intake.reader_double")
    messages = pool.answer(ReadFile(Path("死循环.pdf"), "hash"), CancelToken())
    while next(messages) is None:
        pass
    pool.pause()
    print(pool._processes[0].pid, flush=True)
    os._exit(1)
"""
    parent = subprocess.run([sys.executable, "-c", crashing], stdout=subprocess.PIPE, timeout=60, check=False)
    child = int(parent.stdout)
    deadline = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(child)


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

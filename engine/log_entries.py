"""The log as entries, for people who look into it."""

import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.logs import FILE

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
"""From the least to the most important."""

MOST = 5000
"""Entries that are read, the newest ones."""

_HEAD = re.compile(
    r"^(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d{3} (?P<level>[A-Z]+) (?P<source>[\w.]+): (?P<text>.*)$"
)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """``at`` is local time as it stands in the file; ``text`` may have several lines."""

    at: str
    level: str
    source: str
    text: str

    def is_at_least(self, level: str) -> bool:
        """Whether it is as important as ``level``; one of a level that nobody knows always is."""
        return self.level not in LEVELS or LEVELS.index(self.level) >= LEVELS.index(level)

    def says(self, words: str) -> bool:
        """Whether all words stand in it, in capitals or not."""
        whole = f"{self.source} {self.text}".casefold()
        return all(word in whole for word in words.casefold().split())

    def __str__(self) -> str:
        return f"{self.at} {self.level} {self.source}: {self.text}"


def read(folder: Path) -> list[LogEntry]:
    """The last ``MOST`` entries of the log and of the files it was before, the oldest first."""
    entries: deque[LogEntry] = deque(maxlen=MOST)
    for file in (folder / f"{FILE}.2", folder / f"{FILE}.1", folder / FILE):
        with suppress(OSError):
            entries.extend(_entries(file.read_text(encoding="utf-8", errors="replace")))
    return list(entries)


def _entries(text: str) -> Iterator[LogEntry]:
    head: dict[str, str] | None = None
    lines: list[str] = []
    for line in text.split("\n"):
        if found := _HEAD.match(line):
            if head is not None:
                yield LogEntry(**head, text="\n".join(lines).rstrip())
            head = found.groupdict()
            lines = [head.pop("text")]
        elif head is not None:
            lines.append(line)
    if head is not None:
        yield LogEntry(**head, text="\n".join(lines).rstrip())

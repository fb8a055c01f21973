"""What changed since the last report in the same folder."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GROUPS = ("retrieval", "gate", "answers")

_LOWER_IS_BETTER = frozenset({"refused_answerable", "unsupported_shown"})

_EVEN = 5e-5
"""Figures have four decimals."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last report; ``other_setup`` names what it was made with that is different now."""

    record: Mapping[str, Any]
    other_setup: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """That unlike runs are compared, for people."""
        names = ", ".join(self.other_setup)
        return f"The last report was of other sets or settings ({names}): its figures compare badly."


def read_last(file: Path, setup: Mapping[str, Any]) -> Last | None:
    """The record of the last report; None where there is none or it is no record."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or not all(isinstance(record.get(g), dict | None) for g in GROUPS):
        return None
    before = record.get("setup")
    before = before if isinstance(before, dict) else {}
    differing = [key for key in sorted({*before, *setup}) if before.get(key) != setup.get(key)]
    return Last(record, tuple(differing))


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its value, and by how much it is more than in the last report (None where unknown)."""

    group: str
    name: str
    value: float | None
    change: float | None = None

    @property
    def shown(self) -> str:
        """The value for people."""
        return "–" if self.value is None else f"{self.value:.4f}"

    @property
    def arrow(self) -> str:
        """↑ or ↓ in the direction of the number, → for none; nothing where there is no last figure."""
        if self.change is None:
            return ""
        return "→" if abs(self.change) < _EVEN else "↑" if self.change > 0 else "↓"

    @property
    def difference(self) -> str:
        """Arrow and difference; empty where there is no last figure."""
        return "" if self.change is None else f"{self.arrow} {self.change:+.4f}"

    @property
    def is_better(self) -> bool | None:
        """Whether the change is for the better; None without a change."""
        if self.change is None or abs(self.change) < _EVEN:
            return None
        return (self.change > 0) != (self.name in _LOWER_IS_BETTER)


def figures(record: Mapping[str, Any], last: Last | None = None) -> Iterator[Figure]:
    """All numbers of a record, group by group, each against its last value."""
    for group in GROUPS:
        before = (last.record.get(group) if last else None) or {}
        for name, value in (record.get(group) or {}).items():
            if isinstance(value, list | dict):
                continue
            earlier = before.get(name)
            known = isinstance(value, int | float) and isinstance(earlier, int | float)
            yield Figure(group, name, value, value - earlier if known else None)

"""Sums over the cells of a table, by code: those that measure one thing are added, each addend with its
citation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from engine.answer.grounding.claims.quantities import Quantity, quantities
from engine.answer.grounding.claims.units import UNITS
from engine.answers import TableRow, Total
from engine.normalise import normalise


@dataclass(slots=True)
class _Sum:
    """``unit`` is that of the first addend, in which the others are counted."""

    unit: str
    value: Decimal = Decimal(0)
    addends: list[int] = field(default_factory=list)


def totals(rows: Sequence[TableRow], column: int) -> tuple[Total, ...]:
    """A total for each thing that the supported cells of a column measure.

    Cells without a number count nowhere; those with a unit are never added to those without.
    """
    sums: dict[str, _Sum] = {}
    for row in rows:
        found = quantity(row.cells[column]) if row.verdict in ("supported", "partly") else None
        if found is None:
            continue
        measures = UNITS[found.unit].measures if found.unit else ""
        each = sums.setdefault(measures, _Sum(found.unit))
        each.value += found.value * _factor(found.unit) / _factor(each.unit)
        each.addends += row.citations
    return tuple(
        Total(each.unit, _plain(each.value), tuple(each.addends)) for _, each in sorted(sums.items())
    )  # fmt: skip


def quantity(cell: str) -> Quantity | None:
    """The number of a cell: the first that measures something, else the first with a unit, else the first."""
    found = quantities(normalise(cell))
    ordered = sorted(found, key=_weakness)
    return ordered[0] if ordered else None


def _weakness(found: Quantity) -> int:
    if not found.unit:
        return 2
    return int(UNITS[found.unit].measures in _COUNTS)


_COUNTS = ("count", "article", "level", "floor")
"""What numbers of clauses (第3条) and of things are, which stand beside an amount."""


def _factor(unit: str) -> Decimal:
    return UNITS[unit].factor if unit else Decimal(1)


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text

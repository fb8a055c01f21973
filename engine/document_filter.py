"""Which documents a question is asked of, as a plain message; :mod:`engine.answer.filters` applies it."""

import calendar
import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import Any

from engine.errors import FilterInvalid

_DATE = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?")


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """All that is given must hold; of several values of one kind, one. False when nothing is restricted.

    ``folders`` are paths of folders inside the library's, or the whole path on this machine. ``types`` are
    suffixes without their dot, or kinds of documents. ``since`` and ``until`` (both inclusive) are compared
    with the document's own date where it has one, else with the time of its file. ``names`` are patterns with
    * and ? of the file's name, or parts of its name or title. ``documents`` are names as hits have them.
    """

    folders: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    names: tuple[str, ...] = ()
    documents: frozenset[str] | None = None

    def __bool__(self) -> bool:
        return self.documents is not None or self.has_conditions

    @property
    def has_conditions(self) -> bool:
        """Whether more than a list of documents is given."""
        return bool(self.folders or self.types or self.since or self.until or self.names)

    def __str__(self) -> str:
        """For people, in no language: ``合同 · pdf · ≥ 2023-01-01``."""
        parts = [" | ".join(each) for each in (self.folders, self.names, self.types) if each]
        parts += [f"≥ {self.since}"] if self.since else []
        parts += [f"≤ {self.until}"] if self.until else []
        parts += [" | ".join(sorted(self.documents)[:5])] if self.documents is not None else []
        return " · ".join(parts)

    def record(self, *, understood: bool) -> dict[str, Any]:
        """For ``--json``; null for what is not restricted. ``understood``: from the words of the question."""
        return {
            "in": list(self.folders) or None,
            "type": list(self.types) or None,
            "since": self.since and self.since.isoformat(),
            "until": self.until and self.until.isoformat(),
            "name": list(self.names) or None,
            "documents": None if self.documents is None else sorted(self.documents),
            "understood": understood,
        }


def period(text: str, option: str) -> tuple[date, date]:
    """First and last day of ``2023``, ``2023-05`` or ``2023-05-01``; raises FilterInvalid."""
    match = _DATE.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if match is None:
        raise FilterInvalid(option=option, value=text)
    year, month, day = (None if part is None else int(part) for part in match.groups())
    try:
        first = date(year or 0, month or 1, day or 1)
        last_month = month or 12
        last = date(first.year, last_month, day or calendar.monthrange(first.year, last_month)[1])
    except (ValueError, calendar.IllegalMonthError):
        raise FilterInvalid(option=option, value=text) from None
    return first, last

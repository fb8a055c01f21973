"""The numbers and bullets that Word puts in front of paragraphs: they are counted, not stored."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.intake.encodings import safe
from engine.intake.loaders.numerals import numeral
from engine.intake.loaders.ooxml import child_of, is_on, name_of, number_of, value_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_LEVELS = 9
_PLACEHOLDER = re.compile("%([1-9])")
_MOST_LINKS = 12


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    spaced: bool = True
    legal: bool = False
    restarts: bool = True
    style: str | None = None


@dataclass(slots=True)
class _List:
    """An abstract list: its levels, and how far each has counted."""

    levels: dict[int, _Level] = field(default_factory=dict)
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)
    style_link: str | None = None


class Numbering:
    """Counts along a document: ask for each paragraph once, in order."""

    def __init__(self, numbering: "Element | None", styles: "Element | None") -> None:
        self._lists: dict[str, _List] = {}
        self._numbers: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._own_levels: dict[tuple[str, int], _Level] = {}
        self._styles: dict[str, tuple[str | None, str | None, str | None]] = {}
        for item in () if numbering is None else numbering:
            if name_of(item) == "abstractNum":
                self._lists[value_of(item, "abstractNumId") or ""] = _list(item)
            elif name_of(item) == "num":
                self._number(item)
        for style in () if styles is None else styles:
            key = value_of(style, "styleId")
            if name_of(style) == "style" and key:
                properties = child_of(style, "pPr", "numPr")
                self._styles[key] = (
                    value_of(child_of(properties, "numId")),
                    value_of(child_of(properties, "ilvl")),
                    value_of(child_of(style, "basedOn")),
                )

    def label(self, properties: "Element | None") -> str:
        """What stands in front of the paragraph with these properties, with the blank behind it."""
        style = value_of(child_of(properties, "pStyle")) or ""
        own = child_of(properties, "numPr")
        number, level = value_of(child_of(own, "numId")), value_of(child_of(own, "ilvl"))
        if number is None:
            number, inherited = self._from_style(style)
            level = level or inherited
        if number is None or number == "0" or is_on(child_of(properties, "rPr", "del")):
            return ""
        found = self._list_of(number)
        if found is None:
            return ""
        by_style = next((key for key, item in found.levels.items() if item.style == style), 0) if style else 0
        at = number_of(level, by_style) if level is not None else by_style
        return self._count(number, found, min(max(at, 0), _LEVELS - 1))

    def _from_style(self, style: str) -> tuple[str | None, str | None]:
        for _ in range(_MOST_LINKS):
            number, level, parent = self._styles.get(style, (None, None, None))
            if number is not None or parent is None:
                return number, level
            style = parent
        return None, None

    def _list_of(self, number: str) -> _List | None:
        found = self._lists.get(self._numbers.get(number, ""))
        for _ in range(_MOST_LINKS):
            if found is None or found.levels or found.style_link is None:
                return found
            # The list is kept with a list style, under another number.
            linked, _level = self._from_style(found.style_link)
            found = self._lists.get(self._numbers.get(linked or "", ""))
        return found

    def _number(self, item: "Element") -> None:
        key = value_of(item, "numId") or ""
        self._numbers[key] = value_of(child_of(item, "abstractNumId")) or ""
        for override in item:
            if name_of(override) != "lvlOverride":
                continue
            at = number_of(value_of(override, "ilvl"))
            start = child_of(override, "startOverride")
            if start is not None:
                self._starts.setdefault(key, {})[at] = number_of(value_of(start), 1)
            level = child_of(override, "lvl")
            if level is not None:
                self._own_levels[key, at] = _level(level)

    def _level_of(self, number: str, found: _List, at: int) -> _Level:
        return self._own_levels.get((number, at)) or found.levels.get(at) or _Level()

    def _count(self, number: str, found: _List, at: int) -> str:
        # A number with a start of its own begins anew where it is first used.
        for restarted, start in self._starts.pop(number, {}).items():
            if 0 <= restarted < _LEVELS:
                found.counts[restarted] = start - 1
        level = self._level_of(number, found, at)
        before = found.counts[at]
        found.counts[at] = level.start if before is None else before + 1
        for deeper in range(at + 1, _LEVELS):
            if self._level_of(number, found, deeper).restarts:
                found.counts[deeper] = None
        if level.form == "bullet":
            return "  " * at + "- "

        def shown(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            other = self._level_of(number, found, place)
            count = found.counts[place]
            form = "decimal" if level.legal and other.form != "decimalZero" else other.form
            return numeral(other.start if count is None else count, form)

        text = safe(_PLACEHOLDER.sub(shown, level.text)).strip()
        if not text or not level.spaced or text.endswith(("、", "）", "．", "：")):
            return text
        return text + " "


def _list(item: "Element") -> _List:
    found = _List(style_link=value_of(child_of(item, "numStyleLink")))
    for child in item:
        if name_of(child) == "lvl":
            found.levels[number_of(value_of(child, "ilvl"))] = _level(child)
    return found


def _level(item: "Element") -> _Level:
    return _Level(
        start=number_of(value_of(child_of(item, "start")), 0 if child_of(item, "start") is None else 1),
        form=value_of(child_of(item, "numFmt")) or "decimal",
        text=value_of(child_of(item, "lvlText")) or "",
        spaced=value_of(child_of(item, "suff")) != "nothing",
        legal=is_on(child_of(item, "isLgl")),
        restarts=value_of(child_of(item, "lvlRestart")) != "0",
        style=value_of(child_of(item, "pStyle")),
    )

"""Charts and SmartArt in Office files: the texts and numbers that they show."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from engine.intake.encodings import safe
from engine.intake.loaders.lines import Lines
from engine.intake.loaders.ooxml import (
    BrokenPart,
    Package,
    Relation,
    below,
    child_of,
    holds_han,
    name_of,
    number_of,
    value_of,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CATEGORY = {True: "类别", False: "Category"}
_SERIES = {True: "系列", False: "Series "}
_DATE_CODE = re.compile(r"[yd]", re.IGNORECASE)
_NO_CODE = re.compile(r"\"[^\"]*\"|\[[^\]]*\]|\\.|general|red|black", re.IGNORECASE)
_DAY_ZERO = {False: date(1899, 12, 30), True: date(1904, 1, 1)}
_DEEPEST = 40


def write_figure(
    frame: "Element", package: Package, relations: dict[str, Relation], lines: Lines, *, han: bool
) -> None:
    """Write what a chart or a diagram in ``frame`` shows; nothing for other things.

    Raises:
        BrokenPart: what it shows is in a part that cannot be read.
    """
    for link in below(frame, "chart", "relIds"):
        # An element called chart without a relationship is the chart itself, in its own part.
        key = value_of(link, "dm") if name_of(link) == "relIds" else value_of(link, "id")
        relation = relations.get(key or "")
        if relation is None:
            raise BrokenPart(key or "")
        root = package.root(relation.part)
        if name_of(link) == "relIds":
            for line in diagram_lines(root):
                lines.put(line)
        else:
            title, rows = chart_rows(root, han=han or any(map(holds_han, root.itertext())))
            if rows or title:
                lines.table(rows, header=1, caption=title)


def chart_rows(root: "Element", *, han: bool) -> tuple[str, list[list[str]]]:
    """A chart's title, and a table of its values: a header, then a row a category."""
    if root.tag.endswith("/chartex}chartSpace"):
        return _new_chart(root, han=han)
    chart = child_of(root, "chart")
    title = _text(child_of(chart, "title"))
    from_1904 = value_of(child_of(root, "date1904")) in ("1", "true")
    series: list[tuple[str, dict[int, str], dict[int, str]]] = []
    for item in below(child_of(chart, "plotArea"), "ser"):
        names = _points(child_of(item, "tx"), from_1904)
        name = " ".join(names[index] for index in sorted(names)) or f"{_SERIES[han]}{len(series) + 1}"
        category = child_of(item, "cat")
        category = child_of(item, "xVal") if category is None else category
        values = child_of(item, "val")
        values = child_of(item, "yVal") if values is None else values
        series.append((name, _points(category, from_1904), _points(values, from_1904)))
    axes = [_text(child_of(axis, "title")) for axis in below(chart, "catAx", "dateAx", "valAx", "serAx")]
    title = " ".join(filter(None, [title, *dict.fromkeys(axes)]))
    return title, _rows(series, _CATEGORY[han])


def _rows(series: Sequence[tuple[str, dict[int, str], dict[int, str]]], corner: str) -> list[list[str]]:
    if not series:
        return []
    labels: dict[int, str] = {}
    for _, categories, _ in series:
        labels = {**categories, **labels}
    places = sorted({*labels, *(place for _, _, values in series for place in values)})
    rows = [[corner, *(name for name, _, _ in series)]]
    for place in places:
        rows.append([labels.get(place, str(place + 1)), *(values.get(place, "") for _, _, values in series)])
    return rows


def _points(source: "Element | None", from_1904: bool) -> dict[int, str]:
    """The cached values of a reference (or the literal ones), by their index."""
    if source is None:
        return {}
    levels = list(below(source, "lvl"))
    found: dict[int, str] = {}
    # Categories of several levels are stored from the innermost outwards; an outer one holds until the next.
    for level in levels or [source]:
        code = next((item.text or "" for item in below(level, "formatCode")), "")
        points: dict[int, str] = {}
        for point in below(level, "pt"):
            index = number_of(value_of(point, "idx"), -1)
            if index >= 0:
                shown_as = value_of(point, "formatCode") or code
                points[index] = _shown(_flat(child_of(point, "v")), shown_as, from_1904)
        if level is (levels or [source])[0]:
            found = points
        else:
            outer = ""
            for index in sorted(found):
                outer = points.get(index, outer)
                found[index] = f"{outer} {found[index]}".strip()
    if not found and not levels:
        literal = child_of(source, "v")
        found = {0: _flat(literal)} if literal is not None else {}
    return found


def _shown(value: str, code: str, from_1904: bool) -> str:
    """A number as its format shows it, as far as it changes what is read: percentages and dates."""
    try:
        number = float(value)
    except ValueError:
        return value
    code = _NO_CODE.sub("", code)
    if "%" in code:
        return f"{number * 100:.10g}%"
    if _DATE_CODE.search(code) and 0 < number < 2_000_000:
        return (_DAY_ZERO[from_1904] + timedelta(days=int(number))).isoformat()
    return f"{number:.12g}" if "." in value or "e" in value.lower() else value


def _new_chart(root: "Element", *, han: bool) -> tuple[str, list[list[str]]]:
    """Waterfalls, treemaps and the other kinds of Office 2016, whose data lie elsewhere in the part."""
    title = _text(next(below(child_of(root, "chart"), "title"), None))
    names = [_flat(next(below(child_of(item, "tx"), "v"), None)) for item in below(root, "series")]
    series = []
    for place, data in enumerate(below(root, "data")):
        categories: dict[int, str] = {}
        values: dict[int, str] = {}
        for dimension in data:
            levels = list(below(dimension, "lvl"))
            points = {
                number_of(value_of(point, "idx")): safe("".join(point.itertext()).strip())
                for point in (below(levels[0], "pt") if levels else ())
            }
            if name_of(dimension) == "strDim":
                categories = categories or points
            else:
                values = values or points
        name = names[place] if place < len(names) and names[place] else f"{_SERIES[han]}{place + 1}"
        series.append((name, categories, values))
    return title, _rows(series, _CATEGORY[han])


def diagram_lines(root: "Element") -> Iterator[str]:
    """The texts of a SmartArt, children indented below their parent."""
    points = {value_of(point, "modelId"): point for point in below(root, "pt")}
    children: dict[str | None, list[tuple[int, str | None]]] = {}
    for link in below(root, "cxn"):
        if value_of(link, "type") in (None, "parOf"):
            order = number_of(value_of(link, "srcOrd"))
            children.setdefault(value_of(link, "srcId"), []).append((order, value_of(link, "destId")))
    waiting = [(key, -1) for key, point in points.items() if value_of(point, "type") == "doc"]
    # What hangs on nothing comes last.
    loose = [key for key, point in points.items() if value_of(point, "type") in (None, "node", "asst")]
    waiting = [(key, 0) for key in reversed(loose)] + waiting
    seen: set[str | None] = set()
    while waiting:
        key, depth = waiting.pop()
        if key in seen or key not in points:
            continue
        seen.add(key)
        if text := _text(child_of(points[key], "t")):
            yield "  " * min(max(depth, 0), _DEEPEST) + text
        below_it = sorted(children.get(key, ()), key=lambda child: child[0], reverse=True)
        waiting += [(child, depth + 1) for _, child in below_it]


def _text(element: "Element | None") -> str:
    """The text of drawing paragraphs in one line."""
    paragraphs = ("".join(run.text or "" for run in below(item, "t")) for item in below(element, "p"))
    return safe(" ".join(" ".join(paragraphs).split()))


def _flat(element: "Element | None") -> str:
    return safe(" ".join("".join(element.itertext()).split())) if element is not None else ""

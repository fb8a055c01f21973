"""The text of one page on its way into the running text: lines joined, tables and code blocks placed."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from engine.documents import Table
from engine.intake.cleaning.clean_text import Builder
from engine.intake.cleaning.linebreaks import is_hyphenated, is_wrap, joint
from engine.intake.cleaning.page_lines import INVISIBLE, PageLines, is_blank

CELL = " | "
"""What stands between the cells of a row."""

_USUAL = 1.1
"""Lines with a gap of up to so many usual gaps stand as close as any."""

_HAN = "\u2e80-\u2fdf\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
_SPACED = re.compile(rf"(?:[{_HAN}] ){{2,}}[{_HAN}]")
_SPACE = re.compile(rf"(?<=[{_HAN}]) (?=[{_HAN}])")


def add_body(
    builder: Builder, lines: PageLines, kept: Sequence[int], *, wrapped: bool, continued: bool
) -> None:
    """Add the lines ``kept`` of a page.

    ``wrapped``: the first goes on with the last sentence of the page before; ``continued``: with its table.
    """
    page = lines.page
    headings = {heading.offset: heading for heading in page.headings}
    tails = {part.end: part.start for part in lines.left_out}
    rows = _Regions([(table.start, table.end) for table in page.tables])
    placed: list[tuple[int, int, int]] = []
    above: int | None = None
    was_row = False
    for number in kept:
        start, end = lines.spans[number]
        is_row = rows.holds(start)
        if above is None:
            below = page.text[start:end].lstrip()
            if wrapped and not _join(builder, below):
                builder.insert(joint(builder.tail, below))
            builder.start_page(page.number)
        else:
            joinable = not (is_row or was_row or start in headings or lines.spans[above][0] in headings)
            wrapped = joinable and _is_wrapped(lines, above, number)
            if lines.spans[above][1] in tails:
                builder.start_page(page.number)
            _break_line(builder, lines, above, number, wrapped=wrapped)
        if start in headings:
            builder.heading(headings[start])
        begun = builder.length
        text = page.text[start : tails.get(end, end)]
        add_line(builder, text, start, laid_out=bool(lines.extents), keep_indent=not wrapped)
        placed.append((start, begun, builder.length))
        above, was_row = number, is_row
    _place_regions(builder, lines, placed, continued=continued)


def add_line(builder: Builder, text: str, offset: int, *, laid_out: bool, keep_indent: bool = False) -> None:
    """Add a line that stands at ``offset`` of its page, without what nobody sees."""
    end = len(text.rstrip())
    at = 0 if keep_indent and not laid_out else len(text) - len(text.lstrip())
    skipped = [match.span() for match in INVISIBLE.finditer(text, at, end)]
    if laid_out:
        for run in _SPACED.finditer(text, at, end):
            # Letters set apart for looks: no word would be found in them.
            skipped += [match.span() for match in _SPACE.finditer(text, run.start(), run.end())]
    for start, stop in sorted(skipped):
        if start > at:
            builder.put(text[at:start], offset + at)
        at = max(at, stop)
    if end > at:
        builder.put(text[at:end], offset + at)


def _is_wrapped(lines: PageLines, above: int, number: int) -> bool:
    upper, extent = lines.extent(above), lines.extent(number)
    if upper is None or extent is None:
        return False
    jumped = extent.v1 <= upper.v0
    # A loader may see a blank strip between lines of two blocks that stand no further apart than others.
    near = extent.v0 - upper.v1 <= _USUAL * lines.gap * upper.size
    if not (jumped or near) and _blank_between(lines, above, number):
        return False
    return is_wrap(upper, extent, lines.around(number), apart=jumped, gap=lines.gap)


def _blank_between(lines: PageLines, above: int, number: int) -> bool:
    return any(is_blank(lines.text(between)) for between in range(above + 1, number))


def _break_line(builder: Builder, lines: PageLines, above: int, number: int, *, wrapped: bool) -> None:
    """End line ``above``: with a joint if line ``number`` goes on with it, else with one break or two.

    Where lines that say something are left out between the two, a new span begins.
    """
    _, at = lines.spans[above]
    start, end = lines.spans[number]
    below = lines.page.text[start:end].lstrip()
    between = range(above + 1, number)
    if not wrapped:
        builder.put("\n", at)
    elif not _join(builder, below) and (blank := joint(builder.tail, below)):
        builder.put(blank, at)
    if not all(is_blank(lines.text(line)) for line in between):
        builder.start_page(lines.page.number)
    if not wrapped and _blank_between(lines, above, number):
        # The second of the two breaks; whatever stood between them is left out.
        builder.put("\n", start - 1)


def _join(builder: Builder, below: str) -> bool:
    """Take a hyphen back that only the line's end put there; says whether there was one."""
    if not is_hyphenated(builder.tail, below):
        return False
    builder.take_back()
    return True


def _place_regions(
    builder: Builder, lines: PageLines, placed: Sequence[tuple[int, int, int]], *, continued: bool
) -> None:
    """Tables and code blocks of the page, at their places (start on the page, start, end) in the text."""
    for number, table in enumerate(lines.page.tables):
        rows = _between(placed, table.start, table.end)
        if not rows:
            continue
        if continued and number == 0:
            builder.lengthen_table(rows[-1][2])
            continue
        below = next((line[1] for line in rows if line[0] >= table.header_end), rows[-1][2])
        builder.table(Table(rows[0][1], below, rows[-1][2]))
    for start, end in lines.page.code:
        block = _between(placed, start, end)
        if block:
            builder.code(block[0][1], block[-1][2])


def _between(placed: Sequence[tuple[int, int, int]], start: int, end: int) -> Sequence[tuple[int, int, int]]:
    """The lines that begin in ``[start, end)`` of the page."""
    first = bisect_left(placed, start, key=lambda line: line[0])
    return placed[first : bisect_left(placed, end, key=lambda line: line[0])]


class _Regions:
    """Asked for places in order: whether each is inside one of the ranges, which are in order too."""

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self._ranges = ranges
        self._at = 0

    def holds(self, place: int) -> bool:
        while self._at < len(self._ranges) and self._ranges[self._at][1] <= place:
            self._at += 1
        return self._at < len(self._ranges) and self._ranges[self._at][0] <= place

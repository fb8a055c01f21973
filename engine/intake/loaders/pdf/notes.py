"""What stands on a PDF page besides its own text: form fields, comments, attached files.

A field's value is mostly drawn and so part of the text already; then it is moved beside its label. What
is not drawn becomes a line of its own, whose characters share the field's or comment's rectangle.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.intake.loaders.pdf.glyphs import Glyphs
from engine.intake.loaders.pdf.lines import Box, Line, extents
from engine.intake.loaders.pdf.opening import file_name, library_errors

_BUTTONS, _CHOICES, _TEXT = frozenset({2, 5}), frozenset({3, 4}), 7
"""PyMuPDF's field types: check box and radio button, combo and list box, text."""
_LIST_BOX = 4
_POPUP, _LINK, _WIDGET, _FILE = 16, 1, 19, 17
_HIDDEN = 2 | 32
_PASSWORD_FIELD = 1 << 13
_UNSAID_STATES = frozenset({"yes", "on", "true", "1", "是", "checked"})
_LONGEST_LABEL = 40
_FARTHEST = 60.0
"""A label stands not further from its field than this, in points, or than the field is wide."""
_ENOUGH = 20
"""A value that begins with so many characters as they are drawn is the one that is drawn."""
_HAN = re.compile("[\u3400-\u9fff]")


_Placed = list[tuple[Line, Box]]
"""The lines of a page and their extents."""


@dataclass(frozen=True, slots=True)
class Note:
    """A line that is added to a page's text, and where it is marked (page not rotated), if anywhere."""

    text: str
    box: Box | None = None


def notes(page: Any, found: Glyphs, *, is_form: bool) -> list[Note]:
    """The notes of ``page``; moves the drawn values of fields in ``found`` beside their labels."""
    result: list[Note] = []
    try:
        if is_form:
            result += _fields(page, found)
        result += _comments(page, found)
    except library_errors():
        pass  # a broken comment does not cost the page
    return result


def attached(names: Iterable[str], beside: str) -> list[Note]:
    """Lines that name embedded files, in the language of the text ``beside`` them."""
    return [Note(_labelled("附件", "Attachment", name, beside)) for name in names]


def _fields(page: Any, found: Glyphs) -> Iterator[Note]:
    placed: _Placed | None = None
    for widget in page.widgets() or ():
        if widget.field_display in (1, 2) or not widget.rect.is_valid or widget.rect.is_empty:
            continue
        if placed is None:
            placed = _placed(found)
        box: Box = tuple(widget.rect)
        drawn = [line for line, extent in placed if _stands_in(extent, box)]
        if widget.field_type in _BUTTONS:
            # What is drawn is a glyph of a symbol font that says 3 or 8.
            placed = [pair for pair in placed if pair[0] not in drawn]
            found.lines = [line for line in found.lines if line not in drawn]
            state = str(widget.field_value or "")
            if state not in ("", "Off", "False") and state == str(widget.on_state()):
                label = widget.field_label or _beside(box, placed, after=True) or widget.field_name or ""
                said = "" if state.lower() in _UNSAID_STATES or state in label else f" {state}"
                yield Note(f"☑ {_bare(label)}{said}", box)
            continue
        value = _value(widget)
        if not value:
            continue
        said = _squeezed("".join(line.text for line in drawn))
        if drawn and widget.field_type != _LIST_BOX and _squeezed(value)[:_ENOUGH] in said:
            _move_beside_label(drawn, _neighbour(box, placed, after=False), found)
            continue
        label = _bare(widget.field_label or _beside(box, placed, after=False) or widget.field_name or "")
        yield Note(_labelled(label, label, value, label + value), box)


def _value(widget: Any) -> str:
    value = widget.field_value
    if widget.field_type == _TEXT:
        return "" if (widget.field_flags or 0) & _PASSWORD_FIELD else " ".join(str(value or "").split())
    if widget.field_type in _CHOICES:
        shown = {
            choice[0]: choice[1] for choice in widget.choice_values or () if len(choice) == 2 and choice[0]
        }
        values = value if isinstance(value, list | tuple) else [value]
        return " ".join(str(shown.get(each, each)) for each in values if each)
    return ""


def _comments(page: Any, found: Glyphs) -> Iterator[Note]:
    text: str | None = None
    for annotation in page.annots() or ():
        kind = annotation.type[0]
        if kind in (_POPUP, _LINK, _WIDGET) or annotation.flags & _HIDDEN:
            continue
        text = _squeezed(found.text) if text is None else text
        box: Box = tuple(annotation.rect)
        info = annotation.info
        content = " ".join((info.get("content") or "").split())
        if kind == _FILE:
            name = file_name(annotation.file_info.get("filename") or "") or content
            yield Note(_labelled("附件", "Attachment", name, text + content), box)
            if content == name:
                continue
        if not content or _squeezed(content) in text:
            continue
        author = " ".join((info.get("title") or "").split())
        language = text + content + author
        chinese = f"批注（{author}）" if author else "批注"
        if content.startswith(chinese):
            yield Note(content, box)
        else:
            yield Note(
                _labelled(chinese, f"Comment ({author})" if author else "Comment", content, language), box
            )


def _labelled(chinese: str, other: str, text: str, language: str) -> str:
    if _HAN.search(language):
        return f"{chinese}：{text}" if chinese else text
    return f"{other}: {text}" if other else text


def _bare(label: str) -> str:
    return " ".join(label.split()).rstrip(":： _")


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _placed(found: Glyphs) -> _Placed:
    if not found.lines:
        return []
    return list(zip(found.lines, map(tuple, extents(found.lines, found.boxes).tolist()), strict=True))


def _stands_in(extent: Box, box: Box) -> bool:
    x, y = (extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _neighbour(box: Box, placed: _Placed, *, after: bool) -> Line | None:
    """The nearest line on the height of ``box``, before or after it, not further away than it is wide."""
    best: tuple[float, Line] | None = None
    for line, (x0, y0, x1, y1) in placed:
        if not (y0 < (box[1] + box[3]) / 2 < y1 or box[1] < (y0 + y1) / 2 < box[3]):
            continue
        blank = x0 - box[2] if after else box[0] - x1
        if -3 <= blank < max(_FARTHEST, box[2] - box[0]) and (best is None or blank < best[0]):
            best = blank, line
    return best[1] if best else None


def _beside(box: Box, placed: _Placed, *, after: bool) -> str:
    line = _neighbour(box, placed, after=after)
    return line.text.strip() if line is not None and len(line.text) <= _LONGEST_LABEL else ""


def _move_beside_label(drawn: list[Line], label: Line | None, found: Glyphs) -> None:
    if label is None or label in drawn:
        return
    rest = [line for line in found.lines if line not in drawn]
    at = rest.index(label) + 1
    for line in drawn:
        line.block = label.block
    found.lines = [*rest[:at], *drawn, *rest[at:]]

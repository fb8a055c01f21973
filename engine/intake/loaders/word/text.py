"""The text inside a Word paragraph, and what is anchored in it: boxes, notes, comments, pictures."""

from typing import TYPE_CHECKING

from engine.intake.encodings import safe
from engine.intake.loaders.ooxml import below, child_of, is_on, name_of, shown_alternative, value_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SKIPPED = frozenset({
    "del", "moveFrom", "instrText", "delText", "delInstrText", "pPr", "rPr", "sectPr", "tblPr", "sdtPr",
    "rt",  # the reading above a character, in the middle of the word
})  # fmt: skip
_ANCHORED = frozenset({
    "txbxContent", "footnoteReference", "endnoteReference", "commentReference", "docPr", "graphicData",
})  # fmt: skip
_TICKS = {
    ("wingdings", "fc"): "✓", ("wingdings", "fb"): "✗", ("wingdings", "fe"): "☑", ("wingdings", "fd"): "☒",
    ("wingdings", "a8"): "☐", ("wingdings", "6f"): "☐", ("wingdings", "78"): "☒", ("wingdings 2", "52"): "☑",
    ("wingdings 2", "53"): "☒", ("wingdings 2", "54"): "☒", ("wingdings 2", "50"): "✓",
    ("wingdings 2", "4f"): "✗", ("wingdings 2", "a3"): "☐", ("wingdings 2", "2a"): "☐",
    ("wingdings 2", "30"): "☐",
}  # fmt: skip
_RAISED = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_PAGE_FIELDS = ("PAGE", "NUMPAGES", "SECTIONPAGES")


def inline_text(element: "Element", anchored: "list[Element]") -> str:
    """The text of a paragraph; what is anchored in it is put into ``anchored``.

    Insertions are read and deletions are not; nor is hidden text.
    """
    return safe(_inline(element, anchored))


def _inline(element: "Element", anchored: "list[Element]") -> str:
    parts: list[str] = []
    for child in element:
        name = name_of(child)
        if name in _SKIPPED or (name == "r" and is_on(child_of(child, "rPr", "vanish"))):
            continue
        if name == "t":
            parts.append(child.text or "")
        elif name in ("tab", "ptab"):
            parts.append("\t")
        elif name in ("br", "cr"):
            parts.append("\n")
        elif name == "noBreakHyphen":
            parts.append("-")
        elif name == "sym":
            parts.append(_symbol(child))
        elif name in ("f", "sSup"):
            parts.append(_formula(child, anchored))
        elif name in _ANCHORED:
            anchored.append(child)
            if name == "graphicData":
                _inline(child, anchored)
        elif name == "AlternateContent":
            shown = shown_alternative(child)
            parts.append(_inline(shown, anchored) if shown is not None else "")
        else:
            parts.append(_inline(child, anchored))
    return "".join(parts)


def _formula(element: "Element", anchored: "list[Element]") -> str:
    """A fraction or a power of a formula on one line: its two parts alone would read as one number."""
    names = ("num", "den") if name_of(element) == "f" else ("e", "sup")
    first, second = (
        "" if part is None else _inline(part, anchored).strip()
        for part in (child_of(element, name) for name in names)
    )
    if names[0] == "num":
        return "/".join(text if len(text) < 2 or text.isalnum() else f"({text})" for text in (first, second))
    can_raise = bool(second) and all(ord(char) in _RAISED for char in second)
    return first + (second.translate(_RAISED) if can_raise else f"^{second}")


def _symbol(element: "Element") -> str:
    """A character of a symbol font: ticks and boxes of forms, and letters of ordinary fonts."""
    font, code = (value_of(element, "font") or "").lower(), (value_of(element, "char") or "").lower()
    # Symbol fonts live in the private range F000 to F0FF.
    tick = _TICKS.get((font, code[-2:]))
    if tick is not None:
        return tick
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return chr(number) if 0x20 < number < 0xD800 else ""


def without_page_numbers(root: "Element") -> "Element":
    """``root`` of a header or footer, with the results of its page number fields taken out."""
    for field in list(below(root, "fldSimple")):
        if _is_page_field(value_of(field, "instr")):
            _empty(field)
    for paragraph in below(root, "p"):
        # A field is a row of runs: begin, its instruction, separate, its result, end.
        open_fields: list[bool] = []
        for run in list(below(paragraph, "r")):
            mark = value_of(child_of(run, "fldChar"), "fldCharType")
            if mark == "begin":
                open_fields.append(False)
            elif mark == "end" and open_fields:
                open_fields.pop()
            elif open_fields:
                instruction = child_of(run, "instrText")
                open_fields[-1] |= instruction is not None and _is_page_field(instruction.text)
                if any(open_fields):
                    _empty(run)
    return root


def _is_page_field(instruction: str | None) -> bool:
    return (instruction or "").strip().upper().split(" ")[0] in _PAGE_FIELDS


def _empty(element: "Element") -> None:
    for text in below(element, "t"):
        text.text = ""

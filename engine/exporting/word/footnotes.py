"""The footnotes of a Word document, numbered through by Word."""

from collections.abc import Mapping
from typing import Any

from engine.exporting.composition import Footnote
from engine.exporting.word.elements import element, field, paragraph, run
from engine.wording import Language, describe

_SEPARATORS = ((-1, "separator"), (0, "continuationSeparator"))
"""Ids and types of the two lines that stand above footnotes; every document with footnotes has both."""


class Footnotes:
    """The footnotes of several answers, in the order in which they are first called.

    A footnote that is called again is referred to by a field, as Word does it itself: one reference is one
    footnote.
    """

    def __init__(self, language: Language) -> None:
        self._language = language
        self._made: list[Any] = []
        self._known: dict[tuple[int, int], int] = {}

    def call(self, answer: int, number: int, notes: Mapping[int, Footnote]) -> list[Any]:
        """What stands in the text for a citation of an answer (by its place in the document)."""
        known = self._known.get((answer, number))
        if known is not None:
            return [field(f"NOTEREF {_bookmark(known)} \\f \\h", str(known), "FootnoteReference")]
        made = len(self._made) + 1
        self._known[answer, number] = made
        self._made.append(self._note(made, notes[number]))
        reference = element(
            "r",
            element("rPr", element("rStyle", val="FootnoteReference")),
            element("footnoteReference", id=made),
        )
        start = element("bookmarkStart", id=made, name=_bookmark(made))
        return [start, reference, element("bookmarkEnd", id=made)]

    def _note(self, made: int, note: Footnote) -> Any:
        params = {"document": note.document, "place": note.place, "quote": note.quote}
        words = describe("export_footnote", params, self._language).title
        mark = element(
            "r", element("rPr", element("rStyle", val="FootnoteReference")), element("footnoteRef")
        )
        return element("footnote", paragraph("FootnoteText", mark, run(" " + words)), id=made)

    def part(self) -> Any:
        """``word/footnotes.xml``."""
        lines = [
            element("footnote", paragraph(None, element("r", element(kind))), type=kind, id=made)
            for made, kind in _SEPARATORS
        ]
        return element("footnotes", *lines, *self._made)

    @staticmethod
    def settings() -> Any:
        """``word/settings.xml``, which names the separators and the version of Word it is laid out by."""
        named = [element("footnote", id=made) for made, _ in _SEPARATORS]
        # Without it Word lays out as its version of 2007 did, and says so in its title bar.
        uri = "http://schemas.microsoft.com/office/word"
        version = element("compatSetting", name="compatibilityMode", uri=uri, val=15)
        return element("settings", element("footnotePr", *named), element("compat", version))


def _bookmark(made: int) -> str:
    return f"_RefNote{made}"

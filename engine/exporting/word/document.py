"""``word/document.xml`` and the package around it."""

from collections.abc import Sequence
from typing import Any

from engine.exporting.composition import Composed, Grid, Mark, Paragraph, Remark
from engine.exporting.word import package
from engine.exporting.word.elements import RELATIONS, element, field, paragraph, run, serialised
from engine.exporting.word.footnotes import Footnotes
from engine.exporting.word.styles import styles
from engine.wording import Language

_A4 = {"w": 11906, "h": 16838}
_MARGINS = {
    "top": 1440,
    "right": 1440,
    "bottom": 1440,
    "left": 1440,
    "header": 720,
    "footer": 720,
    "gutter": 0,
}
"""Twentieths of a point."""


def document(answers: Sequence[Composed], language: Language, title: str | None = None) -> bytes:
    """A .docx file with the answers one after the other."""
    notes = Footnotes(language)
    blocks = [paragraph("Title", run(title))] if title else []
    for number, answer in enumerate(answers):
        blocks += _answer(number, answer, notes)
    page = element("sectPr", _footer_reference(), element("pgSz", **_A4), element("pgMar", **_MARGINS))
    body = element("document", element("body", *blocks, page))
    return package.packed(
        {
            "word/document.xml": serialised(body),
            "word/footnotes.xml": serialised(notes.part()),
            "word/settings.xml": serialised(notes.settings()),
            "word/styles.xml": serialised(styles()),
            "word/footer1.xml": serialised(element("ftr", paragraph("Remark", field("PAGE", "1")))),
        },
        title or (answers[0].question if answers else ""),
    )


def _footer_reference() -> Any:
    made = element("footerReference", type="default")
    made.set(f"{{{RELATIONS}}}id", package.relation_id("word/footer1.xml"))
    return made


def _answer(number: int, answer: Composed, notes: Footnotes) -> list[Any]:
    blocks = [paragraph("Heading1", run(answer.question))]
    blocks += [paragraph("Remark", run(line)) for line in answer.about]
    blocks += [paragraph(None, *_runs(number, line, answer, notes)) for line in answer.paragraphs]
    if answer.grid is not None:
        # Word joins a table to what follows it unless a paragraph stands between.
        blocks += [_table(number, answer.grid, answer, notes), paragraph(None)]
    return blocks + [paragraph("Remark", run(line)) for line in answer.below]


def _runs(number: int, line: Paragraph, answer: Composed, notes: Footnotes) -> list[Any]:
    made: list[Any] = []
    for piece in line:
        match piece:
            case Mark():
                made += notes.call(number, piece.number, answer.footnotes)
            case Remark():
                made.append(run(piece.text, "Unverified"))
            case str():
                made.append(run(piece))
    return made


def _table(number: int, grid: Grid, answer: Composed, notes: Footnotes) -> Any:
    width = 9026 // len(grid.columns)  # A4 between the margins
    head = element(
        "tr", element("trPr", element("tblHeader")), *(_cell([run(name)]) for name in grid.columns)
    )
    rows = [
        element("tr", *(_cell(_runs(number, cell, answer, notes)) for cell in row))
        for row in grid.rows
        if row
    ]
    facts = element("tblPr", element("tblStyle", val="TableGrid"), element("tblW", w=0, type="auto"))
    columns = element("tblGrid", *(element("gridCol", w=width) for _ in grid.columns))
    return element("tbl", facts, columns, head, *rows)


def _cell(runs: list[Any]) -> Any:
    return element("tc", element("tcPr", element("tcW", w=0, type="auto")), paragraph(None, *runs))

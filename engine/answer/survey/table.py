"""From what was found in each document to a table whose every row is checked and cited, and to its text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer import grounding
from engine.answer.evidence import Evidence
from engine.answer.grounding.citations import PageTexts, cite
from engine.answer.survey.extracting import Finding
from engine.answer.survey.recognising import Census
from engine.answer.survey.totals import totals
from engine.answer.survey.words import words
from engine.answers import Answer, AnswerTable, Citation, Sentence, TableRow, Verdict
from engine.markdown_table import rule, text_row

SHOWN = 50
"""Rows that stand in the text; the table holds all of them."""

_WORST: tuple[Verdict, ...] = ("unsupported", "partly", "supported")


@dataclass(frozen=True, slots=True)
class Reading:
    """``read`` of ``of`` documents were read, of ``documents`` that there are; a person ``stopped`` it."""

    read: int
    of: int
    documents: int
    stopped: bool = False


def row(census: Census, found: Finding, page_texts: PageTexts) -> tuple[TableRow, Citation]:
    """The row of one document, checked against its passage alone, and its citation (both numbered 1)."""
    hit = found.hit
    evidence = Evidence(1, hit, hit.text)
    statement = found.sentence or (f"{census.aspect}：{found.value}" if census.aspect else found.value)
    checked = grounding.check(statement, [evidence], page_texts)
    verdicts = [sentence.verdict for sentence in checked.sentences if sentence.verdict != "no_claim"]
    verdict: Verdict = min(verdicts, key=_WORST.index, default="unsupported")
    citation = cite(1, statement, evidence, page_texts)
    name = hit.document
    cells = (name, found.value) if census.wanted in _PLAIN else (name, found.value, citation.quote)
    return TableRow(cells, (1,), verdict), citation


_PLAIN = ("passage", "documents")
"""Kinds whose cell is a sentence itself, or the document."""


def columns(census: Census, question: str) -> tuple[str, ...]:
    """The heads of a table's columns."""
    said = words(question)
    value = census.aspect if census.wanted not in _PLAIN and census.aspect else said["passage"]
    heads = (said["document"], value)
    return heads if census.wanted in _PLAIN else (*heads, said["source"])


Rows = Sequence[tuple[TableRow, Citation]]


def made(
    question: str, census: Census, rows: Rows, reading: Reading
) -> tuple[AnswerTable, tuple[Citation, ...]]:
    """The table, in order of library and document, and its citations, numbered as its rows are."""
    ordered = sorted(rows, key=lambda each: (each[1].library, each[1].document))
    citations = tuple(replace(cited, number=number) for number, (_, cited) in enumerate(ordered, start=1))
    numbered = tuple(replace(each, citations=(at,)) for at, (each, _) in enumerate(ordered, start=1))
    found = AnswerTable(
        columns(census, question),
        numbered,
        reading.read,
        reading.of,
        reading.documents,
        "all" if reading.of == reading.documents else "retrieved",
        totals(numbered, 1) if census.kind == "sum" else (),
    )
    return found, citations


def answer(draft: Answer, census: Census, rows: Rows, reading: Reading) -> Answer:
    """``draft`` with the table and with the text that says it.

    What is counted are the rows that are supported; the others are shown and marked.
    """
    table, citations = made(draft.question, census, rows, reading)
    sentences = _sentences(draft.question, table, citations, reading)
    return replace(
        draft,
        text="\n".join(each.text + "".join(f"[{number}]" for number in each.citations) for each in sentences),
        sentences=tuple(sentences),
        citations=citations,
        table=table,
        evidence=tuple(dict.fromkeys(citation.chunk for citation in citations)),
        stopped=reading.stopped,
    )


def _sentences(
    question: str, table: AnswerTable, citations: Sequence[Citation], reading: Reading
) -> list[Sentence]:
    said = words(question)
    figures = {
        "read": table.read, "of": table.of, "count": table.count, "documents": table.documents,
        "rest": table.documents - table.of,
    }  # fmt: skip
    head = [said["found"].format(**figures), said[table.chosen].format(**figures)]
    if table.read < table.of:
        head.append(said["partly"].format(why=said["stopped" if reading.stopped else "limit"]))
    found = [Sentence(text, "no_claim") for text in head]
    for each, citation in list(zip(table.rows, citations, strict=True))[:SHOWN]:
        name = citation.document.rsplit("/", 1)[-1]
        text = said["row"].format(document=name, value=each.cells[1])
        text += said["unsupported"] if each.verdict == "unsupported" else ""
        found.append(Sentence(text, each.verdict, each.citations))
    if (more := len(table.rows) - SHOWN) > 0:
        found.append(Sentence(said["more"].format(count=more), "no_claim"))
    for total in table.totals:
        text = said["total"].format(value=total.value, unit=total.unit)
        parts = " + ".join(
            f"{each.cells[1]}[{each.citations[0]}]"
            for each in table.rows
            if each.citations[0] in total.addends
        )
        found.append(Sentence(text + parts, "supported", ()))
    return found


def markdown(table: AnswerTable) -> list[str]:
    """The lines of a table in Markdown, each row with its citation's number."""
    lines = [text_row((*table.columns, "")), rule(len(table.columns) + 1)]
    for each in table.rows:
        marks = "".join(f"[{number}]" for number in each.citations)
        lines.append(text_row((*each.cells, f"{marks}?" if each.verdict == "unsupported" else marks)))
    return lines

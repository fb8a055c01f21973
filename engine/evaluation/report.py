"""The report of an evaluation: JSON, Markdown and HTML in a folder, compared with the last one there."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from engine.evaluation import html_page
from engine.evaluation.comparison import Last, figures, read_last
from engine.evaluation.stages import MISS_HEADS, lost
from engine.index.replacing import write_file
from engine.markdown_table import row, rule

RECORD, MARKDOWN, HTML = "eval.json", "report.md", "report.html"


def table(record: Mapping[str, Any], last: Last | None = None) -> Iterator[str]:
    """The figures as the lines of a Markdown table; with the differences where there is a last report."""
    yield "| figure | value |" + (" since the last report |" if last else "")
    yield "|---|---|" + ("---|" if last else "")
    yield f"| questions | {record['questions']} |" + (" |" if last else "")
    for figure in figures(record, last):
        cell = f" {figure.difference} |" if last else ""
        yield f"| {figure.group} {figure.name} | {figure.shown} |{cell}"
    for stage, misses in lost(record).items():
        yield f"| lost at {stage} | {len(misses)} |" + (" |" if last else "")
    if failed := record.get("failed"):
        yield f"| failed | {len(failed)} |" + (" |" if last else "")


def write(record: Mapping[str, Any], folder: Path, today: date | None = None) -> None:
    """``eval.json``, ``report.md`` and ``report.html`` in ``folder``, against the ``eval.json`` before.

    All but the date in the head is the same for the same record. Raises StorageFailed.
    """
    day = (today or date.today()).isoformat()
    last = read_last(folder / RECORD, record.get("setup") or {})
    pages = {
        HTML: html_page.page(record, last, day),
        MARKDOWN: "\n".join(_markdown(record, last, day)),
        RECORD: json.dumps(record, ensure_ascii=False, indent=1),
    }
    for name, text in pages.items():
        write_file(folder / name, text.encode("utf-8", "replace"))


def _markdown(record: Mapping[str, Any], last: Last | None, day: str) -> Iterator[str]:
    yield from (f"# Evaluation {day}", "")
    for name, value in (record.get("setup") or {}).items():
        yield f"* {name}: {_cell(value)}"
    if last is not None and last.other_setup:
        yield from ("", last.warning)
    yield from ("", *table(record, last), "")
    for stage, misses in lost(record).items():
        yield from (f"## Lost at {stage}: {len(misses)}", "", row(MISS_HEADS), rule(len(MISS_HEADS)))
        yield from (row([_cell(cell) for cell in miss]) for miss in misses)
        yield ""
    if failed := record.get("failed"):
        yield from (f"## Questions that failed: {len(failed)}", "")
        yield from (f"* {_cell(item['qid'])}: {_cell(item['code'])}" for item in failed)
        yield ""


def _cell(value: object) -> str:
    """Text that stays in its cell: one line, and nothing in it is Markdown or HTML."""
    text = " ".join(str(value).split())
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{c}" if c in "\\`*_[]|#!~$" else c for c in text)

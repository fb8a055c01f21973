"""The figures of an evaluation as a Markdown page and as JSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.index.replacing import write_file


def table(record: Mapping[str, Any]) -> Iterator[str]:
    """The figures as the lines of a Markdown table."""
    yield "| figure | value |"
    yield "|---|---|"
    yield f"| questions | {record['questions']} |"
    for group in ("retrieval", "gate", "answers"):
        for name, value in (record.get(group) or {}).items():
            yield f"| {group} {name} | {'–' if value is None else f'{value:.4f}'} |"


def write(record: Mapping[str, Any], folder: Path) -> None:
    """``eval.json`` and ``eval.md`` in ``folder``; raises StorageFailed."""
    write_file(folder / "eval.json", json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8"))
    page = "\n".join(["# Evaluation", "", *table(record), ""])
    write_file(folder / "eval.md", page.encode("utf-8"))

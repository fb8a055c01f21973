"""``zhiye search``: passages only, no chat model."""

import argparse
import time
from collections.abc import Sequence
from typing import Any

from engine import pipeline, team
from engine.answer.evidence import place
from engine.cli.console import Console
from engine.cli.scope import chosen_libraries
from engine.documents import FileState, SearchHit
from engine.index import embedders
from engine.index.library import Library
from engine.trace import gate_record, hit_record
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    with chosen_libraries(options, workspace) as libraries:
        embedder, others = workspace.question_embedders(libraries)
        if embedder is None:
            console.note(console.say("lexical_only"))
        else:
            for params in embedders.strangers(libraries, embedder, others):
                console.note(console.say("other_embedder", **params))
        for notice in team.notices(0, libraries):
            console.note(console.say(notice.code, **notice.params))
        started = time.monotonic()
        hits, gate = pipeline.search(
            options.question or "", libraries, embedder, workspace.settings, options.top, None, others
        )
        record = {
            "question": options.question,
            "gate": gate_record(gate),
            "hits": [hit_record(hit) for hit in hits],
            "unreadable": unreadable_files(libraries),
            "seconds": round(time.monotonic() - started, 3),
        }
    console.result(record, hit_lines(hits) or [console.say("no_hits")])
    return 0


def hit_lines(hits: Sequence[SearchHit]) -> list[str]:
    """One hit in two lines for people."""
    lines = []
    for hit in hits:
        lines.append(f"{hit.rank:>2}. {place(hit)}  ({hit.score:.2f})")
        lines.append(f"    {' '.join(hit.text.split())[:80]}")
    return lines


def unreadable_files(libraries: Sequence[Library]) -> list[dict[str, Any]]:
    """Files of the folders that could not be read and might hold the answer."""
    read = (FileState.INDEXED, FileState.EXCLUDED, FileState.EMPTY)
    return [
        {"path": file.path, "state": file.report.state.value}
        for library in libraries
        for file in library.files()
        if file.report.state not in read
    ]

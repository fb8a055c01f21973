"""``zhiye search``: passages only, no chat model."""

import argparse
import time

from engine import team
from engine.answer import filters, searching, why_not
from engine.cli.console import Console
from engine.cli.passages import hit_lines
from engine.cli.scope import chosen_documents, chosen_libraries, question_embedders
from engine.trace import gate_record, hit_record
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    chosen = chosen_documents(options)
    with chosen_libraries(options, workspace) as libraries:
        embedder, others = question_embedders(libraries, workspace, console)
        for notice in team.notices(0, libraries):
            console.note(console.say(notice.code, **notice.params))
        started = time.monotonic()
        question = options.question or ""
        found = searching.find(
            question, libraries, embedder, workspace.settings, options.top, others, chosen=chosen
        )
        if chosen and libraries and not found.hits and not filters.matching(libraries, chosen)[0]:
            console.note(console.say("no_document_matches", filter=chosen))
        if found.understood:
            console.note(console.say("filter_understood", filter=found.understood))
        used = found.understood or chosen
        record = {
            "question": options.question,
            "filter": used.record(understood=found.understood is not None) if used else None,
            "gate": gate_record(found.gate),
            "hits": [hit_record(hit) for hit in found.hits],
            "unreadable": [
                {"path": path, "state": state} for path, state in why_not.unreadable(question, libraries)
            ],
            "seconds": round(time.monotonic() - started, 3),
        }
    console.result(record, hit_lines(found.hits, console.language) or [console.say("no_hits")])
    return 0

"""``zhiye check``: every sentence of a draft with its verdict and its source.

With ``--evidence`` neither library nor model is opened, and each line is checked by itself.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.answer.evidence import Evidence
from engine.answer_events import DraftChecked
from engine.answers import CheckedDraft, Flag
from engine.cancel import CancelToken
from engine.checking import check_draft, check_text
from engine.cli.console import Console
from engine.cli.passages import source_lines
from engine.documents import PageSpan, SearchHit
from engine.errors import NotReadable, WrongUse
from engine.intake.encodings import decode
from engine.jsonlines import objects
from engine.trace import check_record

if TYPE_CHECKING:
    from engine.workspace import Workspace

_INPUT = "-"


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if options.evidence is not None:
        return _run_evidence(options, console)
    # Here, because a check against evidence needs none of what these load.
    from engine.cli.scope import chosen_documents, chosen_libraries

    if options.file is None:
        raise WrongUse(detail="FILE")
    text = _text(options.file)
    chosen = chosen_documents(options)
    with chosen_libraries(options, workspace) as libraries:
        embedder, others = workspace.question_embedders(libraries)
        steps = check_draft(
            0, text, libraries, embedder=embedder, others=others, settings=workspace.settings,
            token=CancelToken(), chosen=chosen or None,
        )  # fmt: skip
        checked = console.follow(steps, DraftChecked).checked
    console.result(check_record(checked), lines(checked, console))
    return 0


def _run_evidence(options: argparse.Namespace, console: Console) -> int:
    """One object a line, or the sentences of one line after the other for people."""
    if options.file == _INPUT and options.evidence == _INPUT:
        raise WrongUse(detail="- -")
    draft = None if options.file is None else _text(options.file)
    for number, item in objects(_bytes(options.evidence), options.evidence):
        where = f"{options.evidence}:{number}"
        text = item.get("text") if draft is None else draft
        question = item.get("question") or ""
        if not isinstance(text, str) or not isinstance(question, str):
            raise WrongUse(detail=where)
        checked = check_text(text, _evidence(item.get("evidence"), where), question)
        console.result({**_echoed(item), **check_record(checked)}, [*lines(checked, console), ""])
    return 0


def _echoed(item: dict[str, Any]) -> dict[str, Any]:
    return {key: item[key] for key in ("qid", "id") if key in item}


def _evidence(items: object, where: str) -> list[Evidence]:
    """Blocks of ``{"document", "page", "text"}``; also with a title and a section."""
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise WrongUse(detail=where)
    found = []
    for number, item in enumerate(items, start=1):
        text, page, section = item.get("text"), item.get("page") or 1, item.get("section") or ()
        if not isinstance(text, str) or not isinstance(page, int) or page < 1:
            raise WrongUse(detail=where)
        document = str(item.get("document") or "")
        title = str(item.get("title") or document.rsplit("/", 1)[-1].rsplit(".", 1)[0])
        headings = (section,) if isinstance(section, str) else tuple(map(str, section))
        hit = SearchHit(
            rank=number, score=0.0, dense=None, lexical=None, library="", document=document, title=title,
            page=page, label=None, location=None, section=headings,
            spans=(PageSpan(page, 0, len(text)),), chunk=str(number), text=text, row=number,
            kind="pdf" if document.lower().endswith(".pdf") else "",
        )  # fmt: skip
        found.append(Evidence(number, hit, text))
    return found


def _text(file: str) -> str:
    return decode(_bytes(file)).text


def _bytes(file: str) -> bytes:
    if file == _INPUT:
        return sys.stdin.buffer.read()
    try:
        if not Path(file).is_file():  # a pipe would be waited for, for ever
            raise NotReadable(path=file)
        return Path(file).read_bytes()
    except OSError as exc:
        raise NotReadable(path=file) from exc


def lines(checked: CheckedDraft, console: Console) -> list[str]:
    """A sentence a line with its verdict and sources; what is wrong with it below."""
    found = []
    for sentence in checked.sentences:
        marks = "".join(f"[{number}]" for number in sentence.citations)
        found.append(f"{console.say(f'verdict_{sentence.verdict}')}  {sentence.text}{marks}")
        found += [f"    {_flag(flag, console)}" for flag in sentence.flags]
    found += source_lines(checked.citations, console)
    counts = checked.counts
    return [*found, "", console.say("check_counts", total=len(checked.sentences), **counts)]


def _flag(flag: Flag, console: Console) -> str:
    return console.say(f"flag_{flag.why}", kind=console.say(f"flag_{flag.kind}"), text=flag.text)

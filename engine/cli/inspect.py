"""``zhiye inspect``: what the product reads in one file, and how it cuts it; needs no library."""

import argparse
from typing import Any

from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.documents import WITH_TEXT, Chunk, FileState, Page, Reason
from engine.errors import NotReadable
from engine.events import FileReport
from engine.intake import scanner
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile, RecognisePages
from engine.intake.parsing import ParsingProcess
from engine.trace import reason_text, span_records
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    if options.file.exists() and not options.file.is_file():
        # A folder, or a pipe: reading that would wait for a writer for ever.
        raise NotReadable(path=str(options.file))
    try:
        digest = scanner.content_hash(options.file)
    except OSError as exc:
        raise NotReadable(path=str(options.file)) from exc
    path, passwords = options.file.absolute(), (options.password,) if options.password else ()
    with ParsingProcess(workspace.settings) as reader:
        pages, chunks, done = _read(reader, ReadFile(path, digest, passwords))
        if done.recognisable and workspace.settings.ocr:
            seen, _, end = _read(reader, RecognisePages(path, done.recognisable, passwords))
            if end.reason is not None:
                console.note(console.say(end.reason.code, **end.reason.params))
            pages, chunks, done = _read(reader, ReadFile(path, digest, passwords, tuple(seen)))
    report = FileReport(options.file.name, done.state, done.reason, len(pages), len(chunks))
    record = {
        "path": str(options.file),
        "state": done.state.value,
        "reason": reason_text(report, console.language),
        "title": done.document.title if done.document else None,
        "encoding": done.document.encoding if done.document else None,
        "pages": [_page(page, done) for page in pages],
        "chunks": [_chunk(chunk) for chunk in chunks],
    }
    console.result(record, _lines(record, console))
    return 0


def _read(
    reader: ParsingProcess, request: ReadFile | RecognisePages
) -> tuple[list[Page], list[Chunk], ReadDone]:
    pages: list[Page] = []
    chunks: list[Chunk] = []
    done = ReadDone(FileState.SET_ASIDE, Reason("loader_crashed"))
    for message in reader.answer(request, CancelToken()):
        if isinstance(message, PageRead):
            pages.append(message.page)
        elif isinstance(message, ChunksRead):
            chunks.extend(message.chunks)
        elif isinstance(message, ReadDone):
            done = message
    return pages, chunks if done.state in WITH_TEXT else [], done


def _page(page: Page, done: ReadDone) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "location": page.location,
        "text": page.text,
        "from_ocr": page.from_ocr,
        "confidence": None if page.confidence is None else round(page.confidence, 3),
        "dropped": [{"text": d.text, "why": d.why} for d in done.dropped if d.span.page == page.number],
    }


def _chunk(chunk: Chunk) -> dict[str, Any]:
    return {
        "id": chunk.id,
        "page": chunk.page,
        "page_end": chunk.page_end,
        "spans": span_records(chunk.spans),
        "location": chunk.location,
        "section": list(chunk.section),
        "tokens": chunk.tokens,
        "text": chunk.text,
    }


def _lines(record: dict[str, Any], console: Console) -> list[str]:
    lines = [
        f"{record['path']}: {console.say('state_' + record['state'])}"
        + (f" ({record['reason']})" if record["reason"] else ""),
        console.say("inspect_figures", pages=len(record["pages"]), chunks=len(record["chunks"])),
    ]
    for number, chunk in enumerate(record["chunks"], start=1):
        section = " > ".join(chunk["section"])
        lines.append(
            f"--- {number} · {console.say('page_number', page=chunk['page'])} · {chunk['tokens']} · {section}"
        )
        lines.append(chunk["text"])
    return lines

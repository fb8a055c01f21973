"""The two stories of the system, readable top to bottom: ingest() and ask().

Both are generators of events with short steps; ``None`` is a step with nothing to say. Between two steps
the engine thread may do something more urgent.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine import team
from engine.answer import extract, filters, follow_ups, other_versions, searching, trimming, writing
from engine.answer.gate import calibration
from engine.answer.generation import Generator
from engine.answer.inquiry import Inquiry
from engine.answer.refusal import refuse
from engine.answer.survey import recognising
from engine.answer.survey.reading import Survey
from engine.cancel import CancelToken
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.events import Event, IngestFinished, Notice, ScanFinished
from engine.index import renewing, versions
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.ingest import moves
from engine.ingest.indexing import Indexer, Reader
from engine.ingest.recognition import read_pictures
from engine.intake import awaited, changes
from engine.intake.changes import Again
from engine.intake.scanner import FoundFile
from engine.intake.scope import Scope, below_unlisted, known_files, reachable, scan

Steps = Iterator[Event | None]

_log = logging.getLogger(__name__)


def ingest(
    task_id: int,
    library: Library,
    scope: Scope,
    *,
    reader: Reader,
    embedder: Embedder | None,
    settings: Settings,
    token: CancelToken,
    again: Again | None = None,
    passwords: Sequence[str] = (),
) -> Steps:
    """Bring a library up to date with its folders: every file ends in one named state.

    Only what changed is read, only text without a vector is embedded, and each document is written in one
    transaction, so that stopping at any moment loses the file in work and nothing else. A file whose bytes
    are known is neither read nor embedded, wherever it lies now. Pages that are pictures are read by OCR
    when everything else can be found already.
    """
    started = time.monotonic()
    indexer = Indexer(
        task_id, library, reader, embedder, token, changes.reading(settings), again or Again(),
        tuple(passwords),
    )  # fmt: skip
    yield from renewing.renew(library)
    scope, offline = reachable(library, scope)
    for folder in offline:
        yield Notice(task_id, "folder_offline", {"path": str(folder)})
    if not scope.folders:
        yield Notice(task_id, "no_folder_here", {"name": library.name})
    plan: list[tuple[int, FoundFile]] = []
    for folder_id, found in scan(library, scope, token):
        plan.append((folder_id, found))
        yield None
    known = known_files(library, scope, settings)
    plan += below_unlisted(plan, known)
    yield ScanFinished(task_id, library.name, len(plan))
    candidates = changes.candidates(library, plan, known)
    candidates = yield from moves.follow(library, candidates, known)
    is_noted = awaited.note(library, candidates, () if scope.below else scope.folders, settings)
    yield from indexer.vectors.complete()

    tally = indexer.tally
    yield from indexer.take_in(candidates)
    for gone in changes.in_portions(known):  # known before, not met by this scan
        tally.removed += library.remove_files(gone)
        yield None
    yield from library.settle_copies()
    indexer.look_again()
    yield from versions.group(library, filters.own_date)
    yield from library.cleaning()
    library.save_store(build=embedder is not None)
    if settings.ocr:
        yield from read_pictures(indexer)
        yield from versions.group(library, filters.own_date)
        yield from library.cleaning()
        library.save_store(build=embedder is not None)

    if is_noted:
        awaited.settle(library)
    yield from calibration.calibrating(library, embedder, settings)
    yield from team.notices(task_id, [library])
    reports = [report for _, report in indexer.settled.values()]
    if not library.chunk_count():
        yield Notice(task_id, "no_documents", {"folders": [str(folder) for folder in scope.folders]})
    seconds = {"parse": tally.parse, "embed": tally.embed, "write": tally.write}
    total = time.monotonic() - started
    _log.info("indexed %s files, %s new vectors in %.1f s", len(reports), tally.embedded, total)
    yield IngestFinished(
        task_id=task_id,
        library=library.name,
        files=tuple(reports),
        counts=dict(Counter(report.state.value for report in reports)),
        chunks=library.chunk_count(),
        embedded=tally.embedded,
        reused=tally.reused,
        removed=tally.removed,
        seconds={**seconds, "total": total},
    )


def ask(
    task_id: int,
    question: str,
    libraries: Sequence[Library],
    *,
    embedder: Embedder | None,
    load_generator: Callable[[], Generator | None],
    settings: Settings,
    token: CancelToken,
    documents: frozenset[str] | None = None,
    others: Sequence[Embedder] = (),
    chosen: DocumentFilter | None = None,
    previous: Sequence[str] = (),
    loaded: Generator | None = None,
) -> Steps:
    """Answer from the libraries alone, or say that they do not hold the answer.

    Passages come first (SourcesFound), then the streamed text, then the checked answer that replaces it.
    The chat model is asked for only when the passages may hold an answer and have been shown; where there is
    none, the passages' own sentences are the answer.

    ``chosen`` and ``documents`` restrict the question to some documents; ``previous`` are the questions
    before it, each in full, on which it may lean. ``loaded`` is a chat model that may say such a question in
    full.
    """
    started = time.monotonic()
    if documents is not None:
        chosen = replace(chosen or DocumentFilter(), documents=documents)
    yield from searching.notices(task_id, libraries, embedder, others, chosen)
    rewritten = yield from follow_ups.in_full(question, previous, loaded, token)
    found = searching.find(
        question, libraries, embedder, settings, None, others, chosen=chosen, rewritten=rewritten
    )
    if found.wording == question:
        rewritten = None
    inquiry = Inquiry(task_id, question, libraries, found, chosen, rewritten, started)
    yield from inquiry.sources()
    draft = inquiry.draft()

    if settings.survey and (asked := recognising.census(inquiry.in_full)) is not None:
        survey = Survey(task_id, asked, libraries, settings, inquiry.page_texts, token)
        usable = () if embedder is None else (embedder, *others)
        table = yield from survey.steps(draft, inquiry.among, usable, load_generator)
        if table.count:
            yield inquiry.finished(survey.answer(draft))
        token.check()
        if table.count:
            return
        yield Notice(task_id, "survey_found_nothing", {"read": table.read, "of": table.of})
        draft = replace(draft, table=table)
    if not found.gate.answerable:
        yield inquiry.finished(refuse(draft, "gate"))
        return

    generator = load_generator()
    rarity = trimming.rarity_in(libraries)
    if generator is None:
        answer = extract.answer(draft, inquiry.page_texts, rarity)
    else:
        answer = yield from writing.answer(inquiry, draft, generator, rarity, settings, token)
    answer = other_versions.compared(answer, libraries, inquiry.among, inquiry.page_texts)
    yield from other_versions.notices(task_id, answer)
    yield inquiry.finished(answer)

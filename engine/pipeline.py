"""The two stories of the system, readable top to bottom: ingest() and ask().

Both are generators of events with short steps; ``None`` is a step with nothing to say. Between two steps
the engine thread may do something more urgent.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from engine import moves, team
from engine.answer import (
    evidence,
    extract,
    filters,
    follow_ups,
    gate,
    grounding,
    other_versions,
    parts,
    prompting,
    reading,
    retrieval,
    trimming,
    why_not,
    wordings,
)
from engine.answer.gate import calibration
from engine.answer.generation import Generator, PromptRead, Seeded
from engine.answer.hits import neighbours
from engine.answer.refusal import refuse
from engine.answer.survey import recognising
from engine.answer.survey.reading import Survey
from engine.cancel import CancelToken
from engine.config import QUESTION_LIMIT, Settings
from engine.document_filter import DocumentFilter
from engine.documents import Answer, Gate, Page, SearchHit
from engine.errors import QuestionEmpty, QuestionTooLong
from engine.events import (
    AnswerFinished,
    AnswerText,
    Event,
    IngestFinished,
    Notice,
    PromptMade,
    PromptProgress,
    ScanFinished,
    SourcesFound,
)
from engine.index import embedders, lexical, renewing, versions
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.indexing import Indexer, Reader
from engine.intake import awaited, changes
from engine.intake.changes import Again
from engine.intake.scanner import FoundFile
from engine.intake.scope import Scope, below_unlisted, known_files, reachable, scan
from engine.recognition import read_pictures

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


def search(
    question: str,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    top: int | None = None,
    documents: frozenset[str] | DocumentFilter | None = None,
    others: Sequence[Embedder] = (),
) -> tuple[tuple[SearchHit, ...], Gate]:
    """The best passages, and whether they may hold the answer; ``documents`` restricts both to those.

    ``others`` are used for libraries whose vectors they made.

    Raises:
        QuestionEmpty: nothing in the question can be searched for.
        QuestionTooLong: more than 10,000 characters.
    """
    if len(question) > QUESTION_LIMIT:
        raise QuestionTooLong(length=len(question), limit=QUESTION_LIMIT)
    if not lexical.query_terms(question):
        raise QuestionEmpty()
    count = top or settings.top_k
    hits = retrieval.search(question, libraries, embedder, settings, count, documents, others)
    return hits, gate.judge(question, hits[: settings.top_k], libraries, settings.mode, embedder)


def find(
    question: str,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    top: int | None = None,
    others: Sequence[Embedder] = (),
    *,
    chosen: DocumentFilter | None = None,
    rewritten: str | None = None,
) -> wordings.Found:
    """:func:`search` in the ways that the question may be meant (:mod:`engine.answer.wordings`).

    ``chosen`` restricts it to some documents, ``rewritten`` is the question in full where it leans on
    another.
    """
    given = chosen or None

    def look_up(wording: str, among: DocumentFilter | None) -> tuple[tuple[SearchHit, ...], Gate]:
        return search(wording, libraries, embedder, settings, top, among, others)

    def look(text: str, full: str | None) -> wordings.Found:
        return wordings.best(text, full, libraries, given, look_up)

    found = parts.best(question, rewritten, look, settings, top or settings.top_k)
    among = found.understood or given
    return replace(found, hits=other_versions.newest_first(found.wording, found.hits, libraries, among))


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
    if not libraries:
        yield Notice(task_id, "no_library")
    elif embedder is None:
        yield Notice(task_id, "lexical_only")
    else:
        for params in embedders.strangers(libraries, embedder, others):
            yield Notice(task_id, "other_embedder", params)
    if documents is not None:
        chosen = replace(chosen or DocumentFilter(), documents=documents)
    rewritten = yield from follow_ups.in_full(question, previous, loaded, token)
    found = find(question, libraries, embedder, settings, None, others, chosen=chosen, rewritten=rewritten)
    hits, verdict = found.hits, found.gate
    if chosen and libraries and not hits and not filters.matching(libraries, chosen)[0]:
        yield Notice(task_id, "no_document_matches", {"filter": str(chosen)})
    if found.wording == question:
        rewritten = None
    if rewritten is not None:
        yield Notice(task_id, "question_rewritten", {"question": rewritten})
    if found.understood:
        yield Notice(task_id, "filter_understood", {"filter": str(found.understood)})
    retrieved = time.monotonic()
    yield from team.notices(task_id, libraries)
    if (indexed := awaited.share(libraries)) < 1:
        yield Notice(task_id, "still_indexing", {"percent": int(indexed * 100)})
    yield SourcesFound(task_id, hits, verdict)
    yield from parts.notices(task_id, found)

    def finished(answer: Answer, first_token: float | None = None) -> AnswerFinished:
        seconds = {
            "retrieve": retrieved - started,
            "first_token": None if first_token is None else first_token - started,
            "total": time.monotonic() - started,
        }
        _log.info("answered in %.1f s, refused by %s", seconds["total"], answer.refused_by)
        if answer.refused:
            answer = replace(answer, why_not=why_not.explain(
                question, hits, verdict, libraries, narrowed=bool(found.understood or chosen)
            ))  # fmt: skip
        answer = replace(answer, seconds=seconds)
        return AnswerFinished(task_id, answer, can_ask_again=indexed < 1)

    def library_of(hit: SearchHit) -> Library:
        return next(item for item in libraries if item.name == hit.library)

    def page_texts(hit: SearchHit) -> Mapping[int, Page]:
        numbers = sorted({span.page for span in hit.spans})
        return {page.number: page for page in library_of(hit).pages(hit.row, numbers)}

    def around(hit: SearchHit) -> tuple[SearchHit, ...]:
        return neighbours(hit, library_of(hit))

    among = found.understood or chosen or None
    draft = Answer(
        question, "", False, None, (), (), hits, verdict, rewritten=rewritten, indexed_share=indexed,
        parts=found.parts,
        filter=None if among is None else among.record(understood=found.understood is not None),
    )  # fmt: skip
    if settings.survey and (asked := recognising.census(rewritten or question)) is not None:
        survey = Survey(task_id, asked, libraries, settings, page_texts, token)
        usable = () if embedder is None else (embedder, *others)
        table = yield from survey.steps(draft, among, usable, load_generator)
        if table.count:
            yield finished(survey.answer(draft))
            token.check()
            return
        token.check()
        yield Notice(task_id, "survey_found_nothing", {"read": table.read, "of": table.of})
        draft = replace(draft, table=table)
    if not verdict.answerable:
        yield finished(refuse(draft, "gate"))
        return
    generator = load_generator()
    rarity = trimming.rarity_in(libraries)
    if generator is None:
        answer = extract.answer(draft, page_texts, rarity)
        answer = other_versions.compared(answer, libraries, among, page_texts)
        yield from other_versions.notices(task_id, answer)
        yield finished(answer)
        return

    prompt = prompting.load(generator.prompt, question)
    in_full = rewritten or question
    blocks = evidence.for_prompt(
        in_full, hits, generator, prompt, settings, around, rarity, found.wording,
        besides=reading.tokens(generator, prompt.language),
    )  # fmt: skip
    begun = prompt.beginning(in_full, blocks)
    verdict = yield from reading.judge(
        task_id, verdict, generator, begun, prompt.language, settings.mode, token
    )
    draft = replace(draft, gate=verdict)
    if verdict.read_in_vain:
        yield finished(refuse(draft, "model"))
        return
    if verdict.reading is not None:
        prompt = prompt.after_reading()
    messages = prompt.messages(in_full, blocks)
    seed = generator.seed if isinstance(generator, Seeded) else None
    yield PromptMade(task_id, prompt.name, tuple(messages), generator.model_id, seed)
    written, prompt_tokens, answer_tokens, first_token = "", 0, 0, None
    for step in generator.generate(
        messages,
        max_tokens=evidence.answer_reserve(generator, settings),
        temperature=settings.temperature,
        token=token,
    ):
        if isinstance(step, PromptRead):
            prompt_tokens = step.total
            yield PromptProgress(task_id, step.done, step.total)
            continue
        first_token = first_token or time.monotonic()
        written += step.text
        answer_tokens = step.tokens
        yield AnswerText(task_id, step.text)

    checked = grounding.check(written, blocks, page_texts, in_full)
    answer = replace(
        draft,
        text=checked.text,
        sentences=checked.sentences,
        citations=checked.citations,
        evidence=tuple(item.hit.chunk for item in blocks),
        model=generator.model_id,
        prompt=prompt.name,
        tokens={"prompt": prompt_tokens, "answer": answer_tokens},
    )
    if checked.refused_by is not None:
        answer = refuse(answer, checked.refused_by)
    answer = other_versions.compared(answer, libraries, among, page_texts)
    yield from other_versions.notices(task_id, answer)
    yield finished(answer, first_token)

"""核对文稿: a draft that somebody wrote, checked sentence by sentence as answers are checked.

Each sentence is searched for by itself and checked against the passages found for it; no chat model is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from engine.answer.evidence import Evidence
from engine.answer.grounding import Checking, headings, pieces
from engine.answer_events import DraftChecked
from engine.answers import CheckedDraft, Sentence
from engine.cancel import Cancelled
from engine.documents import Page, SearchHit
from engine.events import Event, StepProgress

if TYPE_CHECKING:
    from engine.cancel import CancelToken
    from engine.config import Settings
    from engine.document_filter import DocumentFilter
    from engine.index.embedding import Embedder
    from engine.index.library import Library

PASSAGES = 6
"""Passages that a sentence is checked against."""

_SHORT = 8
"""Terms below which a sentence (该期限为十年。) is searched for together with the one before it."""

_SEARCHED = 400
"""Characters of a sentence that are searched for."""

_WORDINGS = 2
"""Wordings by the library's aliases in which a sentence is searched for besides."""


def check_draft(
    task_id: int,
    text: str,
    libraries: Sequence[Library],
    *,
    embedder: Embedder | None,
    settings: Settings,
    token: CancelToken,
    others: Sequence[Embedder] = (),
    chosen: DocumentFilter | None = None,
) -> Iterator[Event | None]:
    """Check every sentence; ends with DraftChecked, also when it is stopped: then of the sentences so far.

    ``chosen`` restricts what they are checked against.
    """
    # Here, so that a check without a library (check_text) starts without any of it.
    from engine.answer import retrieval, searching
    from engine.answer.hits import pages_of
    from engine.index import aliases, lexical

    yield from searching.notices(task_id, libraries, embedder, others, chosen)

    groups = [group for library in libraries for group in aliases.read(library.db)]

    def found(sentences: Sequence[str], before: str) -> list[Evidence]:
        hits: dict[tuple[str, int], SearchHit] = {}
        for sentence in sentences:
            wanted = sentence[:_SEARCHED]
            if len(lexical.query_terms(wanted)) < _SHORT:
                wanted = f"{before[-_SEARCHED:]}{wanted}"
            if not libraries or not lexical.query_terms(wanted):
                continue
            for hit in retrieval.search(wanted, libraries, embedder, settings, PASSAGES, chosen, others):
                hits.setdefault((hit.library, hit.row), hit)
        return [Evidence(number, hit, hit.text) for number, hit in enumerate(hits.values(), start=1)]

    checking = Checking((), lambda hit: pages_of(hit, libraries))
    spans = list(pieces(text))
    judged: list[tuple[Sentence | None, tuple[int, int]]] = []
    before = ""
    try:
        for done, (start, end) in enumerate(spans, start=1):
            token.check()
            written, is_heading = text[start:end], headings.is_heading(text, start, end)
            in_other_words = tuple(islice(aliases.other_wordings(groups, written), _WORDINGS))
            checking.rest_on(() if is_heading else found((written, *in_other_words), before))
            sentence = checking.sentence(written, is_heading=is_heading, in_other_words=in_other_words)
            judged.append((sentence, (start, end)))
            before = written
            yield StepProgress(task_id, "progress_check", done, len(spans))
    except Cancelled:
        if judged:
            yield DraftChecked(task_id, _checked(judged, checking))
        raise
    yield DraftChecked(task_id, _checked(judged, checking))


def check_text(text: str, evidence: Sequence[Evidence], question: str = "") -> CheckedDraft:
    """A draft against evidence that is at hand, each block a page of its own."""
    checking = Checking(evidence, lambda hit: {hit.page: Page(hit.page, hit.text)}, question)
    judged = [
        (checking.sentence(text[start:end], is_heading=headings.is_heading(text, start, end)), (start, end))
        for start, end in pieces(text)
    ]
    return _checked(judged, checking)


def _checked(judged: Sequence[tuple[Sentence | None, tuple[int, int]]], checking: Checking) -> CheckedDraft:
    """What was judged of each piece of a draft, with its place; None for a piece that is no sentence."""
    kept = [(sentence, place) for sentence, place in judged if sentence is not None]
    return CheckedDraft(
        tuple(sentence for sentence, _ in kept), tuple(place for _, place in kept), checking.citations
    )

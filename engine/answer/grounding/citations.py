"""Citations: from a statement to the sentence that supports it and its place on the page."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from engine.answer import sentences
from engine.answer.evidence import Evidence
from engine.answer.grounding.facts import Held, facts
from engine.answers import Citation
from engine.documents import Page, PageSpan, SearchHit
from engine.index import lexical

PageTexts = Callable[[SearchHit], Mapping[int, Page]]
"""The pages a passage lies on, by page number: for their texts and their labels."""

_LEFT_OUT = "-\u2010\u00ad\u200b\u2060\ufeff\ufffc"

EXCERPT = 80
"""Characters of a passage shown beside its citation."""


DETAILS = 0.5
"""What a sentence gains that holds every number, date and name of the statement."""


def quote(statement: str, evidence: Evidence) -> tuple[int, int]:
    """The span in the block's text of the sentence (or of two neighbours) that says most of the statement.

    What title and section say does not count, or a page footer with the product's name would win; numbers,
    dates and names count extra. One sentence is preferred: the second must add a tenth. A heading is no
    quote as long as there is a sentence.
    """
    text, hit = evidence.text, evidence.hit
    every = list(sentences.split(text))
    headings = {hit.title, *hit.section}
    spans = [span for span in every if text[span[0] : span[1]] not in headings] or every
    if not spans:
        return 0, len(text)
    subject = " ".join(headings)
    terms = set(lexical.query_terms(statement))
    wanted = terms - set(lexical.terms(subject)) or terms
    known = Held.of(subject)
    details = [fact for fact in facts(statement) if fact not in known]

    def score(start: int, end: int) -> float:
        sentence = text[start:end]
        said = len(wanted & set(lexical.terms(sentence))) / (len(wanted) or 1)
        holds = Held.of(sentence)
        return said + DETAILS * sum(fact in holds for fact in details) / (len(details) or 1)

    wide = [
        (start, following[1])
        for (start, _), following in pairwise(spans)
        if evidence.is_whole(start, following[1])
    ]
    scored = [(score(*span), -i, span) for i, span in enumerate(spans)]
    scored += [(score(*span) - 0.1, -i - len(spans), span) for i, span in enumerate(wide)]
    return max(scored)[2]


def locate(
    text: str, spans: Sequence[PageSpan], pages: Mapping[int, Page], start: int, end: int
) -> tuple[PageSpan, ...]:
    """Where ``text[start:end]`` of a chunk stands on its pages.

    Nothing is searched for: the chunk and the page text of its spans are walked side by side. Between them
    differ only blanks, line breaks, hyphens at line ends and invisible characters, which cleaning joined or
    dropped. Should they differ otherwise, the whole chunk's spans are returned.
    """
    found: list[PageSpan] = []
    at = 0
    for span in spans:
        page = pages[span.page].text if span.page in pages else ""
        for offset in range(span.start, min(span.end, len(page))):
            character = page[offset]
            while at < len(text) and text[at].isspace() and not character.isspace():
                at += 1
            if at >= len(text):
                break
            if text[at] != character:
                if character.isspace() or character in _LEFT_OUT:
                    continue
                return tuple(spans)
            if start <= at < end:
                _extend(found, span.page, offset)
            at += 1
    return tuple(found) or tuple(spans)


def _extend(found: list[PageSpan], page: int, offset: int) -> None:
    last = found[-1] if found else None
    # Dropped blanks between two characters of the quote belong to it.
    if last is not None and last.page == page and 0 <= offset - last.end <= 4:
        found[-1] = PageSpan(page, last.start, offset + 1)
    else:
        found.append(PageSpan(page, offset, offset + 1))


def cite(number: int, statement: str, evidence: Evidence, page_texts: PageTexts) -> Citation:
    """The citation of one statement, with the page that holds its quote."""
    hit = evidence.hit
    start, end = evidence.in_hit(*quote(statement, evidence))
    pages = page_texts(hit)
    spans = locate(hit.text, hit.spans, pages, start, end)
    page = spans[0].page if spans else hit.page
    return Citation(
        number=number,
        library=hit.library,
        document=hit.document,
        page=page,
        label=pages[page].label if page in pages else hit.label,
        location=hit.location,
        section=hit.section,
        spans=spans,
        quote=" ".join(hit.text[start:end].split()),
        excerpt=" ".join(hit.text.split())[:EXCERPT],
        chunk=hit.chunk,
        row=hit.row,
        kind=hit.kind,
        path=hit.path,
        content_hash=hashlib.sha256(hit.text.encode("utf-8", "surrogatepass")).hexdigest(),
    )

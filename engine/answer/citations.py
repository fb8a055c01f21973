"""Citations: from a statement to the sentence that supports it and its place on the page."""

from collections.abc import Callable, Mapping, Sequence

from engine.answer import sentences
from engine.answer.evidence import Evidence
from engine.documents import Citation, PageSpan
from engine.index import lexical

PageTexts = Callable[[str, int], Mapping[int, str]]
"""Texts of the pages a chunk lies on, by page number; asked with library name and row id."""

EXCERPT = 80
"""Characters of a passage shown beside its citation."""


def overlap(statement: str, text: str) -> float:
    """Share of the statement's terms that ``text`` holds, 0 to 1; 0 for a statement without terms."""
    wanted = set(lexical.query_terms(statement))
    if not wanted:
        return 0.0
    return len(wanted & set(lexical.terms(text))) / len(wanted)


def quote(statement: str, evidence: Evidence) -> tuple[int, int]:
    """The span of the passage's sentence (or of two neighbours) that says most of the statement.

    One sentence is preferred: the second must add a tenth of the statement's terms.
    """
    spans = list(sentences.split(evidence.hit.text))
    if not spans:
        return 0, len(evidence.hit.text)
    best, best_score = spans[0], -1.0
    for i, (start, end) in enumerate(spans):
        score = overlap(statement, evidence.hit.text[start:end])
        if score > best_score:
            best, best_score = (start, end), score
        if i + 1 < len(spans):
            wide = (start, spans[i + 1][1])
            score = overlap(statement, evidence.hit.text[wide[0] : wide[1]]) - 0.1
            if score > best_score:
                best, best_score = wide, score
    return best


def locate(
    text: str, spans: Sequence[PageSpan], pages: Mapping[int, str], start: int, end: int
) -> tuple[PageSpan, ...]:
    """Where ``text[start:end]`` of a chunk stands on its pages.

    Nothing is searched for: the chunk and the page text of its spans are walked side by side. Between them
    differ only blanks, line breaks and hyphens at line ends, which cleaning joined or dropped. Should they
    differ otherwise, the whole chunk's spans are returned.
    """
    found: list[PageSpan] = []
    at = 0
    for span in spans:
        page = pages.get(span.page, "")
        for offset in range(span.start, min(span.end, len(page))):
            character = page[offset]
            while at < len(text) and text[at].isspace() and not character.isspace():
                at += 1
            if at >= len(text):
                break
            if text[at] != character:
                if character.isspace() or character in "-\u00ad\u2010":
                    continue
                return tuple(spans)
            if start <= at < end:
                _extend(found, span.page, offset)
            at += 1
    return tuple(found) or tuple(spans)


def _extend(found: list[PageSpan], page: int, offset: int) -> None:
    last = found[-1] if found else None
    # Dropped blanks between two characters of the quote belong to it.
    if last is not None and last.page == page and offset - last.end <= 4:
        found[-1] = PageSpan(page, last.start, offset + 1)
    else:
        found.append(PageSpan(page, offset, offset + 1))


def cite(number: int, statement: str, evidence: Evidence, page_texts: PageTexts) -> Citation:
    """The citation of one statement, with the page that holds its quote."""
    hit = evidence.hit
    start, end = quote(statement, evidence)
    spans = locate(hit.text, hit.spans, page_texts(hit.library, hit.row), start, end)
    page = spans[0].page if spans else hit.page
    return Citation(
        number=number,
        library=hit.library,
        document=hit.document,
        page=page,
        label=hit.label if page == hit.page else None,
        location=hit.location,
        section=hit.section,
        spans=spans,
        quote=" ".join(hit.text[start:end].split()),
        excerpt=" ".join(hit.text.split())[:EXCERPT],
        chunk=hit.chunk,
        row=hit.row,
        kind=hit.kind,
        path=hit.path,
    )

"""Pages to running text, with the place of every character kept.

Running lines and page numbers go, wrapped lines are joined, blanks at line ends and runs of blank lines
shrink. Text is left out, never changed: each character of the result stands on a page, apart from what
joins pages and lines. What runs along is kept once, where its words stand nowhere else.
"""

import unicodedata

from engine.documents import Page
from engine.intake.cleaning.body import CELL, add_body, add_line
from engine.intake.cleaning.clean_text import Builder, CleanText
from engine.intake.cleaning.linebreaks import is_wrap
from engine.intake.cleaning.margins import is_similar
from engine.intake.cleaning.page_lines import LeftOut, PageLines

_RECENT = 20_000
"""Characters of text before a running line in which its words are looked for, and of the beginning."""

PAGE_BREAK = "\n\n"


class Cleaner:
    """Pages in order to running text, which can be taken away block by block."""

    def __init__(self) -> None:
        self._builder = Builder()
        self._before: tuple[PageLines, int] | None = None
        self._owed: list[tuple[Page, LeftOut]] = []
        """Footers and stamps that are kept once, and wait for a page that does not break a sentence."""
        self._said: set[str] = set()
        self._beginning = ""

    def take(self, *, more: bool = False) -> CleanText:
        """The text since the last call. What follows is not joined to it; ``more``: something does."""
        self._keep_owed()
        self._before = None
        if more and self._builder.length:
            self._builder.insert(PAGE_BREAK)
        text = self._builder.finish()
        self._beginning = (self._beginning + _letters(text.text[:_RECENT]))[:_RECENT]
        self._builder = Builder()
        return text

    def add(self, lines: PageLines, *, is_unusable: bool = False) -> None:
        page = lines.page
        if is_unusable:
            self._builder.drop(page, 0, len(page.text), "unusable_text")
            return
        kept = list(lines.kept())
        wrapped = bool(kept) and self._before is not None and reads_on(*self._before, lines, kept[0])
        if not wrapped:
            self._keep_owed()
        self._owed = []
        headers = self._left_out(lines, wrapped=wrapped)
        if not kept and not headers:
            return
        builder = self._builder
        continued = bool(kept) and not headers and _continues_table(builder, lines, kept[0])
        if builder.length and not wrapped:
            builder.insert("\n" if continued else PAGE_BREAK)
        for part in headers:
            builder.start_page(page.number)
            add_line(builder, page.text[part.start : part.end], part.start, laid_out=True)
            builder.insert("\n" if kept else "")
        if kept:
            add_body(builder, lines, kept, wrapped=wrapped, continued=continued)
            self._before = lines, kept[-1]

    def _left_out(self, lines: PageLines, *, wrapped: bool) -> list[LeftOut]:
        """Note what is left out of the page; gives the headers that are kept."""
        headers = []
        page = lines.page
        for part in lines.left_out:
            if part.words and not self._is_said(part.words, page):
                if self._stands_elsewhere(part.words, lines):
                    self._said.add(part.words)
                elif part.why != "running_header":
                    # Until the next page tells whether a sentence runs over the page's end.
                    if all(part.words != owed.words for _, owed in self._owed):
                        self._owed.append((page, part))
                    self._builder.drop(page, part.start, part.end, part.why)
                    continue
                elif not wrapped:
                    self._said.add(part.words)
                    headers.append(part)
                    continue
            self._builder.drop(page, part.start, part.end, part.why)
        return headers

    def _is_said(self, words: str, page: Page) -> bool:
        if words in self._said:
            return True
        return page.from_ocr and any(is_similar(words, said) for said in self._said)

    def _stands_elsewhere(self, words: str, lines: PageLines) -> bool:
        own = "".join(lines.text(number) for number in lines.kept())
        near = _letters(self._builder.last(_RECENT) + own)
        return words in near or words in self._beginning

    def _keep_owed(self) -> None:
        """Add what is owed below the text so far."""
        builder = self._builder
        for page, part in self._owed:
            self._said.add(part.words)
            builder.take_up(page, part.start, part.end)
            builder.insert("\n" if builder.length else "")
            builder.start_page(page.number)
            add_line(builder, page.text[part.start : part.end], part.start, laid_out=True)
        self._owed = []


def reads_on(before: PageLines, last: int, lines: PageLines, first: int) -> bool:
    """Whether a page's first line goes on with the sentence of the last line of the page before."""
    above, below = before.extent(last), lines.extent(first)
    start, _ = lines.spans[first]
    if above is None or below is None or any(heading.offset == start for heading in lines.page.headings):
        return False
    if _in_table(before, last) or _in_table(lines, first):
        return False
    return is_wrap(above, below, before.around(len(before.spans)), apart=True)


def _continues_table(builder: Builder, lines: PageLines, first: int) -> bool:
    """Whether a page begins with rows without header of the table that ended the page before."""
    start, end = lines.spans[first]
    if not builder.ends_in_table():
        return False
    row = builder.tail
    return any(
        table.start == table.header_end <= start < table.end
        and row.count(CELL) == lines.page.text.count(CELL, start, end)
        for table in lines.page.tables[:1]
    )


def _in_table(lines: PageLines, number: int) -> bool:
    start, _ = lines.spans[number]
    return any(table.start <= start < table.end for table in lines.page.tables)


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalpha())

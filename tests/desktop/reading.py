"""PDFs and located passages for tests and pictures of the reader."""

from pathlib import Path

import pymupdf

from engine.commands import FindInDocument, LocatePassage, ReadPages
from engine.documents import Page
from engine.events import DocumentSearched, MarkedPage, Occurrence, PagesRead, PassageLocated
from engine.reader.finding import spans_of
from tests.desktop.scripted_engine import ScriptedEngine

LINES = (
    "员工在本公司连续工作满一年后，可享受带薪年休假。",
    "工龄满一年不满十年的，年休假为 10 天；满十年的为 15 天。",
    "当年未休完的年休假可以顺延至次年 3 月 31 日。",
)
LINE_HEIGHT = 30


def written_pdf(
    path: Path, pages: int = 3, *, bookmarks: bool = False, lines: tuple[str, ...] = LINES
) -> Path:
    """Each page says its number and ``lines`` from 100 points down; chapters of two pages as bookmarks."""
    document = pymupdf.open()
    font = pymupdf.Font("china-s")
    for number in range(1, pages + 1):
        page = document.new_page(width=400, height=600)
        writer = pymupdf.TextWriter(page.rect)
        for place, line in enumerate((f"第 {number} 页", *lines)):
            writer.append((40, 70 + place * LINE_HEIGHT), line, font=font, fontsize=12)
        writer.write_text(page)
    if bookmarks:
        chapters = range(1, pages + 1, 2)
        document.set_toc(
            [row for n in chapters for row in ([1, f"第{n}章", n], [2, f"第{n}章之一", n + 1])][:pages]
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(path)
    document.close()
    return path


def line_rect(line: int) -> tuple[float, float, float, float]:
    """Where ``LINES[line]`` stands, generously."""
    base = 70 + (line + 1) * LINE_HEIGHT
    return 40.0, base - 12.0, 340.0, base + 4.0


def located(
    engine: ScriptedEngine,
    path: Path | None,
    pages: tuple[MarkedPage, ...],
    *,
    kind: str = "pdf",
    changed: bool = False,
    stored: tuple[Page, ...] = (),
    document: str = "子/文件.pdf",
    from_ocr: tuple[int, ...] = (),
) -> None:
    """What the engine says from now on of any passage; ``stored`` are all pages of its document."""
    engine.scripts[LocatePassage] = lambda c: [
        PassageLocated(c.task_id, c.library, document, path, kind, "标题", pages, changed, (), from_ocr)
    ]
    engine.scripts[ReadPages] = lambda c: [
        PagesRead(c.task_id, c.row, tuple(p for p in stored if not c.numbers or p.number in c.numbers))
    ]
    engine.scripts[FindInDocument] = lambda c: [DocumentSearched(c.task_id, _found(c.words, stored))]


def _found(words: str, stored: tuple[Page, ...]) -> tuple[Occurrence, ...]:
    """Each with the rectangle of its line."""
    return tuple(
        Occurrence(page.number, start, end, (line_rect(page.text.count("\n", 0, start) - 1),))
        for page in stored
        for start, end in spans_of(words, page.text)
    )


def stored_pages(count: int) -> tuple[Page, ...]:
    """What is stored of :func:`written_pdf`."""
    return tuple(
        Page(number, "\n".join((f"第 {number} 页", *LINES)), size=(400.0, 600.0))
        for number in range(1, count + 1)
    )

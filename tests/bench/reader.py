"""A PDF of a thousand dense pages in the reader: opening it, scrolling through it, finding words in it."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.heartbeat import p99_and_longest
from tests.bench.measuring import Row, median_ms

PAGES = 1000
_LINES = 38
_SCROLL_S = 12.0
_LINE = "第{page}页第{line}行：员工在本公司连续工作满一年后，可享受带薪年休假，工龄满一年不满十年的为十天。"


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [sys.executable, "-m", "tests.bench.reader", folder],
            env={"QT_QPA_PLATFORM": "offscreen", **os.environ},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    found = json.loads(result.stdout.splitlines()[-1])
    yield Row(f"opening a PDF of {PAGES} pages until its first page is drawn", f"{found['open_ms']:.0f} ms")
    for phase, gaps in found["gaps"].items():
        yield Row(f"event loop held up while {phase}", p99_and_longest(gaps), "p99 at most 50 ms")
    yield Row("memory that the pages took at most", f"{found['memory'] >> 20} MiB", "the window without them")
    yield Row(f"finding words on {PAGES} pages in the engine", median_ms(found["find_s"]))


def write_pdf(path: Path) -> None:
    import pymupdf

    document, font = pymupdf.open(), pymupdf.Font("china-s")
    for page_number in range(1, PAGES + 1):
        page = document.new_page()
        writer = pymupdf.TextWriter(page.rect)
        for line in range(_LINES):
            writer.append(
                (50, 60 + line * 18), _LINE.format(page=page_number, line=line), font=font, fontsize=10
            )
        writer.write_text(page)
    document.subset_fonts()
    document.save(path, garbage=3, deflate=True)


def measure(folder: Path) -> dict[str, object]:
    """Milliseconds, gaps in milliseconds, bytes and seconds."""
    import psutil
    from PySide6.QtCore import QCoreApplication

    from desktop import application
    from desktop.reader.pdf_pages import PdfPages
    from tests.bench.heartbeat import Heartbeat

    path = folder / "一千页.pdf"
    write_pdf(path)
    qt = application.make_application("zh")
    pages, heart, process = PdfPages(), Heartbeat(), psutil.Process()
    pages.resize(760, 900)
    pages.show()
    qt.processEvents()
    before, most = process.memory_info().rss, 0

    def until(done: Callable[[], bool]) -> list[float]:
        def is_busy() -> bool:
            nonlocal most
            most = max(most, process.memory_info().rss)
            return not done()

        return heart.during(is_busy, 60)

    drawn: list[int] = []
    pages._images.page_rendered.connect(drawn.append)
    started = time.perf_counter()
    assert pages.open(path)
    pages.show_marks({500: ((50, 60, 400, 80),)}, 500)
    opening = until(lambda: 500 in drawn)
    open_ms = 1000 * (time.perf_counter() - started)
    bar = pages.verticalScrollBar()

    def scroll(step: Callable[[float], int]) -> list[float]:
        begun = time.perf_counter()

        def has_ended() -> bool:
            share = (time.perf_counter() - begun) / _SCROLL_S
            bar.setValue(step(share))
            return share >= 1

        return until(has_ended)

    gaps = {
        "a PDF of 1,000 pages is opened": opening,
        "its pages are dragged past from the first to the last": scroll(lambda s: int(s * bar.maximum())),
        "they are scrolled with the wheel": scroll(lambda _: (bar.value() - 40) % bar.maximum()),
    }
    pages.close_document()
    pages.close()
    QCoreApplication.processEvents()
    return {"open_ms": open_ms, "gaps": gaps, "memory": most - before, "find_s": _finding()}


def _finding() -> list[float]:
    from engine.commands import FindInDocument
    from engine.documents import Page
    from engine.index.library import Library
    from engine.intake import boxes
    from engine.reader.document_text import find
    from tests.bench.measuring import seconds
    from tests.builders import add_pages
    from tests.fakes import FakeEmbedder

    pages = []
    for number in range(1, PAGES + 1):
        text = "\n".join(_LINE.format(page=number, line=line) for line in range(_LINES))
        places = [(n % 50 * 10, n // 50 * 18, n % 50 * 10 + 10, n // 50 * 18 + 12) for n in range(len(text))]
        pages.append(Page(number, text, size=(595, 842), boxes=boxes.pack(places, (595, 842))))
    library = Library(None, dimension=FakeEmbedder().dimension)
    library.set_meta("name", "库")
    add_pages(library, "长.pdf", pages, FakeEmbedder())
    command = FindInDocument(1, "库", 1, "第700页第3")
    return [seconds(lambda: find(command, library)) for _ in range(5)]


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))

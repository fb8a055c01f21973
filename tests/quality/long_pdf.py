"""A PDF of a thousand ordinary pages: pages a second, and what the parent's memory grows by meanwhile."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
import pymupdf

from engine import pipeline, seal
from engine.cancel import CancelToken
from engine.config import Settings
from engine.events import IngestFinished
from engine.index.library import Library
from engine.intake.messages import PageRead, ReadFile
from engine.intake.pool import ParsingPool
from engine.intake.reading import answer
from tests.fakes import FakeEmbedder

PAGES = 1000
_HEADINGS = ("总则", "采购与验收", "费用报销", "设备台账", "档案与保密", "奖励与处分", "附则")
_SENTENCES = (
    "各部门应当按照本办法的规定，于每月{n}日以前将上月的费用明细报送财务处审核。",
    "编号为ZC-{n:05}的设备存放于东区{m}号仓库，责任人每季度盘点一次并登记台账。",
    "单笔金额超过{n}元的采购，须经分管领导批准后方可办理，逾期未办理的视为放弃。",
    "The supplier shall deliver item {n} within {m} days after the order.",
    "违反前款规定，造成损失的，由直接责任人承担赔偿责任，并按照第{m}条的规定处理。",
)


def write(path: Path, pages: int = PAGES) -> None:
    """Pages as offices print them: a header, now and then a heading, 25 lines (800 characters), a number."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        page.insert_text((60, 40), "某某公司管理制度汇编", fontname="china-s", fontsize=9)
        if number % 5 == 1:
            heading = f"第{number // 5 + 1}章　{_HEADINGS[number % len(_HEADINGS)]}"
            page.insert_text((60, 80), heading, fontname="china-s", fontsize=16)
        for line in range(25):
            sentence = _SENTENCES[line % len(_SENTENCES)].format(n=number * 25 + line, m=number % 90 + 1)
            page.insert_text((60, 110 + 26 * line), sentence, fontname="china-s", fontsize=10.5)
        page.insert_text((290, 815), str(number), fontname="china-s", fontsize=9)
    document.save(path)
    document.close()


def pages_a_second(path: Path) -> float:
    """Pages of one reader on one core, from bytes to chunks; processor time, so that others do not count."""
    begun = time.process_time()
    pages = sum(isinstance(m, PageRead) for m in answer(ReadFile(path, "ab" * 32), Settings()))
    return pages / (time.process_time() - begun)


def ingest(path: Path, home: Path) -> dict[str, float]:
    """Take it in with a parsing process, watching this process's memory; with a double of the embedder."""
    own = psutil.Process()
    peak = [0]
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(0.01):
            peak[0] = max(peak[0], own.memory_info().rss)

    embedder = FakeEmbedder()
    library = Library(home / "library", dimension=embedder.dimension)
    short = home / "短.pdf"
    write(short, 2)
    with ParsingPool(Settings(ocr=False)) as reader:

        def take_in(file: Path) -> IngestFinished:
            steps = pipeline.ingest(
                1, library, [file], reader=reader, embedder=embedder, settings=Settings(ocr=False),
                token=CancelToken(),
            )  # fmt: skip
            return next(event for event in steps if isinstance(event, IngestFinished))

        take_in(short)  # libraries and tables are loaded by the first file, whatever it is
        before = own.memory_info().rss
        watcher = threading.Thread(target=watch)
        watcher.start()
        begun = time.monotonic()
        result = take_in(path)
        seconds = time.monotonic() - begun
        stop.set()
        watcher.join()
    library.close()
    (file,) = result.files
    assert file.state.value == "indexed", file
    return {
        "pages": file.pages,
        "chunks": file.chunks,
        "seconds": seconds,
        "before": before >> 20,
        "grown": (peak[0] - before) >> 20,
    }


def report() -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "长.pdf"
        write(path)
        # In a process of its own: what this one has held before would hide what it needs.
        command = [sys.executable, "-m", "tests.quality.long_pdf", str(path), place]
        output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
        whole = json.loads(output.splitlines()[-1])
        print("| what | figure | goal |\n|---|---|---|")
        print(f"| PDF with a text layer, one core | {pages_a_second(path):.0f} pages/s | at least 60 |")
        print(
            f"| {whole['pages']} pages into a library, double of the embedder | {whole['seconds']:.0f} s, "
            f"{whole['chunks']} passages | |"
        )
        print(f"| growth of the parent meanwhile | {whole['grown']} MiB | under 150 |")


if __name__ == "__main__":
    seal.install()
    print(json.dumps(ingest(Path(sys.argv[1]), Path(sys.argv[2]))))

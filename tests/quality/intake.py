"""How much of real files is recovered, and how fast: ``python -m tests.quality.intake [FOLDER]``.

Prints a table per format, the files that recover least, and the figures of a long PDF.
"""

import argparse
import collections
import statistics
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import resources
from engine import seal
from engine.config import Settings
from engine.documents import WITH_TEXT, Chunk, Page
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile
from engine.intake.reading import answer
from engine.intake.scanner import content_hash
from tests.bench.measuring import machine
from tests.quality import long_pdf, reference

HARD = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "hard"
WORST = 15


@dataclass(frozen=True)
class Reading:
    """What became of one file.

    ``recovered`` is the share of the reference's bigrams that the pages hold, ``found`` that the passages
    hold, both the mean of its pages; ``least`` is that of the page that has lost most. None where nothing is
    read or there is no reference.
    """

    name: str
    format: str
    state: str
    reason: str | None
    pages: int
    chunks: int
    seconds: float
    recovered: float | None = None
    least: float | None = None
    found: float | None = None


def read(path: Path, name: str) -> Reading:
    begun = time.process_time()
    messages = list(answer(ReadFile(path, content_hash(path)), Settings()))
    seconds = time.process_time() - begun
    done = messages[-1]
    assert isinstance(done, ReadDone)
    pages = [message.page for message in messages if isinstance(message, PageRead)]
    chunks = [chunk for message in messages if isinstance(message, ChunksRead) for chunk in message.chunks]
    reason = done.reason.code if done.reason else None
    reading = Reading(
        name, path.suffix.lower() or "none", done.state.value, reason, len(pages), len(chunks), seconds
    )
    return compared(reading, path, pages, chunks) if done.state in WITH_TEXT else reading


def compared(reading: Reading, path: Path, pages: Sequence[Page], chunks: Sequence[Chunk]) -> Reading:
    wanted = reference.pages(path)
    if len(wanted) == 1:  # a format without pages, or with ones that the reference does not know
        own = [reference.bigrams(page.text for page in pages)]
        cut = [reference.bigrams(chunk.text for chunk in chunks)]
    elif len(wanted) == len(pages):
        own = [reference.bigrams(iter([page.text])) for page in pages]
        numbers = range(1, len(pages) + 1)
        cut = [reference.bigrams(c.text for c in chunks if c.page <= n <= c.page_end) for n in numbers]
    else:
        return reading
    shares = [
        (len(page & mine) / len(page), len(page & theirs) / len(page))
        for page, mine, theirs in zip(wanted, own, cut, strict=True)
        if page
    ]
    if not shares:
        return reading
    recovered, found = zip(*shares, strict=True)
    return replace(
        reading, recovered=statistics.mean(recovered), least=min(recovered), found=statistics.mean(found)
    )


def read_all(folder: Path) -> Iterator[Reading]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("index.csv", "questions.jsonl"):
            yield read(path, path.relative_to(folder).as_posix())


def print_formats(readings: Sequence[Reading]) -> None:
    print("| format | files | states | pages | recovered: mean | least | in passages: mean | ms a page |")
    print("|---|---|---|---|---|---|---|---|")
    groups = collections.defaultdict(list)
    for reading in readings:
        groups[reading.format].append(reading)
    for suffix, members in sorted(groups.items()):
        states = collections.Counter(reading.state for reading in members)
        named = ", ".join(f"{count} {state}" for state, count in states.most_common())
        pages = sum(reading.pages for reading in members)
        pace = f"{1000 * sum(r.seconds for r in members) / pages:.1f}" if pages else "–"
        shares = [(r.recovered, r.found) for r in members if r.recovered is not None and r.found is not None]
        figures = "– | – | –"
        if shares:
            recovered, found = zip(*shares, strict=True)
            means = statistics.mean(recovered), statistics.mean(found)
            figures = f"{means[0]:.3f} | {min(recovered):.3f} | {means[1]:.3f}"
        print(f"| {suffix} | {len(members)} | {named} | {pages} | {figures} | {pace} |")


def print_worst(readings: Sequence[Reading]) -> None:
    print("\n| file | state | pages | passages | recovered | its least page | in passages |")
    print("|---|---|---|---|---|---|---|")
    with_figures = [reading for reading in readings if reading.recovered is not None]
    for r in sorted(with_figures, key=lambda r: min(r.least or 0.0, r.found or 0.0))[:WORST]:
        why = f"{r.state} ({r.reason})" if r.reason else r.state
        figures = f"{r.recovered:.3f} | {r.least:.3f} | {r.found:.3f}"
        print(f"| {r.name} | {why} | {r.pages} | {r.chunks} | {figures} |")


def main() -> None:
    seal.install()
    parser = argparse.ArgumentParser(prog="python -m tests.quality.intake")
    parser.add_argument("folder", nargs="?", type=Path, help="default: the hard files, else the samples")
    parser.add_argument("--no-long", action="store_true", help="leave the long PDF out")
    options = parser.parse_args()
    folder = options.folder or (HARD if HARD.is_dir() else resources.path("samples"))
    warnings.simplefilter("ignore")  # the reference's libraries complain about what is broken
    print(f"Machine: {machine()}\n")
    for sample in sorted(resources.path("samples").iterdir()):
        read(sample, sample.name)  # libraries are imported and tables built before the clock runs
    readings = list(read_all(folder))
    print_formats(readings)
    print_worst(readings)
    if not options.no_long:
        print()
        long_pdf.report()


if __name__ == "__main__":
    main()

"""How well scans are read: character error rate, time and memory, by font, size, columns and wear.

``python -m tests.quality.ocr`` makes its own scans and reads them through ``recognise()``.
"""

import re
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy

from engine import seal
from engine.documents import Page
from engine.intake import ocr
from engine.intake.loaders import load
from tests.bench.measuring import machine
from tests.quality.scans import PARAGRAPHS, Scan, fonts, make, write_pdf

GOAL = 0.03
"""Character error rate on clean 200-dpi scans."""
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
_BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.01)

AMOUNTS = (
    "合同编号HT-2024-001177，金额1,111,000.00元；账号6222 0212 0011 2233 445，电话13311110088。",
    "数量100，单价11.10，合计1110.00；1000001个、2000002个、88880000个；2024-11-11 11:11:11起。",
    "地址192.168.111.100/24，版本v1.11.0，前缀00ff11aa，阈值≥0.0011，比例11.11%，误差±0.001 mm。",
)
"""Repeated digits are what a narrowed line loses first."""
ENGLISH = (
    "The committee shall follow bookkeeping procedures; all committees will assess necessary success, "
    "illness and willingness in full, and accommodation is granted to all Misses Hill and Mr Moon.",
    "Applicants fill in form F-1100 (three copies), attach the annual balance sheets for 2022, 2023 and "
    "2024, and mail all of it to the office at 221B Hillcrest Street, Aachen.",
)


@dataclass(frozen=True)
class Result:
    """One scan: error rate, processor seconds, and each line's confidence, characters and errors."""

    error: float
    seconds: float
    characters: int
    lines: list[tuple[float, int, float]]


def distance(left: str, right: str) -> int:
    """Levenshtein, a row at a time; insertions are settled by a running minimum."""
    codes = numpy.array([ord(char) for char in right])
    steps = numpy.arange(len(right) + 1)
    row = steps.copy()
    for count, char in enumerate(left, 1):
        fresh = numpy.empty_like(row)
        fresh[0] = count
        fresh[1:] = numpy.minimum(row[1:] + 1, row[:-1] + (codes != ord(char)))
        row = numpy.minimum.accumulate(fresh - steps) + steps
    return int(row[-1])


def folded(text: str) -> str:
    """NFKC, as search folds it, without blanks and cell borders."""
    return re.sub(r"[\s|]+", "", unicodedata.normalize("NFKC", text))


def error_rate(truth: str, read: str) -> float:
    truth = folded(truth)
    return distance(truth, folded(read)) / len(truth)


def measure(scan: Scan, paragraphs: Sequence[str], folder: Path) -> Result:
    made = make(scan, paragraphs)
    path = write_pdf(folder / "scan.pdf", [made.picture], scan.dpi)
    started = time.process_time()
    (page,) = ocr.recognise(path, [1])
    seconds = time.process_time() - started
    return Result(
        error_rate(made.text, page.text), seconds, len(folded(made.text)), list(_judged(page, made.lines))
    )


def _judged(page: Page, truth: Sequence[str]) -> Iterator[tuple[float, int, float]]:
    wanted = [folded(line) for line in truth]
    for line in page.recognised:
        read = folded(page.text[line.start : line.end])
        errors = min(distance(other, read) for other in wanted if abs(len(other) - len(read)) < 60)
        yield line.confidence, len(read), min(errors, len(read))


def scans() -> Iterator[tuple[str, Scan, Sequence[str]]]:
    clean = Scan()
    for font in fonts():
        for size in (9.0, 10.5, 12.0, 14.0):
            yield "clean", replace(clean, font=font, size=size, start=int(size)), PARAGRAPHS
        yield "two columns", replace(clean, font=font, size=10.0, columns=2, start=4), PARAGRAPHS
        worn = replace(clean, font=font, size=10.5, noise=12, skew=1.2, start=6)
        yield "noise, skew 1.2°", worn, PARAGRAPHS
    samples = [
        line
        for file in sorted([*SAMPLES.glob("*.txt"), *SAMPLES.glob("*.md")])
        for item in load(file)
        if isinstance(item, Page)
        for line in item.text.split("\n")
        if line.strip() and "|" not in line
    ]
    yield "sample library", replace(clean, font=fonts()[-1], size=12.0), samples
    yield "amounts", replace(clean, font=fonts()[-1], size=10.5), AMOUNTS
    yield "English", replace(clean, font=fonts()[-1], size=10.5), ENGLISH
    yield "upside down", replace(clean, turn=180), PARAGRAPHS
    yield "lying on its side", replace(clean, turn=90), PARAGRAPHS
    yield "heavy noise, skew -2°", replace(clean, size=10.5, noise=25, skew=-2.0), PARAGRAPHS
    yield "100 dpi", replace(clean, size=10.5, dpi=100), PARAGRAPHS


def main() -> int:
    seal.install()
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(machine())
    results: list[tuple[str, Result]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(Scan(size=30.0), PARAGRAPHS, folder)  # loads the networks
        print(f"{'kind':<22} {'font':<11} {'size':>5} {'chars':>6} {'CER':>7} {'cpu s':>7} {'ms/char':>8}")
        for kind, scan, paragraphs in scans():
            result = measure(scan, paragraphs, folder)
            results.append((kind, result))
            print(
                f"{kind:<22} {scan.font:<11} {scan.size:>5} {result.characters:>6} {result.error:>7.2%}"
                f" {result.seconds:>7.2f} {1000 * result.seconds / result.characters:>8.2f}",
                flush=True,
            )
    clean = [result for kind, result in results if kind == "clean"]
    error = sum(result.error * result.characters for result in clean) / sum(r.characters for r in clean)
    print(f"clean 200 dpi: CER {error:.2%} (goal {GOAL:.0%}), worst page {max(r.error for r in clean):.2%}")
    print(f"peak memory {_peak_mb()} MB, attempts to leave the machine: {len(seal.attempts())}")
    _print_confidence([line for _, result in results for line in result.lines])
    return 0 if error <= GOAL else 1


def _print_confidence(lines: Sequence[tuple[float, int, float]]) -> None:
    """How wrong lines of a confidence are: what a warning's threshold is chosen by."""
    for low, high in pairwise(_BINS):
        some = [line for line in lines if low <= line[0] < high]
        if some:
            wrong = sum(line[2] for line in some) / max(1, sum(line[1] for line in some))
            print(f"confidence {low:.2f} to {min(high, 1):.2f}: {len(some):>4} lines, CER {wrong:.2%}")


def _peak_mb() -> int:
    """Of this process, the scans' making included."""
    try:
        import resource
    except ImportError:  # Windows
        import psutil

        return int(psutil.Process().memory_info().peak_wset) >> 20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)


if __name__ == "__main__":
    sys.exit(main())

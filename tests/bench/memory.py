"""Peak memory of the two stories, each in a process of its own."""

import random
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx

import resources
from tests.bench.measuring import Row

GROWTH_MB = 128, 256, 512, 1024
"""Sizes of a folder of Word files with pictures."""

_PICTURE = 4_000_000

_PEAK = """
import resource, sys
from engine.cli import main
status = main(sys.argv[1:])
peaks = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(status, *peaks, file=sys.stderr)
"""
_QUESTION = "连续出差超过多少天要分管副总经理批准？"


def run() -> Iterator[Row]:
    """Has to run first: a child's figure starts from the size of the process that forks it."""
    with tempfile.TemporaryDirectory() as home:
        indexing = _peak("ingest", str(resources.path("samples")), "--home", home, "--json")
        yield Row("peak memory, indexing the samples", f"{indexing} MiB", "without the parsing process")
        passages = _peak("ask", _QUESTION, "--no-model", "--home", home, "--json")
        yield Row("peak memory, passages only", f"{passages} MiB")
        answering = _peak("ask", _QUESTION, "--home", home, "--json")
        yield Row("peak memory, answering", f"{answering} MiB", "with the mapped model file")
    yield from growth()


def growth() -> Iterator[Row]:
    """Twice, four and eight times the folder: the peak stays."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "documents")
        for size in GROWTH_MB:
            count = _fill(folder, size * 1_000_000)
            home = Path(place, f"home-{size}")
            own, started = _peaks("ingest", str(folder), "--home", str(home), "--json")
            yield Row(
                f"peak memory, indexing a folder of {size:,} MB",
                f"{own} MiB, largest process it started {started} MiB",
                f"{count} Word files with pictures",
            )


def _fill(folder: Path, size: int) -> int:
    """Add documents of four megabytes until the folder has ``size`` bytes; returns how many there are."""
    folder.mkdir(exist_ok=True)
    chance = random.Random(5)
    count = len(list(folder.iterdir()))
    for number in range(count, size // _PICTURE):
        document = docx.Document()
        for line in range(20):
            document.add_paragraph(
                f"第{number}号文件第{line}条：出差人员应在返回后{line + 3}个工作日内报销。"
            )
        file = folder / f"文件{number:04}.docx"
        document.save(str(file))
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr("word/media/image1.jpg", chance.randbytes(_PICTURE))
    return len(list(folder.iterdir()))


def _peak(*arguments: str) -> int:
    """MiB of the process itself."""
    return _peaks(*arguments)[0]


def _peaks(*arguments: str) -> tuple[int, int]:
    """MiB of the process and of the largest that it started; Linux keeps the figures in KiB."""
    command = [sys.executable, "-c", _PEAK, *arguments]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    status, own, children = map(int, result.stderr.split()[-3:])
    assert status == 0, result.stderr
    return own >> 10, children >> 10

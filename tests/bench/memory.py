"""Peak memory of the two stories, each in a process of its own."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator

import resources
from tests.bench.measuring import Row

_PEAK = """
import resource, sys
from engine.cli import main
status = main(sys.argv[1:])
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
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


def _peak(*arguments: str) -> int:
    """MiB; the figure that Linux keeps in KiB."""
    command = [sys.executable, "-c", _PEAK, *arguments]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    status, peak = map(int, result.stderr.split()[-2:])
    assert status == 0, result.stderr
    return peak >> 10

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
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(status, own, child, file=sys.stderr)
"""
_QUESTION = "连续出差超过多少天要分管副总经理批准？"


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home:
        own, child = _peak("ingest", str(resources.path("samples")), "--home", home, "--json")
        yield Row(
            "peak memory, indexing the samples", f"{own} MiB", f"and {child} MiB in the parsing process"
        )
        own, _ = _peak("ask", _QUESTION, "--no-model", "--home", home, "--json")
        yield Row("peak memory, passages only", f"{own} MiB")
        own, _ = _peak("ask", _QUESTION, "--home", home, "--json")
        yield Row("peak memory, answering with the chat model", f"{own} MiB", "the model file is mapped")


def _peak(*arguments: str) -> tuple[int, int]:
    result = subprocess.run(
        [sys.executable, "-c", _PEAK, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    status, own, child = map(int, result.stderr.split()[-3:])
    assert status == 0, result.stderr
    return own >> 10, child >> 10  # ru_maxrss is in KiB on Linux

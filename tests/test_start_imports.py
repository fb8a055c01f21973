"""What a start imports: nothing heavy, and not many modules, which are counted instead of milliseconds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

HEAVY = frozenset(
    {
        "docx", "faiss", "fitz", "jieba", "llama_cpp", "lxml", "onnxruntime", "openpyxl", "pandas", "pymupdf",
        "rapidocr", "scipy", "sentence_transformers", "sklearn", "sympy", "tokenizers", "torch",
        "transformers",
    }
)  # fmt: skip

WINDOW = "import tests.bench.window_probe as probe; probe.show()"
"""All of ``zhiye-gui`` until the window is shown, with an engine that does nothing."""

STARTS = {
    "window": (["-c", WINDOW], 800),
    "engine thread": (["-c", "import engine.thread"], 900),
    "command line": (["-m", "engine.cli", "--help"], 950),
}
"""How it starts, and the most modules that may be imported for it: an eighth above what it was (699, 811 and
839), for small things that come."""


def imported(arguments: list[str], home: Path) -> list[str]:
    """Names of all modules that a fresh interpreter imports, in the order in which they were ready."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        capture_output=True, encoding="utf-8", check=True, cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "ZHIYE_HOME": str(home)},
    )  # fmt: skip
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return [line.rpartition("|")[2].strip() for line in lines[1:]]


@pytest.mark.parametrize("start", STARTS)
def test_a_start_imports_nothing_heavy_and_not_much(start: str, tmp_path: Path) -> None:
    arguments, most = STARTS[start]
    names = imported(arguments, tmp_path)
    assert not HEAVY & {name.partition(".")[0] for name in names}
    assert 100 < len(names) <= most


def test_the_window_is_shown_without_numpy(tmp_path: Path) -> None:
    names = imported(STARTS["window"][0], tmp_path)
    assert "desktop.window" in names
    assert "numpy" not in names


def test_what_is_heavy_is_seen_where_it_is_imported(tmp_path: Path) -> None:
    assert HEAVY & set(imported(["-c", "import faiss"], tmp_path))

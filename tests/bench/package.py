"""The frozen program (``installer/build.py freeze``): size, what is large in it, how soon its window shows.

Needs a display (``xvfb-run -a``) and xwininfo, which tells when a window can be seen.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.measuring import Row, median_ms, ratio

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "build" / "frozen" / "zhiye"
ROUNDS, LARGEST = 5, 10
PATIENCE_S = 60.0


def run() -> Iterator[Row]:
    files = [path for path in FROZEN.rglob("*") if path.is_file() and not path.is_symlink()]
    total = sum(path.stat().st_size for path in files)
    yield Row("installed size of the package", f"{total / 1e9:.3f} GB", "without a chat model")
    parts: dict[str, int] = {}
    for path in files:
        inside = path.relative_to(FROZEN).parts
        part = inside[1] if inside[0] == "_internal" and len(inside) > 2 else inside[-1]
        parts[part] = parts.get(part, 0) + path.stat().st_size
    largest = sorted(parts, key=parts.__getitem__, reverse=True)[:LARGEST]
    yield Row("its largest parts", ", ".join(f"{name} {parts[name] / 1e6:.0f} MB" for name in largest))
    source, package = [sys.executable, "-m", "desktop"], [str(FROZEN / "zhiye"), "--window"]
    start(source)
    start(package)
    pairs = [(start(package), start(source)) for _ in range(ROUNDS)]
    ours, theirs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    yield Row(
        "start of the package to visible window", median_ms(ours),
        f"from source {median_ms(theirs)}, ratio {ratio(ours, theirs)}",
    )  # fmt: skip


def start(command: Sequence[str]) -> float:
    """Seconds until the window can be seen; raises TimeoutError."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = os.environ | {
            "HOME": home,
            "ZHIYE_HOME": f"{home}/data",
            "ZHIYE_MODELS": f"{home}/models",
        }
        begun = time.perf_counter()
        program = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while not _is_visible():
                if time.perf_counter() - begun > PATIENCE_S:
                    raise TimeoutError(" ".join(command))
                time.sleep(0.02)
            return time.perf_counter() - begun
        finally:
            program.terminate()
            program.wait()


def _is_visible() -> bool:
    tree = _told("-root", "-tree")
    found = re.search(r'(0x\w+) "(?:知页|Zhiye)', tree)
    return found is not None and "IsViewable" in _told("-id", found[1])


def _told(*arguments: str) -> str:
    return subprocess.run(["xwininfo", *arguments], capture_output=True, encoding="utf-8", check=False).stdout

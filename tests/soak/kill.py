"""``python -m tests.soak.kill --rounds 200``: the command line is killed, the library has to be whole.

Each round changes a folder, starts ``ingest``, ``sync`` or ``remove`` on it, ends that with SIGKILL at a
random moment and looks at what is left. Every few rounds a sync may finish, and the library has to be the
same as a fresh index of the folder, chunk for chunk. The exit code is 1 when something was not as it has
to be; the seed that is printed repeats the edits and the moments, though not what they hit.
"""

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path

from engine import native, paths, seal
from engine.config import DEFAULT_EMBEDDER
from engine.index.embedding import BgeEmbedder, Embedder
from models.store import ModelStore
from tests.fakes import FakeEmbedder
from tests.soak.rounds import Soak

REAL, DOUBLE = "engine.cli", "tests.soak.command_line"


def run(place: Path, rounds: int, seed: int, *, double: bool, count: int = 24) -> Soak:
    """All rounds, a line each; the soak with its problems. ``count`` documents are there at first."""
    soak = Soak(place, seed, _embedder(double), DOUBLE if double else REAL, count)
    soak.rehearse()
    for number in range(1, rounds + 1):
        print(soak.round(number), flush=True)
    return soak


def _embedder(double: bool) -> Embedder:
    if double:
        return FakeEmbedder()
    folder = ModelStore(paths.home().models).ensure_verified(DEFAULT_EMBEDDER)
    return BgeEmbedder(folder, DEFAULT_EMBEDDER, 512, native.thread_count())


def main() -> int:
    seal.install()
    parser = argparse.ArgumentParser(prog="python -m tests.soak.kill", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--double", action="store_true", help="a double of the embedder, which saves time")
    parser.add_argument("--keep", action="store_true", help="leave home and folder where they are")
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="知页 "))
    print(f"seed {options.seed}, in {place}", flush=True)
    soak = run(place, options.rounds, options.seed, double=options.double)
    struck = ", ".join(f"{count} {what}" for what, count in sorted(soak.moments.items()))
    print(f"{options.rounds} rounds, {soak.moments.total()} kills ({struck})")
    print(f"{len(soak.problems)} problems, seed {options.seed}")
    if not soak.problems and not options.keep:
        shutil.rmtree(place)
    return 1 if soak.problems else 0


if __name__ == "__main__":
    sys.exit(main())

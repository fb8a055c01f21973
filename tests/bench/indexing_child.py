"""``python -m tests.bench.indexing_child HOME FOLDER [THREADS]``: the product's job."""

import json
import os
import sys
import time
from pathlib import Path

from engine import seal
from engine.cancel import CancelToken
from engine.commands import IngestFolders
from engine.config import Settings
from engine.events import IngestFinished
from engine.jobs import indexing
from engine.paths import Home
from engine.workspace import Workspace


def main() -> None:
    """Prints a line of JSON."""
    seal.install()
    home, folder = Path(sys.argv[1]), Path(sys.argv[2])
    workspace = Workspace(Home(home), Settings(threads=int(sys.argv[3]) if len(sys.argv) > 3 else None))
    embedder = workspace.embedder()
    assert embedder is not None
    embedder.embed_query("热身")
    begun, worked = time.perf_counter(), _processor_seconds()
    steps = indexing.ingest(IngestFolders(0, (folder,), "bench"), workspace, CancelToken())
    (done,) = (event for event in steps if isinstance(event, IngestFinished))
    seconds, processor = time.perf_counter() - begun, _processor_seconds() - worked
    (library,) = workspace.libraries.chosen(("bench",))
    tokens = sum(chunk.chunk.tokens for chunk in library.all_chunks())
    stages = {name: round(spent, 2) for name, spent in done.seconds.items()}
    computed = getattr(embedder, "computed_in", "")
    workspace.close()
    figures = {
        "seconds": seconds, "processor": processor, "chunks": done.chunks, "tokens": tokens,
        "counts": done.counts, "stages": stages, "precision": computed,
    }  # fmt: skip
    print(json.dumps(figures))


def _processor_seconds() -> float:
    """Of this process and of the parsing processes that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()

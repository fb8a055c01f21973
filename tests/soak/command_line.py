"""``python -m tests.soak.command_line …`` is the command line with a double in place of the embedder.

Nothing of torch is loaded, which is most of the time that a command takes to start.
"""

import multiprocessing
import sys

from tests.fakes import FakeEmbedder


def main() -> int:
    from engine import native
    from engine.cli import main as command_line
    from engine.workspace import Workspace

    embedder = FakeEmbedder()
    native.torch = lambda threads: sys
    Workspace.embedder = lambda self: embedder
    Workspace.dimension = embedder.dimension
    return command_line()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())

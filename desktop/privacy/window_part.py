"""The window's part of the proof, as a process: ``python -m desktop.privacy.window_part --out FILE``."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """See :mod:`engine.offline_proof.rehearsal`."""
    from engine import native
    from engine.offline_proof import rehearsal

    rehearsal.prepare()
    native.preload()
    from desktop.privacy.window_walk import rehearse

    return rehearsal.main(rehearse, arguments)


if __name__ == "__main__":
    sys.exit(main())

"""The command line: ``zhiye ingest | inspect | search | ask | eval | runs | models | doctor …``."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """The entry point; returns the exit code."""
    from engine import seal

    seal.install()
    if list(sys.argv[1:] if arguments is None else arguments) == ["--self-check"]:
        from engine import self_check

        return self_check.main()
    from engine.cli.run import run

    return run(arguments)

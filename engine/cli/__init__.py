"""The command line: ``zhiye ingest | inspect | search | ask | eval | runs | models | doctor …``."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """The entry point; returns the exit code."""
    from engine import seal

    seal.install()
    from engine.cli.run import run

    return run(arguments)

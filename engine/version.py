"""Which version of the program this is."""

import importlib.metadata


def program_version() -> str:
    """The version of this program; ``source`` for one that was not installed but runs from its source."""
    try:
        return importlib.metadata.version("zhiye")
    except importlib.metadata.PackageNotFoundError:
        return "source"

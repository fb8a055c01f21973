"""Data files that ship with the program: prompts, messages, translations, icons, samples."""

from importlib.resources import as_file, files
from pathlib import Path

__all__ = ["folder", "path", "read_text"]


def folder() -> Path:
    """The folder on disk; the wheel and the packages are never run from a zip."""
    with as_file(files(__name__)) as found:
        return Path(found)


def path(*parts: str) -> Path:
    """A file or folder below the resources."""
    return folder().joinpath(*parts)


def read_text(*parts: str) -> str:
    """A UTF-8 text file below the resources."""
    return path(*parts).read_text(encoding="utf-8")

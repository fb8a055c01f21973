"""A file, or a folder of files, that the user already has: a USB stick, a share, another program's."""

from pathlib import Path
from typing import BinaryIO

from models.catalogue import ModelFile
from models.sources import SourceFailed
from models.verification import CHUNK, Report


class LocalSource:
    """Takes the named file, or from a folder the one with the catalogue's name or size."""

    name = "local"

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser()

    def fetch(self, file: ModelFile, part: Path, report: Report) -> None:
        source = self._choose(file)
        done = 0
        with _open(source) as original, part.open("wb") as copy:
            while block := _read(original):
                copy.write(block)
                done += len(block)
                report(done, file.size)

    def _choose(self, file: ModelFile) -> Path:
        if self._path.is_file():
            candidates = [self._path]
        else:
            # The name first; else any file of that size: people rename what they download.
            candidates = [self._path / file.name, *sorted(self._path.glob("*.gguf"))]
        for candidate in candidates:
            if candidate.is_file() and candidate.stat().st_size == file.size:
                return candidate
        raise SourceFailed(f"{self._path}: no file of {file.size} bytes")


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as exc:
        raise SourceFailed(f"{path}: {exc.strerror}") from exc


def _read(stream: BinaryIO) -> bytes:
    try:
        return stream.read(CHUNK)
    except OSError as exc:
        # A stick that was pulled out is the source's failure, not the models folder's.
        raise SourceFailed(f"{stream.name}: {exc.strerror}") from exc

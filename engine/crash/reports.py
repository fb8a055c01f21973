"""Crash files: ``<home>/crash/*.txt``, written at once, read at the next start, sent nowhere."""

import hashlib
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from engine.crash import positions
from engine.version import program_version

NATIVE = "native.dump"
"""What faulthandler writes into while the program runs; empty after an orderly end."""

_FATAL, _ERROR, _SEEN = "ended", "error", ".seen"
_KEPT = 20
_DISTRIBUTIONS = ("PySide6-Essentials", "torch", "faiss-cpu", "llama-cpp-python", "pymupdf", "numpy")


@dataclass(frozen=True, slots=True)
class CrashReport:
    """``fatal``: the program ended because of it; else something failed and it went on."""

    file: Path
    text: str
    fatal: bool


class CrashFolder:
    """The reports of one home. A folder that cannot be written is no error: there are no reports then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, lines: Sequence[str], *, fatal: bool) -> Path | None:
        """Keep a report; the same one twice is one file. None where it cannot be written."""
        digest = hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:10]
        kind = _FATAL if fatal else _ERROR
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for known in self.folder.glob(f"{kind}-*-{digest}.txt"):
                return known
            moment = datetime.now(UTC)
            file = self.folder / f"{kind}-{moment:%Y%m%dT%H%M%S}-{digest}.txt"
            text = "\n".join([*_head(moment), "", *lines, ""])
            file.write_text(text, encoding="utf-8", errors="replace")
            self._sweep()
        except OSError:
            return None
        return file

    def take_in_native(self) -> None:
        """Make a report of what faulthandler wrote last time, without the paths that stand in it."""
        dump = self.folder / NATIVE
        with suppress(OSError):
            lines = positions.of_native_dump(dump.read_text(encoding="utf-8", errors="replace"))
            if lines:
                self.write(lines, fatal=True)
            dump.unlink()

    def unseen(self) -> list[CrashReport]:
        """Reports that nobody has put away yet, those that ended the program first, then the newest."""
        files = [file for file in self._files() if not file.stem.endswith(_SEEN)]
        reports = []
        for file in reversed(files):
            with suppress(OSError):
                text = file.read_text(encoding="utf-8", errors="replace")
                reports.append(CrashReport(file, text, file.name.startswith(_FATAL)))
        return sorted(reports, key=lambda report: not report.fatal)

    def put_away(self, report: CrashReport) -> None:
        """Keep the file, and do not tell of it again."""
        with suppress(OSError):
            report.file.rename(report.file.with_name(f"{report.file.stem}{_SEEN}.txt"))

    def delete(self, report: CrashReport) -> None:
        with suppress(OSError):
            report.file.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        """All reports, the oldest first."""
        try:
            return sorted(self.folder.glob("*.txt"), key=lambda file: file.name.split("-")[1:])
        except OSError:
            return []

    def _sweep(self) -> None:
        for file in self._files()[:-_KEPT]:
            file.unlink(missing_ok=True)


def _head(moment: datetime) -> list[str]:
    versions = [f"zhiye {program_version()}", f"python {platform.python_version()}"]
    for name in _DISTRIBUTIONS:
        with suppress(metadata.PackageNotFoundError):
            versions.append(f"{name} {metadata.version(name)}")
    machine = f"{sys.platform} {platform.release()} {platform.machine()}"
    return [moment.isoformat(timespec="seconds"), ", ".join(versions), machine]

"""Hashes of model files, and the marker that remembers them.

Hashing a gigabyte takes seconds, so it is done once: the marker, written last of all, holds each file's
SHA-256 with the size and modification time it had. A file whose size or time differs is hashed again.
"""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from models.catalogue import ModelFile
from models.errors import ModelDamaged, ModelDiskFull, ModelError, ModelIncomplete, ModelStorageFailed

Report = Callable[[int, int], None]
"""Called with the bytes done and the bytes in total."""

CHUNK = 1 << 20
_SPARE = 64 << 20  # left free for the rest of the system after a model is stored


def unreported(done: int, total: int) -> None:
    """A Report for those who do not want one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was when it was hashed; size in bytes, time in nanoseconds."""

    sha256: str
    size: int
    mtime_ns: int


def hash_file(path: Path, report: Report = unreported) -> Seen:
    """Read the whole file; raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        facts = os.fstat(stream.fileno())
        done = 0
        while block := stream.read(CHUNK):
            digest.update(block)
            done += len(block)
            report(done, facts.st_size)
    return Seen(digest.hexdigest(), facts.st_size, facts.st_mtime_ns)


def check_files(folder: Path, files: Iterable[ModelFile], report: Report = unreported) -> dict[str, Seen]:
    """Hash every file of a known model; raises ModelIncomplete or ModelDamaged naming the first bad one."""
    wanted = tuple(files)
    total = sum(file.size for file in wanted)
    done = 0
    seen: dict[str, Seen] = {}
    for file in wanted:
        path = folder / file.name
        size = path.stat().st_size
        if size < file.size:
            raise ModelIncomplete(path=str(path), size=size, expected=file.size)
        before = done
        facts = hash_file(path, lambda part, _whole, before=before: report(before + part, total))  # type: ignore[misc]
        if facts.sha256 != file.sha256:
            raise ModelDamaged(path=str(path))
        seen[file.name] = facts
        done += file.size
    return seen


def read_marker(path: Path) -> dict[str, Seen]:
    """The marker's content; empty when there is none or when it makes no sense."""
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        return {name: Seen(f["sha256"], f["size"], f["mtime_ns"]) for name, f in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_marker(path: Path, seen: Mapping[str, Seen]) -> None:
    """Store the marker, all or nothing; raises OSError."""
    files = {n: {"sha256": s.sha256, "size": s.size, "mtime_ns": s.mtime_ns} for n, s in seen.items()}
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps({"files": files}, ensure_ascii=False), encoding="utf-8")
    temporary.replace(path)


def still_as_seen(folder: Path, seen: Mapping[str, Seen]) -> bool:
    """Whether no file has changed since it was hashed."""
    try:
        facts = {name: (folder / name).stat() for name in seen}
    except OSError:
        return False
    return bool(seen) and all(
        (facts[name].st_size, facts[name].st_mtime_ns) == (file.size, file.mtime_ns)
        for name, file in seen.items()
    )


def demand_space(folder: Path, size: int) -> None:
    """Raise ModelDiskFull when ``size`` more bytes would not leave a little room in ``folder``."""
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE:
        raise ModelDiskFull(path=str(folder), needed=size + _SPARE, free=free)


def storage_error(folder: Path, exc: OSError, needed: int) -> ModelError:
    """What a failed write into the models folder means."""
    if exc.errno in (errno.ENOSPC, errno.EDQUOT):
        return ModelDiskFull(path=str(folder), needed=needed, free=shutil.disk_usage(folder).free)
    return ModelStorageFailed(path=str(folder), detail=exc.strerror or str(exc))

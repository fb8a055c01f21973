"""Hashes of model files, and the marker that remembers them.

Hashing a gigabyte takes seconds, so it is done once: the marker, written last of all, holds each file's
SHA-256 with the size and modification time it had. A file whose size or time differs is hashed again.
"""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
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
    wanted = {file.name: file for file in files}
    for name, file in wanted.items():
        if (size := (folder / name).stat().st_size) < file.size:
            raise ModelIncomplete(path=str(folder / name), size=size, expected=file.size)
    seen = hash_files(folder, wanted, report)
    demand_hashes(folder, seen, {name: file.sha256 for name, file in wanted.items()})
    return seen


def hash_files(folder: Path, names: Iterable[str], report: Report = unreported) -> dict[str, Seen]:
    """Read these files of the folder; raises OSError."""
    return {name: hash_file(folder / name, told) for name, told in _in_turn(folder, names, report)}


def copy_files(
    folder: Path, target: Path, names: Iterable[str], report: Report = unreported
) -> dict[str, Seen]:
    """Copy these files of the folder, with the folders they lie in, and hash them; raises OSError."""
    seen: dict[str, Seen] = {}
    for name, told in _in_turn(folder, names, report):
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        sha256 = copy_file(folder / name, copy, told)
        facts = copy.stat()
        seen[name] = Seen(sha256, facts.st_size, facts.st_mtime_ns)
    return seen


def copy_file(file: Path, target: Path, report: Report = unreported) -> str:
    """Copy a file and make sure that it is on the disk. Returns its SHA-256; raises OSError."""
    digest = hashlib.sha256()
    done = 0
    with file.open("rb") as source, target.open("wb") as copy:
        size = os.fstat(source.fileno()).st_size
        while block := source.read(CHUNK):
            copy.write(block)
            digest.update(block)
            done += len(block)
            report(done, size)
        copy.flush()
        os.fsync(copy.fileno())
    return digest.hexdigest()


def demand_hashes(folder: Path, seen: Mapping[str, Seen], wanted: Mapping[str, str]) -> None:
    """Raise ModelDamaged naming the first file that is not as it was wanted, or that was not there."""
    for name in sorted(seen.keys() | wanted.keys()):
        if name not in seen or seen[name].sha256 != wanted.get(name):
            raise ModelDamaged(path=str(folder / name))


def _in_turn(folder: Path, names: Iterable[str], report: Report) -> Iterator[tuple[str, Report]]:
    """Each file with a Report of its own that counts on from those before it."""
    sizes = {name: (folder / name).stat().st_size for name in names}
    total, done = sum(sizes.values()), 0
    for name, size in sizes.items():
        yield name, lambda part, _, before=done: report(before + part, total)  # type: ignore[misc]
        done += size


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
        raise _disk_full(folder, size + _SPARE, free)


def storage_error(folder: Path, exc: OSError, needed: int) -> ModelError:
    """What a failed write into the models folder means."""
    if exc.errno in (errno.ENOSPC, errno.EDQUOT):
        return _disk_full(folder, needed, shutil.disk_usage(folder).free)
    return ModelStorageFailed(path=str(folder), detail=exc.strerror or str(exc))


def _disk_full(folder: Path, needed: int, free: int) -> ModelDiskFull:
    return ModelDiskFull(path=str(folder), needed_mb=-(-needed // 1_000_000), free_mb=free // 1_000_000)

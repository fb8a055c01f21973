"""The zip of a pack: members written one after another, and read by name from a file that nobody vouches for.

Nothing is ever extracted. Of a pack that is read, only the known members are looked at, what the zip says
of them must be within limits, and what they hold is counted and hashed on its way.
"""

import hashlib
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Self

from pydantic import ValidationError

from engine.errors import NotReadable, PackInvalid
from engine.index import portable
from engine.index.pack.lines import Manifest, Member

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

MANIFEST, DOCUMENTS, PAGES = "manifest.json", "documents.jsonl", "pages.jsonl"
MEMBERS = (*portable.NAMES, DOCUMENTS, PAGES)
"""Everything but the manifest, which names them."""

LONGEST_LINE = 384 << 20
"""Bytes of a line, which is in memory: a text file of 256 MB, the largest that is read, is one page."""

_LARGEST_MANIFEST = 4 << 20
_LARGEST_DIRECTORY = 64 << 10
_LARGEST_RATIO = 500
"""Unpacked bytes to packed ones; text packs 3 to 20 times, deflate goes up to 1,032."""

_SMALL = 1 << 20
"""Bytes of a member whose ratio does not matter."""

_MODIFIED = (1980, 1, 1, 0, 0, 0)
"""When the members were made is nobody's business."""


class Writer:
    """Writes members to a zip and notes their sizes and hashes; a context manager, or the zip has no end."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.written: dict[str, Member] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @contextmanager
    def member(self, name: str, *, packed: bool = True) -> Iterator["_Counted"]:
        """A member to write to; ``packed`` false where packing saves nothing."""
        info = zipfile.ZipInfo(name, _MODIFIED)
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        info.external_attr = (stat.S_IFREG | 0o600) << 16
        with self._zip.open(info, "w", force_zip64=True) as target:
            counted = _Counted(target)
            yield counted
            self.written[name] = Member(size=counted.size, sha256=counted.digest.hexdigest())


class _Counted(io.RawIOBase):
    def __init__(self, target: IO[bytes]) -> None:
        self._target, self.size, self.digest = target, 0, hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        view = memoryview(data).cast("B")
        self._target.write(view)
        self.digest.update(view)
        self.size += len(view)
        return len(view)


class Reader:
    """A pack that is read; a context manager.

    Raises:
        NotReadable: the file cannot be opened.
        PackInvalid: whatever is wrong with it, here and in every method.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("rb")
        except OSError as exc:
            raise NotReadable(path=str(path)) from exc
        with refusing(path):
            try:
                _check_directory(self._file)
                self._zip = zipfile.ZipFile(self._file)
                self._infos = _known_members(self._zip, path.stat().st_size)
                self.manifest = self._read_manifest()
                self._check_sizes()
            except BaseException:
                self._file.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()

    @property
    def size(self) -> int:
        """Bytes of all members, unpacked."""
        return sum(info.file_size for info in self._infos.values())

    @contextmanager
    def member(self, name: str) -> Iterator[io.BufferedReader]:
        """A member to read to its end, where its size and hash must be those that the manifest names."""
        with refusing(self._path), self._zip.open(self._infos[name]) as source:
            checked = _Checked(source)
            buffered: io.BufferedReader = io.BufferedReader(checked, 1 << 20)
            yield buffered
            if buffered.read(1):
                raise ValueError(f"{name}: more than the manifest says")
            found = Member(size=checked.size, sha256=checked.digest.hexdigest())
            if found != self.manifest.members[name]:
                raise ValueError(f"{name}: its hash is another one")

    def _read_manifest(self) -> Manifest:
        info = self._infos[MANIFEST]
        if info.file_size > _LARGEST_MANIFEST:
            raise ValueError("the manifest is too large")
        return Manifest.model_validate_json(self._zip.read(info))

    def _check_sizes(self) -> None:
        named = self.manifest.members
        if named.keys() != set(MEMBERS):
            raise ValueError("the manifest names other files")
        for name in MEMBERS:
            if self._infos[name].file_size != named[name].size:
                raise ValueError(f"{name}: its size is another one")


class _Checked(io.RawIOBase):
    def __init__(self, source: IO[bytes]) -> None:
        self._source, self.size, self.digest = source, 0, hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._source.read(len(view))
        view[: len(data)] = data
        self.digest.update(data)
        self.size += len(data)
        return len(data)


def lines(stream: io.BufferedReader) -> Iterator[bytes]:
    """The lines of a member; raises ValueError for one that is too long or has no end."""
    while line := stream.readline(LONGEST_LINE + 1):
        if not line.endswith(b"\n"):
            raise ValueError("a line is too long or has no end")
        yield line


def is_pack(path: Path) -> bool:
    """Whether a file is a pack of this program, be it of another version."""
    try:
        with zipfile.ZipFile(path) as found:
            return MANIFEST in found.namelist()
    except (OSError, *_READING):
        return False


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Whatever reading a pack raises becomes PackInvalid."""
    try:
        yield
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise PackInvalid(path=str(path), detail=f"{where}: {first['msg']}") from exc
    except (OSError, *_READING) as exc:
        detail = f"{type(exc).__name__}: {exc}" if str(exc) else type(exc).__name__
        raise PackInvalid(path=str(path), detail=detail[:200]) from exc


_READING = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError),
    *(OverflowError, MemoryError),
)
"""What zipfile and zlib raise for a file that is none of theirs, is damaged or lies; and our own models."""


def _check_directory(file: BinaryIO) -> None:
    """The zip's directory, which is read as a whole, must be short. It ends as :class:`Writer` writes it."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 98))
    tail = file.read()
    end = tail[-22:]
    if len(end) < 22 or end[:4] != b"PK\x05\x06":
        raise ValueError("not a pack")
    count, length = struct.unpack("<H", end[10:12])[0], struct.unpack("<L", end[12:16])[0]
    if tail[-42:-38] == b"PK\x06\x07":  # more than 4 GB
        if tail[-98:-94] != b"PK\x06\x06":
            raise ValueError("not a pack")
        count, length = struct.unpack("<QQ", tail[-66:-50])
    if count != len(MEMBERS) + 1 or length > _LARGEST_DIRECTORY:
        raise ValueError("a pack has other members")


def _known_members(found: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """Members by name: each exactly once, plain files, none larger than ``size`` bytes can hold."""
    # orig_filename: zipfile ends names at a NUL and puts / for the system's separator.
    infos = {info.orig_filename: info for info in found.infolist()}
    if len(infos) != len(found.infolist()) or infos.keys() != {*MEMBERS, MANIFEST}:
        raise ValueError("a pack has other members")
    if sum(info.compress_size for info in infos.values()) > size:
        raise ValueError("more in it than it is large")
    for name, info in infos.items():
        if info.flag_bits & 0x1:
            raise ValueError(f"{name} is encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} is packed in another way")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise ValueError(f"{name} is not a plain file")
        if info.file_size < 0 or info.file_size > max(_SMALL, _LARGEST_RATIO * info.compress_size):
            raise ValueError(f"{name} is larger unpacked than it can be")
    return infos

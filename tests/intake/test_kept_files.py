"""A file that was indexed and cannot be read for the moment keeps what was indexed of it."""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from engine import wording
from engine.cancel import CancelToken
from engine.documents import FileState, Reason
from engine.events import FileReport
from engine.intake import scanner
from engine.intake.messages import ReadDone, ReadMessage, ReadRequest
from tests.desk import Desk
from tests.fakes import InlineReader

NAME = "年假.txt"
ORIGINAL = "年假可以顺延至次年三月。"

Closed = Callable[[str], AbstractContextManager[pytest.MonkeyPatch]]


class Refusing(InlineReader):
    """Another program takes hold of the file between its hash and its reading."""

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        if request.path.name == NAME:
            yield ReadDone(FileState.UNREADABLE, Reason("locked"))
            return
        yield from super().answer(request, token)


@pytest.fixture
def full(desk: Desk) -> Desk:
    desk.write(NAME, ORIGINAL)
    desk.write("子/报销.md", "# 报销\n\n报销须在三十日内提交。")
    desk.write("子/孙/访客.txt", "访客须在前台登记。")
    desk.write("子/空.txt", "")
    assert desk.ingest().counts == {"indexed": 3, "empty": 1}
    return desk


def without_right(patch: pytest.MonkeyPatch, name: str) -> None:
    access = os.access
    patch.setattr(os, "access", lambda path, mode: Path(path).name != name and access(path, mode))


def refused(patch: pytest.MonkeyPatch, error: OSError) -> None:
    hashing = scanner.hashing

    def refuse(path: Path) -> Generator[None, None, str]:
        if path.name == NAME:
            raise error
        return hashing(path)

    patch.setattr(scanner, "hashing", refuse)


def unlisted(patch: pytest.MonkeyPatch, name: str, error: OSError) -> None:
    entries = scanner._entries

    def refuse(folder: Path) -> list[str]:
        if folder.name == name:
            raise error
        return entries(folder)

    patch.setattr(scanner, "_entries", refuse)


def reports(desk: Desk) -> dict[str, FileReport]:
    """After one more round, which the library and the round agree on."""
    result = desk.ingest()
    assert result.counts == desk.library.counts()
    assert sum(result.counts.values()) == len(result.files)
    by_path = {report.path: report for report in result.files}
    assert {file.path: file.report for file in desk.library.files()} == by_path
    return by_path


def code(report: FileReport) -> str | None:
    return report.reason.code if report.reason else None


def test_a_file_without_rights_is_found_and_comes_back_for_nothing(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, generation = full.contents(), full.library.generation
    with monkeypatch.context() as patch:
        without_right(patch, NAME)
        for _ in range(2):
            report = reports(full)[NAME]
            assert (report.state, report.pages, report.chunks) == (FileState.UNREADABLE, 1, 1)
            assert report.reason == Reason("kept_unreadable", {"why": "no_permission"})
            assert full.contents() == before
            assert full.found("年假顺延")[0].document == NAME
    with monkeypatch.context() as patch:
        patch.setattr(scanner, "hashing", None)  # not even hashed
        assert reports(full)[NAME] == FileReport(
            NAME, FileState.INDEXED, None, 1, 1, encoding=report.encoding
        )
    assert (full.read, full.contents(), full.library.generation) == ([], before, generation)


@pytest.mark.parametrize(
    "error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")]
)
def test_a_changed_file_that_cannot_be_hashed_is_read_as_soon_as_it_can(
    full: Desk, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    before = full.contents()
    full.write(NAME, "年假改为不可顺延。")
    with monkeypatch.context() as patch:
        refused(patch, error)
        assert code(reports(full)[NAME]) == "kept_unreadable"
        assert full.contents() == before
    assert reports(full)[NAME].state is FileState.INDEXED
    assert full.read == [NAME]
    assert full.found("年假")[0].text == "年假改为不可顺延。"


def test_a_file_that_is_locked_when_it_is_to_be_read(full: Desk) -> None:
    before = full.contents()
    full.write(NAME, "年假改为不可顺延。")
    reader, full.reader = full.reader, Refusing()
    assert reports(full)[NAME].reason == Reason("kept_unreadable", {"why": "locked"})
    assert full.contents() == before
    full.reader = reader
    assert code(reports(full)[NAME]) is None
    assert full.found("年假")[0].text == "年假改为不可顺延。"


def test_a_file_with_new_times_and_the_old_bytes_is_not_read(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(full.folder / NAME, ns=(1, 1))
    with monkeypatch.context() as patch:
        refused(patch, PermissionError(13, "Permission denied"))
        assert code(reports(full)[NAME]) == "kept_unreadable"
    assert (reports(full)[NAME].state, full.read) == (FileState.INDEXED, [])


def test_another_refusal_does_not_hide_what_the_file_was_before(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = '{"code": "pages_missing", "params": {"count": 1}}'
    full.library.db.execute(
        "UPDATE documents SET state = 'partial', reason = ? WHERE path = ?", (reason, NAME)
    )
    before = reports(full)[NAME]
    with monkeypatch.context() as patch:
        without_right(patch, NAME)
        reports(full)
    os.utime(full.folder / NAME, ns=(1, 1))
    with monkeypatch.context() as patch:
        refused(patch, OSError(5, "Input/output error"))
        params = {"why": "read_failed", "detail": "Input/output error"}
        assert reports(full)[NAME].reason == Reason("kept_unreadable", params)
    assert (before.state, reports(full)[NAME]) == (FileState.PARTIAL, before)


def test_a_kept_file_that_vanishes_is_forgotten(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        without_right(patch, NAME)
        reports(full)
    (full.folder / NAME).unlink()
    result = full.ingest()
    assert (result.removed, NAME in {report.path for report in result.files}) == (1, False)


def test_a_file_never_read_has_nothing_to_keep(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    full.write("新.txt", "新来的内容。")
    with monkeypatch.context() as patch:
        without_right(patch, "新.txt")
        assert reports(full)["新.txt"].reason == Reason("no_permission")
    assert reports(full)["新.txt"].state is FileState.INDEXED


def test_files_below_a_folder_that_cannot_be_listed_are_kept(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = full.contents()
    with monkeypatch.context() as patch:
        unlisted(patch, "子", PermissionError(13, "Permission denied"))
        for _ in range(2):
            found = reports(full)
            assert {path: code(report) for path, report in found.items()} == {
                NAME: None,
                "子": "no_permission",
                "子/报销.md": "kept_unreadable",
                "子/孙/访客.txt": "kept_unreadable",
                "子/空.txt": "no_permission",
            }
            assert full.contents() == before
    assert {path: report.state.value for path, report in reports(full).items()} == {
        NAME: "indexed",
        "子/报销.md": "indexed",
        "子/孙/访客.txt": "indexed",
        "子/空.txt": "empty",
    }
    assert (full.embedded, full.contents()) == ([], before)


def test_a_folder_that_vanishes_takes_its_files_along(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        unlisted(patch, "孙", FileNotFoundError(2, "No such file"))
        assert "子/孙/访客.txt" not in reports(full)
    assert full.found("访客登记")[0].document != "子/孙/访客.txt"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_words_say_that_it_is_kept_and_why(language: wording.Language) -> None:
    words = wording.describe("kept_unreadable", {"why": "read_failed", "detail": "EIO"}, language)
    assert ("沿用上次的内容" if language == "zh" else "kept") in words.title
    assert "EIO" in words.title
    assert words.advice

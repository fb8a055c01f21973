"""Files with the same bytes, and files that moved: read once, embedded once, found under the right name."""

import os
import shutil
import unicodedata
from pathlib import Path

import pytest

from engine.commands import LocatePassage
from engine.documents import FileState, Reason
from engine.events import FileReport
from engine.index import copies
from engine.index.inspection import inspect
from engine.reader.passages import locate
from tests.desk import Desk

TEXT = "# 差旅\n\n差旅报销须在三十日内提交，逾期不予受理。"
OTHER = "# 年假\n\n年假可以顺延至次年三月。"


def reports(desk: Desk) -> dict[str, FileReport]:
    return {file.report.path: file.report for file in desk.library.files()}


def copy_of(name: str) -> Reason:
    return Reason("copy_of", {"document": name})


def is_whole(desk: Desk) -> bool:
    """As many terms and vectors as chunks, and no copy of a document that is not there."""
    count = desk.library.chunk_count()
    terms = desk.library.db.execute("SELECT count(*) FROM terms_docsize").fetchone()[0]
    broken = desk.library.db.execute("PRAGMA foreign_key_check").fetchall()
    return terms == count == len(desk.library.store) and not broken


def test_identical_files_are_searched_once_and_listed_as_copies(desk: Desk) -> None:
    for name in ("乙.md", "甲.md", "子/丙.md"):
        desk.write(name, TEXT)
    result = desk.ingest()
    assert (len(desk.read), len(desk.embedded), result.chunks) == (1, 1, 1)
    assert result.counts == {"indexed": 3}
    (hit,) = desk.found("差旅报销")
    first = min(reports(desk))
    assert (hit.document, set(hit.copies)) == (first, set(reports(desk)) - {first})
    assert {name: report.reason for name, report in reports(desk).items()} == {
        name: None if name == first else copy_of(first) for name in ("乙.md", "甲.md", "子/丙.md")
    }
    assert [report.pages for report in reports(desk).values()] == [1, 1, 1]
    assert sum(report.chunks for report in reports(desk).values()) == 1
    assert sorted(result.files, key=lambda r: r.path) == sorted(reports(desk).values(), key=lambda r: r.path)
    again = desk.ingest()
    assert (desk.read, again.counts, again.removed) == ([], {"indexed": 3}, 0)
    assert is_whole(desk)


@pytest.mark.parametrize("order", [("a.md", "b.md"), ("b.md", "a.md")])
def test_which_file_came_first_makes_no_difference(desk: Desk, order: tuple[str, str]) -> None:
    for name in order:
        desk.write(name, TEXT)
        desk.ingest()
    assert reports(desk)["a.md"].reason is None
    assert reports(desk)["b.md"].reason == copy_of("a.md")
    assert desk.found("差旅报销")[0].document == "a.md"
    assert is_whole(desk)


def test_a_copy_takes_the_place_of_an_original_that_goes(desk: Desk) -> None:
    for name in ("a.md", "b.md", "c.md"):
        desk.write(name, TEXT)
    desk.ingest()
    row = desk.found("差旅报销")[0].row
    (desk.folder / "a.md").unlink()
    result = desk.ingest()
    assert (desk.read, desk.embedded, result.removed) == ([], [], 0)
    assert [(hit.document, hit.row, hit.copies) for hit in desk.found("差旅报销")] == [
        ("b.md", row, ("c.md",))
    ]
    assert not desk.library.files()[0].report.path.startswith("a")
    assert is_whole(desk)


def test_an_original_that_is_edited_leaves_its_text_to_the_copy(desk: Desk) -> None:
    desk.write("a.md", TEXT)
    desk.write("b.md", TEXT)
    desk.ingest()
    desk.write("a.md", OTHER)
    result = desk.ingest()
    assert (desk.read, result.embedded, result.chunks) == (["a.md"], 1, 2)
    assert desk.found("差旅报销")[0].document == "b.md"
    assert desk.found("年假顺延")[0].document == "a.md"
    assert [report.reason for report in reports(desk).values()] == [None, None]
    assert is_whole(desk)


def test_a_copy_that_is_edited_is_a_document_of_its_own(desk: Desk) -> None:
    desk.write("a.md", TEXT)
    desk.write("b.md", TEXT)
    desk.ingest()
    desk.write("b.md", OTHER)
    assert desk.ingest().chunks == 2
    desk.write("b.md", TEXT)
    result = desk.ingest()
    assert (result.chunks, desk.read, result.removed) == (1, [], 1)
    assert is_whole(desk)


def test_files_of_another_kind_are_no_copies(desk: Desk) -> None:
    desk.write("表.csv", "甲,乙\n1,2\n3,4\n")
    desk.write("表.txt", "甲,乙\n1,2\n3,4\n")
    desk.ingest()
    assert sorted(desk.read) == ["表.csv", "表.txt"]


def test_a_renamed_file_is_neither_read_nor_embedded(desk: Desk) -> None:
    desk.write("子/报销.md", TEXT).rename(desk.folder / "子/b 报销.md")
    desk.write("年假.txt", OTHER)
    desk.ingest()
    (desk.folder / "子").rename(desk.folder / "新")
    (desk.folder / "年假.txt").rename(desk.folder / "a 假期.txt")
    result = desk.ingest()
    assert (desk.read, desk.embedded, result.removed) == ([], [], 0)
    assert set(reports(desk)) == {"新/b 报销.md", "a 假期.txt"}
    assert all(report.reason is None for report in reports(desk).values())
    by_words = [hit.document for hit in desk.found("假期") if hit.lexical]
    assert by_words == ["a 假期.txt"], "its new name is searched"
    titles = {stored.document: stored.title for stored in desk.library.all_chunks()}
    assert titles["a 假期.txt"] == "a 假期", "a title that is the file's name goes with it"
    assert is_whole(desk)


def test_two_files_that_change_names_keep_their_vectors(desk: Desk) -> None:
    one, other = desk.write("a.md", TEXT), desk.write("b.md", OTHER)
    desk.ingest()
    one.rename(desk.folder / "x.md")
    other.rename(one)
    (desk.folder / "x.md").rename(other)
    result = desk.ingest()
    assert (desk.embedded, result.chunks) == ([], 2)
    assert desk.found("差旅报销")[0].document == "b.md"
    assert is_whole(desk)


def test_names_that_differ_by_case_or_normalisation_are_files_of_their_own(desk: Desk) -> None:
    for number, name in enumerate(
        ["Bericht.txt", "bericht.txt", "é.txt", unicodedata.normalize("NFD", "é.txt")]
    ):
        desk.write(name, f"第{number}份报告的内容。")
    there = len(os.listdir(desk.folder))  # noqa: PTH208 - some file systems take them for the same
    assert desk.ingest().counts == {"indexed": there}
    before = desk.contents()
    (desk.folder / "Bericht.txt").rename(desk.folder / "BERICHT.txt")
    desk.ingest()
    assert (desk.read, desk.embedded) == ([], [])
    assert "BERICHT.txt" in reports(desk) and "Bericht.txt" not in reports(desk)
    assert len(desk.contents()) == len(before)


def test_a_file_that_moves_to_another_folder_of_the_library_is_not_read(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "归档"
    other.mkdir()
    file = desk.write("a.md", TEXT)
    desk.ingest(desk.folder, other)
    file.rename(other / "a.md")
    desk.ingest(other)  # each folder by itself, as a watcher may do it
    desk.ingest(desk.folder)
    assert (desk.read, desk.embedded) == ([], [])
    assert [hit.document for hit in desk.found("差旅报销")] == ["a.md"]
    assert is_whole(desk)


def test_reading_everything_anew_keeps_copies_copies(desk: Desk) -> None:
    for name in ("a.md", "b.md"):
        desk.write(name, TEXT)
    desk.ingest()
    desk.settings = desk.settings.model_copy(update={"profile": "long"})
    result = desk.ingest()
    assert (desk.read, result.chunks) == (["a.md"], 1)
    assert reports(desk)["b.md"].reason == copy_of("a.md")
    assert desk.ingest(names=frozenset({"a.md"})).chunks == 1
    assert desk.ingest(names=frozenset({"b.md"})).chunks == 1
    assert reports(desk)["b.md"].reason == copy_of("a.md")
    assert is_whole(desk)


def test_a_copy_that_cannot_be_read_for_the_moment_is_one_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", TEXT)
    copy = desk.write("b.md", TEXT)
    desk.ingest()
    real = os.access
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode: path != copy and real(path, mode))
        desk.ingest()
        assert reports(desk)["b.md"].state is FileState.UNREADABLE
    desk.ingest()
    assert reports(desk)["b.md"].reason == copy_of("a.md")
    assert is_whole(desk)


def test_a_copy_is_opened_where_the_original_is_not_there(desk: Desk) -> None:
    original, copy = desk.write("a.md", TEXT), desk.write("b.md", TEXT)
    desk.ingest()
    command = LocatePassage(1, "库", desk.found("差旅报销")[0].row)
    assert (locate(command, desk.library).path, locate(command, desk.library).changed) == (original, False)
    original.unlink()
    located = locate(command, desk.library)
    assert (located.path, located.document, located.changed) == (copy, "b.md", False)
    copy.unlink()
    located = locate(command, desk.library)
    assert (located.path, located.changed) == (original, True)


def test_a_copy_can_be_looked_into_and_asked_by_its_name(desk: Desk) -> None:
    for name in ("a.md", "b.md"):
        desk.write(name, TEXT)
    desk.ingest()
    seen = inspect(desk.library, "b.md")
    assert (len(seen.pages), len(seen.chunks), seen.title) == (1, 1, "差旅")
    assert seen.path == desk.folder / "b.md"
    assert desk.library.rows_of(["b.md"]) == desk.library.rows_of(["a.md"]) != []


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
def test_a_file_that_two_paths_lead_to_is_read_once(desk: Desk, tmp_path: Path) -> None:
    desk.write("a.md", TEXT)
    (desk.folder / "link.md").symlink_to(desk.folder / "a.md")
    (desk.folder / "hard.md").hardlink_to(desk.folder / "a.md")
    desk.ingest()
    assert (desk.read, desk.library.chunk_count()) == (["a.md"], 1)
    (tmp_path / "Kürzel").symlink_to(desk.folder)
    result = desk.ingest(tmp_path / "Kürzel")
    assert (list(desk.library.folders().values()), desk.read) == ([desk.folder], [])
    assert (len(result.files), result.chunks) == (3, 1)


def test_of_a_folder_that_is_not_on_this_machine_found_files_take_the_place(desk: Desk) -> None:
    """As after the import of a pack: its folder is known by its label."""
    desk.write("子/a.md", TEXT)
    desk.write("b.md", OTHER)
    desk.ingest()
    rows = {hit.document: hit.row for hit in (*desk.found("差旅报销"), *desk.found("年假"))}
    desk.library.db.execute("UPDATE folders SET path = '资料 一'")
    desk.library.raise_generation()
    (desk.folder / "b.md").rename(desk.folder / "别名.md")
    result = desk.ingest()
    assert (desk.read, desk.embedded, result.chunks) == ([], [], 2)
    assert list(desk.library.folders().values()) == [desk.folder]
    assert desk.found("差旅报销")[0].row == rows["子/a.md"]
    assert desk.found("年假")[0].document == "别名.md"
    assert is_whole(desk)


def closed(patch: pytest.MonkeyPatch, name: str) -> None:
    access = os.access
    patch.setattr(os, "access", lambda path, mode: Path(path).name != name and access(path, mode))


def test_files_that_take_the_names_of_each_other_are_not_read_again(desk: Desk) -> None:
    desk.write("1.txt", "第一份，关于年假。")
    desk.write("2.txt", "第二份，关于报销。")
    desk.ingest()
    (desk.folder / "2.txt").rename(desk.folder / "3.txt")
    (desk.folder / "1.txt").rename(desk.folder / "2.txt")
    desk.ingest()
    assert (desk.read, desk.embedded) == ([], [])
    assert {hit.document for hit in desk.found("年假报销") if hit.lexical} == {"2.txt", "3.txt"}
    assert is_whole(desk)


def test_a_copy_that_cannot_be_read_inherits_what_its_original_held(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("a", "同样的内容。"), ("b", "二"), ("c", "三"), ("z", "同样的内容。")):
        desk.write(f"{name}.txt", text)
    desk.ingest()
    for name in "abc":
        desk.write(f"{name}.txt", f"改了{name}")
    closed(monkeypatch, "z.txt")
    desk.ingest()
    assert desk.found("同样的内容")
    assert is_whole(desk)


def test_what_is_copied_while_it_cannot_be_read_is_stored_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.txt", "同样的内容。")
    desk.ingest()
    desk.write("b.txt", "同样的内容。")
    with monkeypatch.context() as patch:
        closed(patch, "a.txt")
        desk.ingest()
    desk.ingest()
    assert desk.library.chunk_count() == 1


def test_many_files_that_change_names_all_round_keep_their_text(desk: Desk) -> None:
    count = 120  # more than are moved in one transaction
    for number in range(count):
        desk.write(f"{number:03}.txt", f"第{number}份文件的内容。")
    desk.ingest()
    texts = {chunk.document: chunk.chunk.text for chunk in desk.library.all_chunks()}
    (desk.folder / "000.txt").rename(desk.folder / "x")
    for number in range(1, count):
        (desk.folder / f"{number:03}.txt").rename(desk.folder / f"{number - 1:03}.txt")
    (desk.folder / "x").rename(desk.folder / f"{count - 1:03}.txt")
    result = desk.ingest()
    assert (desk.read, desk.embedded, result.removed) == ([], [], 0)
    now = {chunk.document: chunk.chunk.text for chunk in desk.library.all_chunks()}
    assert now == {f"{n:03}.txt": texts[f"{(n + 1) % count:03}.txt"] for n in range(count)}
    assert is_whole(desk)


def test_a_new_file_may_take_the_name_of_one_that_was_renamed(desk: Desk) -> None:
    desk.write("报告.md", TEXT)
    desk.ingest()
    (desk.folder / "报告.md").rename(desk.folder / "报告 旧.md")
    desk.write("报告.md", OTHER)
    result = desk.ingest()
    assert (desk.read, result.embedded, result.chunks) == (["报告.md"], 1, 2)
    assert desk.found("差旅报销")[0].document == "报告 旧.md"


def test_a_failure_in_the_middle_of_moving_changes_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("1.md", TEXT)
    desk.write("2.md", OTHER)
    desk.ingest()
    before = desk.contents()
    (desk.folder / "2.md").rename(desk.folder / "3.md")
    (desk.folder / "1.md").rename(desk.folder / "2.md")
    with monkeypatch.context() as patch:
        patch.setattr(copies, "note_times", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            desk.ingest()
    assert desk.contents() == before, "all documents move, or none"
    result = desk.ingest()
    assert (desk.embedded, result.chunks, set(reports(desk))) == ([], 2, {"2.md", "3.md"})
    assert is_whole(desk)


def test_the_original_is_where_it_can_be_reached(desk: Desk, tmp_path: Path) -> None:
    first = tmp_path / "U盘"
    first.mkdir()
    (first / "z.md").write_text(TEXT, encoding="utf-8")
    desk.ingest(first)
    desk.write("a.md", TEXT)
    desk.ingest(first, desk.folder)
    assert [hit.document for hit in desk.found("差旅报销")] == ["z.md"]
    away = first.rename(tmp_path / "weg")
    desk.ingest(first, desk.folder)
    assert [(hit.document, hit.copies) for hit in desk.found("差旅报销")] == [("a.md", ("z.md",))]
    away.rename(first)
    desk.ingest(first, desk.folder)
    assert [hit.document for hit in desk.found("差旅报销")] == ["z.md"]
    assert is_whole(desk)


def test_a_file_that_is_copied_and_then_changed_gives_its_document_to_the_copy_until_it_is_read(
    desk: Desk,
) -> None:
    old = desk.write("甲.md", "# 一\n\n保密期限为十年。")
    desk.ingest()
    shutil.copy2(old, old.with_name("乙.md"))
    desk.write("甲.md", "# 一\n\n差旅报销须在十个工作日内提交。")

    def listed() -> list[str]:
        return [name for (name,) in desk.library.db.execute("SELECT path FROM documents ORDER BY path")]

    steps = desk.steps()
    while listed() == ["甲.md"]:
        next(steps)
    del steps  # the sync ends here
    assert listed() == ["乙.md"]
    assert desk.found("保密期限")[0].document == "乙.md"
    desk.ingest()
    assert listed() == ["乙.md", "甲.md"]
    assert desk.found("差旅报销")[0].document == "甲.md"

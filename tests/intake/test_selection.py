"""Which files of a folder are read: patterns, hidden files, folders that nobody's documents are in."""

from pathlib import Path

import pytest

from engine.errors import FolderTooBroad, PatternInvalid
from engine.intake import scanner
from engine.intake.selection import Selection, ensure_narrow
from tests.desk import Desk


def found(folder: Path, selection: Selection, below: list[str] | None = None) -> dict[str, str | None]:
    return {
        file.relative: file.excluded.code if file.excluded else None
        for file in scanner.scan(folder, selection, below)
    }


NAMES = (
    "a.pdf", "a.md", "草稿/b.md", "草稿/深/c.md", "终稿/b.md", "终稿/重要.tmp", ".隐藏/d.md", "~$a.docx",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "a.pdf",
        "a.md",
        "草稿/b.md",
        "草稿/深/c.md",
        "终稿/b.md",
        ".隐藏/d.md",
        "~$a.docx",
        "终稿/重要.tmp",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    return tmp_path


def test_patterns_are_those_of_gitignore(folder: Path) -> None:
    selection = Selection(exclude=["*.tmp", "!重要.tmp", "草稿/", "/a.md"])
    assert found(folder, selection) == {
        ".隐藏": "hidden",
        "a.md": "excluded_by_pattern",
        "a.pdf": None,
        "~$a.docx": "lock_file",
        "终稿/b.md": None,
        "终稿/重要.tmp": None,
        "草稿": "excluded_by_pattern",
    }
    (reason,) = [f.excluded for f in scanner.scan(folder, selection) if f.relative == "草稿"]
    assert reason is not None and reason.params == {"pattern": "草稿/"}


def test_with_patterns_to_include_nothing_else_is_read(folder: Path) -> None:
    selection = Selection(include=["*.md"], exclude=["草稿/深/"])
    read = {name for name, why in found(folder, selection).items() if why is None}
    assert read == {"a.md", "草稿/b.md", "终稿/b.md"}
    assert found(folder, selection)["a.pdf"] == "not_included"


def test_hidden_files_are_read_where_that_is_wanted(folder: Path) -> None:
    selection = Selection(hidden=True)
    assert found(folder, selection)[".隐藏/d.md"] is None
    assert found(folder, selection)["~$a.docx"] == "lock_file"


def test_the_data_of_this_program_is_never_read(folder: Path) -> None:
    assert found(folder, Selection(home=folder / "终稿"))["终稿"] == "ignored"


@pytest.mark.parametrize("bad", ["!", "\\"])
def test_a_pattern_that_means_nothing_is_refused(bad: str) -> None:
    with pytest.raises(PatternInvalid) as failure:
        Selection(exclude=["*.md", bad])
    assert bad in failure.value.params["pattern"]


@pytest.mark.parametrize("place", ["/", "/proc", "/dev/shm/.."])
def test_a_whole_disk_is_no_folder_of_documents(place: str) -> None:
    with pytest.raises(FolderTooBroad):
        ensure_narrow(Path(place))


def test_only_what_lies_below_is_looked_at(folder: Path) -> None:
    everything = Selection()
    assert found(folder, everything, ["草稿/深", "草稿", "没有"]) == {"草稿/b.md": None, "草稿/深/c.md": None}
    assert found(folder, everything, [".隐藏"]) == {".隐藏": "hidden"}
    assert found(folder, everything, [".隐藏/深"]) == {}
    assert found(folder, Selection(exclude=["草稿/"]), ["草稿/深"]) == {}
    assert found(folder, Selection(exclude=["草稿/"]), ["草稿"]) == {"草稿": "excluded_by_pattern"}
    assert found(folder, everything, ["."]) == found(folder, everything)
    assert scanner.outermost(["a/b", "a", "ab", "a/b/c", "c"]) == ["a", "ab", "c"]


def test_what_is_left_out_later_leaves_the_index(desk: Desk) -> None:
    for name in ("甲.md", "草稿/乙.md"):
        desk.write(name, f"# {name}\n\n{name}的内容。")
    desk.ingest()
    desk.selection = Selection(exclude=["草稿/"])
    result = desk.ingest()
    assert (result.counts, result.chunks, result.removed) == ({"indexed": 1, "excluded": 1}, 1, 1)
    desk.selection = Selection(include=["*.txt"])
    assert desk.ingest().counts == {"excluded": 2}
    desk.selection = Selection()
    assert (desk.ingest().counts, desk.library.chunk_count()) == ({"indexed": 2}, 2)


def test_a_choice_is_kept_with_the_library(desk: Desk) -> None:
    Selection(["*.md"], ["草稿/"], True).keep(desk.library)
    kept = Selection.of(desk.library)
    assert (kept.include, kept.exclude, kept.hidden) == (("*.md",), ("草稿/",), True)

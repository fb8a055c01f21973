"""Single files are left out of a knowledge base and taken in again, one or many at a time."""

import pytest
from pathspec import GitIgnoreSpec

from desktop.library.excluding import pattern_of
from engine.commands import ChangeLibrary, IngestFolders, ListFiles, ListLibraries
from engine.documents import FileState, Reason
from engine.events import FileReport, FilesListed, LibrariesListed, TaskFailed
from tests.desktop import sample_content

FOLDERS = ("/资料/公司制度",)
NAMES = [
    "人事/员工手册（2025 版）.pdf", "a*b?.txt", "[草稿] 合同.docx", "!重要.md", "#1 周报.md", "末尾空格  ",
    "反斜杠\\.txt", "甲/乙/丙.md",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_pattern_means_this_file_and_no_other(name):
    pattern = pattern_of(name, FOLDERS)
    spec = GitIgnoreSpec.from_lines([pattern])
    assert spec.match_file(name)
    others = [other for other in (*NAMES, f"归档/{name}", "axbc.txt", "草 合同.docx") if other != name]
    assert not any(spec.match_file(other) for other in others)


def test_the_file_of_a_folder_that_is_named_first_is_meant_in_its_folder(tmp_path):
    for folder in ("合同", "归档"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "甲.md").touch()
    folders = [str(tmp_path / folder) for folder in ("合同", "归档")]
    assert pattern_of("归档/甲.md", folders) == "/甲.md"
    assert pattern_of("甲.md", ()) is None


def choose(opened, *paths: str):
    table = opened.window.library_panel.table
    table.select(paths)
    return opened.window.library_panel.file_menu


def test_selected_files_are_left_out_together_and_the_folder_is_synced(qtbot, opened):
    paths = [file.path for file in sample_content.files()[:2]]
    choose(opened, *paths).exclude_action.trigger()
    command = opened.engine.last(ChangeLibrary)
    assert set(command.exclude) == {pattern_of(path, sample_content.library().folders) for path in paths}
    opened.engine.done(command.task_id)
    qtbot.waitUntil(lambda: bool(opened.engine.commands(IngestFolders)))
    assert opened.engine.last(IngestFolders).library == "公司制度"


def test_why_it_could_not_be_done_is_said_and_nothing_is_synced(qtbot, opened):
    choose(opened, sample_content.files()[0].path).exclude_action.trigger()
    task = opened.engine.last(ChangeLibrary).task_id
    opened.engine.emit(TaskFailed(task, "library_busy", {"name": "公司制度"}))
    qtbot.waitUntil(lambda: bool(opened.window.banners.messages()))
    assert not opened.engine.commands(IngestFolders)


def test_only_what_was_left_out_by_itself_is_taken_in_again(qtbot, opened):
    folders = sample_content.library().folders
    own, wide = "人事/甲.md", "归档/乙.bak"
    patterns = {own: pattern_of(own, folders), wide: "*.bak"}
    files = tuple(
        FileReport(path, FileState.EXCLUDED, Reason("excluded_by_pattern", {"pattern": pattern}))
        for path, pattern in patterns.items()
    )
    summary = sample_content.library()
    summary = type(summary)(
        *(getattr(summary, name) for name in ("name", "folders", "counts", "chunks", "bytes")),
        exclude=("*.bak", pattern_of(own, folders)),
    )
    opened.engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, (summary,))]
    opened.engine.scripts[ListFiles] = lambda c: [FilesListed(c.task_id, c.library, files)]
    opened.controller.library.list_libraries()
    qtbot.waitUntil(lambda: opened.window.library_panel.table.files.rowCount() == 2)
    menu = choose(opened, wide)
    assert not menu.include_action.isVisible() and not menu.exclude_action.isVisible()
    menu = choose(opened, own)
    assert menu.include_action.isVisible()
    menu.include_action.trigger()
    assert opened.engine.last(ChangeLibrary).exclude == ("*.bak",)

"""A program that died while it read a file does not die of it again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.config import Settings
from engine.documents import FileState
from engine.index import unfinished
from engine.index.library import Library
from engine.paths import Home
from engine.shelf import WriteLock
from engine.workspace import Workspace
from tests.desk import Desk

# One start of the program, whose reader dies with it in 毒.txt; the embedder counts what it embeds.
START = """
import os, sys
from pathlib import Path
from engine.jobs import indexing
from engine.cancel import CancelToken
from engine.commands import IngestFolders
from engine.config import Settings
from engine.paths import Home
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder, InlineReader

class Deadly(InlineReader):
    def answer(self, request, token):
        if request.path.stem == "毒":
            os._exit(139)
        yield from super().answer(request, token)
    def __enter__(self): return self
    def __exit__(self, *_): pass

import engine.workspace
engine.workspace.ParsingPool = Deadly
embedder = FakeEmbedder()
Workspace.embedder = lambda self: embedder
Workspace.dimension = embedder.dimension
workspace = Workspace(Home(Path(sys.argv[1])), Settings())
for _ in indexing.ingest(IngestFolders(1, (Path(sys.argv[2]),), "库"), workspace, CancelToken()):
    pass
files = workspace.libraries.open("库").files()
print(sorted((f.path, f.report.state.value) for f in files), len(embedder.embedded))
workspace.close()
"""


def start(home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, "-c", START, str(home), str(folder)],
        capture_output=True, text=True, encoding="utf-8", cwd=root, timeout=60, check=False,
        env=os.environ | {"PYTHONPATH": str(root), "PYTHONUTF8": "1"},
    )  # fmt: skip


def test_three_starts_with_a_file_that_kills(tmp_path: Path) -> None:
    folder = tmp_path / "资料"
    folder.mkdir()
    for number in range(9):
        (folder / f"第{number}份.txt").write_text(f"第{number}份文件的内容。", encoding="utf-8")
    (folder / "毒.txt").write_text("毒", encoding="utf-8")
    home = tmp_path / "家"
    first = start(home, folder)
    assert first.returncode == 139
    second = start(home, folder)
    assert second.returncode == 0, second.stderr
    third = start(home, folder)
    assert third.returncode == 0, third.stderr
    states, embedded = third.stdout.strip().rsplit(" ", 1)
    assert states.count("'indexed'") == 9
    assert "('毒.txt', 'set_aside')" in states
    assert embedded == "0"


def test_a_file_set_aside_is_read_again_when_it_changed_or_when_asked(desk: Desk) -> None:
    desk.write("好.txt", "好的内容。")
    desk.write("毒.txt", "毒的内容。")
    steps = desk.steps()
    while desk.library.db.execute("SELECT path FROM work").fetchall() != [("毒.txt",)]:
        next(steps)
    copied = Library(None, dimension=64)  # what a dead program leaves: the rows, and nobody to clear them
    desk.library.db.backup(copied.db)
    assert unfinished.set_aside(copied) == 1
    assert unfinished.set_aside(copied) == 0
    assert copied.counts() == {"indexed": 1, "set_aside": 1}
    steps.close()  # type: ignore[attr-defined]
    desk.library.close()
    desk.library = copied
    assert desk.ingest().counts == {"indexed": 1, "set_aside": 1}
    assert desk.read == []
    assert desk.ingest(retry=True).counts == {"indexed": 2}


@pytest.mark.parametrize("how", ["close", "finish"])
def test_an_orderly_end_sets_nothing_aside(desk: Desk, how: str) -> None:
    desk.write("甲.txt", "甲的内容。")
    steps = desk.steps()
    next(steps)
    if how == "close":
        while desk.library.db.execute("SELECT 1 FROM work").fetchone() is None:
            next(steps)
        steps.close()  # type: ignore[attr-defined]
    else:
        list(steps)
    assert unfinished.set_aside(desk.library) == 0


def test_a_library_that_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    writer = Workspace(home, Settings())
    library = writer.libraries.for_writing("库")
    folder_id = library.folder_id(tmp_path)
    library.db.execute("INSERT INTO work VALUES (?, '毒.txt', 1, 1, 'ab', '1')", (folder_id,))
    with WriteLock(library):
        reader = Workspace(home, Settings())
        assert reader.libraries.open("库").counts() == {}
        reader.close()
    again = Workspace(home, Settings())
    assert again.libraries.open("库").counts() == {FileState.SET_ASIDE.value: 1}
    again.close()
    writer.close()

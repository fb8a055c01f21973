import logging
import os
from pathlib import Path

import pytest

from engine import logs
from engine.cancel import CancelToken
from engine.cli.run import run
from engine.errors import LibraryBusy, TeamStoreUnreachable
from engine.index.library import Library
from engine.jobs import privacy
from engine.privacy import clearing, places
from engine.privacy.messages import ClearEverything, EverythingCleared, PrivacyRead, ReadPrivacy
from engine.shelf import WriteLock
from engine.workspace import Workspace
from tests.privacy.conftest import SENTINEL


def traces(home: Path) -> list[str]:
    """Files whose bytes or name hold the sentinel or its terms, in any encoding of text."""
    words = (SENTINEL, "哨兵", "绝密", "xq7731")
    needles = [word.encode(code) for word in words for code in ("utf-8", "utf-16-le", "utf-16-be", "gb18030")]
    return [
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if any(word in path.name for word in words)
        or (
            path.is_file()
            and any(needle in path.read_bytes().lower() for needle in map(bytes.lower, needles))
        )
    ]


def test_nothing_is_left_of_documents_questions_and_settings(workspace: Workspace, settled: Path) -> None:
    logs.set_up(workspace.home)
    logging.getLogger("test").warning("%s", SENTINEL)
    before = traces(settled)
    assert {"history.sqlite", "settings.yaml", "logs/zhiye.log", "crash/a.txt"} <= {
        name.removesuffix("-wal") for name in before
    }
    (event,) = privacy.start(ClearEverything(3), workspace, CancelToken())
    assert event == EverythingCleared(3, 2, 1)
    assert traces(settled) == []
    assert (settled / "models" / "eigenes.gguf").stat().st_size == 256 * 40_000, "model files stay"


def test_the_program_goes_on_with_nothing(workspace: Workspace, settled: Path) -> None:
    logs.set_up(workspace.home)
    clearing.clear(workspace)
    assert workspace.libraries.names() == []
    assert workspace.runs.thread_count() == 0
    assert workspace.settings.model_path is None
    logging.getLogger("test").warning("weiter")
    assert "weiter" in (settled / "logs" / "zhiye.log").read_text(encoding="utf-8")
    workspace.libraries.for_writing("新")
    assert workspace.libraries.names() == ["新"]


def test_other_things_in_a_chosen_folder_are_not_touched(workspace: Workspace, settled: Path) -> None:
    (settled / "论文.docx").write_bytes(b"x")
    (settled / "照片").mkdir()
    clearing.clear(workspace)
    assert {"论文.docx", "照片", "models"} <= {entry.name for entry in settled.iterdir()}


def test_a_library_that_is_being_written_keeps_everything(workspace: Workspace, settled: Path) -> None:
    with WriteLock(workspace.libraries.open("制度")), pytest.raises(LibraryBusy):
        clearing.clear(workspace)
    assert len(workspace.libraries.names()) == 2
    assert "history.sqlite" in {name.removesuffix("-wal") for name in traces(settled)}


def test_what_is_shared_is_taken_off_its_server_first(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(library: Library) -> None:
        raise TeamStoreUnreachable(host="192.0.2.7:19530", detail="no answer")

    monkeypatch.setattr(Library, "drop_team_copy", refuse)
    with pytest.raises(TeamStoreUnreachable):
        clearing.clear(workspace)
    assert len(workspace.libraries.names()) == 2


@pytest.mark.skipif(os.name != "posix", reason="permissions are another matter there")
def test_what_is_made_in_the_home_is_for_this_user_alone(workspace: Workspace, settled: Path) -> None:
    settled.chmod(0o755)
    for name in ("libraries", "logs", "crash", "history.sqlite"):
        assert (settled / name).stat().st_mode & 0o077 == 0, name


def test_the_page_learns_what_is_stored_where(workspace: Workspace, settled: Path) -> None:
    (read,) = privacy.start(ReadPrivacy(4), workspace, CancelToken())
    assert isinstance(read, PrivacyRead)
    sizes = {place.kind: place.size for place in read.places}
    assert list(sizes) == ["libraries", "history", "settings", "logs", "crash", "proof", "models"]
    assert sizes["models"] == 256 * 40_000
    assert sizes["libraries"] > 10_000 and sizes["history"] > 0 and sizes["proof"] == 0
    assert (read.home, read.proof, read.shared, read.can_move) == (settled, None, (), True)
    assert places.size_of(settled / "nirgends") == 0


def test_the_command_wants_to_be_told_twice(
    workspace: Workspace, settled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace.close()
    for words in (["clear"], ["clear", "--all"], ["clear", "--all", "--json"]):
        assert run(words) == 2
    assert traces(settled)
    capsys.readouterr()
    assert run(["clear", "--all", "--yes", "--json"]) == 0
    assert '"libraries": 2, "conversations": 1' in capsys.readouterr().out
    assert traces(settled) == []

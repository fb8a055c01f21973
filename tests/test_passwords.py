"""Passwords: asked once, kept in memory, used for reading and for later clicks, never written anywhere."""

from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from engine import jobs
from engine.cancel import CancelToken
from engine.commands import GivePassword, IngestFolders, InspectDocument, LocatePassage
from engine.config import Settings
from engine.events import DocumentInspected, Event, IngestFinished, PassageLocated
from engine.paths import Home
from engine.workspace import Workspace
from tests.cli.conftest import InThisProcess
from tests.fakes import FakeEmbedder

PASSWORD = " 星桥 2023"
WORDS = "The quarterly budget is 4711 yuan."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "合同"
    place.mkdir()
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), WORDS)
    document.save(place / "密.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=PASSWORD, owner_pw="x")
    document.close()
    (place / "明.txt").write_text("没有密码的内容。", encoding="utf-8")
    return place


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    embedder = FakeEmbedder()
    monkeypatch.setattr("engine.workspace.ParsingPool", InThisProcess)
    monkeypatch.setattr(Workspace, "embedder", lambda self: embedder)
    monkeypatch.setattr(Workspace, "dimension", embedder.dimension)
    made = Workspace(Home(tmp_path / "家"), Settings())
    yield made
    made.close()


def do(workspace: Workspace, command: object) -> list[Event]:
    steps = jobs.start(command, workspace, CancelToken())  # type: ignore[arg-type]
    return [event for event in steps if event is not None]


def ingest(workspace: Workspace, folder: Path) -> dict[str, tuple[str, str | None]]:
    result = do(workspace, IngestFolders(1, (folder,), "库"))[-1]
    assert isinstance(result, IngestFinished)
    return {f.path: (f.state.value, f.reason.code if f.reason else None) for f in result.files}


def test_a_password_given_once_opens_the_file_from_then_on(workspace: Workspace, folder: Path) -> None:
    assert ingest(workspace, folder)["密.pdf"] == ("needs_password", "password_needed")
    do(workspace, GivePassword(2, "falsch"))
    assert ingest(workspace, folder)["密.pdf"] == ("needs_password", "password_wrong")
    do(workspace, GivePassword(3, PASSWORD))
    assert ingest(workspace, folder)["密.pdf"] == ("indexed", None)
    (inspected,) = do(workspace, InspectDocument(4, "库", "密.pdf"))
    assert isinstance(inspected, DocumentInspected)
    assert "4711" in inspected.pages[0].text
    row = next(
        chunk.row for chunk in workspace.libraries.open("库").all_chunks() if chunk.document == "密.pdf"
    )
    (located,) = do(workspace, LocatePassage(5, "库", row))
    assert isinstance(located, PassageLocated)
    assert PASSWORD in located.passwords
    assert located.pages[0].rects


def test_a_read_file_stays_when_its_password_is_forgotten(workspace: Workspace, folder: Path) -> None:
    do(workspace, GivePassword(1, PASSWORD))
    ingest(workspace, folder)
    workspace.passwords.clear()  # another start of the program
    workspace.settings = Settings(chunk_size=200, chunk_overlap=0)  # which means reading everything again
    assert ingest(workspace, folder)["密.pdf"] == ("indexed", None)
    assert "密.pdf" in {chunk.document for chunk in workspace.libraries.open("库").all_chunks()}
    # Another content is another matter.
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Something new.")
    document.save(folder / "密.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=PASSWORD, owner_pw="x")
    document.close()
    assert ingest(workspace, folder)["密.pdf"] == ("needs_password", "password_needed")
    assert "密.pdf" not in {chunk.document for chunk in workspace.libraries.open("库").all_chunks()}


def test_other_documents_are_handed_no_passwords(workspace: Workspace, folder: Path) -> None:
    do(workspace, GivePassword(1, PASSWORD))
    ingest(workspace, folder)
    row = next(
        chunk.row for chunk in workspace.libraries.open("库").all_chunks() if chunk.document == "明.txt"
    )
    (located,) = do(workspace, LocatePassage(2, "库", row))
    assert isinstance(located, PassageLocated)
    assert located.passwords == ()


def test_the_password_is_in_no_file(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    do(workspace, GivePassword(1, PASSWORD))
    assert ingest(workspace, folder)["密.pdf"] == ("indexed", None)
    workspace.close()
    for file in (tmp_path / "家").rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert PASSWORD.encode() not in data
            assert PASSWORD.strip().encode() not in data


def test_a_new_start_keeps_what_was_read_and_knows_no_password(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    do(workspace, GivePassword(1, PASSWORD))
    ingest(workspace, folder)
    workspace.close()
    again = Workspace(Home(tmp_path / "家"), Settings())
    assert again.passwords == []
    assert ingest(again, folder)["密.pdf"] == ("indexed", None), "unchanged, so not read again"
    again.close()

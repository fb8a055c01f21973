"""One folder with one of each fault, taken in by the real parsing processes, from the scan to the search.

Every file ends in one state, with a reason that has words and a next step; the sound files beside them are
found; the order of the files changes nothing.
"""

import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import jobs, wording
from engine.answer import searching
from engine.cancel import CancelToken
from engine.commands import IngestFolders
from engine.config import Settings
from engine.documents import FAILED, FileState
from engine.events import Event, FileFinished, FileStarted, IngestFinished, Notice
from engine.paths import Home
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder
from tests.faults.catalogue import Fault, catalogue

LIMIT_S = 30.0
"""For making a folder and taking it in."""

LARGE = "一行.txt"
"""Takes as long as all others together, and says nothing about their order."""

SPREADS = ("together", "apart")


@dataclass
class Round:
    """A folder of faults and what came of it; ``sentences`` are what the sound files say, by name."""

    workspace: Workspace
    folder: Path
    faults: dict[str, Fault]
    sentences: dict[str, str]
    embedder: FakeEmbedder
    events: list[Event]
    result: IngestFinished
    seconds: float


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Round]]:
    """The same files in one folder, and each in a folder of its own so that the last come first."""
    place = tmp_path_factory.mktemp("faults")
    with pytest.MonkeyPatch.context() as patch:
        embedder = FakeEmbedder()
        patch.setattr(Workspace, "embedder", lambda self: embedder)
        patch.setattr(Workspace, "dimension", embedder.dimension)
        # Nothing is forbidden to root, as which containers run tests.
        access = os.access
        patch.setattr(os, "access", lambda path, mode: Path(path).name != "无权.txt" and access(path, mode))
        made = {spread: take_in(place / spread, spread, embedder) for spread in SPREADS}
        yield made
        for each in made.values():
            each.workspace.close()
    for path in place.rglob("无权.txt"):
        path.chmod(0o600)  # also who is not root can clear up


@pytest.fixture(params=SPREADS)
def taken_in(request: pytest.FixtureRequest, rounds: dict[str, Round]) -> Round:
    made: Round = rounds[request.param]
    return made


def take_in(place: Path, spread: str, embedder: FakeEmbedder) -> Round:
    begun = time.monotonic()
    folder, outside = place / "资料 一", place / "别处"
    outside.mkdir(parents=True)
    files = [fault for fault in catalogue(outside) if spread == "together" or fault.name != LARGE]
    faults, sentences = {}, {}
    for number, fault in enumerate(files):
        name = fault.name if spread == "together" else f"{len(files) - number:03}/{fault.name}"
        faults[name] = fault
        sentences[name] = f"第{code(fault)}件的代表人是王先生。"  # characters that Big5 has, too
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fault.make(path, sentences[name])
    # OCR has tests of its own; here the pictures keep the state that they have without it.
    workspace = Workspace(Home(place / "家"), Settings(ocr=False))
    events, result = ingest(workspace, folder)
    seconds = time.monotonic() - begun
    return Round(workspace, folder, faults, sentences, embedder, events, result, seconds)


def code(fault: Fault) -> str:
    """A word that stands in this file only."""
    return "K" + "".join(f"{byte:02x}" for byte in fault.name.encode()[-12:])


def ingest(
    workspace: Workspace, folder: Path, *, retry_failed: bool = False
) -> tuple[list[Event], IngestFinished]:
    command = IngestFolders(1, (folder,), "库", retry_failed=retry_failed)
    events = [event for event in jobs.start(command, workspace, CancelToken()) if event is not None]
    last = events[-1]
    assert isinstance(last, IngestFinished)
    return events, last


def entries(folder: Path) -> list[str]:
    """Every entry that is no folder, and a folder that is left out by its name once; counted without us."""
    found = []
    for root, folders, files in os.walk(folder):
        left_out = [name for name in folders if name.startswith(".") or name == "node_modules"]
        folders[:] = [name for name in folders if name not in left_out]
        found += [Path(root, name).relative_to(folder).as_posix() for name in files + left_out]
    return sorted(found)


def test_every_file_ends_in_its_state_with_its_reason(taken_in: Round) -> None:
    ends = {
        report.path: (report.state.value, report.reason.code if report.reason else None)
        for report in taken_in.result.files
    }
    wrong = {
        name: f"{ends.get(name)} instead of {fault.state} {fault.reasons}"
        for name, fault in taken_in.faults.items()
        if ends.get(name) not in [(fault.state, reason) for reason in fault.reasons]
    }
    assert wrong == {}


def test_the_counts_add_up_to_the_folder(taken_in: Round) -> None:
    result = taken_in.result
    assert sorted(report.path for report in result.files) == entries(taken_in.folder)
    assert sum(result.counts.values()) == len(taken_in.faults)
    assert result.counts == Counter(fault.state for fault in taken_in.faults.values())
    assert taken_in.workspace.libraries.open("库").counts() == result.counts
    finished = [event.file.path for event in taken_in.events if isinstance(event, FileFinished)]
    assert sorted(finished) == sorted(taken_in.faults)
    assert not [event for event in taken_in.events if isinstance(event, Notice)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_reason_has_words_and_a_next_step(taken_in: Round, language: wording.Language) -> None:
    known = wording.codes(language)
    for report in taken_in.result.files:
        assert f"state_{report.state.value}" in known
        if report.reason is None:
            assert report.state is FileState.INDEXED
            continue
        assert report.reason.code in known, f"{report.path}: {report.reason}"
        words = wording.describe(report.reason.code, report.reason.params, language)
        assert "…" not in str(words), f"{report.path}: a parameter is missing: {words}"
        assert words.advice or report.state is FileState.EXCLUDED, f"{report.path}: no next step"


def test_sound_files_are_found_and_no_others(taken_in: Round) -> None:
    library = taken_in.workspace.libraries.open("库")
    texts = [(chunk.document, chunk.chunk.text) for chunk in library.all_chunks()]
    for name, fault in taken_in.faults.items():
        word = code(fault)
        holding = {document for document, text in texts if word in text}
        assert holding == ({name} if fault.state == "indexed" else set())
        if holding:
            hits, _ = searching.search(word, [library], taken_in.embedder, taken_in.workspace.settings)
            assert name in [hit.document for hit in hits if taken_in.sentences[name] in hit.text]


def test_it_takes_no_longer_than_people_wait(taken_in: Round) -> None:
    assert taken_in.seconds < LIMIT_S


def test_the_order_of_the_files_changes_nothing(rounds: dict[str, Round]) -> None:
    reports, texts = [], []
    for made in rounds.values():
        names = {name: fault.name for name, fault in made.faults.items()}
        reports.append(sorted(
            (names[r.path], r.state, r.pages, r.chunks, r.missing_pages, r.encoding or "")
            for r in made.result.files
            if names[r.path] != LARGE
        ))  # fmt: skip
        texts.append(sorted(
            (names[chunk.document], chunk.chunk.ordinal, chunk.chunk.text, chunk.title)
            for chunk in made.workspace.libraries.open("库").all_chunks()
            if names[chunk.document] != LARGE
        ))  # fmt: skip
    assert reports[0] == reports[1]
    assert texts[0] == texts[1]


def test_trying_again_touches_only_what_failed(rounds: dict[str, Round]) -> None:
    made = rounds["apart"]
    made.embedder.embedded.clear()
    events, again = ingest(made.workspace, made.folder)
    assert (started(events), again.files) == ([], made.result.files)
    events, again = ingest(made.workspace, made.folder, retry_failed=True)
    # What the scan itself cannot read is looked at in every round, without being started.
    tried = FAILED - {FileState.UNREADABLE}
    assert started(events) == sorted(r.path for r in made.result.files if r.state in tried)
    assert again.files == made.result.files
    assert (again.embedded, made.embedder.embedded) == (0, [])


def started(events: list[Event]) -> list[str]:
    return sorted(event.path for event in events if isinstance(event, FileStarted))

"""Models imported, fetched and checked aside: progress, Stop, typed ends, and nothing left half done."""

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import native
from engine.commands import StopTask
from engine.config import Settings
from engine.events import Event, TaskDone, TaskFailed, TaskStarted, TaskStopped
from engine.model_files.commands import DownloadModel, ImportModel, VerifyModel
from engine.model_files.events import ModelArrived, ModelProgress, ModelVerified, SourceGivenUp
from engine.paths import Home
from engine.thread import EngineThread
from models import fetch, store
from models.catalogue import Catalogue
from tests.models.conftest import MODEL_ID, chat_model, gguf_bytes
from tests.models.test_hub import Server
from tests.models.test_hub import server as server
from tests.test_thread import PATIENCE_S, Recorder

CONTENT = gguf_bytes(entries={"general.name": "known"}, padding=b"\2" * (3 << 20))


@pytest.fixture
def content() -> bytes:
    """What the catalogue knows, large enough for a second report."""
    return CONTENT


@pytest.fixture
def make_catalogue(content: bytes) -> Callable[..., Catalogue]:
    return lambda *sources: Catalogue((chat_model(MODEL_ID, content, sources),))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_catalogue: Callable[..., Catalogue]) -> Home:
    monkeypatch.setattr(store, "catalogue", make_catalogue)
    return Home(tmp_path / "家")


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def engine(home: Home, recorder: Recorder) -> Iterator[EngineThread]:
    made = EngineThread(home, Settings(), recorder, lambda home, _: SimpleNamespace(close=lambda: None))  # type: ignore[arg-type,return-value]
    made.start()
    yield made
    assert made.stop(PATIENCE_S)


def end(recorder: Recorder, task_id: int) -> Event:
    with recorder._changed:
        assert recorder._changed.wait_for(lambda: recorder.ends(task_id), PATIENCE_S)
    (only,) = recorder.ends(task_id)
    assert isinstance(recorder.of(task_id)[0], TaskStarted) and recorder.of(task_id)[-1] is only
    return only


def left(home: Home) -> list[str]:
    return sorted(path.name for path in home.models.iterdir() if not path.name.endswith(".lock"))


def test_a_model_of_the_catalogue_arrives_under_its_own_name(
    engine: EngineThread, recorder: Recorder, home: Home, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "从U盘.gguf"
    file.write_bytes(content)
    engine.send(ImportModel(1, file))
    assert end(recorder, 1) == TaskDone(1)
    assert ModelArrived(1, MODEL_ID, MODEL_ID, "chat", True) in recorder.of(1)
    assert ModelProgress(1, len(content), len(content)) in recorder.of(1)
    assert left(home) == [f"{MODEL_ID}.gguf", f"{MODEL_ID}.verified.json"]


def test_an_unknown_model_is_asked_about_and_added_when_wanted_anyway(
    engine: EngineThread, recorder: Recorder, home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "外来.gguf"
    file.write_bytes(gguf_bytes())
    engine.send(ImportModel(1, file))
    told = end(recorder, 1)
    assert isinstance(told, TaskFailed) and told.code == "model_not_in_catalogue"
    assert not home.models.exists()
    engine.send(ImportModel(2, file, anyway=True))
    assert end(recorder, 2) == TaskDone(2)
    assert ModelArrived(2, "外来", "外来", "chat", False) in recorder.of(2)


def test_bytes_that_differ_from_the_catalogue_are_refused_and_leave_nothing(
    engine: EngineThread, recorder: Recorder, home: Home, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "坏.gguf"
    file.write_bytes(content[:-1] + b"\3")
    engine.send(ImportModel(1, file))
    told = end(recorder, 1)
    assert isinstance(told, TaskFailed) and told.code == "model_damaged"
    assert left(home) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"<!doctype html><title>404</title>", "model_not_gguf"),
        (gguf_bytes()[:-40], "model_incomplete"),
        (b"", "model_empty"),
        (b"version https://git-lfs.github.com/spec/v1\n", "model_pointer"),
    ],
)
def test_what_is_no_whole_model_is_told_in_its_own_words(
    engine: EngineThread, recorder: Recorder, tmp_path: Path, data: bytes, code: str
) -> None:
    file = tmp_path / "模型.gguf"
    file.write_bytes(data)
    engine.send(ImportModel(1, file))
    told = end(recorder, 1)
    assert isinstance(told, TaskFailed) and told.code == code


def test_a_model_too_large_for_the_memory_is_told_before_a_byte_is_copied(
    engine: EngineThread, recorder: Recorder, tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "total_memory", lambda: 500)
    file = tmp_path / "大.gguf"
    file.write_bytes(content)
    engine.send(ImportModel(1, file))
    told = end(recorder, 1)
    assert isinstance(told, TaskFailed) and told.code == "model_too_large"


def test_a_full_disk_is_told_in_megabytes(
    engine: EngineThread, recorder: Recorder, tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(content)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    engine.send(ImportModel(1, file))
    told = end(recorder, 1)
    assert isinstance(told, TaskFailed) and told.code == "model_disk_full"
    assert told.params["free_mb"] == 5 and told.retryable


def test_a_stopped_import_leaves_nothing(
    engine: EngineThread, recorder: Recorder, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    content: bytes,
) -> None:  # fmt: skip
    file = tmp_path / "m.gguf"
    file.write_bytes(content)
    copy = store.copy_file

    def stopped_on_the_way(source: Path, target: Path, report: Callable[[int, int], None]) -> str:
        engine.send(StopTask(1))
        return copy(source, target, report)

    monkeypatch.setattr(store, "copy_file", stopped_on_the_way)
    engine.send(ImportModel(1, file))
    assert end(recorder, 1) == TaskStopped(1)
    assert left(home) == []


def test_a_copy_that_a_killed_process_left_is_swept(home: Home, tmp_path: Path, gguf_file: Path) -> None:
    home.models.mkdir(parents=True)
    dead = home.models / ".4194305-1.incoming"  # above the largest process id
    dead.write_bytes(b"x")
    store.ModelStore(home.models).add(gguf_file)
    assert not dead.exists()


@pytest.fixture
def gguf_file(tmp_path: Path) -> Path:
    path = tmp_path / "外来模型.gguf"
    path.write_bytes(gguf_bytes())
    return path


def test_a_check_reads_every_byte_and_finds_decay(
    engine: EngineThread, recorder: Recorder, home: Home, content: bytes
) -> None:
    home.models.mkdir(parents=True)
    file = home.models / f"{MODEL_ID}.gguf"
    file.write_bytes(content)
    engine.send(VerifyModel(1, MODEL_ID))
    assert end(recorder, 1) == TaskDone(1)
    assert ModelVerified(1, MODEL_ID) in recorder.of(1)
    file.write_bytes(content[:-1] + b"\3")
    engine.send(VerifyModel(2, MODEL_ID))
    told = end(recorder, 2)
    assert isinstance(told, TaskFailed) and told.code == "model_damaged"


# -- downloads: a process of its own, against a server on the loopback interface ----------------------

ACQUIRE = """
    import hashlib, sys
    from pathlib import Path
    from models import acquire
    from models.catalogue import Catalogue, HubSource
    from models.store import ModelStore
    from tests.models.conftest import chat_model

    content = Path({content!r}).read_bytes()
    known = Catalogue((chat_model({model!r}, content, (HubSource("hub", {url!r}),)),))
    acquire.ModelStore = lambda folder: ModelStore(folder, known)
    Path({seen!r}).write_text(repr(sys.argv[1:]), encoding="utf-8")
    sys.exit(acquire.main(sys.argv[1:]))
"""


@pytest.fixture
def acquisition(tmp_path: Path, server: Server, content: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The real acquisition process with a catalogue whose hub is the test's server; what it was told."""
    original, seen = tmp_path / "原件.bin", tmp_path / "参数.txt"
    original.write_bytes(content)
    url = f"http://127.0.0.1:{server.server_address[1]}/{{file}}"
    source = textwrap.dedent(ACQUIRE).format(content=str(original), model=MODEL_ID, url=url, seen=str(seen))
    start = fetch.start_acquisition
    monkeypatch.setattr(
        fetch, "start_acquisition",
        lambda model, folder: start(model, folder, program=(sys.executable, "-c", source)),
    )  # fmt: skip
    return seen


def test_a_download_is_fetched_checked_and_told_of(
    engine: EngineThread, recorder: Recorder, home: Home, acquisition: Path, content: bytes
) -> None:
    engine.send(DownloadModel(1, MODEL_ID))
    assert end(recorder, 1) == TaskDone(1)
    assert ModelProgress(1, len(content), len(content), "hub") in recorder.of(1)
    assert ModelArrived(1, MODEL_ID, MODEL_ID, "chat", True) in recorder.of(1)
    assert (home.models / f"{MODEL_ID}.gguf").read_bytes() == content
    # The process that connects is told an id and the models folder, and nothing of any document.
    assert acquisition.read_text(encoding="utf-8") == repr(
        [MODEL_ID, "--folder", str(home.models), "--json-progress", "--confined"]
    )


def test_a_stopped_download_goes_on_where_it_was(
    engine: EngineThread, recorder: Recorder, home: Home, acquisition: Path, server: Server, content: bytes
) -> None:
    begun = home.models / f".{MODEL_ID}.gguf.hub.part"
    begun.parent.mkdir(parents=True)
    begun.write_bytes(content[:1000])
    engine.send(DownloadModel(1, MODEL_ID))
    assert end(recorder, 1) == TaskDone(1)
    assert server.ranges == ["bytes=1000-"]


def test_stop_ends_a_download_whose_server_says_nothing(
    engine: EngineThread, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = fetch.start_acquisition
    silent = (sys.executable, "-c", "import time; time.sleep(60)")
    monkeypatch.setattr(
        fetch, "start_acquisition", lambda model, folder: start(model, folder, program=silent)
    )
    engine.send(DownloadModel(1, MODEL_ID))
    recorder.wait_for(TaskStarted, 1)
    engine.send(StopTask(1))
    assert end(recorder, 1) == TaskStopped(1)


def test_sources_that_fail_are_named_and_the_task_fails(
    engine: EngineThread, recorder: Recorder, acquisition: Path, server: Server
) -> None:
    server.status = 404
    engine.send(DownloadModel(1, MODEL_ID))
    told = end(recorder, 1)
    assert isinstance(told, TaskFailed) and told.code == "model_sources_failed"
    assert any(isinstance(event, SourceGivenUp) for event in recorder.of(1))


def test_the_window_closing_ends_a_download(
    home: Home, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = fetch.start_acquisition
    processes = []

    def silent(model: str, folder: Path) -> fetch.Acquisition:
        program = (sys.executable, "-c", "import time; time.sleep(60)")
        processes.append(start(model, folder, program=program))
        return processes[0]

    monkeypatch.setattr(fetch, "start_acquisition", silent)
    engine = EngineThread(home, Settings(), recorder, lambda *_: SimpleNamespace(close=lambda: None))  # type: ignore[arg-type,return-value]
    engine.start()
    engine.send(DownloadModel(1, MODEL_ID))
    recorder.wait_for(TaskStarted, 1)
    assert engine.stop(PATIENCE_S)
    assert isinstance(end(recorder, 1), TaskStopped)
    assert all(process._process.poll() is not None for process in processes)

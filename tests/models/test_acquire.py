import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models import acquire as acquire_module
from models.acquire import acquire, main, sources_of
from models.catalogue import Catalogue, HubSource, ModelFile, WheelPiece, WheelSource
from models.errors import AcquisitionStopped, ModelBusy, ModelError, ModelSourcesFailed
from models.fetch import FetchProgress, SourceGivenUp, start_acquisition
from models.locking import exclusive
from models.sources import SourceFailed
from models.sources.local import LocalSource
from models.store import ModelStore
from models.verification import Report

ID = "tiny-q4"


class Fake:
    """Delivers ``data`` behind whatever is in the part file, or fails with the reason it is given."""

    def __init__(self, name: str, data: bytes | str) -> None:
        self.name = name
        self.calls = 0
        self._data = data

    def fetch(self, file: ModelFile, part: Path, report: Report) -> None:
        self.calls += 1
        if isinstance(self._data, str):
            raise SourceFailed(self._data)
        have = part.stat().st_size if part.exists() else 0
        with part.open("ab") as stream:
            stream.write(self._data[have:])
        report(file.size, file.size)


class Events(list[dict[str, Any]]):
    def __call__(self, event: dict[str, Any]) -> None:
        self.append(event)

    def kinds(self) -> list[str]:
        return [event["event"] for event in self]


@pytest.fixture
def store(tmp_path: Path, make_catalogue: Callable[..., Catalogue]) -> ModelStore:
    return ModelStore(tmp_path / "模型", make_catalogue())


def test_sources_are_tried_in_order(store: ModelStore, content: bytes) -> None:
    events = Events()
    sources = [Fake("a", "not reachable"), Fake("b", b"wrong bytes"), Fake("c", content), Fake("d", content)]
    path = acquire(store, ID, sources, events)
    assert path.read_bytes() == content
    assert store.is_verified(ID)
    assert sources[3].calls == 0
    assert events.kinds() == ["source", "source_failed", "source", "progress", "source_failed", "source",
                              "progress", "done"]  # fmt: skip
    assert {file.suffix for file in store.folder.iterdir()} == {".gguf", ".json", ".lock"}


def test_a_model_that_is_there_is_not_fetched(store: ModelStore, content: bytes) -> None:
    source = Fake("a", content)
    acquire(store, ID, [source], Events())
    acquire(store, ID, [source], Events())
    assert source.calls == 1


def test_a_damaged_model_is_fetched_anew(store: ModelStore, content: bytes) -> None:
    store.folder.mkdir()
    (store.folder / f"{ID}.gguf").write_bytes(content[:-5])
    assert acquire(store, ID, [Fake("a", content)], Events()).read_bytes() == content


def test_a_part_begun_wrongly_gets_a_fresh_try(store: ModelStore, content: bytes) -> None:
    store.folder.mkdir()
    (store.folder / f".{ID}.gguf.a.part").write_bytes(b"garbage")
    source = Fake("a", content)
    assert acquire(store, ID, [source], Events()).read_bytes() == content
    assert source.calls == 2


def test_when_no_source_delivers_all_reasons_are_named(store: ModelStore) -> None:
    with pytest.raises(ModelSourcesFailed) as caught:
        acquire(store, ID, [Fake("a", "HTTP 404"), Fake("b", "no answer")], Events())
    assert caught.value.params == {"model": ID, "tried": "a: HTTP 404; b: no answer"}
    assert caught.value.retryable


def test_two_fetches_of_one_model_do_not_mix(store: ModelStore, content: bytes) -> None:
    with exclusive(store.folder / f".{ID}.lock") as held:
        assert held
        with pytest.raises(ModelBusy):
            acquire(store, ID, [Fake("a", content)], Events())
    acquire(store, ID, [Fake("a", content)], Events())


def test_wheels_left_by_a_killed_process_are_removed(store: ModelStore, content: bytes) -> None:
    left = store.folder / ".pieces-abc"
    left.mkdir(parents=True)
    (left / "part.whl").write_bytes(b"x")
    acquire(store, ID, [Fake("a", content)], Events())
    assert not left.exists()


def test_what_the_user_has_comes_first(make_catalogue: Callable[..., Catalogue], tmp_path: Path) -> None:
    wheel = WheelSource("p{number}", "1", "x", (WheelPiece("0" * 64, 1),))
    model = make_catalogue(HubSource("hub", "https://hub.invalid/{file}"), wheel).models[0]
    assert [s.name for s in sources_of(model, tmp_path, True)] == ["local", "hub", "package-index"]
    assert [s.name for s in sources_of(model, None, False)] == ["hub"]


@pytest.mark.parametrize("name", [f"{ID}.gguf", "renamed.gguf"])
def test_a_folder_of_the_user_is_searched(
    store: ModelStore, content: bytes, tmp_path: Path, name: str
) -> None:
    stick = tmp_path / "U盘"
    stick.mkdir()
    (stick / name).write_bytes(content)
    assert acquire(store, ID, [LocalSource(stick)], Events()).read_bytes() == content


def test_a_folder_without_the_model_is_a_failed_source(store: ModelStore, tmp_path: Path) -> None:
    with pytest.raises(ModelSourcesFailed):
        acquire(store, ID, [LocalSource(tmp_path / "nothing")], Events())


@pytest.fixture
def as_process(
    make_catalogue: Callable[..., Catalogue], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., int]:
    """Runs ``main`` here with the tests' catalogue."""
    known = make_catalogue(HubSource("hub", "https://hub.invalid/{file}"))
    monkeypatch.setattr(acquire_module, "ModelStore", lambda folder: ModelStore(folder, known))
    monkeypatch.setattr(acquire_module.signal, "signal", lambda *_: None)
    return lambda *options: main([ID, "--folder", str(tmp_path / "模型"), "--json-progress", *options])


def test_the_process_speaks_json_lines(
    as_process: Callable[..., int], content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(content)
    assert as_process("--from", str(file)) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["source", "progress", "done"]
    assert events[1] | {"source": "local", "file": f"{ID}.gguf", "done": len(content)} == events[1]


def test_the_environment_may_name_the_source(
    as_process: Callable[..., int], content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.gguf").write_bytes(content)
    monkeypatch.setenv("ZHIYE_MODEL_SOURCE", str(tmp_path))
    assert as_process() == 0


def test_an_unknown_model_is_an_error_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such", "--folder", str(tmp_path), "--json-progress"]) == 3
    assert json.loads(capsys.readouterr().out) == {
        "event": "error",
        "code": "model_unknown",
        "params": {"model": "no-such"},
    }


def speaking(*lines: str, then: str = "") -> list[str]:
    return [sys.executable, "-c", f"print({chr(10).join(lines)!r}, flush=True); {then or 'pass'}"]


def test_the_caller_gets_progress_and_the_path(tmp_path: Path) -> None:
    program = speaking(
        '{"event": "source_failed", "source": "hub", "reason": "HTTP 404"}',
        "not json",
        '{"event": "progress", "source": "b", "file": "f", "done": 1, "total": 2}',
        '{"event": "done", "path": "/m/f"}',
    )
    fetch = start_acquisition(ID, tmp_path, program=program)
    assert list(fetch.events()) == [SourceGivenUp("hub", "HTTP 404"), FetchProgress("b", "f", 1, 2)]
    assert fetch.path == Path("/m/f")


def test_the_caller_gets_the_typed_error(tmp_path: Path) -> None:
    program = speaking('{"event": "error", "code": "model_disk_full", "params": {"free": 1}}')
    with pytest.raises(ModelError) as caught:
        list(start_acquisition(ID, tmp_path, program=program).events())
    assert (caught.value.code, caught.value.params) == ("model_disk_full", {"free": 1})


def test_a_process_that_dies_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(AcquisitionStopped):
        list(start_acquisition(ID, tmp_path, program=speaking("")).events())


def test_leaving_the_loop_stops_the_process(tmp_path: Path) -> None:
    program = speaking(
        '{"event": "progress", "source": "b", "file": "f", "done": 1, "total": 2}',
        then="import time; time.sleep(60)",
    )
    fetch = start_acquisition(ID, tmp_path, program=program)
    events = fetch.events()
    next(events)
    events.close()
    assert fetch._process.poll() is not None


def test_a_folder_called_models_does_not_hide_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError) as caught:
        list(start_acquisition("no-such", Path("here")).events())
    assert caught.value.code == "model_unknown"

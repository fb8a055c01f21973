"""The first load happens in a process that may die; its verdict is kept for file, build and processor."""

import json
from pathlib import Path

import pytest

from engine import speed
from engine.answer import proof
from engine.errors import GenerationFailed, ProcessorUnsupported
from engine.paths import Home
from models.probe import Probe

THREADS = 2


class FakeProbe:
    def __init__(self, *results: Probe) -> None:
        self.results = list(results)
        self.asked: list[Path] = []

    def __call__(self, file: Path, threads: int) -> Probe:
        assert threads == THREADS
        self.asked.append(file)
        return self.results.pop(0)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家").create()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "模型.gguf"
    file.write_bytes(b"GGUF")
    return file


def use(monkeypatch: pytest.MonkeyPatch, *results: Probe) -> FakeProbe:
    fake = FakeProbe(*results)
    monkeypatch.setattr(proof, "probe", fake)
    return fake


def test_a_model_that_runs_is_tried_once(home: Home, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = use(monkeypatch, Probe(True))
    proof.prove(model, home, THREADS)
    proof.prove(model, home, THREADS)
    assert fake.asked == [model]


def test_an_illegal_instruction_is_named_and_remembered(
    home: Home, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = use(monkeypatch, Probe(False, "illegal_instruction", "status -4"))
    for _ in range(2):
        with pytest.raises(ProcessorUnsupported) as failure:
            proof.prove(model, home, THREADS)
    assert failure.value.params["model"] == "模型.gguf"
    assert failure.value.params["processor"]
    assert len(fake.asked) == 1


@pytest.mark.parametrize("cause", ["too_slow", "failed", "died", "not_installed", "model_unusable"])
def test_what_depends_on_the_moment_is_tried_again(
    home: Home, model: Path, monkeypatch: pytest.MonkeyPatch, cause: str
) -> None:
    fake = use(monkeypatch, Probe(False, cause, "因为"), Probe(True))  # type: ignore[arg-type]
    with pytest.raises(GenerationFailed, match="因为"):
        proof.prove(model, home, THREADS)
    proof.prove(model, home, THREADS)
    assert len(fake.asked) == 2


def test_another_file_is_tried_anew(home: Home, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = use(monkeypatch, Probe(True), Probe(True))
    proof.prove(model, home, THREADS)
    model.write_bytes(b"GGUF longer")
    proof.prove(model, home, THREADS)
    assert len(fake.asked) == 2


@pytest.mark.parametrize("record", ["", "[]", "{", "null"])
def test_a_torn_record_costs_another_try_and_nothing_else(
    home: Home, model: Path, monkeypatch: pytest.MonkeyPatch, record: str
) -> None:
    fake = use(monkeypatch, Probe(True))
    kept = home.root / "model-proofs.json"
    kept.write_text(record, encoding="utf-8")
    proof.prove(model, home, THREADS)
    assert fake.asked == [model]
    assert len(json.loads(kept.read_text(encoding="utf-8"))) == 1


def test_a_record_that_cannot_be_kept_is_no_failure(
    home: Home, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Probe(True), Probe(True))
    (home.root / "model-proofs.json").mkdir()
    proof.prove(model, home, THREADS)


def test_the_speed_that_the_child_measured_is_kept_for_this_file(
    home: Home, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Probe(True, prompt_tokens=128, prompt_s=2.0))
    assert speed.of_model(model, home).tokens_per_second is None
    proof.prove(model, home, THREADS)
    assert speed.of_model(model, home).tokens_per_second == 64.0
    model.write_bytes(b"GGUF longer")
    assert speed.of_model(model, home).tokens_per_second is None

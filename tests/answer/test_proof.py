"""The first load happens in a process that may die; its verdict is kept for file, build and processor."""

import json
from pathlib import Path

import pytest

from engine.answer import proof
from engine.chat import speed
from engine.errors import GenerationFailed, ProcessorUnsupported
from engine.paths import Home
from models import cpu_variants
from models.cpu_variants import BASELINE, Variant
from models.probe import Probe

THREADS = 2
FAST, FASTER = Variant("avx-vnni", 2, "2b"), Variant("avx512-bf16", 0, "0b")
DEAD = Probe(False, "illegal_instruction", "status -4")


class FakeProbe:
    def __init__(self, *results: Probe) -> None:
        self.results = list(results)
        self.asked: list[Path] = []
        self.variants: list[str] = []

    def __call__(self, file: Path, threads: int, variant: str) -> Probe:
        assert threads == THREADS
        self.asked.append(file)
        self.variants.append(variant)
        return self.results.pop(0)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家").create()


class Machine:
    """A processor and the variants installed for it; ``loaded`` is what each process has taken."""

    def __init__(self) -> None:
        self.variants: tuple[Variant, ...] = ()
        self.flags = "one"
        self.loaded: str | None = None

    def restart(self) -> None:
        self.loaded = None

    def load(self, name: str) -> None:
        self.loaded = name


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Without variants, unless a test installs some."""
    here = Machine()
    monkeypatch.setattr(cpu_variants, "usable", lambda: here.variants)
    monkeypatch.setattr(cpu_variants, "fingerprint", lambda: f"{here.flags}{here.variants}")
    monkeypatch.setattr(cpu_variants, "loaded", lambda: here.loaded)
    monkeypatch.setattr(cpu_variants, "load", here.load)
    return here


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


def test_the_fastest_variant_that_runs_is_used_and_remembered(
    home: Home, model: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.variants = (FASTER, FAST)
    fake = use(monkeypatch, Probe(True))
    for _ in range(2):
        machine.restart()
        proof.prove(model, home, THREADS)
        assert machine.loaded == "avx512-bf16"
    assert fake.variants == ["avx512-bf16"]


def test_a_variant_that_an_illegal_instruction_ends_is_used_for_no_model_again(
    home: Home, model: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.variants = (FASTER,)
    fake = use(monkeypatch, DEAD, Probe(True), Probe(True))
    proof.prove(model, home, THREADS)
    assert machine.loaded == BASELINE
    other = model.with_name("另一个.gguf")
    other.write_bytes(b"GGUF other")
    for file in (model, other):
        machine.restart()
        proof.prove(file, home, THREADS)
        assert machine.loaded == BASELINE
    assert fake.variants == ["avx512-bf16", BASELINE, BASELINE]


def test_a_model_proven_with_a_variant_that_ended_later_is_proven_again(
    home: Home, model: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.variants = (FASTER, FAST)
    other = model.with_name("另一个.gguf")
    other.write_bytes(b"GGUF other")
    fake = use(monkeypatch, Probe(True), DEAD, Probe(True), Probe(True))
    proof.prove(model, home, THREADS)
    with pytest.raises(GenerationFailed, match="restart"):
        proof.prove(other, home, THREADS)
    for file in (other, model):
        machine.restart()
        proof.prove(file, home, THREADS)
        assert machine.loaded == "avx-vnni"
    assert fake.variants == ["avx512-bf16", "avx512-bf16", "avx-vnni", "avx-vnni"]


def test_a_variant_is_probed_again_once_the_processor_is_another(
    home: Home, model: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.variants = (FASTER,)
    fake = use(monkeypatch, DEAD, Probe(True), Probe(True))
    proof.prove(model, home, THREADS)
    machine.flags = "two"
    machine.restart()
    proof.prove(model, home, THREADS)
    assert machine.loaded == "avx512-bf16"
    assert fake.variants == ["avx512-bf16", BASELINE, "avx512-bf16"]


def test_where_nothing_runs_the_baseline_s_end_is_the_verdict(
    home: Home, model: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.variants = (FASTER, FAST)
    fake = use(monkeypatch, DEAD, DEAD, DEAD)
    for _ in range(2):
        with pytest.raises(ProcessorUnsupported):
            proof.prove(model, home, THREADS)
    assert fake.variants == ["avx512-bf16", "avx-vnni", BASELINE]
    assert machine.loaded is None


def test_a_process_whose_llama_is_loaded_already_goes_on_with_it(
    home: Home, model: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.variants, machine.loaded = (FASTER,), BASELINE
    use(monkeypatch, Probe(True))
    proof.prove(model, home, THREADS)
    assert machine.loaded == BASELINE

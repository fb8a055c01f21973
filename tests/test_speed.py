"""How fast a prompt is read is kept by file, build and processor, and does not waver within a start."""

import json
from pathlib import Path

import pytest

from engine.chat import speed
from engine.chat.speed import KEPT, PromptSpeed
from engine.paths import Home


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "速度.json"


def test_nothing_is_known_before_the_first_measurement(store: Path) -> None:
    measured = PromptSpeed(store, "甲")
    assert measured.tokens_per_second is None
    measured.note(128, 2.0)
    assert measured.tokens_per_second == 64.0


def test_a_conversation_keeps_its_speed_and_the_next_start_takes_the_median(store: Path) -> None:
    measured = PromptSpeed(store, "甲")
    for tokens in (100, 160, 140):
        measured.note(tokens, 1.0)
    assert measured.tokens_per_second == 100.0
    assert PromptSpeed(store, "甲").tokens_per_second == 140.0


def test_a_first_measurement_of_a_busy_machine_is_put_right_in_the_same_start(store: Path) -> None:
    measured = PromptSpeed(store, "甲")
    measured.note(128, 30.0)
    for _ in range(3):
        measured.note(128, 2.0)
    assert measured.tokens_per_second == 64.0
    for _ in range(6):
        measured.note(128, 30.0)
    assert measured.tokens_per_second == 64.0


def test_one_measurement_of_a_busy_machine_does_not_count(store: Path) -> None:
    measured = PromptSpeed(store, "甲")
    for seconds in (1.0, 1.1, 60.0, 1.0, 0.9):
        measured.note(128, seconds)
    assert PromptSpeed(store, "甲").tokens_per_second == 128.0


@pytest.mark.parametrize(("tokens", "seconds"), [(63, 0.1), (500, 0.0), (0, 1.0), (200, -1.0)])
def test_what_says_nothing_is_not_kept(tokens: int, seconds: float, store: Path) -> None:
    PromptSpeed(store, "甲").note(tokens, seconds)
    assert not store.exists()


def test_only_the_last_measurements_are_kept(store: Path) -> None:
    measured = PromptSpeed(store, "甲")
    for at in range(3 * KEPT):
        measured.note(100 + at, 1.0)
    (known,) = json.loads(store.read_text(encoding="utf-8")).values()
    assert known == [100.0 + at for at in range(2 * KEPT, 3 * KEPT)]


def test_models_are_kept_apart(store: Path) -> None:
    PromptSpeed(store, "甲").note(100, 1.0)
    PromptSpeed(store, "乙").note(200, 1.0)
    assert PromptSpeed(store, "甲").tokens_per_second == 100.0
    assert PromptSpeed(store, "乙").tokens_per_second == 200.0


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"甲": "x"}', '{"甲": [null, -3, true, "9"]}', '{"甲": 5}']
)
def test_a_torn_file_costs_another_measurement_and_nothing_else(content: str, store: Path) -> None:
    store.write_text(content, encoding="utf-8")
    measured = PromptSpeed(store, "甲")
    measured.note(100, 1.0)
    assert PromptSpeed(store, "甲").tokens_per_second is not None


def test_a_file_that_cannot_be_written_is_no_failure(store: Path) -> None:
    store.mkdir()
    PromptSpeed(store, "甲").note(100, 1.0)


def test_the_identity_names_file_and_processor(tmp_path: Path) -> None:
    model = tmp_path / "模型.gguf"
    model.write_bytes(b"GGUF")
    first = speed.identity(model)
    assert first.startswith("模型.gguf|4|")
    assert first.endswith(speed.processor())
    model.write_bytes(b"GGUF2")
    assert speed.identity(model) != first
    assert speed.of_model(model, Home(tmp_path)).tokens_per_second is None

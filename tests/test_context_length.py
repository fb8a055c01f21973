"""How long a context is: what is needed, what the model allows, what memory holds."""

import dataclasses

import pytest

from engine.chat import context_length
from engine.config import Settings
from models.gguf import GgufHeader

GIB = 1 << 30
QWEN_05B = GgufHeader(3, 291, "qwen2", "Qwen2.5", 32768, True, 24 * 2 * (64 + 64) * 2)


def length(
    free: int = 16 * GIB, header: GgufHeader = QWEN_05B, size: int = 491_400_064, **settings: int
) -> int:
    return context_length.choose(header, size, free, Settings(**settings))


def test_a_machine_with_memory_gets_the_usual_length() -> None:
    assert length() == context_length.USUAL


def test_longer_answers_and_more_evidence_get_more() -> None:
    assert length(context_budget=6000, max_tokens=3000) == (6000 + 3000 + 1500) // 256 * 256


def test_the_settings_may_name_it() -> None:
    assert length(context_length=16384) == 16384


def test_never_more_than_the_model_was_trained_for() -> None:
    short = dataclasses.replace(QWEN_05B, context_length=2048)
    assert length(header=short) == 2048
    assert length(header=short, context_length=16384) == 2048
    assert length(header=dataclasses.replace(QWEN_05B, context_length=512)) == 512


def test_half_of_what_the_weights_leave_free_holds_keys_and_values() -> None:
    free = 491_400_064 + 2 * 2048 * 12_288
    assert length(free) == 2048
    assert length(free + 2 * 300 * 12_288) == 2304


@pytest.mark.parametrize("free", [0, 100, 491_400_064])
def test_on_a_machine_without_memory_the_least_is_tried(free: int) -> None:
    assert length(free) == context_length.LEAST


def test_a_header_that_does_not_say_gets_the_usual_length() -> None:
    assert length(0, dataclasses.replace(QWEN_05B, cache_bytes=None, context_length=None)) == 4096

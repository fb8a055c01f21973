"""The margins of a real model: the same each time, and read on the prefix that the answer goes on from."""

import math
from collections.abc import Iterator

import pytest

from engine.answer import prompting
from engine.answer.generation import Margin, PromptRead, llama
from engine.answer.generation.llama import LlamaGenerator
from engine.answer.reading import questions
from engine.cancel import CancelToken
from models.store import ModelStore
from tests.builders import make_evidence

pytestmark = [pytest.mark.chat_model, pytest.mark.timeout(300)]

QUESTION = "秘密级数据的保密期限是几年？"
EVIDENCE = [make_evidence("秘密级数据的保密期限为六年，到期自动解密。机密级数据的保密期限为十年。" * 3)]


@pytest.fixture(scope="module")
def prompt() -> prompting.Prompt:
    return prompting.load("small", QUESTION)


@pytest.fixture
def generator(small_chat_model: str, installed_models: object) -> Iterator[LlamaGenerator]:
    path = ModelStore(installed_models).ensure_verified(small_chat_model)  # type: ignore[arg-type]
    opened = llama.load(path, small_chat_model, "small")
    yield opened
    opened.close()


def test_margins_are_repeatable_and_the_answer_goes_on_from_their_prefix(
    generator: LlamaGenerator, prompt: prompting.Prompt
) -> None:
    choices = list(questions.load("zh").values())
    begun = prompt.beginning(QUESTION, EVIDENCE)

    def margins() -> tuple[list[float], list[PromptRead]]:
        steps = list(generator.margins(begun, choices, CancelToken()))
        reads = [step for step in steps if isinstance(step, PromptRead)]
        return [step.value for step in steps if isinstance(step, Margin)], reads

    first, reads = margins()
    again, _ = margins()
    assert len(first) == len(choices)
    assert all(math.isfinite(value) for value in first)
    # Read in other slices, sums are rounded differently.
    assert again == pytest.approx(first, abs=0.3)
    begins = [read.done for read in reads if read.done < read.total]
    prefix = generator.prompt_tokens(begun)
    assert min(begins[1:]) >= prefix - 10

    steps = generator.generate(
        prompt.messages(QUESTION, EVIDENCE), max_tokens=8, temperature=0, token=CancelToken()
    )
    head = next(steps)
    assert isinstance(head, PromptRead)
    assert head.done >= prefix - 10
    steps.close()  # type: ignore[attr-defined]

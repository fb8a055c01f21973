"""The reading verdict: what a model's margins say, weighed with the gate's figure, before a word is shown."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine.answer import reading
from engine.answer.generation import Choice, Margin, PromptRead
from engine.answer.prompting import Message
from engine.answer.reading import questions, weights
from engine.answer.reading.weights import Weights, log_odds
from engine.answer.refusal import SENTENCE
from engine.answer_events import AnswerFinished, AnswerText, PromptProgress
from engine.answers import Answer
from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.trace import gate_record
from tests.builders import answer_of, events_of, memory_library
from tests.fakes import FakeGenerator

TEXTS = {
    "保密.pdf": "秘密级数据的保密期限为10年。机密级数据的保密期限为二十年。",
    "访客.md": "访客须在前台登记，由接待人陪同进入园区。",
}
QUESTION = "秘密级数据的保密期限是几年？"
GOOD = "秘密级数据的保密期限为十年[1]。"
FITTED = Weights({"has": 1.0, "reverse": -0.5}, 0.1, 0.0, {"strict": 0.9, "balanced": 0.5, "loose": 0.1})


class FakeReader(FakeGenerator):
    """A generator that also weighs: ``weighs`` are its margins, the same for each question."""

    def __init__(self, *replies: str, weighs: Sequence[float] = (), **options: Any) -> None:
        super().__init__(*replies, **options)
        self.weighs = weighs
        self.asked: list[tuple[Sequence[Message], Sequence[Choice]]] = []

    def margins(
        self, messages: Sequence[Message], choices: Sequence[Choice], token: CancelToken
    ) -> Iterator[PromptRead | Margin]:
        self.asked.append((messages, choices))
        for value, _ in zip(self.weighs, choices, strict=True):
            token.check()
            yield PromptRead(100, 100)
            yield Margin(value)


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The double's model has weights."""
    known = {("fake-chat", "zh"): FITTED}
    monkeypatch.setattr(weights, "find", lambda model, language: known.get((model, language)))


def answered(reader: FakeGenerator, **options: Any) -> Answer:
    return answer_of(QUESTION, [memory_library(TEXTS)], generator=reader, **options)


@pytest.mark.usefixtures("fitted")
def test_evidence_without_the_answer_is_refused_before_a_word_is_shown() -> None:
    reader = FakeReader(GOOD, weighs=(-4.0, 2.0))
    events = events_of(QUESTION, [memory_library(TEXTS)], generator=reader)
    last = events[-1]
    assert isinstance(last, AnswerFinished)
    answer = last.answer
    assert (answer.text, answer.refused, answer.refused_by) == (SENTENCE, True, "model")
    assert not any(isinstance(event, AnswerText) for event in events)
    assert reader.prompts == []
    assert answer.nearest == answer.hits != ()
    assert answer.why_not is not None and answer.why_not.suggestion is not None


@pytest.mark.usefixtures("fitted")
def test_evidence_with_the_answer_is_answered_and_the_probability_is_kept() -> None:
    answer = answered(FakeReader(GOOD, weighs=(4.0, -2.0)))
    assert (answer.text, answer.refused) == (GOOD, False)
    assert answer.gate is not None and answer.gate.reading is not None
    record = gate_record(answer.gate)
    assert record is not None
    assert record["reading"] == pytest.approx(FITTED.probability(
        {"has": 4.0, "reverse": -2.0}, answer.gate.probability
    ))  # fmt: skip
    assert record["reading_threshold"] == 0.5


@pytest.mark.usefixtures("fitted")
def test_the_answer_goes_on_from_the_messages_that_were_weighed() -> None:
    reader = FakeReader(GOOD, weighs=(4.0, -2.0))
    answered(reader)
    ((weighed, choices),) = reader.asked
    assert [choice.question for choice in choices] == [
        questions.load("zh")[name].question for name in ("has", "reverse")
    ]
    (written,) = reader.prompts
    assert written[0] == weighed[0]
    assert written[1]["content"].startswith(weighed[1]["content"])
    assert weighed[1]["content"].endswith(QUESTION)


@pytest.mark.usefixtures("fitted")
@pytest.mark.parametrize(("mode", "refused"), [("strict", True), ("balanced", False), ("loose", False)])
def test_the_mode_says_how_sure_it_must_be(mode: str, refused: bool) -> None:
    settings = Settings(mode=mode)  # type: ignore[arg-type]
    answer = answered(FakeReader(GOOD, weighs=(0.5, 0.0)), settings=settings)
    assert answer.refused is refused


@pytest.mark.usefixtures("fitted")
def test_progress_of_the_long_prefix_is_told_and_stop_works_between_the_questions() -> None:
    reader, token = FakeReader(GOOD, weighs=(4.0, -2.0)), CancelToken()
    events = events_of(QUESTION, [memory_library(TEXTS)], generator=reader)
    assert events.count(PromptProgress(7, 100, 100)) == 1
    token.cancel()
    with pytest.raises(Cancelled):
        list(reader.margins([], [Choice("?", "a", "b")] * 2, token))


@pytest.mark.parametrize("reader", [FakeGenerator(GOOD), FakeReader(GOOD, weighs=(-9.0, 9.0))])
def test_a_model_without_weights_or_without_logits_is_not_asked(reader: FakeGenerator) -> None:
    answer = answered(reader)
    assert (answer.text, answer.refused) == (GOOD, False)
    assert answer.gate is not None
    assert (answer.gate.reading, answer.gate.reading_threshold) == (None, None)


@pytest.mark.usefixtures("fitted")
def test_a_loopback_server_without_logits_answers_without_reading() -> None:
    assert answered(FakeGenerator(GOOD)).text == GOOD


def test_the_gates_figure_speaks_against_an_answer_only() -> None:
    odds = [log_odds(p) for p in (0.0, 1e-9, 0.2, 0.5, 0.9, 1.0, None)]
    assert odds == pytest.approx([-4, -4, -1.386, 0, 0, 0, 0], abs=1e-3)
    sure, unsure = (FITTED.probability({"has": 0, "reverse": 0}, gate) for gate in (0.99, 0.2))
    assert sure > unsure


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_shipped_weight_belongs_to_a_question_and_stricter_modes_ask_for_more(language: str) -> None:
    for model in {model for model, known in weights._load() if known == language}:
        found = weights.find(model, language)
        assert found is not None
        assert set(found.margins) <= set(questions.load(language))
        least = [found.thresholds[mode] for mode in ("loose", "balanced", "strict")]
        assert least == sorted(least)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_two_answers_of_a_question_stand_in_its_wording(language: str) -> None:
    for choice in questions.load(language).values():
        assert choice.first in choice.question and choice.second in choice.question


@pytest.mark.usefixtures("fitted")
def test_what_is_read_for_the_verdict_leaves_less_room_for_evidence() -> None:
    reader = FakeReader(GOOD)
    asked = questions.load("zh")
    least = sum(len(asked[name].question) for name in FITTED.margins)
    assert least < reading.tokens(reader, "zh") < least + 40
    assert reading.tokens(reader, "en") == reading.tokens(FakeGenerator(GOOD), "zh") == 0

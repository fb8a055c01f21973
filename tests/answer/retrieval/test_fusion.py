"""How much the dense lane has to say, by the language of question and passages."""

import pytest

from engine.answer.retrieval import fusion, lanes
from engine.config import Settings
from engine.index.library import Library
from tests.builders import memory_library
from tests.fakes import FakeEmbedder

CHINESE = {
    "报销.txt": "报销单须在返回后10个工作日内提交，Concur系统自动登记。",
    "休假.txt": "年休假须提前5个工作日申请。",
}
ENGLISH = {
    "travel.txt": "Expense reports must be submitted in Concur within ten working days after the trip.",
    "leave.txt": "Annual leave is requested five working days ahead.",
}


def weight(question: str, *texts: dict[str, str]) -> float:
    libraries = [memory_library(each, name=str(at)) for at, each in enumerate(texts)]
    found = lanes.search(question, libraries, [FakeEmbedder()])
    return fusion.weight_for(question, found, libraries)


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("报销单几个工作日内提交", (CHINESE,), fusion.DENSE_WEIGHT),
        ("How are expense reports submitted in Concur?", (ENGLISH,), fusion.DENSE_WEIGHT_ENGLISH),
        ("How are expense reports submitted in Concur?", (CHINESE,), fusion.DENSE_WEIGHT),
        ("How are expense reports submitted?", (ENGLISH, CHINESE), fusion.DENSE_WEIGHT_ENGLISH),
        ("报销单几个工作日内提交", (ENGLISH,), fusion.DENSE_WEIGHT),
        ("How many unicorns dance?", (CHINESE,), fusion.DENSE_WEIGHT),
    ],
    ids=["chinese", "english", "english about chinese", "both", "chinese about english", "words nowhere"],
)
def test_words_decide_more_where_an_english_question_meets_english_passages(
    question: str, texts: tuple[dict[str, str], ...], expected: float
) -> None:
    assert weight(question, *texts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is 年假?", False),
        ("Which policy covers 差旅?", True),
        ("HT-300 报警", False),
        ("Wann läuft der Vertrag ab?", True),
        ("12345 … ???", False),
        ("", False),
    ],
)
def test_english_is_what_has_more_words_than_han_characters(text: str, expected: bool) -> None:
    assert fusion.is_english(text) is expected


def scores(library: Library, **changes: object) -> dict[lanes.Key, float]:
    question = "When must expense reports be submitted?"
    found = lanes.search(question, [library], [FakeEmbedder()])
    return fusion.fuse(question, found, [library], Settings(**changes))


def test_a_weight_that_was_set_is_used_for_every_language() -> None:
    library = memory_library(ENGLISH)
    assert scores(library) == scores(library, dense_weight=fusion.DENSE_WEIGHT_ENGLISH)
    assert scores(library, dense_weight=0.9) != scores(library)
    assert scores(library, dense_weight=0) != scores(library)

"""Estimated tokens are rather too many than too few, measured against Qwen2.5's own vocabulary."""

import pytest

from engine.answer.generation.server.counting import MESSAGE_TOKENS, estimate, of_messages

# Text and its tokens in Qwen2.5's vocabulary.
CASES = [
    ("秘密级数据的保密期限为10年，到期自动解密并归档。", 19),
    ("差旅费用应当在出差结束后十个工作日内提交报销单，逾期须说明理由并经部门负责人批准。", 24),
    ("The committee approved two budgets in 2021, and a third one followed.", 18),
    ("Evaluation of the equipment", 4),
    ("国办发〔2023〕12号", 12),
    ("😀𠮷龘齉", 5),
    ("def f(x): return {'a': [1, 2, 3]}", 17),
    ("職員請假規則第三條", 8),
    ("1234567890", 10),
    ("Größenwahn und Überstunden", 9),
    ("| 1级 | 300 | 80 |", 14),
    ("данные", 3),
]


@pytest.mark.parametrize(("text", "tokens"), CASES)
def test_an_estimate_is_never_less_and_at_most_three_times_as_much(text: str, tokens: int) -> None:
    assert tokens <= estimate(text) <= 3 * tokens


def test_a_message_costs_its_template_too() -> None:
    assert of_messages([{"role": "user", "content": "期限"}] * 2) == 2 * (estimate("期限") + MESSAGE_TOKENS)


def test_no_text_no_tokens() -> None:
    assert estimate("") == 0

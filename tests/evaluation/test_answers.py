import pytest

from engine.answers import Answer, Sentence
from engine.evaluation.answers import AnswerFigures, f1
from engine.evaluation.dataset import Question
from tests.evaluation.doubles import answer


def figures(*pairs: tuple[Question, Answer]) -> dict[str, float | None]:
    counted = AnswerFigures()
    for question, given in pairs:
        counted.add(question, given)
    return counted.figures()


def test_answers_are_compared_with_the_gold() -> None:
    sentences = (
        Sentence("一", "supported", (1,)), Sentence("二", "unsupported", (1,)), Sentence("三", "partly"),
        Sentence("您好", "no_claim"),
    )  # fmt: skip
    wanted = frozenset({"a"})
    found = figures(
        (
            Question("1", "甲", ("次年三月。",), wanted),
            answer("甲", "可以顺延至次年 三月。[1]", cited=("a", "b"), sentences=sentences),
        ),
        (Question("2", "乙", ("五天",), wanted), answer("乙", "证据不足", refused=True)),
        (Question("3", "丙", ("五月五日", "六月"), wanted), answer("丙", "是五月", cited=("b",))),
        (Question("4", "无", answerable=False), answer("无", "证据不足", refused=True)),
    )
    assert found == pytest.approx(
        {
            "contains_gold": 1 / 3, "f1": found["f1"], "cited_sentences": 2 / 3, "supported_citations": 0.5,
            "right_document": 1 / 3, "citation_hit": 0.5, "refused_unanswerable": 1,
            "refused_answerable": 1 / 3, "unsupported_shown": 1 / 3,
        }
    )  # fmt: skip


def test_character_f1_takes_the_best_gold_answer() -> None:
    question = Question("1", "?", ("五月五日", "六月"))
    # 是五月 against 五月五日: two shared of 3 and of 4.
    assert f1(question, answer("?", "是五月")) == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert f1(question, answer("?", "六月")) == 1
    assert f1(question, answer("?", "六月", refused=True)) == 0
    assert f1(question, answer("?", "")) == 0


def test_questions_without_a_gold_answer_do_not_lower_the_figures() -> None:
    found = figures((Question("1", "甲", source_part="手册"), answer("甲", "文字")))
    assert (found["contains_gold"], found["f1"]) == (None, None)


def test_an_answer_to_a_question_without_one_counts_as_not_refused() -> None:
    claims = (Sentence("五天", "unsupported"),)
    found = figures((Question("1", "无", answerable=False), answer("无", "五天", sentences=claims)))
    assert (found["refused_unanswerable"], found["unsupported_shown"]) == (0, 1)
    assert found["refused_answerable"] is None

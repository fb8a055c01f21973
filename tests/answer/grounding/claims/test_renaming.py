"""Another name in the place of the one that the evidence has, and the same said in other words."""

import pytest

from engine.answer import grounding
from engine.answer.grounding.claims import alignment
from tests.builders import make_evidence, pages_of

PASSAGE = (
    "内台航路又称内台连络线，由大阪商船经营。数珠丸是日本名刀，现藏于兵库县尼崎市的本兴寺。"
    "该车系的主要客群为企业主管与政府官员，一部分国家拿来做元首座车。刀剑研究家杉原祥造在兵库县发现了它。"
    "瑞王朱常浩于1627年到了封国汉中。1637年王斌发动起事，朱常浩为逃避大顺军的追捕，南逃四川避难。"
    "高空研究必须透过气球、卫星和探空火箭取得资料。球队的首任教练张清海鼓励他投稿。"
)
ENGLISH = (
    "The tenth series will introduce Pearl Mackie as Bill, the newest companion. The score was written by "
    "Dudley Simpson. For many years, Sudan had a regime under the leadership of Hassan al-Turabi. The "
    "Scottish Parliament is unable to legislate on such issues."
)
WRONG = [
    ("数珠丸现藏在哪里？", "数珠丸是日本名刀，现藏于兵库县尼崎市的杉原祥造。", "杉原祥造"),
    ("数珠丸现藏在哪里？", "数珠丸是日本名刀，现藏于兵库县尼崎市的鱼龙目化石。", "鱼龙目化石"),
    ("谁鼓励他投稿？", "球队的首任教练中元古代到新元古代鼓励他投稿。", "中元古代到新元古代"),
    ("谁是主要客群？", "该车系的主要客群为面部神经的颈分支，一部分国家拿来做元首座车。", "面部神经的颈分支"),
    ("高空研究要用什么？", "高空研究必须透过分子离解取得资料。", "分子离解"),
    ("Who is the new companion?",
     "The tenth series will introduce Dudley Simpson, the newest companion.", "Dudley Simpson"),
    ("Who was the leader?",
     "For many years, Sudan had a regime under the leadership of German army.", "German army"),
    ("Who cannot legislate?", "Gandhi is unable to legislate on such issues.", "Gandhi"),
]  # fmt: skip
RIGHT = [
    ("数珠丸现藏在哪里？", "数珠丸是日本名刀，现收藏于兵库县尼崎市的本兴寺，资料显示。"),
    ("谁鼓励他投稿？", "球队的第一位教练张清海鼓励他投稿。"),
    ("朱常浩的封地是哪里？", "朱常浩的封地是汉中。"),
    ("谁是主要客群？", "该车系的主要客群为政府官员与企业主管，一部分国家拿来做元首座车。"),
    ("内台航路由谁经营？", "内台航路由大阪商船营运。"),
    ("Who wrote the score?", "The music was written by Dudley Simpson."),
    (
        "Who is the new companion?",
        "The tenth series will present Pearl Mackie as Bill, the newest companion.",
    ),
    (
        "Who was the leader?",
        "For many years, the country had a regime under the leadership of Hassan al-Turabi.",
    ),
]


def flagged(question: str, answer: str) -> list[tuple[str, str]]:
    evidence = [make_evidence(PASSAGE), make_evidence(ENGLISH, 2, document="series.txt")]
    checked = grounding.check(answer, evidence, pages_of, question)
    return [(flag.kind, flag.text) for sentence in checked.sentences for flag in sentence.flags]


@pytest.mark.parametrize(("question", "answer", "name"), WRONG)
def test_another_name_in_the_place_of_what_was_asked_is_flagged(
    question: str, answer: str, name: str
) -> None:
    assert ("name", name) in flagged(question, answer)


@pytest.mark.parametrize(("question", "answer"), RIGHT)
def test_the_same_in_other_words_is_not_flagged(question: str, answer: str) -> None:
    assert flagged(question, answer) == []


def test_a_latin_word_is_compared_as_a_whole() -> None:
    (gap,) = alignment.gaps("a film by an attorney", "a film by that orchestra at night")
    assert (gap.start, gap.other, gap.at_end) == (10, "that orchestra at night", True)


def test_what_both_sides_begin_or_end_with_is_no_part_of_a_gap() -> None:
    clause = "由考古人类学系接任"
    assert alignment.trimmed(clause, 0, 7, "由王长华") == (1, 7, "王长华")


def test_a_closing_mark_is_no_part_of_the_name_before_it() -> None:
    (gap,) = alignment.gaps("现藏于尼崎市的杉原祥造。", "现藏于尼崎市的本兴寺。")
    assert (gap.start, gap.end, gap.other) == (7, 11, "本兴寺")


def test_how_much_stands_in_the_same_order_is_counted() -> None:
    assert alignment.shared("他住在北京", "他住在上海") == 3
    assert alignment.shared("北京是首都", "上海") == 0

"""Answers that a chat model gave to real questions: right ones without a mark, and wrong ones beside them."""

import pytest

from engine.answer import grounding
from engine.answer.evidence import Evidence
from tests.builders import make_evidence, pages_of

BOMBING = make_evidence(
    "当地时间10月31日，政府官员表示，29日在首都发生的汽车炸弹爆炸导致的死亡人数已上升至119人。",
    document="新闻.txt", title="汽车爆炸",
)  # fmt: skip
TENNIS = make_evidence(
    "2023年1月6日：阿尔卡拉斯宣布退出澳网。2021年美网女单冠军拉杜卡努在奥克兰站第二轮的比赛中扭伤脚踝，最终退赛。",
    document="网球.txt", title="退赛",
)  # fmt: skip


@pytest.mark.parametrize(
    ("evidence", "question", "answer", "flagged"),
    [
        (BOMBING, "10·29爆炸的死亡人数", "10月29日的爆炸死亡人数为119人。", []),
        (BOMBING, "9·29爆炸的死亡人数", "9月29日的爆炸死亡人数为119人。", ["date"]),
        (BOMBING, "爆炸的死亡人数", "10月29日的爆炸死亡人数为119人。", ["date"]),
        (TENNIS, "2023年奥克兰站拉杜卡努退赛原因",
         "2023年奥克兰站拉杜卡努退赛，是因为2021年美网女单冠军拉杜卡努在比赛中扭伤脚踝。", []),
        (TENNIS, "2019年奥克兰站拉杜卡努退赛原因",
         "2019年奥克兰站拉杜卡努退赛，是因为2021年美网女单冠军拉杜卡努在比赛中扭伤脚踝。", ["date"]),
    ],
)  # fmt: skip
def test_a_date_of_the_question_may_stand_there_in_pieces_or_beside(
    evidence: Evidence, question: str, answer: str, flagged: list[str]
) -> None:
    (sentence,) = grounding.check(answer, [evidence], pages_of, question).sentences
    assert [flag.kind for flag in sentence.flags] == flagged


GROWN = make_evidence(
    "2022年上半年西藏经济运行情况新闻发布会30日在拉萨举行。西藏实现地区生产总值973.24亿元，同比增长4.8%。"
    "数据显示：第一产业增加值48.30亿元，增长0.3%；第三产业增加值570.63亿元，增长7.0%。",
    1, document="西藏.txt", title="西藏经济",
)  # fmt: skip
SLOWED = make_evidence(
    "对比西部各省经济增速来看，2022年上半年西藏等地经济增速较2021年上半年同期有较大回落，其中青海降幅最大，达到9.1%。",
    2, document="西部.txt", title="西部经济",
)  # fmt: skip
FOODS = make_evidence(
    "在2020年度，诚信消费品有限公司经历了一系列重要事件。公司进行了一项重大投资，金额为1.5亿元人民币。"
    "2020年度营业收入达到2亿元人民币。",
    document="诚信.txt", title="诚信消费品有限公司",
)  # fmt: skip
MINES = make_evidence(
    "第四十条　违反本法规定，有下列行为之一的，可以并处罚款：拒绝矿山安全监督人员现场检查的。\n"
    "第四十九条　国务院劳动行政主管部门根据本法制定实施条例，报国务院批准施行。",
    document="矿山安全法.txt", title="矿山安全法",
)  # fmt: skip


APOLLO = make_evidence(
    "In July 1960, NASA Deputy Administrator Hugh L. Dryden announced the Apollo program to industry"
    " representatives. Deke Slayton selected the first Apollo crew in January 1966. NASA announced the final"
    " crew selection for AS-204 on March 21, 1966.",
    document="apollo.txt", title="Apollo program",
)  # fmt: skip
COMICS = make_evidence(
    "漫唐堂在国内首先提出了创作模式。2005年创作的《1区212》在杂志《知音漫客》创刊号上开始连载，反响很大。",
    1, document="漫画.txt", title="创作模式",
)  # fmt: skip
STUDIO = make_evidence("上海漫唐堂，是以漫画创作为主的动漫企业。", 2, document="企业.txt", title="漫唐堂")


@pytest.mark.parametrize(
    ("evidence", "question", "answer", "flagged"),
    [
        # A date with a clause to itself is of what it leads, also behind an initial.
        ([APOLLO], "In what year was the Apollo program announced?",
         "The Apollo program was announced in July 1960.", []),
        ([APOLLO], "When was the first Apollo crew selected?",
         "Deke Slayton selected the first Apollo crew in July 1960.", ["date"]),
        # 上海 alone stands elsewhere; the name that begins with it is the one asked about.
        ([COMICS, STUDIO], "上海漫唐堂的主打作品在什么杂志的创刊号上连载？",
         "上海漫唐堂的主打作品《1区212》在杂志《知音漫客》创刊号上连载。", []),
        # 增长 stands beside many numbers of the passage, but not beside the one that fits better.
        ([GROWN, SLOWED], "西藏经济增长了多少？", "2022年上半年，西藏经济增长了4.8%。", []),
        ([GROWN, SLOWED], "第一产业增长了多少？", "第一产业增加值48.30亿元，增长4.8%。", ["number"]),
        # 一系列 and 一项 are no amounts of money.
        ([FOODS], "诚信公司的营业收入是多少？", "诚信消费品有限公司的营业收入为2亿元人民币。", []),
        ([FOODS], "诚信公司的营业收入是多少？", "2020年度营业收入达到1.5亿元人民币。", ["number"]),
        # The law has the name of what another article says is refused.
        ([MINES], "矿山安全法第四十九条的内容是什么？",
         "矿山安全法第四十九条的内容是：国务院劳动行政主管部门根据本法制定实施条例，报国务院批准施行。", []),
        ([MINES], "", "可以向矿山安全监督人员请求现场检查。", ["negation"]),
    ],
)  # fmt: skip
def test_what_stands_beside_a_detail_decides(
    evidence: list[Evidence], question: str, answer: str, flagged: list[str]
) -> None:
    (sentence,) = grounding.check(answer, evidence, pages_of, question).sentences
    assert [flag.kind for flag in sentence.flags] == flagged


def test_the_name_that_was_asked_for_must_be_there() -> None:
    evidence = make_evidence(
        "Retail Emporium, a publicly traded retail company, was established in December 2005 in New York.",
        document="retail.txt", title="Retail Emporium",
    )  # fmt: skip
    answer = "Retail Emporium, a publicly traded retail company, was established in Nasdaq in December 2005."
    for question, verdict in (
        ("Where was Retail Emporium established?", "unsupported"),
        ("When was it?", "partly"),
    ):
        (sentence,) = grounding.check(answer, [evidence], pages_of, question).sentences
        assert (sentence.verdict, [flag.text for flag in sentence.flags]) == (verdict, ["Nasdaq"])

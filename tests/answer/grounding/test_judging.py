"""Details that are true of something else: another row, column, year or person; and a floor for all kinds."""

import time

import pytest

from engine.answer import grounding
from engine.answers import Sentence
from tests.builders import make_evidence, pages_of

TABLE = "设备 | 2022年 | 2023年\n测距仪 | 260 | 310\n经纬仪 | 450 | 480\n水准仪 | 95 | 120"
REPORT = make_evidence(
    "宏远公司成立于2001年5月，总部位于昆明。2021年3月，公司收购了云南农机厂60%的股权，金额为5000万元。"
    "2021年9月，公司向股东分红1200万元。公司未来三年不再新增贷款，并将员工人数减少到800人以下。"
    "运输距离为15公里，车速不得超过60公里。研发部由任天堂前员工李明远负责。",
    1, document="年报.pdf", title="宏远公司年报",
)  # fmt: skip
RULES = make_evidence(
    "差旅费须在10个工作日内报销，未经批准不得乘坐飞机。住宿费上限为每晚350元，餐费上限为每天80元。",
    2, document="制度.pdf", title="差旅制度",
)  # fmt: skip
BUDGET = make_evidence(TABLE, 3, document="预算.xlsx", title="预算（万元）")
EVIDENCE = [REPORT, RULES, BUDGET]

RIGHT = [
    "2021年3月，公司收购了云南农机厂60%的股权，金额为5000万元。",
    "公司在2021-03以5,000万元收购云南农机厂百分之六十的股权。",
    "2021年9月公司向股东分红1,200万元。",
    "宏远公司于二〇〇一年五月成立，总部在昆明。",
    "公司今后3年不再新增贷款。",
    "员工人数将减少到800人以下。",
    "运输距离为15000米。",
    "差旅费应在十个工作日内报销。",
    "未经批准禁止乘坐飞机。",
    "住宿费上限为每晚350元，餐费上限为每天80元。",
    "研发部由李明远负责。",
    "测距仪2023年的预算为310万元。",
    "经纬仪2022年的预算为450万元。",
]

WRONG = {
    "number": ["2021年3月，公司收购了云南农机厂70%的股权。", "差旅费须在15个工作日内报销。"],
    "number elsewhere": [
        "2021年3月，公司收购了云南农机厂60%的股权，金额为1200万元。",
        "住宿费上限为每晚80元。",
        "餐费上限为每天350元。",
    ],
    "date": ["2021年4月，公司收购了云南农机厂60%的股权。", "宏远公司成立于2002年5月。"],
    "date elsewhere": ["2021年9月，公司收购了云南农机厂60%的股权。"],
    "unit": ["运输距离为15米。", "公司未来三个月不再新增贷款。", "2021年9月，公司向股东分红1200亿元。"],
    "name": ["公司收购了四川农机厂60%的股权。", "研发部由任天堂前员工王长华负责。"],
    "negation": ["经批准可以乘坐飞机，未经批准也可以乘坐飞机。", "公司未来三年新增贷款。"],
    "comparison": ["员工人数将增加到800人以上。", "车速不得低于60公里。"],
    "row": ["测距仪2023年的预算为480万元。", "水准仪2022年的预算为450万元。"],
    "column": ["测距仪2023年的预算为260万元。", "经纬仪2022年的预算为480万元。"],
}


def judged(text: str, question: str = "") -> tuple[Sentence, ...]:
    return grounding.check(text, EVIDENCE, pages_of, question).sentences


@pytest.mark.parametrize("text", RIGHT)
def test_what_the_evidence_says_is_not_flagged(text: str) -> None:
    (sentence,) = judged(text)
    assert (sentence.verdict in ("supported", "partly"), sentence.flags) == (True, ())


@pytest.mark.parametrize("text", [text for texts in WRONG.values() for text in texts])
def test_a_wrong_detail_is_flagged_where_it_stands(text: str) -> None:
    (sentence,) = judged(text)
    assert sentence.verdict == "unsupported"
    assert sentence.flags
    for flag in sentence.flags:
        assert sentence.text[flag.start : flag.end] == flag.text != ""


def test_why_a_detail_is_flagged_is_said() -> None:
    (absent,) = judged("差旅费须在15个工作日内报销。")
    (elsewhere,) = judged("住宿费上限为每晚80元。")
    (opposite,) = judged("公司未来三年新增贷款。")
    assert [(flag.kind, flag.why) for flag in absent.flags] == [("number", "absent")]
    assert [(flag.kind, flag.why) for flag in elsewhere.flags] == [("number", "elsewhere")]
    assert [(flag.kind, flag.why) for flag in opposite.flags] == [("negation", "opposite")]


def test_a_question_about_something_else_flags_the_subject() -> None:
    (sentence,) = judged("公司成立于2001年5月。", "额亦都公司是哪一年成立的？")
    assert [flag.kind for flag in sentence.flags] == ["subject"]
    assert sentence.verdict == "unsupported"
    (right,) = judged("公司成立于2001年5月。", "宏远公司是哪一年成立的？")
    assert right.verdict == "supported"


SIEGE = make_evidence(
    "1760年，英军占领了蒙特利尔。阿根廷在卡塔尔世界杯第三次夺冠。"
    "James Watt improved the engine. Watt added a centrifugal governor in 1788.",
    document="史.md", title="大事",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (
            "蒙特利尔什么时候被占领的？",
            "根据资料，蒙特利尔被占领是在1760年。",
            "根据资料，蒙特利尔被占领是在1762年。",
        ),
        (
            "卡塔尔世界杯是阿根廷队第几次夺冠",
            "卡塔尔世界杯是阿根廷队第三次夺冠。",
            "卡塔尔世界杯是巴西队第三次夺冠。",
        ),
        (
            "What did Watt add in 1788?",
            "According to the sources, James Watt added a centrifugal governor in 1788.",
            "According to the sources, James Watt added a centrifugal governor in 1798.",
        ),
    ],
)
def test_words_of_the_question_are_no_names_from_elsewhere(question: str, right: str, wrong: str) -> None:
    assert grounding.check(right, [SIEGE], pages_of, question).sentences[0].verdict != "unsupported"
    assert grounding.check(wrong, [SIEGE], pages_of, question).sentences[0].verdict == "unsupported"


@pytest.mark.parametrize(
    ("evidence", "question", "answer"),
    [
        ("2022年世界杯，阿根廷击败法国夺冠，这是阿根廷第三次获得冠军。", "世界杯是阿根廷队第几次夺冠",
         "世界杯是阿根廷队第三次夺冠。"),
        ("从1754年的战役到1760年的占领蒙特利尔战役，战斗基本结束。", "蒙特利尔什么时候被占领的？",
         "蒙特利尔被占领是在1760年。"),
        ("In 1788 Watt added a centrifugal governor to his steam engine.",
         "What did Watt add to the engine in 1788?",
         "Watt added a centrifugal governor to the engine in 1788."),
        ("The gorge has castles. It is a UNESCO World Heritage Site.", "What is the gorge known for?",
         "The gorge has castles, which are UNESCO World Heritage Sites."),
        ("泛伊斯蘭主義和民族主義的潮流影響了穆斯林世界的地位。", "影響穆斯林世界地位的兩個主義是?",
         "影響穆斯林世界地位的兩個主義是泛伊斯蘭主義和民族主義。"),
        ("证据有：银行流水、证人证言、购销合同。", "有几份证据？",
         "有3份证据：银行流水、证人证言和购销合同。"),
    ],
)  # fmt: skip
def test_what_the_question_says_and_what_is_counted_is_no_stranger(
    evidence: str, question: str, answer: str
) -> None:
    (sentence,) = grounding.check(answer, [make_evidence(evidence)], pages_of, question).sentences
    assert sentence.flags == ()
    assert sentence.verdict in ("supported", "partly")


def test_a_full_name_and_what_follows_it_is_not_taken_for_another_name() -> None:
    evidence = [make_evidence("The governor that Watt added was a centrifugal governor for steam engines.")]
    (sentence,) = grounding.check("James Watt added a centrifugal governor.", evidence, pages_of).sentences
    assert "James Watt added a" not in [flag.text for flag in sentence.flags]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("第168场演唱会在哪里举办？", "乐队在体育场举办了大型演唱会「第968场演唱会」，吸引许多支持者参加。"),
        ("毕卡索在哪里开演唱会？", "毕卡索在体育场举办了演唱会，吸引许多支持者参加。"),
    ],
)
def test_a_name_of_the_question_that_no_evidence_holds_is_no_support(question: str, answer: str) -> None:
    text = "乐队在体育场举办了大型演唱会「第168场演唱会」，吸引许多支持者参加。"
    (sentence,) = grounding.check(answer, [make_evidence(text)], pages_of, question).sentences
    assert sentence.verdict == "unsupported"


def test_a_list_of_another_length_does_not_bear_out_its_number() -> None:
    evidence = [make_evidence("证据有：银行流水、证人证言、购销合同。")]
    (sentence,) = grounding.check("有5份证据：银行流水、证人证言和购销合同。", evidence, pages_of).sentences
    assert [(flag.kind, flag.text) for flag in sentence.flags] == [("number", "5")]


ENTRY = [make_evidence("访客须在前台登记，由接待人陪同进入办公楼并佩戴临时证件。", 1, document="访客.pdf")]


def test_a_name_that_is_merely_not_found_is_shown_with_its_mark() -> None:
    answer = "访客须在前台登记，由接待人陪同进入办公楼并佩戴临时证件，Zhiye。"
    checked = grounding.check(answer, ENTRY, pages_of)
    assert [(s.verdict, [f.kind for f in s.flags]) for s in checked.sentences] == [("partly", ["name"])]
    assert checked.refused_by is None


def test_a_subject_in_other_words_is_shown_with_its_mark_but_never_as_supported() -> None:
    question = "捐款手续如何办理？"
    (sentence,) = grounding.check(ENTRY[0].text, ENTRY, pages_of, question).sentences
    assert (sentence.verdict, [f.kind for f in sentence.flags]) == ("partly", ["subject"])


def test_a_subject_in_a_users_other_words_is_the_subject() -> None:
    question, aliases = "捐款手续如何办理？", ["访客手续如何办理?"]
    (sentence,) = grounding.check(ENTRY[0].text, ENTRY, pages_of, question, aliases).sentences
    assert (sentence.verdict, sentence.flags) == ("supported", ())
    (other,) = grounding.check(ENTRY[0].text, ENTRY, pages_of, question, ["义卖手续如何办理?"]).sentences
    assert [flag.kind for flag in other.flags] == ["subject"]


def test_of_two_companies_compared_a_sentence_speaks_of_one() -> None:
    question = "宏远公司和建天建筑有限公司，哪家成立更早？"
    (own,) = judged("宏远公司成立于2001年5月。", question)
    (other,) = judged("建天建筑有限公司成立于2001年5月。", "建天建筑有限公司是哪一年成立的？")
    assert (own.verdict, own.flags) == ("supported", ())
    assert other.verdict == "unsupported"


def test_a_sentence_that_rests_on_two_documents_cites_both() -> None:
    checked = grounding.check("2021年9月公司向股东分红1200万元，住宿费上限为每晚350元。", EVIDENCE, pages_of)
    assert {citation.document for citation in checked.citations} == {"年报.pdf", "制度.pdf"}
    assert checked.sentences[0].verdict == "supported"


def test_an_answer_is_checked_within_fifty_milliseconds() -> None:
    answer = "".join(RIGHT[:5])
    judged(answer)
    best = min(_seconds(answer) for _ in range(3))
    assert best < 0.05


def _seconds(answer: str) -> float:
    started = time.process_time()
    judged(answer)
    return time.process_time() - started


QUARTER = make_evidence(
    "Quarterly Business Report, 1 July to 30 September 2025. Revenue in the third quarter reached"
    " RMB 186.4 million, an increase of 12.3% on the same quarter of 2024."
    " Gross margin was 41.8%, up from 40.2% a year earlier.",
    document="report.pdf", title="Quarterly Business Report, Q3 2025",
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "flagged"),
    [
        ("Hengting's revenue in the third quarter of 2025 was RMB 186.4 million.", []),
        ("Hengting's revenue in the third quarter of 2025 was RMB 166.0 million.", ["number"]),
        ("Hengting's gross margin in the third quarter of 2025 was 40.2%.", ["number"]),
    ],
)
def test_a_year_that_was_asked_for_may_stand_in_the_heading_alone(answer: str, flagged: list[str]) -> None:
    question = "What was Hengting's revenue in the third quarter of 2025?"
    (sentence,) = grounding.check(answer, [QUARTER], pages_of, question).sentences
    assert [flag.kind for flag in sentence.flags] == flagged


SALES = "营收从2023年的186.4亿元增至2024年的201.5亿元。"
GROWTH = "第三季度营收为186.4亿元，较2024年同期增长12.3%。"
QUARTERS = "2023年第三季度营收为186.4亿元，2024年第三季度为201.5亿元。"
STAFF = "In 2019 the plant employed 410 people, compared with 385 in 2018."
YEARS = "Revenue was RMB 186.4 million in the third quarter of 2023 and RMB 201.5 million in that of 2024."


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        (SALES, "2024年的营收为201.5亿元。", "2024年的营收为186.4亿元。"),
        (SALES, "2023年的营收为186.4亿元。", "2023年的营收为201.5亿元。"),
        (GROWTH, "第三季度营收为186.4亿元。", "2024年第三季度营收为186.4亿元。"),
        (GROWTH, "与2024年同期相比，第三季度营收增长12.3%。", "2024年同期营收为186.4亿元。"),
        (QUARTERS, "2024年第三季度营收为201.5亿元。", "2024年第三季度营收为186.4亿元。"),
        (STAFF, "In 2018 the plant employed 385 people.", "In 2018 the plant employed 410 people."),
        (STAFF, "In 2019 the plant employed 410 people.", "In 2019 the plant employed 385 people."),
        (YEARS, "Revenue in 2024 was RMB 201.5 million.", "Revenue in 2024 was RMB 186.4 million."),
        (
            QUARTER.text,
            "Revenue in the third quarter grew by 12.3% on the same quarter of 2024.",
            "Revenue in the third quarter of 2024 was RMB 186.4 million.",
        ),
    ],
)
def test_a_number_is_of_the_date_that_the_same_sentence_gives_it(said: str, right: str, wrong: str) -> None:
    evidence = [make_evidence(said, document="报告.pdf", title="报告")]
    (fine,) = grounding.check(right, evidence, pages_of).sentences
    (bad,) = grounding.check(wrong, evidence, pages_of).sentences
    assert (fine.verdict, fine.flags) == ("supported", ())
    assert (bad.verdict, {flag.why for flag in bad.flags}) == ("unsupported", {"elsewhere"})

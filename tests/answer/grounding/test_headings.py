"""Headings of drafts and answers claim nothing; lines of a list do."""

import pytest

from engine.answer import grounding
from engine.answer.grounding import pieces
from engine.answer.grounding.headings import is_heading
from tests.builders import make_evidence, pages_of


def headings_of(draft: str) -> list[str]:
    return [draft[start:end] for start, end in pieces(draft) if is_heading(draft, start, end)]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("2025年第三季度经营报告\n\n营业收入为1.86亿元。", ["2025年第三季度经营报告"]),
        ("# 概况\n公司在昆明。\n## 二、人员\n员工820人。", ["# 概况", "## 二、人员"]),
        ("一、总则\n适用于全体员工。\n（二）期限\n应在10个工作日内报销。", ["一、总则", "（二）期限"]),
        ("第三章 保密期限\n秘密级数据的保密期限为10年。", ["第三章 保密期限"]),
        ("**结论**\n公司在昆明。", ["**结论**"]),
        ("Quarterly report\nRevenue was 186 million.\n2. Staff\n820 people.", ["Quarterly report",
        "2. Staff"]),
    ],
)  # fmt: skip
def test_a_line_that_names_what_follows_is_a_heading(draft: str, expected: list[str]) -> None:
    assert headings_of(draft) == expected


@pytest.mark.parametrize(
    "draft",
    [
        "秘密级数据的保密期限为10年",
        "保密期限10年\n保管部门为档案室。",
        "一、保密期限10年\n二、保管期限20年\n三、由档案室保管",
        "总部位于昆明，员工820人\n公司成立于2001年。",
        "公司是国有企业\n它成立于2001年。",
        "公司情况如下。\n员工820人。",
        "- 秘密级：10年\n- 机密级：20年",
        "# 营业收入增长12.3%\n其他都不变。",
    ],
)
def test_a_line_that_claims_something_is_none(draft: str) -> None:
    assert headings_of(draft) == []


def test_a_heading_needs_no_support_and_what_stands_below_it_does() -> None:
    evidence = [make_evidence("秘密级数据的保密期限为10年。")]
    found = grounding.check("# 保密期限的规定\n秘密级数据的保密期限为20年。", evidence, pages_of)
    assert [sentence.verdict for sentence in found.sentences] == ["no_claim", "unsupported"]

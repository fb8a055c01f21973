"""The word beside a number or date says what happened then."""

import pytest

from engine.answer import grounding
from engine.answer.grounding.claims.beside import is_said_of
from tests.builders import make_evidence, pages_of

HOLDING = ["它在1878年5月15日创立"]
OTHERS = ["交易楼层于1999年4月30日关闭", "1949年5月16日重开"]


@pytest.mark.parametrize(
    ("before", "after", "others", "expected"),
    [
        ("交易所创立于", "。", OTHERS, True),
        ("交易所在", "创立。", OTHERS, True),
        ("交易所关闭于", "。", OTHERS, False),
        ("交易所创立于", "。", [*OTHERS, "分所创立于1950年"], False),
        ("", "", OTHERS, False),
    ],
)
def test_a_date_is_of_what_stands_beside_it(
    before: str, after: str, others: list[str], expected: bool
) -> None:
    assert is_said_of("1878年5月15日", before, after, HOLDING, others) is expected


EXCHANGE = make_evidence(
    "东京证券交易所是日本三大证券交易所之一。它在1878年5月15日创立，同年6月1日开始交易。"
    "1949年5月16日重开，并更名为东京证券交易所。东京证券交易所的交易楼层于1999年4月30日关闭，全部改为电子交易。",
    title="东京证券交易所",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("东京证券交易所创立于1878年5月15日。", "supported"),
        ("东京证券交易所的交易楼层于1878年5月15日关闭。", "unsupported"),
    ],
)
def test_a_subject_that_is_named_with_another_date_takes_no_date_away(text: str, verdict: str) -> None:
    checked = grounding.check(text, [EXCHANGE], pages_of, "东京证券交易所创立于何时？")
    assert [s.verdict for s in checked.sentences] == [verdict]

"""A draft with what was found of it, for the window's tests and pictures."""

from dataclasses import replace

from engine.answers import CheckedDraft, Sentence
from tests.desktop.sample_content import citation, five_hits, flag

PAID = "满一年不满十年的，年休假为 10 天。"
KEPT = "没有休完的部分可以顺延到次年 6 月 30 日。"
LATE = "逾期未休的部分按日工资的 200% 折算发放。"
HOTEL = "一线城市的住宿每晚不超过 550 元，由财务部审批。"
DAY = replace(flag(KEPT, "6 月 30 日"), kind="date")
TITLE = "假期与差旅说明"
TEXT = f"{TITLE}\n\n{PAID}[7]{KEPT}\n\n{LATE}{HOTEL}"


def checked() -> CheckedDraft:
    """Marks of the draft ([7]) belong to their sentence and are not in its text."""
    hits = five_hits()
    sentences = (
        Sentence(TITLE, "no_claim"),
        Sentence(PAID, "supported", (1,)),
        Sentence(KEPT, "unsupported", (2,), (DAY,)),
        Sentence(LATE, "unsupported", (), (flag(LATE, "200%"),)),
        Sentence(HOTEL, "partly", (3,)),
    )
    spans, position = [], 0
    for sentence in sentences:
        start = TEXT.index(sentence.text, position)
        position = start + len(sentence.text)
        if TEXT.startswith("[7]", position):
            position += 3
        spans.append((start, position))
    found = (citation(1, hits[0]), citation(2, hits[1]), citation(3, hits[2]))
    return CheckedDraft(sentences, tuple(spans), found)

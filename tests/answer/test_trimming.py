"""What is kept of the passages: the sentences that matter, whole, in order, with what they lean on."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer import trimming
from engine.answer.trimming import GAP, Trimmed, joined, rarity_in, trim
from engine.documents import SearchHit
from tests.builders import make_hit, memory_library

FILLER = "会议纪要由行政部门统一归档保存。"
ANSWER = "核心数据的保密期限为六年。"
QUESTION = "核心数据的保密期限是几年"


def kept(
    hits: Sequence[SearchHit],
    budget: int,
    question: str = QUESTION,
    around: Sequence[SearchHit] = (),
    block: int = 0,
) -> tuple[Trimmed, ...]:
    return trim(question, hits, around, len, budget, lambda hit: block, trimming.general_rarity)


def texts(found: Sequence[Trimmed]) -> list[str]:
    return [joined(each.hit.text, each.kept) for each in found]


def hits_of(*passages: str) -> list[SearchHit]:
    return [make_hit(text, rank=rank, row=rank) for rank, text in enumerate(passages, start=1)]


def test_everything_is_kept_where_it_fits() -> None:
    hits = hits_of("甲一。甲二。\n甲三。", "乙一。")
    assert texts(kept(hits, 100)) == [hit.text for hit in hits]


def test_the_sentence_that_answers_is_kept_before_those_around_it() -> None:
    (found,) = kept(hits_of(FILLER * 4 + ANSWER + FILLER * 4), len(ANSWER) + 4)
    assert joined(found.hit.text, found.kept) == ANSWER


def test_the_sentences_beside_it_come_next() -> None:
    (found,) = kept(hits_of(FILLER * 4 + ANSWER + FILLER * 4), len(ANSWER) + 2 * len(FILLER))
    assert joined(found.hit.text, found.kept) == FILLER + ANSWER + FILLER


def test_a_gap_is_marked_in_the_line_or_on_a_line_of_its_own() -> None:
    text = "甲一。甲二。甲三。\n甲四。\n甲五。"
    assert joined(text, ((0, 3), (6, 9))) == f"甲一。{GAP}甲三。"
    assert joined(text, ((0, 3), (14, 17))) == f"甲一。\n{GAP}\n甲五。"


def test_sentences_stay_in_the_order_of_the_document() -> None:
    passage = "核心数据甲。" + FILLER * 3 + "核心数据的保密期限。" + FILLER * 3 + ANSWER
    (found,) = kept(hits_of(passage), 45)
    assert len(found.kept) > 1
    assert all(first[1] < second[0] for first, second in pairwise(found.kept))


def test_a_passage_of_which_nothing_is_kept_is_left_out() -> None:
    found = kept(hits_of(ANSWER, FILLER * 6), len(ANSWER) + 4)
    assert [each.hit.row for each in found] == [1]


def test_the_lines_of_a_block_count() -> None:
    assert len(kept(hits_of(ANSWER, ANSWER + "甲"), 2 * len(ANSWER) + 8, block=5)) == 1
    assert len(kept(hits_of(ANSWER, ANSWER + "甲"), 2 * len(ANSWER) + 11, block=5)) == 2


def test_passages_around_come_after_those_found() -> None:
    found = kept(hits_of(FILLER), 200, around=[make_hit(ANSWER, row=9)])
    assert [each.hit.row for each in found] == [1, 9]


def test_rows_of_a_table_bring_their_header() -> None:
    header, rows = "职级 | 住宿 | 餐费", [f"{at}级 | {at}00 | {at}0" for at in range(1, 9)]
    passage = "\n".join(["差旅标准如下", header, *rows])
    (found,) = kept(hits_of(passage), 40, "7级的餐费")
    text = joined(found.hit.text, found.kept)
    assert header in text
    assert "7级 | 700 | 70" in text
    assert GAP in text


def test_a_row_is_kept_whole_whatever_its_cells_hold() -> None:
    header = "项目 | 说明 | 限额"
    rows = [f"第{at}项 | 须事先批准。逾期不报；另有规定的除外！ | {at}00 元" for at in range(1, 6)]
    passage = "\n".join([header, *rows])
    (found,) = kept(hits_of(passage), len(header) + len(rows[0]) + 6, "第4项逾期")
    assert joined(passage, found.kept) == f"{header}\n{GAP}\n{rows[3]}"


def test_a_heading_stays_above_its_sentences() -> None:
    passage = f"第三章 保密\n{FILLER * 3}\n{ANSWER}"
    hit = make_hit(passage, section=("制度", "第三章 保密"))
    (found,) = kept([hit], len(ANSWER) + 10)
    assert joined(passage, found.kept) == f"第三章 保密\n{GAP}\n{ANSWER}"


def test_a_sentence_without_end_is_taken_in_pieces() -> None:
    passage = "，".join(["这一句话一直没有句号" + str(at) for at in range(60)])
    passage = passage + "，核心数据的保密期限为六年，" + passage
    (found,) = kept(hits_of(passage), 210)
    text = joined(passage, found.kept)
    assert 0 < len(text) <= 210
    assert "保密期限为六年" in text


def test_where_not_even_a_sentence_fits_the_best_is_cut_off() -> None:
    (found,) = kept(hits_of("甲" * 100), 40)
    assert 0 < len(joined(found.hit.text, found.kept)) <= 40


@pytest.mark.parametrize("budget", [0, -5])
def test_no_room_no_evidence(budget: int) -> None:
    assert kept(hits_of(ANSWER), budget) == ()


def test_nothing_found_nothing_kept() -> None:
    assert kept([], 100) == ()
    assert kept(hits_of("", " \n "), 100) == ()


def test_a_question_without_terms_keeps_the_first_passages() -> None:
    found = kept(hits_of(FILLER, ANSWER), len(FILLER), "？！")
    assert texts(found) == [FILLER]


def test_rare_words_of_a_library_weigh_more_than_common_ones() -> None:
    texts_ = {f"{at}.txt": "数据处理须按流程审批。" for at in range(30)} | {"x.txt": "蓝莓计划已经启动。"}
    rarity = rarity_in([memory_library(texts_)])
    common, rare = rarity(["数据", "蓝莓"])
    assert 0 < common < rare


def test_english_words_match_in_other_forms() -> None:
    sentence = "The committee approved two budgets."
    passage = "Lunch is served at noon today. " * 5 + sentence + " It rained a lot on that day." * 5
    (found,) = kept(hits_of(passage), len(sentence) + 4, "Which budget was approved by committees")
    assert joined(passage, found.kept) == sentence


@given(
    st.lists(st.text("甲乙数据。，\n |aB1！", max_size=120), max_size=5),
    st.integers(-3, 200),
    st.integers(0, 12),
)
def test_it_never_costs_more_than_the_budget_and_never_changes_a_character(
    passages: list[str], budget: int, block: int
) -> None:
    found = kept(hits_of(*passages), budget, "数据甲a", block=block)
    spent = sum(len(joined(each.hit.text, each.kept)) + block for each in found)
    assert spent <= max(budget, 0)
    for each in found:
        assert each.kept
        assert all(0 <= start < end <= len(each.hit.text) for start, end in each.kept)
        assert all(first[1] < second[0] for first, second in pairwise(each.kept))

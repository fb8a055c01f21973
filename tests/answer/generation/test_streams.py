"""From bytes to what people see: whole characters, no thinking, nothing behind a stop mark, no loops."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answer.generation.streams import STOP_MARKS, Characters, LoopGuard, VisibleText

RARE = "保密期限𠮷😀"


def shown(pieces: list[str]) -> str:
    visible = VisibleText()
    return "".join([*(visible.feed(piece) for piece in pieces), visible.end()])


def cuts(text: str) -> list[list[str]]:
    return [[text[:at], text[at:]] for at in range(len(text) + 1)]


@settings(deadline=None)
@given(st.lists(st.integers(0, len(RARE.encode())), max_size=12))
def test_characters_come_out_whole_wherever_their_bytes_are_cut(places: list[int]) -> None:
    data = RARE.encode()
    ends = sorted({0, *places, len(data)})
    characters = Characters()
    text = ""
    for start, end in itertools.pairwise(ends):
        text += characters.feed(data[start:end])
        assert RARE.startswith(text)
    assert text == RARE


@settings(deadline=None)
@given(st.text(), st.data())
def test_any_text_survives_being_cut_into_bytes(text: str, data: st.DataObject) -> None:
    raw = text.encode("utf-8", "ignore")
    characters = Characters()
    at, out = 0, ""
    while at < len(raw):
        step = data.draw(st.integers(1, 5))
        out += characters.feed(raw[at : at + step])
        at += step
    assert out == raw.decode()


@pytest.mark.parametrize("thinking", ["", "\n\n", "先看资料[1]，再回答。"])
def test_thinking_is_taken_out_wherever_its_tags_are_cut(thinking: str) -> None:
    text = f"<think>{thinking}</think>\n\n结论：十年[1]"
    for pieces in cuts(text):
        assert shown(pieces) == "结论：十年[1]", pieces
    assert shown(list(text)) == "结论：十年[1]"


def test_thinking_is_taken_out_with_both_tags_cut() -> None:
    text = "<think>想</think>结论"
    for first, second in itertools.combinations(range(len(text) + 1), 2):
        assert shown([text[:first], text[first:second], text[second:]]) == "结论"


def test_what_stood_before_the_thinking_stays() -> None:
    assert shown(["甲<think>想</think>乙"]) == "甲乙"


def test_thinking_that_never_ends_is_never_shown_but_counted() -> None:
    visible = VisibleText()
    out = "".join(visible.feed(piece) for piece in ["<think>", "想" * 900])
    assert out + visible.end() == ""
    assert visible.thought == 900


def test_a_lone_closing_tag_is_not_shown() -> None:
    assert shown(list("</think>\n\n结论")) == "结论"


@pytest.mark.parametrize("mark", STOP_MARKS)
def test_nothing_behind_a_stop_mark_is_shown_wherever_the_mark_is_cut(mark: str) -> None:
    for pieces in cuts(f"结论：十年。{mark}user\n还有什么"):
        assert shown(pieces) == "结论：十年。", pieces


def test_after_a_stop_mark_the_rest_is_dropped() -> None:
    visible = VisibleText()
    assert visible.feed("十年<|im_end|>") == "十年"
    assert visible.stopped
    assert visible.feed("第二段" * 500) == ""
    assert visible.end() == ""


@pytest.mark.parametrize("text", ["a < b，b > c", "<|", "List<String>", "<thin", "</thi", "<|im_e", "1<2<3"])
def test_text_that_only_begins_like_a_mark_is_shown(text: str) -> None:
    for pieces in cuts(text):
        assert shown(pieces) == text


def test_leading_blanks_are_left_out_and_inner_ones_kept() -> None:
    assert shown(["\n", " \n结论", "：\n", "十年"]) == "结论：\n十年"


@settings(deadline=None)
@given(st.text(alphabet="<|>/thinkim_end结论 \n", max_size=60), st.data())
def test_the_cutting_never_changes_what_is_shown(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    assert shown([text[:at], text[at:]]) == shown([text]) or "</think>" in text


def test_what_is_certain_is_shown_at_once() -> None:
    assert VisibleText().feed("结论：") == "结论："


def test_a_sentence_said_three_times_is_a_loop() -> None:
    guard = LoopGuard()
    sentence = "秘密级数据的保密期限为六年，到期自动解密并归档处理。"
    assert [guard.is_looping(sentence) for _ in range(3)] == [False, False, True]


def test_different_sentences_are_no_loop() -> None:
    guard = LoopGuard()
    assert not any(guard.is_looping(f"第{at}条：部门{at}的限额为{at * 37}元。") for at in range(200))


def test_a_loop_is_noticed_character_by_character() -> None:
    guard = LoopGuard()
    text = "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸子丑寅卯" * 4
    assert any(guard.is_looping(character) for character in text)


def test_a_short_refrain_is_no_loop() -> None:
    guard = LoopGuard()
    assert not any(guard.is_looping(piece) for piece in ["是的。", "不是。"] * 3)

"""An answer on the clipboard."""

from desktop.ask import answer_copy
from engine.answers import Sentence
from tests.desktop import sample_content


def test_with_markers_it_names_its_sources_and_what_was_not_verified(qapp):
    assert answer_copy.with_markers(sample_content.answer()) == (
        "工龄满一年不满十年的员工，年休假为 10 天；满十年的为 15 天[1]。"
        "当年没有休完的部分可以顺延到次年 3 月 31 日[2]。\n\n"
        "逾期未休的部分按日工资的 200% 折算发放。（未核实）特殊情况需要部门负责人批准[2]。（部分有依据）\n\n"
        "[1] 人事/员工手册（2025 版）.pdf｜第 3 页（页码标签 1）\n"
        "[2] 人事/员工手册（2025 版）.pdf｜第 4 页（页码标签 2）"
    )


def test_without_markers_there_are_only_the_sentences(qapp):
    assert answer_copy.without_markers(sample_content.answer()) == (
        "工龄满一年不满十年的员工，年休假为 10 天；满十年的为 15 天。"
        "当年没有休完的部分可以顺延到次年 3 月 31 日。\n\n"
        "逾期未休的部分按日工资的 200% 折算发放。特殊情况需要部门负责人批准。"
    )


def test_brackets_that_cite_nothing_stay(qapp):
    answer = sample_content.answer(
        text="用 a[0] 取第一项。", sentences=(Sentence("用 a[0] 取第一项。", "supported"),), citations=()
    )
    assert answer_copy.without_markers(answer) == "用 a[0] 取第一项。"
    assert answer_copy.with_markers(answer) == "用 a[0] 取第一项。", "there are no sources to list"

"""Who stands where: repeats take one place, boilerplate steps back, no file takes all places."""

from collections.abc import Mapping, Sequence

import pytest

from engine.answer.retrieval import ranking
from engine.answer.retrieval.lanes import Key
from engine.index.library import Library
from tests.builders import add_chunks, memory_library

PASSAGE = "核心数据须加密存储，并在每年三月由数据管理员登记一次，登记表保存六年，期满后由两人销毁并签字。"


def scored(library: Library, scores: Mapping[str, float]) -> dict[Key, float]:
    """Scores by the beginnings of the passages' texts."""
    return {
        (0, stored.row): score
        for stored in library.all_chunks()
        for beginning, score in scores.items()
        if stored.chunk.text.startswith(beginning)
    }


def order(library: Library, fused: Mapping[Key, float], top: int = 10) -> list[str]:
    return [each.stored.document for each in ranking.rank([library], fused, top)]


def repeated(own: str, better: str) -> bool:
    return ranking.is_repeated(ranking.shingles(own), frozenset(ranking.shingles(better)))


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (PASSAGE, True),
        (PASSAGE[:-3], True),
        ("第二" + PASSAGE, True),
        (PASSAGE.replace("，", ", ").replace("。", "\n"), True),
        (PASSAGE.replace("六年", "五年"), False),
        (PASSAGE.replace("管理员", "负责人"), False),
        (PASSAGE + "其他数据由各部门自行保管，期限不限，销毁不必登记。", False),
        ("一线城市住宿费每晚限额为550元。", False),
    ],
)
def test_only_what_a_better_passage_says_word_for_word_is_a_repeat(own: str, expected: bool) -> None:
    assert repeated(own, PASSAGE) is expected


def test_a_long_passage_is_not_a_repeat_of_its_beginning() -> None:
    assert repeated(PASSAGE, PASSAGE + "另见附件。")
    assert not repeated(PASSAGE * 2 + "附件一列出全部部门。" * 4, PASSAGE)


def test_a_repeat_gives_its_place_away_and_is_named_by_the_better_one() -> None:
    library = memory_library({"甲.txt": "第一，" + PASSAGE, "乙.txt": PASSAGE, "丙.txt": "年假五天。"})
    fused = scored(library, {"第一": 3.0, "核心": 2.0, "年假": 1.0})
    first, second = ranking.rank([library], fused, 2)
    assert (first.stored.document, first.also_in) == ("甲.txt", ("乙.txt",))
    assert (second.stored.document, second.also_in) == ("丙.txt", ())


def test_two_versions_that_differ_in_a_number_both_stay() -> None:
    library = memory_library({"旧.txt": PASSAGE, "新.txt": PASSAGE.replace("六年", "十年")})
    assert order(library, scored(library, {"核心": 2.0})) == ["新.txt", "旧.txt"]


def test_text_that_stands_in_three_documents_goes_behind_what_is_close() -> None:
    footers = {f"{name}.txt": "本文件未经书面许可不得复制。" for name in "甲乙丙"}
    library = memory_library(footers | {"丁.txt": "复制文件须经书面许可。"})
    assert order(library, scored(library, {"本文件": 2.0, "复制": 1.8}))[0] == "丁.txt"
    assert order(library, scored(library, {"本文件": 2.0, "复制": 1.2}))[0] != "丁.txt"


def test_text_that_stands_in_two_documents_keeps_its_place() -> None:
    footers = {f"{name}.txt": "本文件未经书面许可不得复制。" for name in "甲乙"}
    library = memory_library(footers | {"丁.txt": "复制文件须经书面许可。"})
    assert order(library, scored(library, {"本文件": 2.0, "复制": 1.8}))[0] != "丁.txt"


def long_and_short(others: Sequence[str]) -> Library:
    library = memory_library({name: f"{name}另外说的话。" for name in others})
    add_chunks(library, "长.txt", [f"{number}号条款讲第{number}件事。" for number in "一二三四五六七"])
    return library


def test_another_file_close_behind_takes_the_fifth_place() -> None:
    library = long_and_short(["短.txt"])
    fused = scored(library, {f"{n}号": 3 - at / 100 for at, n in enumerate("一二三四五六七")} | {"短": 2.8})
    assert order(library, fused, 5) == ["长.txt"] * 4 + ["短.txt"]


def test_a_file_far_behind_takes_no_place() -> None:
    library = long_and_short(["短.txt"])
    fused = scored(library, {f"{n}号": 3 - at / 100 for at, n in enumerate("一二三四五六七")} | {"短": 2.0})
    assert order(library, fused, 5) == ["长.txt"] * 5


def test_all_passages_come_in_the_end_each_once() -> None:
    library = long_and_short([f"第{number:02}号.txt" for number in range(60)])
    fused = {(0, stored.row): 1.0 for stored in library.all_chunks()}
    found = ranking.rank([library], fused, 200)
    assert len(found) == len({each.key for each in found}) == 67


def test_nothing_under_the_least_score_comes() -> None:
    library = long_and_short(["短.txt"])
    fused = scored(library, {"一号": 3.0, "二号": 1.0, "短": 0.5})
    assert len(ranking.rank([library], fused, 10, least=1.0)) == 2

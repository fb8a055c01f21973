"""The gate: it refuses what the documents plainly do not hold, and names what is missing."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from engine.answer import gate, searching
from engine.answer.gate import background, calibration, weights
from engine.answer.gate.figures import Held, gathered, of_meaning
from engine.answer.gate.search_figures import figures_of
from engine.answer.gate.surroundings import of_libraries
from engine.config import Settings
from engine.index import lexical
from tests.builders import ConstantEmbedder, memory_library
from tests.fakes import FakeEmbedder

TEXTS = {
    "数据保护.txt": "核心数据须加密存储，未经批准不得复制、导出核心数据。",
    "保密.txt": "秘密级数据的保密期限为六年，机密级数据的保密期限为十年。",
    "访客.txt": "访客须在前台登记并由接待人陪同进入园区。",
}
MODES = ("strict", "balanced", "loose")


def test_an_off_topic_question_is_refused_even_when_every_cosine_is_high() -> None:
    embedder = ConstantEmbedder()
    library = memory_library(TEXTS, embedder)
    for question in ("红烧肉怎么做", "明天上海会下雨吗", "How tall is Mount Everest?"):
        hits, verdict = searching.search(question, [library], embedder, Settings())
        assert hits, "the dense lane always finds something"
        assert not verdict.answerable, question
        assert verdict.probability is not None and verdict.threshold is not None
        assert verdict.probability < verdict.threshold


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("question", ["秘密级数据的保密期限是几年？", "核心数据可以导出吗", "访客在哪里登记"])
def test_a_question_in_the_documents_own_words_passes(question: str, mode: str) -> None:
    embedder = ConstantEmbedder()
    library = memory_library(TEXTS, embedder)
    _, verdict = searching.search(question, [library], embedder, Settings(mode=mode))
    assert verdict.answerable


def test_a_stricter_mode_never_lets_more_through() -> None:
    library = memory_library(TEXTS)
    for question in ("保密期限和年假天数", "访客停车费多少钱", "数据中心的功率"):
        passed = [searching.search(question, [library], None, Settings(mode=m))[1].answerable for m in MODES]
        assert passed == sorted(passed), question


def test_missing_terms_are_those_that_no_passage_holds() -> None:
    library = memory_library(TEXTS)
    hits, verdict = searching.search("保密期限与罚款", [library], None, Settings())
    assert verdict.missing_terms == ("与罚款",)
    assert hits


def test_title_section_and_file_name_count_as_held() -> None:
    library = memory_library({"年假/访客须知.txt": "须在前台登记。"})
    hits, _ = searching.search("登记", [library], None, Settings())
    verdict = gate.judge("访客年假", hits, [library], "balanced")
    assert {"访客", "年假"}.isdisjoint(verdict.missing_terms)


def test_no_passage_at_all_is_not_answerable() -> None:
    verdict = gate.judge("保密期限", (), [memory_library(TEXTS)], "balanced")
    assert not verdict.answerable
    assert verdict.probability is None


def test_a_question_of_asking_words_alone_is_left_to_the_later_checks() -> None:
    library = memory_library(TEXTS)
    hits, _ = searching.search("数据", [library], None, Settings())
    verdict = gate.judge("为什么是什么", hits, [library], "balanced")
    assert verdict.answerable
    assert verdict.probability is None


def test_a_rare_missing_term_weighs_more_than_a_common_one() -> None:
    library = memory_library({f"{at}.txt": f"数据管理办法第{at}条" for at in range(8)})
    hits, _ = searching.search("管理办法", [library], None, Settings(top_k=1))
    common = gate.judge("办法数据", hits, [library], "balanced").probability
    rare = gate.judge("办法罚款", hits, [library], "balanced").probability
    assert common is not None and rare is not None
    assert rare < common


def test_only_the_passages_for_the_model_are_judged() -> None:
    library = memory_library(TEXTS)
    few = Settings(top_k=1)
    _, one = searching.search("保密期限 访客登记", [library], None, few, top=3)
    _, three = searching.search("保密期限 访客登记", [library], None, Settings(top_k=3), top=3)
    assert (three.missing_terms, one.missing_terms) == ((), ("访客登记",))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("保密羽毛球俱乐部活动", ("羽毛球俱乐部活动",)),
        ("保密期限的罚款和年假的奖金", ("罚款和", "奖金")),
        ("officer 的保密期限", ("officer",)),
        ("保密期限", ()),
    ],
)
def test_missing_words_are_whole_words(question: str, words: tuple[str, ...]) -> None:
    library = memory_library({"甲.txt": "保密期限为六年。年假为五天。"})
    hits, _ = searching.search("保密期限", [library], None, Settings())
    assert gate.judge(question, hits, [library], "balanced").missing_terms == words


def test_a_lone_character_is_held_by_a_passage_that_has_it() -> None:
    library = memory_library({"甲.txt": "蓝鲸的体重约为一百五十吨。"})
    hits, _ = searching.search("鲸", [library], None, Settings())
    assert gate.judge("鲸", hits, [library], "balanced").missing_terms == ()


class Known(FakeEmbedder):
    """An embedder with the name that the background was made for."""

    model_id = "bge-small-zh-v1.5"

    def __init__(self) -> None:
        super().__init__(512)


def test_meaning_counts_only_where_the_background_knows_the_embedder() -> None:
    known, other = Known(), FakeEmbedder(512)
    for embedder, has_meaning in ((known, True), (other, False), (None, False)):
        library = memory_library(TEXTS, embedder or other)
        wanted = ["保密"]
        around = of_libraries("保密", wanted, [library], embedder)
        assert (around.query is not None) == has_meaning


@pytest.mark.parametrize("size", [1, 400])
def test_terms_count_by_what_is_rare_in_general_and_here(size: int) -> None:
    general = background.load()
    common, rare = general.rarity_here(["我们", "羟基"], {"我们": 0, "羟基": 0}, size)
    here = general.rarity_here(["羟基"], {"羟基": size}, size)[0]
    assert 0 < common < rare
    assert here < rare, "a word of the library's own subject tells less"


def test_a_long_question_and_one_without_words_are_judged() -> None:
    library = memory_library(TEXTS)
    hits, _ = searching.search("保密期限", [library], None, Settings())
    assert gate.judge("保密期限与罚款，" * 2500, hits, [library], "balanced").probability is not None
    assert gate.judge("😀？！", hits, [library], "balanced").probability is None
    assert gate.judge("x", (), [], "balanced").answerable is False


def test_english_words_are_held_whatever_their_ending() -> None:
    library = memory_library({"a.txt": "The warranty covers rechargeable batteries."})
    hits, _ = searching.search("warranty", [library], None, Settings())
    assert gate.judge("battery warranties cover", hits, [library], "loose").missing_terms == (
        "battery",
        "warranties",
    )
    assert gate.judge("covered warranty", hits, [library], "loose").missing_terms == ()


def test_a_library_is_measured_once_until_it_changes() -> None:
    embedder = Known()
    texts = {
        f"{at}.txt": f"第{at}号设备的校准周期为{at + 3}个月，由{at}号实验室负责校准工作。" for at in range(12)
    }
    library = memory_library(texts, embedder)
    steps = list(calibration.calibrating(library, embedder, Settings()))
    assert len(steps) >= 8
    assert json.loads(library.meta("gate"))["passages"] == 12
    assert list(calibration.calibrating(library, embedder, Settings())) == []
    assert list(calibration.calibrating(memory_library(texts), FakeEmbedder(), Settings())) == []


def test_a_library_whose_passages_support_everything_asks_for_more() -> None:
    embedder = Known()
    library = memory_library(TEXTS, embedder)
    models = [model.bias for model in weights.load().values()]
    for given in (embedder, None):
        found = []
        for level in (weights.LOWEST, weights.HIGHEST):
            levels = {"hybrid": level if given else 0.0, "lexical": 0.0 if given else level}
            content = {"generation": 1, "passages": 3, "levels": levels, "models": models}
            library.set_meta("gate", json.dumps(content))
            found.append(searching.search("保密期限与罚款", [library], given, Settings())[1].probability or 0)
        assert found[1] < found[0]
    assert calibration.shift([memory_library(TEXTS)]) == 0


def test_a_library_measured_with_other_weights_is_measured_anew() -> None:
    embedder = Known()
    texts = {f"{at}.txt": f"第{at}号设备的校准周期为{at}个月。" for at in range(12)}
    library = memory_library(texts, embedder)
    old = {"generation": 1, "passages": 12, "level": 3.0, "bias": -1.0}
    library.set_meta("gate", json.dumps(old))
    assert calibration.shift([library]) == 0
    assert list(calibration.calibrating(library, embedder, Settings()))
    assert json.loads(library.meta("gate"))["models"] == [model.bias for model in weights.load().values()]


def test_a_question_is_made_of_the_title_and_a_clause_of_middling_rarity() -> None:
    text = "我们可以在这里进行一些工作，甲基丙烯酸羟乙酯蒎烯樟脑，仓库的储存温度应当每天记录两次，就这样。"
    assert calibration.made_from(text, "化学品仓库") == "化学品仓库 仓库的储存温度应当每天记录两次"
    assert calibration.made_from("仓库的储存温度应当每天记录。", "仓库") == "仓库的储存温度应当每天记录"
    assert calibration.made_from("太短。", "化学品仓库") is None


def test_both_lanes_must_speak_for_one_passage() -> None:
    general = here = (0.3, 0.1)
    words, meaning = np.array([0.9, 0.1]), np.array([0.4, 0.9])
    apart = of_meaning(meaning, words, general, here)
    joined = of_meaning(meaning, words[::-1], general, here)
    assert apart["general"] == joined["general"] == pytest.approx(6)
    assert apart["together"] < joined["together"]


def test_passages_in_one_place_of_a_document_speak_for_an_answer() -> None:
    library = memory_library({f"{at}.txt": f"第{at}号仓库的负责人。" for at in range(5)})
    five, _ = searching.search("仓库的负责人", [library], None, Settings())

    def placed(*places: tuple[str, int]) -> float:
        hits = [replace(hit, document=name, row=row) for hit, (name, row) in zip(five, places, strict=False)]
        return gathered(hits[: len(places)], 2_000)

    scattered = placed(("甲", 10), ("甲", 900), ("乙", 11), ("丙", 12), ("丁", 13))
    together = placed(("甲", 10), ("乙", 11), ("甲", 12), ("甲", 15), ("丁", 13))
    assert scattered == 0
    assert 0.4 < together < 0.5
    assert placed(*[("甲", row) for row in range(5)]) == 1
    assert placed(("甲", 10)) == 0


def test_where_any_two_passages_are_neighbours_nothing_is_made_of_it() -> None:
    library = memory_library(TEXTS)
    hits, _ = searching.search("数据", [library], None, Settings())
    one_file = [replace(hit, document="甲.txt") for hit in hits]
    assert gathered(one_file, len(one_file)) == 0
    assert gathered((), 0) == 0


def test_passages_that_say_nothing_have_figures() -> None:
    found = of_meaning(np.array([-1.0]), np.array([0.0]), (0.3, 0.1), (0.3, 0.1))
    assert np.isfinite(list(found.values())).all()


@pytest.mark.parametrize("size", [1, 2, 40])
def test_what_a_passage_holds_counts_in_a_library_of_any_size(size: int) -> None:
    embedder = Known()
    texts = {f"{at}.txt": f"第{at}号仓库负责人为李{at}。" for at in range(size - 1)}
    library = memory_library({**texts, "保密.txt": TEXTS["保密.txt"]}, embedder)
    together = []
    for question in ("秘密级数据的保密期限规定", "秘密级游泳池的水温"):
        wanted = lexical.query_terms(question)
        hits = [
            replace(hit, dense=0.95)
            for hit in searching.search(question, [library], embedder, Settings())[0]
            if hit.document == "保密.txt"
        ]
        around = of_libraries(question, wanted, [library], embedder)
        figures = figures_of(question, wanted, hits, Held.of(wanted, hits), around)
        together.append(figures["together"])
    assert together[0] > together[1] + 0.5
    assert together[0] > math.log(0.2)


def test_the_level_is_that_of_the_questions_that_come_nearest_to_passing() -> None:
    scores = [-5.0] * 8 + [1.0] * 2
    assert weights.level(scores) > -1
    assert weights.level([-50.0] * 9) == weights.LOWEST
    assert weights.level([50.0] * 9) == weights.HIGHEST

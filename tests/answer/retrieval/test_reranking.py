import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer import retrieval
from engine.answer.retrieval import reranking
from engine.answer.retrieval.reranking import CANDIDATES, Passage, WordReranker, features, raise_best
from engine.config import Settings
from engine.index.library import Library
from tests.fakes import FakeEmbedder
from tests.indexed import put, row_of

FAR = "年假的说明见附件。" + "其余事项另行规定，各部门按职责办理。" * 8 + "可以顺延。"
CLOSE = "其余事项另行规定。年假可以顺延。"


def of(question: str, *texts: str, title: str = "", section: tuple[str, ...] = ()) -> list[dict[str, float]]:
    return features(question, [Passage(text, title, section) for text in texts])


def test_words_that_stand_together_count_for_more_than_the_same_words_apart() -> None:
    far, close = of("年假可以顺延", FAR, CLOSE)
    assert close["held"] == close["near"] == 1
    assert far["held"] > far["near"]
    assert far["near"] < close["near"]


def test_title_and_section_hold_what_the_passage_does_not_repeat() -> None:
    (alone,) = of("差旅住宿费限额", "限额为每晚 550 元。")
    (titled,) = of("差旅住宿费限额", "限额为每晚 550 元。", title="差旅管理", section=("住宿费",))
    assert alone["held"] < titled["held"]
    assert alone["near"] < titled["near"]


def test_a_title_counts_when_the_question_names_it() -> None:
    titles = ("差旅管理办法", "休假", "差")
    named = [of("《差旅管理办法》何时生效", "自发布之日起。", title=title)[0]["named"] for title in titles]
    assert named == [1, 0, 0]


def test_words_that_only_ask_need_not_be_held() -> None:
    (found,) = of("请问什么时候可以休年假吗", "何时休年假另行通知。")
    assert found["held"] == found["near"] == 1


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        ("第三百二十条", "第320条 合同的解除", True),
        ("gb/t 19001-2016", "采用 GB／T 19001—2016 标准", True),
        ("annual leave", "Annual Leave Policy", True),
        ("art", "the first part of it", False),
        ("乾燥機", "干燥机的保养", True),
    ],
)
def test_other_writings_of_a_word_are_the_word_and_pieces_of_another_are_not(
    question: str, text: str, held: bool
) -> None:
    wanted, nothing = of(question, text, "毫不相干")
    assert (wanted["held"] > nothing["held"]) is held


@given(st.text(max_size=60), st.text(max_size=300), st.text(max_size=20))
def test_every_figure_is_a_share(question: str, text: str, title: str) -> None:
    (found,) = of(question, text, title=title)
    assert tuple(found) == reranking.FEATURES
    assert all(0 <= value <= 1 for value in found.values())
    assert found["near"] <= found["held"]


def test_the_weights_that_ship_name_every_figure() -> None:
    weights = reranking.shipped_weights()
    assert tuple(weights) == reranking.FEATURES
    assert all(0 < weight < 10 for weight in weights.values())


def test_twenty_passages_take_a_fraction_of_the_second_that_they_may() -> None:
    question = "各部门按职责办理的年假顺延事项另行规定在第几条" * 20
    started = time.process_time()
    WordReranker().score(question, [Passage(FAR * 3)] * CANDIDATES)
    assert time.process_time() - started < 0.5


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library(None, dimension=64)
    made.set_meta("name", "库")
    put(made, "a.txt", [FAR, CLOSE], FakeEmbedder())
    put(made, "b.txt", [f"第{n}项另行规定。" for n in range(CANDIDATES + 5)], FakeEmbedder())
    yield made
    made.close()


def test_the_better_passage_is_raised_and_a_clear_lead_stands(library: Library) -> None:
    far, close = (0, row_of(library, FAR)), (0, row_of(library, CLOSE))
    raised = raise_best("年假可以顺延", {far: 5.0, close: 4.5}, [library])
    assert raised[close] > raised[far] > 5.0
    raised = raise_best("年假可以顺延", {far: 14.0, close: 2.0}, [library])
    assert raised[far] > raised[close] > 2.0


class Backwards:
    """Prefers the last, with scores below zero."""

    def __init__(self) -> None:
        self.seen: list[Passage] = []

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        self.seen.extend(passages)
        return [-1000.0 + 10 * number for number, _ in enumerate(passages)]


def test_another_reranker_sees_the_best_only_and_none_of_them_falls_behind_the_rest(library: Library) -> None:
    rows = [stored.row for stored in library.all_chunks()]
    fused = {(0, row): -float(place) for place, row in enumerate(rows)}
    last = Backwards()
    raised = raise_best("规定", fused, [library], last)
    assert len(last.seen) == CANDIDATES
    order = [row for _, row in sorted(raised, key=lambda key: -raised[key])]
    assert set(order[:CANDIDATES]) == set(rows[:CANDIDATES])
    assert order[CANDIDATES:] == rows[CANDIDATES:]
    assert order[0] == rows[CANDIDATES - 1]
    assert raise_best("规定", {}, [library], last) == {}


def test_several_libraries_are_looked_at_together(library: Library) -> None:
    other = Library(None, dimension=64)
    put(other, "c.txt", [CLOSE], title="差旅")
    near, far = (1, row_of(other, CLOSE)), (0, row_of(library, FAR))
    raised = raise_best("年假可以顺延", {far: 1.0, near: 1.0}, [library, other])
    assert raised[near] > raised[far]
    other.close()


@pytest.mark.parametrize(("rerank", "first"), [(True, CLOSE), (False, FAR)])
def test_the_setting_decides_whether_a_search_looks_twice(
    library: Library, monkeypatch: pytest.MonkeyPatch, rerank: bool, first: str
) -> None:
    fused = {(0, row_of(library, FAR)): 2.0, (0, row_of(library, CLOSE)): 1.9}
    monkeypatch.setattr(retrieval.fusion, "fuse", lambda *_: fused)
    hits = retrieval.search("年假可以顺延", [library], FakeEmbedder(), Settings(rerank=rerank), 2)
    assert hits[0].text == first
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

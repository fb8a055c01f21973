"""The two lanes of a search: what each of them looks for."""

import time

import pytest

from engine.answer.gate.surroundings import of_libraries
from engine.answer.retrieval import lanes
from engine.index.embedding import Vectors
from tests.builders import memory_library
from tests.fakes import FakeEmbedder


class Listening(FakeEmbedder):
    """Remembers what it was asked to embed, under the name that the gate's background knows."""

    model_id = "bge-small-zh-v1.5"

    def __init__(self) -> None:
        super().__init__(512)
        self.asked: list[str] = []

    def embed_query(self, question: str) -> Vectors:
        self.asked.append(question)
        return super().embed_query(question)


@pytest.mark.parametrize(
    ("question", "asking"),
    [
        ("年假有几天？请用表格回答。", "年假有几天？"),
        ("What is the margin (FY2022)? Round your answer to two decimals.\n", "What is the margin (FY2022)?"),
        ("我在销售部。年假有几天？", "我在销售部。年假有几天？"),
        ("谁演的？谁是导演", "谁演的？谁是导演"),
        ("年假有几天", "年假有几天"),
        ("？。", "？。"),
    ],
)
def test_sentences_after_the_question_say_how_to_answer(question: str, asking: str) -> None:
    assert lanes.asking(question) == asking


def test_both_the_search_and_the_gate_embed_the_part_that_asks() -> None:
    embedder = Listening()
    library = memory_library({"年假.txt": "年假为五天。"}, embedder)
    question = "年假有几天？请用表格回答。"
    lanes.search(question, [library], [embedder])
    of_libraries(question, ["年假"], [library], embedder)
    assert embedder.asked == ["年假有几天？"] * 2


def test_several_libraries_of_one_embedder_share_the_vector_of_the_question() -> None:
    embedder = Listening()
    libraries = [memory_library({"假.txt": text}, embedder) for text in ("年假为五天。", "病假为十天。")]
    assert set(lanes.search("年假有几天？", libraries, [embedder]).dense) == {0, 1}
    assert embedder.asked == ["年假有几天？"]


@pytest.mark.timeout(5)
@pytest.mark.parametrize("piece", ["? ", "?", "? .", "？。", ". "])
def test_a_question_of_marks_alone_is_cut_at_once(piece: str) -> None:
    assert lanes.asking(piece * 5_000)


def test_a_failure_of_one_lane_waits_for_the_other_and_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(FakeEmbedder):
        def embed_query(self, question: str) -> Vectors:
            raise MemoryError(question)

    library = memory_library({"年假.txt": "年假为五天。"}, Failing(512))
    with pytest.raises(MemoryError, match="年假"):
        lanes.search("年假有几天？", [library], [Failing(512)])
    ended: list[str] = []

    class Slow(FakeEmbedder):
        def embed_query(self, question: str) -> Vectors:
            time.sleep(0.05)
            ended.append(question)
            return super().embed_query(question)

    monkeypatch.setattr(lanes, "_lexical", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        lanes.search("年假有几天？", [library], [Slow(512)])
    assert ended, "the store is still being searched"

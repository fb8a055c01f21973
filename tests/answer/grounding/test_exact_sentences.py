"""A sentence of a document, typed as a question, finds its passage first through both lanes and reranking."""

import pytest

from engine.answer import retrieval
from engine.config import Settings
from engine.index.library import Library
from tests.builders import memory_library
from tests.fakes import FakeEmbedder

TEXTS = {
    "年假.txt": "员工每年可以享受十天带薪年休假。当年未休完的年假可以顺延至次年三月底，不得再次顺延。",
    "病假.txt": "员工每年可以享受十天带薪病假。病假须有医院出具的证明，三天以上由总经理批准。",
    "差旅.txt": "差旅报销单须在返回后10个工作日内提交财务部。逾期提交的报销单由部门经理说明原因。",
    "报销.txt": "报销单、报销单、报销单：提交财务部，提交财务部，工作日内提交。",
    "合同.txt": "依据GB/T 19001-2016签订的合同，违约金为每日千分之三。合同第三百二十条另有规定的除外。",
    "warranty.txt": "The warranty covers rechargeable batteries for nine months. Chargers are not covered.",
}
SENTENCES = [
    (name, sentence + "。")
    for name, text in TEXTS.items()
    for sentence in text.split("。")
    if len(sentence) > 7
]


@pytest.fixture(scope="module")
def library() -> Library:
    return memory_library(TEXTS)


@pytest.mark.parametrize(("name", "sentence"), SENTENCES)
def test_its_passage_comes_first_however_it_is_typed(library: Library, name: str, sentence: str) -> None:
    wide = sentence.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    for typed in (
        sentence,
        sentence.strip("。") + "？",
        f"“{sentence}”",
        wide,
        sentence.replace("，", " , "),
    ):
        hits = retrieval.search(typed, [library], FakeEmbedder(), Settings(), 3)
        assert hits[0].document == name, typed

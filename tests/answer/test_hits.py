"""The passages around a hit."""

from engine.answer.hits import hit, neighbours, passages_of
from engine.config import Settings
from engine.documents import SearchHit
from engine.index.library import Library
from tests.builders import add_chunks, answer_of, memory_library
from tests.fakes import FakeGenerator

TEXTS = ["一、总则。", "二、范围。", "三、期限。", "四、罚则。"]


def hit_on(library: Library, text: str) -> SearchHit:
    stored = next(stored for stored in library.all_chunks() if stored.chunk.text == text)
    return hit(library, stored, 2.0)


def test_the_passage_after_comes_before_the_passage_before() -> None:
    library = memory_library({"别的.txt": "无关。"})
    add_chunks(library, "制度.txt", TEXTS)
    found = neighbours(hit_on(library, "二、范围。"), library)
    assert [near.text for near in found] == ["三、期限。", "一、总则。"]
    assert {near.document for near in found} == {"制度.txt"}
    assert [(near.rank, near.dense, near.lexical) for near in found] == [(0, None, None)] * 2


def test_there_is_nothing_around_the_first_and_the_last_but_inside() -> None:
    library = memory_library({"别的.txt": "无关。"})
    add_chunks(library, "制度.txt", TEXTS)
    assert [near.text for near in neighbours(hit_on(library, TEXTS[0]), library)] == [TEXTS[1]]
    assert [near.text for near in neighbours(hit_on(library, TEXTS[3]), library)] == [TEXTS[2]]
    assert neighbours(hit_on(library, "无关。"), library) == ()


def test_the_passages_of_a_document_come_in_order_and_are_nobody_else_s() -> None:
    library = memory_library({"别的.txt": "无关。"})
    add_chunks(library, "制度.txt", TEXTS)
    (document,) = library.document_ids(["制度.txt"])
    found = passages_of(document, library)
    assert [passage.text for passage in found] == TEXTS
    assert {(passage.document, passage.rank, passage.score) for passage in found} == {("制度.txt", 0, 0.0)}


def test_another_section_is_not_around() -> None:
    library = memory_library({})
    add_chunks(library, "制度.txt", TEXTS, sections=[("甲",), ("甲",), ("乙",), ("乙",)])
    assert [near.text for near in neighbours(hit_on(library, TEXTS[1]), library)] == [TEXTS[0]]


def test_a_statement_from_the_passage_after_the_hit_is_cited_from_there() -> None:
    library = memory_library({"别的.txt": "年假提前五天申请。", "差旅.txt": "住宿费每晚限额为550元。"})
    add_chunks(library, "保密.txt", ["核心数据的保管人由部门经理指定。", "登记表须保存六年，由两人销毁。"])
    answer = answer_of(
        "核心数据的保管人由谁指定？",
        [library],
        generator=FakeGenerator("登记表须保存六年，由两人销毁。"),
        settings=Settings(top_k=1),
    )
    (citation,) = answer.citations
    assert [hit.text for hit in answer.hits] == ["核心数据的保管人由部门经理指定。"]
    assert (citation.document, citation.quote) == ("保密.txt", "登记表须保存六年，由两人销毁。")
    assert library.pages(citation.row, [1])[0].text[citation.spans[0].start :] == citation.quote

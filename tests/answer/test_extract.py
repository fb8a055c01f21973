"""Answers without a chat model: quotes with their citations."""

from dataclasses import replace

from engine.answer import extract
from engine.answers import Answer
from engine.documents import SearchHit
from tests.builders import make_hit, pages_of


def answer(*hits: SearchHit) -> Answer:
    return extract.answer(Answer("报销单几日内提交", "", False, None, (), (), hits, None), pages_of)


def test_each_of_the_best_passages_gives_the_sentence_that_says_most() -> None:
    first = make_hit("本办法适用于全体员工。报销单须在10日内提交。", document="差旅.pdf", row=1)
    second = make_hit("逾期提交的报销单不予受理。其他另行规定。", document="财务.pdf", row=2)
    found = answer(first, second)
    assert found.text == "报销单须在10日内提交。[1]\n逾期提交的报销单不予受理。[2]"
    assert [c.document for c in found.citations] == ["差旅.pdf", "财务.pdf"]
    assert {s.verdict for s in found.sentences} == {"supported"}
    assert found.evidence == (first.chunk, second.chunk)
    assert found.evidence_only
    assert not found.refused


def test_no_more_than_three_passages_are_quoted() -> None:
    hits = [make_hit(f"报销单第{at}条。", row=at) for at in range(5)]
    assert len(answer(*hits).citations) == extract.PASSAGES == 3


def test_the_same_quote_is_shown_once() -> None:
    hit = make_hit("报销单须在10日内提交。")
    found = answer(hit, replace(hit, document="副本.pdf", text=hit.text + "其他。", row=2))
    assert len(found.citations) == 1
    assert [c.number for c in found.citations] == [1]


def test_of_a_long_passage_the_sentence_with_the_rare_words_is_quoted() -> None:
    filler = "报销单应当按规定填写完整。" * 12
    wanted = "差旅报销单须在返回后10个工作日内提交。"
    hit = make_hit(filler + wanted + filler)
    found = answer(hit)
    (citation,) = found.citations
    assert citation.quote == wanted
    (span,) = citation.spans
    assert hit.text[span.start : span.end] == wanted

import pytest

from engine.exporting.composition import Mark, Remark, compose
from engine.exporting.places import place
from tests.exporting.records import citation, plain, record, sentence


def test_marks_and_verdicts_stand_where_their_sentences_end() -> None:
    composed = compose(plain(), "zh")
    assert composed.paragraphs == (
        ("秘密级数据的保密期限为十年", Mark(1), "。"),
        ("报销单须在99天内提交。", Remark("（未核实：片段里没有 99天）")),
    )
    assert composed.footnotes[1].place == "第 3 页（页码标签 iii）"
    assert composed.about == ()


def test_words_come_in_the_language_asked_for() -> None:
    composed = compose(plain(), "en")
    assert composed.paragraphs[1][1] == Remark(" (not verified: the passages do not hold 99天)")
    assert composed.footnotes[1].place == "page 3 (page label iii)"


def test_a_sentence_that_is_said_twice_has_each_verdict_in_its_place() -> None:
    twice = [sentence("同样的话。", "partly", 1), sentence("同样的话。", "unsupported")]
    composed = compose(record("同样的话[1]。 同样的话。", twice, [citation(1)]), "zh")
    assert composed.paragraphs == (
        ("同样的话", Mark(1), "。", Remark("（部分有依据）"), " 同样的话。", Remark("（未核实）")),
    )


def test_no_verdict_is_lost_where_the_text_is_not_made_of_its_sentences() -> None:
    other = [sentence("被核对的话。", "supported", 1), sentence("另一句。", "unsupported")]
    composed = compose(record("模型写的别的话", other, [citation(1)]), "zh")
    assert composed.paragraphs == (("被核对的话。", Mark(1)), ("另一句。", Remark("（未核实）")))


def test_brackets_that_are_no_citation_stay_text() -> None:
    composed = compose(record("见表[7]和[1]", [], [citation(1)]), "zh")
    assert composed.paragraphs == (("见表[7]和", Mark(1)),)


def test_what_a_reader_must_know_besides_is_said() -> None:
    composed = compose(
        record("文字", [], [], stopped=True, indexed_share=0.999, rewritten="员工的病假\n有几天？"), "zh"
    )
    assert composed.about == (
        "按上文理解为：员工的病假 有几天？",
        "提问时已索引 99%，其余文档还没有读到。",
        "回答被停止，以下文字未核实。",
    )
    refused = record("证据不足。", [], [], refused=True, nearest=[citation(1), citation(2)] * 4)
    assert (
        compose(refused, "zh").below
        == ("最接近的片段：部门/保密.pdf｜第 3 页",) * 1 + ("最接近的片段：部门/保密.pdf｜第 3 页",) * 2
    )


def test_a_survey_that_was_stopped_is_checked_as_far_as_it_goes() -> None:
    stopped = record("甲：10", [sentence("甲：10")], [], stopped=True)
    assert compose(stopped, "zh").about == ("读取被停止，以下只包含已读部分。",)


def test_older_versions_that_say_something_else_are_named() -> None:
    note = {"library": "制度", "document": "合同v1.docx", "newer": "合同v2.docx", "citations": [1, 2]}
    both = [note | {"differs": True}, note | {"differs": False}]
    assert compose(record("文字", [], [], versions=both), "zh").about == (
        "旧版《合同v1.docx》与较新的《合同v2.docx》说法不同，两处都已列出。",
    )


def test_a_record_of_the_first_release_is_exported() -> None:
    composed = compose({"question": "问", "answer": "答[1]", "citations": None}, "zh")
    assert (composed.question, composed.paragraphs, composed.footnotes) == ("问", (("答[1]",),), {})


def test_a_table_keeps_the_marks_of_its_rows() -> None:
    rows = [
        {"cells": ["甲", "10"], "citations": [1, 9], "verdict": "supported"},
        {"cells": ["乙", "11"], "citations": [], "verdict": "unsupported"},
        {"cells": [], "citations": []},
    ]
    table = {"columns": ["名称", "天数"], "rows": rows, "read": 3, "of": 4}
    said = [sentence("乙：11（未核实）", "unsupported")]
    composed = compose(record("乙：11（未核实）", said, [citation(1)], table=table), "zh")
    assert composed.grid is not None
    assert composed.grid.rows == (
        (("甲",), ("10", Mark(1))),
        (("乙",), ("11", Remark("（未核实）"))),
        (),
    )
    assert composed.paragraphs == (("乙：11（未核实）",),)
    assert composed.below == ("已读 3/4 个文档",)


@pytest.mark.parametrize(
    ("facts", "zh", "en"),
    [
        ({}, "第 3 页", "page 3"),
        ({"label": "3"}, "第 3 页", "page 3"),
        (
            {"kind": "sheet", "location": {"sheet": "价格表", "rows": [2, 40]}},
            "工作表“价格表”第 2–40 行",
            "sheet “价格表”, rows 2–40",
        ),
        ({"kind": "sheet", "location": {"rows": [5, 5]}}, "第 5–5 行", "rows 5–5"),
        ({"kind": "slides", "location": {"slide": 4}, "section": ["一"]}, "幻灯片 4 · 一", "slide 4 · 一"),
        ({"kind": "word", "section": ["总则", "第二条"]}, "总则 › 第二条", "总则 › 第二条"),
        ({"kind": "ebook", "location": {"chapter": "第一章"}}, "第一章", "第一章"),
        ({"kind": "text", "location": {"line": 12}}, "第 12 行", "line 12"),
        ({"kind": "text"}, "正文", "body text"),
        ({"kind": None}, "第 3 页", "page 3"),
        ({"kind": "", "document": "a.docx"}, "正文", "body text"),
    ],
)
def test_a_place_is_said_as_its_format_has_it(facts: dict[str, object], zh: str, en: str) -> None:
    found = citation(1, **facts)  # type: ignore[arg-type]
    assert (place(found, "zh"), place(found, "en")) == (zh, en)

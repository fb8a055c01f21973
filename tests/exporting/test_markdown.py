import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from engine.exporting.composition import compose
from engine.exporting.markdown import escaped, markdown
from tests.exporting.records import citation, plain, record, sentence

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table").use(footnote_plugin)


def test_an_answer_has_its_footnotes_with_file_page_and_quote() -> None:
    text = markdown([compose(plain(), "zh")], "zh")
    assert text == (
        "## 秘密级数据的保密期限是几年？\n\n"
        "秘密级数据的保密期限为十年[^1]。\n\n"
        "报销单须在99天内提交。（未核实：片段里没有 99天）\n\n"
        "[^1]: 部门/保密.pdf，第 3 页（页码标签 iii）：“秘密级数据的保密期限为10年。”\n"
    )


def test_footnotes_are_numbered_through_a_conversation() -> None:
    text = markdown([compose(plain(), "zh")] * 2, "zh", "保密")
    assert text.startswith("# 保密\n\n## ")
    assert "为十年[^2]。" in text
    assert "[^2]: 部门" in text
    html = PARSER.render(text)
    assert html.count('class="footnote-item"') == 2


HOSTILE = [
    "![x](file:///etc/hostname)",
    "<img src=http://a/b>",
    "[a](javascript:1)",
    "<script>alert(1)</script>",
    "# 标题",
    "> 引用",
    "文字\n===",
    "文字\n---",
    "    缩进",
    "```\ncode",
    "[^1]: 假脚注",
    "&lt;b&gt; *粗* _斜_ ~~删~~ $x$ ==亮==",
    "| a | b |\n|---|---|",
    "\\*",
    "<!-- 注释",
    ": 定义",
    "http://a.example/b www.a.example a@b.example",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_model_wrote_stays_text(text: str) -> None:
    made = record(text, [], [citation(1, document=text, quote=text)], nearest=[])
    html = PARSER.render(markdown([compose(made | {"question": text}, "zh")], "zh"))
    tags = {
        piece.split(">")[0].split()[0].strip("/") for piece in html.split("<")[1:]
    }  # fmt: skip
    assert tags <= {"h2", "p", "hr", "section", "ol", "li", "a"}, html
    assert "href" not in html.split("footnotes")[0]
    shown = PARSER.render(escaped(text.split("\n")[0].strip()))
    import html as entities

    assert "".join(entities.unescape(shown).split()) == "".join(f"<p>{text.splitlines()[0]}</p>".split())


def test_a_bare_address_becomes_no_link() -> None:
    assert escaped("https://a.cn/b WWW.a.cn a@b.cn 3:4") == r"https\://a.cn/b WWW\.a.cn a\@b.cn 3:4"


def test_a_table_is_a_table() -> None:
    rows = [{"cells": ["a|b", "c\nd"], "citations": [1]}]
    table = {"columns": ["名|称", "天数"], "rows": rows, "read": 1, "of": 1}
    text = markdown([compose(record("", [], [citation(1)], table=table), "zh")], "zh")
    assert "| 名\\|称 | 天数 |\n| --- | --- |\n| a\\|b | c d[^1] |" in text
    assert "<td>a|b</td>" in PARSER.render(text)


def test_lists_stay_lists() -> None:
    listed = record("1. 甲[1]\n2. 乙", [sentence("1. 甲", "supported", 1)], [citation(1)])
    assert "1. 甲[^1]\n\n2. 乙" in markdown([compose(listed, "zh")], "zh")

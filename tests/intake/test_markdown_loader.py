from pathlib import Path

import pytest

from engine.documents import Page, SourceDocument
from engine.intake.loaders import load


def markdown(tmp_path: Path, source: str | bytes, name: str = "手册.md") -> tuple[SourceDocument, Page]:
    path = tmp_path / name
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    document, page = load(path)
    assert isinstance(document, SourceDocument)
    assert isinstance(page, Page)
    for heading in page.headings:
        assert page.text[heading.offset :].startswith(heading.text + "\n")
    return document, page


SOURCE = """---
title: "运维手册：备份"
tags: [运维]
date: 2024-03-01
# note: 不是标题
---

运维手册
========

见[手册][ref]，图![拓扑图](a.png)，**加粗**和`代码`。

备份 *策略* {#backup}
--------

```bash
# 这不是标题
pg_dump -Fc
```

~~~~text
```
# 嵌套
```
~~~~

- 一
  ```
  # 列表里的围栏
  ```
- 二

<!-- 口令 hunter2
# 注释里
-->
| 环境 | 主机 |
|---|---|
| 生产 | db-01 |

### 演练 ###

[ref]: https://intra.example/ops

````
# 没有关闭的围栏
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_headings_stand_outside_code_front_matter_and_comments(
    tmp_path: Path, encoding: str, newline: str
) -> None:
    document, page = markdown(tmp_path, SOURCE.replace("\n", newline).encode(encoding))
    assert [(h.level, h.text) for h in page.headings] == [(1, "运维手册"), (2, "备份 策略"), (3, "演练")]
    assert (document.title, document.title_from_name) == ("运维手册：备份", False)
    assert document.metadata == {"title": "运维手册：备份", "tags": ["运维"], "date": "2024-03-01"}
    for kept in [
        "见手册，图拓扑图，加粗和代码。",
        "# 这不是标题\npg_dump",
        "环境 | 主机\n生产 | db-01",
        "# 列表里的围栏",
        "没有关闭",
    ]:
        assert kept in page.text
    for gone in ["hunter2", "注释里", "**", "intra.example", "{#backup}", "tags"]:
        assert gone not in page.text


def test_mdx_keeps_component_text_and_drops_modules(tmp_path: Path) -> None:
    document, page = markdown(
        tmp_path,
        "import Tabs from '@theme/Tabs'\nexport const meta = {\n  owner: '平台组'\n}\n\n# 发布流程\n\n"
        '<Note type="warning" title="注意">\n  周四**禁止**发布。\n</Note>\n\n'
        "<Tabs items={['灰度']}>\n  <Tabs.Tab>比例为 5%。</Tabs.Tab>\n</Tabs>\n\n{/* 群号 556677 */}\n\n"
        "条件：{1 < 2 ? '是' : '否'}，见 <https://a.example>，`<b>{/* 代码 */}`\n\n"
        "```jsx\nimport x from 'y'\n```\n",
        "发布.mdx",
    )
    assert document.title == "发布流程"
    for kept in [
        "注意",
        "周四禁止发布。",
        "比例为 5%。",
        "条件：{1 < 2",
        "https://a.example",
        "<b>{/* 代码 */}",
        "import x from 'y'",
    ]:
        assert kept in page.text
    for gone in ["Tabs", "平台组", "556677", "Note"]:
        assert gone not in page.text


def test_the_title_falls_back_to_the_heading_and_then_to_the_name(tmp_path: Path) -> None:
    assert markdown(tmp_path, "## 二级\n\n# 一级\n")[0].title == "一级"
    document, _ = markdown(tmp_path, "## 二级\n")
    assert (document.title, document.title_from_name) == ("手册", True)


def test_a_rule_at_the_top_is_not_front_matter(tmp_path: Path) -> None:
    _, page = markdown(tmp_path, "---\n\n正文在两条线之间\n\n---\n\n后文\n")
    assert "正文在两条线之间" in page.text


def test_nested_lists_keep_their_nesting(tmp_path: Path) -> None:
    _, page = markdown(tmp_path, "- tokenizer方法\n  - subword\n    - ByteBPE\n\n3. 三\n4. 四\n")
    assert page.text == "- tokenizer方法\n  - subword\n    - ByteBPE\n\n3. 三\n4. 四\n"


def test_html_in_markdown_gives_its_text(tmp_path: Path) -> None:
    _, page = markdown(
        tmp_path, "<details><summary>点开看</summary>\n\n分机 8021。\n\n</details>\n\n一行<br>两行&nbsp;字"
    )
    assert page.text.split() == ["点开看", "分机", "8021。", "一行", "两行", "字"]


def test_deep_nesting_is_no_problem(tmp_path: Path) -> None:
    markdown(tmp_path, ">" * 3000 + " 深\n" + "- " * 500 + "项\n" + "[" * 5000)


def test_tables_and_code_blocks_are_known(tmp_path: Path) -> None:
    _, page = markdown(
        tmp_path,
        "# 物料\n\n| 编码 | 单价 |\n|:---|--:|\n| WL1 | **1.50** |\n| a\\|b | `x` |\n\n"
        "- 项\n\n  | k | v |\n  |---|---|\n  | 1 | 2 |\n\n"
        "<table>\n<tr><th>甲</th><th>乙</th></tr>\n<tr><td>3</td><td>4</td></tr>\n</table>\n\n"
        "```py\nprint(1)\n\nx\n```\n\n| 不是 | 表 |\n",
    )
    assert [
        (page.text[table.start : table.header_end], page.text[table.header_end : table.end])
        for table in page.tables
    ] == [
        ("编码 | 单价\n", "WL1 | 1.50\na|b | x"),
        ("k | v\n", "1 | 2"),
        ("甲 | 乙\n", "3 | 4"),
    ]
    assert [page.text[start:end] for start, end in page.code] == ["print(1)\n\nx"]
    assert "\n| 不是 | 表 |" in page.text


def test_halves_of_characters_in_front_matter_are_put_together(tmp_path: Path) -> None:
    """JSON's way of writing 😀, which YAML reads as two halves that cannot be stored."""
    source = '---\ntitle: "\\ud83d\\ude00 笔记"\n"\\ud800": ["\\udc00x"]\n---\n正文'
    document, _ = markdown(tmp_path, source)
    assert document.title == "😀 笔记"
    assert document.metadata == {"title": "😀 笔记", "\ufffd": ["\ufffdx"]}

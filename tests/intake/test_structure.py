"""What chunks keep whole: articles, items, rows with their header, code blocks."""

from typing import Any

import pytest

from engine.documents import Chunk, Page, SourceDocument, Table
from engine.intake.chunking.places import Places
from engine.intake.chunking.tokens import embedder_tokens
from engine.intake.cleaning.clean_text import CleanText
from tests.intake.test_chunking import check
from tests.intake.whole_text import chunk, clean

DOCUMENT = SourceDocument("text", "员工手册")


def cut(text: CleanText, size: int = 120, overlap: int = 30, **how: Any) -> list[Chunk]:
    chunks = list(chunk(DOCUMENT, text, "h" * 64, embedder_tokens(), size=size, overlap=overlap, **how))
    check(text, chunks, size)
    return chunks


def sheet(rows: int, *, header: str = "编号 | 姓名 | 部门\n", before: str = "", after: str = "") -> Page:
    lines = [f"{n:06} | 员工{n} | 研发中心第{n % 7}组\n" for n in range(1, rows + 1)]
    text = before + header + "".join(lines) + after
    start = len(before)
    table = Table(start, start + len(header), len(text) - len(after))
    numbers = [0] * before.count("\n") + [1] * header.count("\n") + list(range(2, rows + 2))
    return Page(
        1, text, location={"sheet": "名单", "rows": [1, rows + 1]}, tables=(table,), rows=tuple(numbers)
    )


def test_every_chunk_inside_a_table_begins_with_its_header() -> None:
    page = sheet(60)
    text = clean([page], laid_out=False)
    places = Places("sheet")
    places.note(page)
    chunks = cut(text, places=places)
    assert len(chunks) > 5
    rows = []
    for piece in chunks:
        lines = piece.text.rstrip("\n").split("\n")
        assert lines[0] == "编号 | 姓名 | 部门"
        assert all(line.count(" | ") == 2 for line in lines)
        own = [int(line.split(" | ")[0]) + 1 for line in lines[1:]]
        assert piece.location == {"sheet": "名单", "rows": [own[0], own[-1]]}
        rows += own
        shown = "".join(page.text[span.start : span.end] for span in piece.spans)
        assert "".join(shown.split()) == "".join(piece.text.split())
    assert rows == list(range(2, 62))
    assert [piece.overlap for piece in chunks[1:]] == [len("编号 | 姓名 | 部门\n")] * (len(chunks) - 1)


def test_a_header_that_would_take_a_third_is_not_repeated() -> None:
    header = (
        "编号（由系统自动生成不得改动） | 姓名（与身份证一致） | 部门（以人力资源系统为准并每季度核对）\n"
    )
    text = clean([sheet(40, header=header)], laid_out=False)
    chunks = cut(text, size=64, overlap=20)
    assert all(piece.overlap == 0 for piece in chunks)
    assert sum("由系统自动生成" in piece.text for piece in chunks) == 1


def test_a_row_longer_than_a_chunk_is_cut_and_nothing_is_lost() -> None:
    header = "条款 | 说明\n"
    source = header + "1 | " + "保密期限为十年且不得以任何方式向第三方透露，" * 40 + "\n2 | 短\n"
    page = Page(1, source, tables=(Table(0, len(header), len(source)),))
    chunks = cut(clean([page], laid_out=False), size=100)
    assert len(chunks) > 5
    assert all(piece.text.startswith(header) for piece in chunks)


def test_text_around_a_table_overlaps_but_not_its_rows() -> None:
    sentences = "".join(f"第{n}个句子说的是表格以外的事情。" for n in range(30))
    page = sheet(30, before=sentences + "\n", after=sentences)
    for piece in cut(clean([page], laid_out=False)):
        repeated = piece.text[: piece.overlap]
        assert " | " not in repeated.removeprefix("编号 | 姓名 | 部门\n")


def test_a_table_over_a_page_break_keeps_the_header_of_its_first_page() -> None:
    first = sheet(20)
    more = "".join(f"{n:06} | 员工{n} | 市场部\n" for n in range(21, 41))
    text = clean([first, Page(2, more, tables=(Table(0, 0, len(more)),))], laid_out=False)
    assert len(text.tables) == 1
    chunks = cut(text)
    assert all(piece.text.startswith("编号 | 姓名 | 部门\n") for piece in chunks)
    last = chunks[-1]
    assert (last.page, last.page_end, [span.page for span in last.spans]) == (2, 2, [1, 2])


def test_articles_are_whole_and_short_ones_share_a_chunk() -> None:
    articles = [
        f"第{'一二三四五六七八九十'[n]}条　" + "本条规定了一件事情。" * (2 + n % 5) for n in range(10)
    ]
    source = "\n".join(f"{article}\n（一）甲项；\n（二）乙项。" for article in articles)
    chunks = cut(clean([Page(1, source)], laid_out=False), size=128, overlap=0)
    assert len(chunks) < 10
    assert all(piece.text.startswith("第") for piece in chunks)
    for article in articles:
        assert sum(f"{article}\n（一）甲项；\n（二）乙项。" in piece.text for piece in chunks) == 1


def test_an_article_longer_than_a_chunk_is_cut_between_its_items() -> None:
    items = [f"（{'一二三四五六七八九'[n]}）" + "不得擅自复制或者导出核心数据；" * 2 for n in range(9)]
    source = "第七条 员工应当遵守下列规定：\n" + "\n".join(items) + "\n第八条 附则。"
    chunks = cut(clean([Page(1, source)], laid_out=False), size=128, overlap=0)
    for item in items:
        assert sum(item in piece.text for piece in chunks) == 1


def test_an_item_goes_on_over_indented_lines() -> None:
    source = "\n".join(f"- 第{n}项的说明文字有一些长\n  下一行还是第{n}项的说明文字" for n in range(30))
    chunks = cut(clean([Page(1, source)], laid_out=False), size=100, overlap=0)
    assert all(piece.text.startswith("- 第") for piece in chunks)


def test_a_code_block_is_whole_when_it_fits() -> None:
    code = "def antwort():\n\n    return 42\n\n\nprint(antwort())\n" * 2
    before, after = "说明文字在前面。" * 9 + "\n\n", "\n说明文字在后面。" * 9
    source = before + code + after
    page = Page(1, source, code=((len(before), len(before) + len(code)),))
    chunks = cut(clean([page], laid_out=False), size=128, overlap=0)
    assert sum(piece.text.count("print(antwort())") == 2 for piece in chunks) == 1


@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_text_names_the_line_where_a_chunk_begins(kind: str) -> None:
    lines = [f"第{n}行的文字写到这里。" for n in range(1, 200)]
    page = Page(1, "\n".join(lines))
    places = Places(kind)
    places.note(page)
    for piece in cut(clean([page], laid_out=False), places=places):
        assert piece.location is not None
        assert piece.text.startswith(lines[piece.location["line"] - 1])


def test_sections_below_a_limit_are_merged_for_long_prose() -> None:
    source = "第一回\n话说。\n第二回\n且说。\n第三回\n" + "那日天气晴好。" * 200
    from engine.intake.chunking.headings import with_recognised

    text = with_recognised(clean([Page(1, source)], laid_out=False))
    assert [piece.section for piece in cut(text, size=480)][:2] == [("第一回",), ("第二回",)]
    merged = list(chunk(DOCUMENT, text, "h", embedder_tokens(), size=480, overlap=0, merge=100))
    assert merged[0].text.startswith("第一回\n话说。\n第二回\n且说。")
    assert merged[0].section == ()
    assert merged[1].section == ("第三回",)


def test_an_endless_word_is_cut_in_linear_time() -> None:
    for source in ("a" * 200_000, "=" * 50_000, "年" * 100_000, "a b" * 50_000):
        chunks = list(
            chunk(
                DOCUMENT,
                clean([Page(1, source)], laid_out=False),
                "h",
                embedder_tokens(),
                size=480,
                overlap=50,
            )
        )
        assert len(chunks) < len(source) // 100
        assert max(len(piece.text) for piece in chunks) <= 480 * 12
        assert "".join(piece.text[piece.overlap :] for piece in chunks) == source

import hashlib
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import Settings
from engine.documents import Chunk, Heading, Page, SourceDocument
from engine.intake.chunking.places import Places
from engine.intake.chunking.tokens import EmbedderTokens, embedder_tokens
from engine.intake.cleaning.clean_text import CleanText
from engine.normalise import normalise
from tests.intake.whole_text import chunk, clean

DOCUMENT = SourceDocument("markdown", "员工手册")


def cleaned(text: str, *headings: tuple[str, int]) -> CleanText:
    marks = [Heading(text.index(title), level, title) for title, level in headings]
    return clean([Page(1, text, headings=tuple(sorted(marks, key=lambda h: h.offset)))], laid_out=False)


def cut(text: CleanText, document: SourceDocument = DOCUMENT, **how: Any) -> list[Chunk]:
    size, overlap = how.pop("size", 480), how.pop("overlap", 50)
    return list(chunk(document, text, "h" * 64, embedder_tokens(), size=size, overlap=overlap, **how))


def check(text: CleanText, chunks: list[Chunk], size: int) -> None:
    """The invariants of every cut."""
    assert "".join(piece.text[piece.overlap :] for piece in chunks) == text.text
    tokenizer = embedder_tokens()
    for number, piece in enumerate(chunks):
        assert piece.ordinal == number
        assert piece.tokens == tokenizer.count(piece.prefix + piece.text) + 2 <= size
        assert 0 <= piece.overlap < len(piece.text)
        assert piece.text.strip()
        assert piece.page <= piece.page_end
        repeated = piece.text[: piece.overlap]
        headers = {text.text[table.start : table.header_end] for table in text.tables}
        assert repeated in headers or not repeated or chunks[number - 1].text.endswith(repeated)
    assert len({piece.id for piece in chunks}) == len(chunks)


ALPHABET = st.sampled_from("年假可顺延至次，。！？； .!?;\n\naBcISO9001㎡ﷺ①\u0301é😀İＡ（）|-\u3000㍿")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(ALPHABET, max_size=300), min_size=1, max_size=4),
    st.integers(32, 120),
    st.floats(0, 0.5),
    st.lists(st.integers(0, 600), max_size=4),
)
def test_chunks_without_overlap_are_the_clean_text(
    texts: list[str], size: int, share: float, places: list[int]
) -> None:
    headings: list[list[Heading]] = [[] for _ in texts]
    for number, place in enumerate(sorted(set(places))):
        text = texts[number % len(texts)]
        start = text.find("\n", place) + 1
        title = text[start : text.find("\n", start)] if start and text.find("\n", start) > 0 else ""
        if title.strip():
            headings[number % len(texts)].append(Heading(start, number % 3 + 1, title))
    pages = [
        Page(number, text, headings=tuple({h.offset: h for h in headings[number - 1]}.values()))
        for number, text in enumerate(texts, 1)
    ]
    text = clean(pages, laid_out=False)
    check(text, cut(text, size=size, overlap=int(size * share)), size)


@settings(max_examples=25, deadline=None)
@given(st.text(min_size=1, max_size=1500), st.integers(32, 480))
def test_any_text_in_any_script(source: str, size: int) -> None:
    text = clean([Page(1, source.replace("\r", " "))], laid_out=False)
    check(text, cut(text, size=size, overlap=size // 3), size)


@pytest.mark.parametrize(
    "source", ["短行\n" * 200, "一" * 4000, "word " * 900, "a" * 3000, "甲，" * 900, "ﷺ" * 60]
)
@pytest.mark.parametrize(("size", "overlap"), [(32, 0), (50, 25), (64, 32), (480, 50), (480, 240)])
def test_every_allowed_setting_ends_at_once(source: str, size: int, overlap: int) -> None:
    text = cleaned(source)
    begun = time.perf_counter()
    chunks = cut(text, size=size, overlap=overlap)
    assert time.perf_counter() - begun < 1.0
    assert len(chunks) <= len(source)
    check(text, chunks, size)


@pytest.mark.parametrize("pair", [(512, 512), (50, 26), (50, 60), (0, 0), (-1, 0)])
def test_settings_that_could_loop_are_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError):
        Settings(chunk_size=pair[0], chunk_overlap=pair[1])


def test_the_best_boundary_is_taken() -> None:
    sentence = "这是一个不长也不短的句子它用来填满片段的空间。"
    text = cleaned((sentence * 3 + "\n") * 2 + "\n" + sentence * 12)
    first, second, *_ = cut(text, size=280, overlap=0)
    assert first.text == (sentence * 3 + "\n") * 2 + "\n"
    assert second.text.endswith("。")


@pytest.mark.parametrize(
    ("joint", "ends"), [("。", "。"), ("；", "；"), (". ", ". "), (" ", " "), ("，", "，")]
)
def test_cuts_fall_behind_the_joint(joint: str, ends: str) -> None:
    words = "alpha beta" if joint == ". " else "年假顺延"
    text = cleaned(joint.join([words] * 200))
    chunks = cut(text, size=64, overlap=10)
    assert all(piece.text.endswith(ends) for piece in chunks[:-1])
    assert all(piece.text.startswith(words[:4]) for piece in chunks)


def test_decimal_points_and_section_numbers_are_no_sentence_ends() -> None:
    text = cleaned("版本1.2.3的压力为3.5兆帕，" * 60)
    assert all(not piece.text.rstrip().endswith(".") for piece in cut(text, size=64))


def test_sections_are_not_mixed_and_their_path_is_kept() -> None:
    text = cleaned(
        "前言文字。\n\n总则\n\n适用\n\n适用于全体员工。\n\n解释\n\n由人力资源部解释。\n\n考勤\n\n弹性工作制。",
        ("总则", 1), ("适用\n", 2), ("解释\n", 2), ("考勤", 1),
    )  # fmt: skip
    chunks = cut(CleanText(text.text, tuple(
        Heading(h.offset, h.level, h.text.strip()) for h in text.headings
    ), (), text.segments))  # fmt: skip
    assert [(piece.section, piece.text.split()[0]) for piece in chunks] == [
        ((), "前言文字。"),
        (("总则", "适用"), "总则"),
        (("总则", "解释"), "解释"),
        (("考勤",), "考勤"),
    ]
    assert chunks[1].prefix == "员工手册 > 总则 > 适用\n"
    assert all(piece.overlap == 0 for piece in chunks)


def test_overlap_is_whole_sentences_of_the_same_section() -> None:
    sentences = [f"第{n}个句子说的是第{n}件事情。" for n in range(60)]
    chunks = cut(cleaned("".join(sentences)), size=120, overlap=30)
    assert len(chunks) > 3
    for piece in chunks[1:]:
        repeated = piece.text[: piece.overlap]
        assert repeated.startswith("第")
        assert repeated.endswith("。")
        assert embedder_tokens().count(repeated) <= 30


def test_the_last_sentence_of_a_long_paragraph_is_inside_a_chunk() -> None:
    text = cleaned("年假可以顺延" * 150 + "，签署日期为2024年3月15日。")
    chunks = cut(text)
    assert "2024年3月15日" in chunks[-1].text
    check(text, chunks, 480)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("差旅报销管理办法", True), ("HT-300产品手册", True), ("2024年度报告", True),
        ("Quarterly Report", True), ("扫描件0012", False), ("新建文档(3)", False),
        ("scan_20240312_001", False), ("IMG_4711", False),
        ("Document1", False), ("20240312", False),
    ],
)  # fmt: skip
def test_a_file_name_is_embedded_where_it_says_something_or_nothing_else_does(name: str, says: bool) -> None:
    """Running headers, which used to name the document in every passage, are left out of the text."""
    named = SourceDocument("pdf", name, title_from_name=True)
    text = cleaned("前文。\n\n总则\n\n正文。", ("总则", 1))
    section = f"{name} > 总则\n" if says else "总则\n"
    assert [piece.prefix for piece in cut(text, named)] == [f"{name}\n", section]


def test_a_title_is_always_embedded() -> None:
    text = cleaned("前文。\n\n总则\n\n正文。", ("总则", 1))
    assert [piece.prefix for piece in cut(text)] == ["员工手册\n", "员工手册 > 总则\n"]


def test_a_long_path_is_shortened_to_its_share() -> None:
    titles = [f"{'很长的标题' * 8}{n}" for n in range(5)]
    source = "\n\n".join(titles) + "\n\n正文。"
    text = cleaned(source, *((title, level) for level, title in enumerate(titles, 1)))
    for size in (32, 100, 480):
        for piece in cut(text, size=size, overlap=0):
            assert embedder_tokens().count(piece.prefix) <= min(64, size // 4)
    assert cut(text)[0].prefix.startswith("员工手册")


def test_ids_depend_on_content_and_not_on_the_name() -> None:
    text = cleaned("正文的一句话。")
    one, other = cut(text, SourceDocument("text", "甲", True)), cut(text, SourceDocument("text", "乙", True))
    parts = "\x1f".join(["h" * 64, "1", "", "0", "正文的一句话。"])
    assert one[0].id == other[0].id == hashlib.sha256(parts.encode()).hexdigest()[:20]
    again = list(chunk(DOCUMENT, text, "x" * 64, embedder_tokens(), size=480, overlap=0))
    assert again[0].id != one[0].id


def test_pages_and_locations_of_a_chunk_over_a_page_break() -> None:
    pages = [Page(3, "上一页的句子没有写完", location={"slide": 3}), Page(4, "写完在下一页。")]
    places = Places("slides")
    for page in pages:
        places.note(page)
    (piece,) = cut(clean(pages, laid_out=False), places=places)
    assert (piece.page, piece.page_end, piece.location) == (3, 4, {"slide": 3})
    assert [(span.page, span.start, span.end) for span in piece.spans] == [(3, 0, 10), (4, 0, 7)]


def test_counts_are_those_of_the_normalised_text(counter: EmbedderTokens) -> None:
    for text in ["ISO9001 API PDF报告", "ＸＱ－２０２４", "電話號碼", "e\u0301 İstanbul ㍿", "x" * 300]:
        assert counter.count(text) == counter.count(normalise(text))
    assert counter.count("PDF报告") == counter.count("pdf报告")


@given(st.text(max_size=200))
def test_token_starts_are_places_of_the_text_in_order(text: str) -> None:
    starts = embedder_tokens().starts(text)
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)


def test_a_section_a_little_too_long_is_cut_in_the_middle() -> None:
    text = cleaned("这个句子正好有二十个字符的长度对不对呢。" * 26)
    first, second = cut(text, size=480, overlap=0)
    assert min(first.tokens, second.tokens) > 0.5 * max(first.tokens, second.tokens)

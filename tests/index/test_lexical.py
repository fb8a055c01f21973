import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index import lexical
from engine.index.library import Library
from tests.indexed import put, row_of

TEXTS = [
    "年假可以顺延至次年三月。",
    "报销须在30日内提交，见 GB/T 19001-2016。",
    "The C++ guide, v1.2 for HT-300.",
]

Search = Callable[[str], list[str]]


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library(None, dimension=8)
    yield made
    made.close()


@pytest.fixture
def found(library: Library) -> Search:
    """The texts that a question finds, best first."""
    put(library, "手册.txt", TEXTS)

    def search(question: str) -> list[str]:
        scores = lexical.search(library.db, question, library.chunk_count()).scores
        assert all(score > 0 for score in scores.values())
        ordered = sorted(scores, key=scores.__getitem__, reverse=True)
        return [library.chunks([row])[row].chunk.text for row in ordered]

    return search


def test_terms_are_bigrams_last_characters_and_whole_words() -> None:
    assert lexical.terms("年假期 ＧＢ/T19001 C++") == [
        "年假",
        "假期",
        "期",
        "gb/t19001",
        "gb",
        "t19001",
        "c++",
        "gbt19001",
    ]
    assert lexical.query_terms("年假期，年假 gb/t") == ["年假", "假期", "gb/t", "gb", "t"]
    assert lexical.query_terms("年") == ["年"]


def test_marks_alone_are_no_terms() -> None:
    assert lexical.query_terms(' "*-()：？！ _ 😀 ') == []


def test_traditional_and_full_width_find_the_same() -> None:
    assert lexical.terms("員工請假ＰＤＦ") == lexical.terms("员工请假pdf")


@pytest.mark.parametrize("character", sorted(set("年假可以顺延至次三月")))
def test_a_single_character_is_found_wherever_it_stands(found: Search, character: str) -> None:
    assert found(character) == [TEXTS[0]]


def test_a_character_outside_the_basic_plane_is_found(library: Library) -> None:
    put(library, "字.txt", ["姓名𠮷田，㐂寿司", "普通"])
    for question in ("𠮷", "𠮷田", "㐂"):
        rows = lexical.search(library.db, question, 2).scores
        assert list(rows) == [row_of(library, "姓名𠮷田，㐂寿司")], question


@pytest.mark.parametrize(
    ("question", "text"),
    [("GB/T 19001-2016", 1), ("19001", 1), ("c++", 2), ("V1.2", 2), ("ht-300", 2), ("300", 2), ("guide", 2)],
)
def test_names_with_marks_are_found_whole_and_in_parts(found: Search, question: str, text: int) -> None:
    assert found(question)[0] == TEXTS[text]


@pytest.mark.parametrize(
    "question",
    [
        '"顺延', '顺延"', '""', "顺延*", "顺延 NEAR(次年, 3)", "NOT 顺延", "顺延 AND 次年",
        "body:顺延", "-顺延", "^顺延",
        "（顺延）", "((顺延", "顺延😀", "＂顺延＂", "＊顺延",
        "{body heading}:顺延", "顺延;DROP TABLE terms", "'顺延''", "顺延 + 次年",
    ],
)  # fmt: skip
def test_operators_in_a_question_are_plain_text(found: Search, question: str) -> None:
    expected = [TEXTS[0]] if "顺延" in question else []
    assert found(question) == expected


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60) | st.text(st.sampled_from("顺延aＡ1 \"*-():+^{}.%_/\\NEARORND'\u0301ß"), max_size=30)
)
def test_no_question_is_an_error(question: str) -> None:
    library = Library(None, dimension=8)
    put(library, "a.txt", ["顺延的文字 near or and not 1a"])
    lexical.search(library.db, question, 1)
    lexical.document_frequency(library.db, lexical.query_terms(question))
    library.close()


def test_a_document_is_found_by_every_term_of_its_own_text(found: Search) -> None:
    for text in TEXTS:
        for term in lexical.query_terms(text):
            assert text in found(term), term


def test_body_counts_more_than_heading_and_heading_more_than_name(library: Library) -> None:
    put(library, "甲.txt", ["无关的文字"], title="顺延")
    put(library, "乙.txt", ["顺延"], title="无关的文字")
    put(library, "顺延.txt", ["无关的文字"], title="丙")
    for number in range(9):
        put(library, f"{number}.txt", ["别的事情"], title="丁")
    scores = lexical.search(library.db, "顺延", library.chunk_count()).scores
    order = [library.chunks([row])[row].document for row in sorted(scores, key=lambda row: -scores[row])]
    assert order == ["乙.txt", "甲.txt", "顺延.txt"]


def test_moments_count_the_chunks_without_the_term() -> None:
    scores = lexical.LexicalScores({4: 2.0, 9: 1.0}, 10)
    assert scores.moments() == (10, 3.0, 5.0)


def test_document_frequency_counts_chunks(library: Library) -> None:
    put(library, "a.txt", ["顺延与顺延", "顺延", "其他"])
    assert lexical.document_frequency(library.db, ["顺延", "其", 'a"b']) == {"顺延": 2, "其": 1, 'a"b': 0}
    assert lexical.document_frequency(library.db, ["顺延", "其"], most=1) == {"顺延": 1, "其": 1}


def test_where_all_terms_are_common_the_least_common_decide(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(library, "各种.txt", ["常见的沙子", *["泥土，常见"] * 4])
    monkeypatch.setattr(lexical, "_LARGE", 1)
    monkeypatch.setattr(lexical, "_FEWEST", 2)
    monkeypatch.setattr(lexical, "_MOST", 3)  # 常见 (5) and 泥土 (4) are both counted to four at first
    assert len(lexical.search(library.db, "常见泥土", 5).scores) == 4


def test_removed_chunks_are_found_no_more_and_leave_no_term(tmp_path: Path) -> None:
    library = Library(tmp_path, dimension=8)
    put(library, "a.txt", ["年假顺延"], title="标题", section=("章节",))
    folder_id = library.folder_id(next(iter(library.folders().values())))
    library.remove_file(folder_id, "a.txt")
    for question in ("顺延", "标题", "章节", "txt"):
        assert not lexical.search(library.db, question, 1).scores
    for _ in library.cleaning():
        pass
    blocks = library.db.execute("SELECT block FROM terms_data").fetchall()
    assert not any("顺延".encode() in block for (block,) in blocks)
    library.close()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("国办发[2023]12号", "依据国办发〔2023〕12号文件执行"),
        ("国办发（２０２３）12号说了什么", "依据国办发〔2023〕12号文件执行"),
        ("GB/T19001", "质量体系见 GB/T 19001-2016 的要求"),
        ("GBT 19001-2016", "质量体系见 GB/T 19001-2016 的要求"),
        ("HT300 的电压", "型号 HT-300 的电压为 12 V"),
        ("第320条怎么规定", "第三百二十条 当事人应当履行"),
        ("第三百二十条怎么规定", "第320条 当事人应当履行"),
        ("第一百零五条之一", "第105条之1 补充规定"),
        ("2023年的收入", "二〇二三年的收入为八百万元"),
        ("1000000元", "注册资本为1,000,000元"),
    ],
)
def test_designations_are_found_in_whatever_way_they_are_written(
    library: Library, question: str, text: str
) -> None:
    near = [f"第三百二十{numeral}条 另有规定" for numeral in "一二三四五六"]
    near += ["国办发〔2022〕21号文件", "GB/T 24001-2016 的要求", "型号 HT-301", "第32条 第105页"]
    near += ["二〇二二年的收入", "注册资本为2,000,000元"]
    put(library, "a.txt", [text, *near])
    scores = lexical.search(library.db, question, len(near) + 1).scores
    assert max(scores, key=scores.__getitem__) == row_of(library, text)


def test_a_latin_word_finds_longer_forms_of_itself(library: Library) -> None:
    put(library, "a.txt", ["Two reports were filed", "The reporter left", "Annual report", "porter"])
    for question in ("report", "reports", "REPORTS"):
        assert len(lexical.search(library.db, question, 4).scores) == 3, question
    assert list(lexical.search(library.db, "port", 4).scores) == []


SENTENCES = [
    "公司员工每年可以享受十天带薪年休假，当年未休完的可以顺延至次年三月底。",
    "公司员工每年可以享受的培训不少于十天，培训记录由人事部门保存至少三年。",
    "差旅报销单须在返回后10个工作日内提交财务部，逾期不予受理。",
    "The warranty covers rechargeable batteries for nine months after delivery.",
    "The warranty does not cover batteries; delivery of chargers takes nine months.",
    "依据GB/T 19001-2016（第7.5条），文件须编号、受控并注明版本v1.2。",
]
PASSAGE = "".join(f"{n}号{text}" for n, text in enumerate(SENTENCES))
PIECES = re.findall(r"[\u4e00-\u9fff]|[^\u4e00-\u9fff\s]+\s*", PASSAGE)


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize(
    "typed",
    [
        lambda text: text,
        lambda text: text.rstrip("。.") + "？",
        lambda text: text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
        lambda text: text.upper(),
        lambda text: " ".join(text),
        lambda text: "“" + text.replace("，", ",\n") + "”",
    ],
    ids=["as it is", "as a question", "full-width", "capitals", "spaced", "quoted"],
)
def test_a_sentence_typed_as_a_question_finds_its_passage_first(
    library: Library, sentence: str, typed: Callable[[str], str]
) -> None:
    put(library, "a.txt", SENTENCES)
    # Passages that say its words more often than it does.
    halves = [half * 3 for text in SENTENCES for half in (text[: len(text) // 2], text[len(text) // 2 :])]
    put(library, "b.txt", halves)
    scores = lexical.search(library.db, typed(sentence), library.chunk_count()).scores
    assert max(scores, key=scores.__getitem__) == row_of(library, sentence)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(PIECES) - 12), st.integers(12, 40))
def test_any_piece_of_a_passage_finds_that_passage_first(start: int, length: int) -> None:
    library = Library(None, dimension=8)
    put(library, "a.txt", [PASSAGE, *(text[:10] * 4 for text in SENTENCES)])
    scores = lexical.search(library.db, "".join(PIECES[start : start + length]), library.chunk_count()).scores
    assert max(scores, key=scores.__getitem__) == row_of(library, PASSAGE)
    library.close()


@pytest.mark.parametrize(
    "question", ["顺延\0", "\0", "顺延" * 5_000, "😀" * 99, "[a-z]+(顺延)$\\", "Отпуск 顺延 休"]
)
def test_odd_questions_are_searched_for_what_they_hold(found: Search, question: str) -> None:
    assert found(question) == ([TEXTS[0]] if "顺延" in question else [])


def test_one_giant_repeated_page_is_searched(library: Library) -> None:
    put(library, "大.txt", ["年假可以顺延。" * 20_000])
    assert len(lexical.search(library.db, "年假可以顺延吗", 1).scores) == 1


def test_an_empty_index_and_one_chunk_answer() -> None:
    library = Library(None, dimension=8)
    assert lexical.search(library.db, "顺延", 0).scores == {}
    put(library, "a.txt", ["顺延"])
    assert len(lexical.search(library.db, "顺延", 1).scores) == 1
    library.close()


def test_a_large_library_is_looked_through_by_the_rarest_terms(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(library, "各种.txt", ["稀有的矿石常见于此", "常见的沙子", "常见的泥土", "常见的石头"])
    everything = lexical.search(library.db, "稀有常见", 4).scores
    monkeypatch.setattr(lexical, "_LARGE", 1)
    monkeypatch.setattr(lexical, "_FEWEST", 1)
    monkeypatch.setattr(lexical, "_MOST", 3)
    best = lexical.search(library.db, "稀有常见", 4).scores
    assert (len(everything), len(best)) == (4, 1)
    (row,) = best
    assert best[row] == pytest.approx(everything[row])
    assert row == max(everything, key=everything.__getitem__)

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

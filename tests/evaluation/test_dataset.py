import json
from pathlib import Path
from typing import Any

import pytest

from engine.answer import retrieval
from engine.config import Settings
from engine.errors import NotReadable, WrongUse
from engine.evaluation import dataset
from engine.evaluation.dataset import Question, index_corpus, read_questions
from engine.jsonlines import read_objects
from tests.fakes import FakeEmbedder


def lines(tmp_path: Path, *objects: Any) -> Path:
    file = tmp_path / "题目.jsonl"
    file.write_text("".join(json.dumps(o, ensure_ascii=False) + "\n" for o in objects), encoding="utf-8")
    return file


def test_the_long_form(tmp_path: Path) -> None:
    file = lines(
        tmp_path,
        {"qid": "q1", "question": "何时？", "answers": ["三月", "次年三月"], "document": "a.pdf", "page": 3},
        {"qid": 2, "question": "谁？", "doc_id": "d1", "doc_ids": ["d1", "d2"], "answerable": True},
        {
            "qid": "q3",
            "question": "没有的",
            "answers": [],
            "document": None,
            "page": None,
            "answerable": False,
        },
    )
    assert read_questions(file) == [
        Question("q1", "何时？", ("三月", "次年三月"), frozenset({"a.pdf"}), (3,)),
        Question("2", "谁？", (), frozenset({"d1", "d2"})),
        Question("q3", "没有的", answerable=False),
    ]


def test_the_short_form_names_part_of_a_file_name(tmp_path: Path) -> None:
    (question,) = read_questions(lines(tmp_path, {"question": "年假？", "expected_source": "年假"}))
    assert (question.qid, question.answerable, question.source_part) == ("1", True, "年假")
    assert question.is_right("制度/年假办法.pdf")
    assert not question.is_right("报销.pdf")


def test_documents_are_right_by_path_by_name_or_by_name_without_suffix() -> None:
    question = Question("1", "?", documents=frozenset({"年假.pdf", "d7", "REPORT_2022"}))
    right = ("年假.pdf", "子/年假.pdf", "d7", "报/REPORT_2022.pdf")
    assert [question.is_right(d) for d in (*right, "新年假.pdf", "d77", "REPORT_2022_b.pdf")] == [
        True, True, True, True, False, False, False,
    ]  # fmt: skip


def test_evidence_counts_where_it_is_word_for_word(tmp_path: Path) -> None:
    file = lines(
        tmp_path,
        {"question": "一", "evidence": ["甲句。", " ", "乙句。"], "pages": [5, 6]},
        {"question": "二", "evidence": ["别的话。"], "evidence_verbatim": False},
        {"question": "三", "evidence": "一句。", "answers": "三月"},
    )
    assert [(q.evidence, q.pages, q.answers) for q in read_questions(file)] == [
        (("甲句。", "乙句。"), (5, 6), ()),
        ((), (), ()),
        (("一句。",), (), ("三月",)),
    ]


def test_a_field_of_the_wrong_kind_is_named_with_its_line(tmp_path: Path) -> None:
    file = lines(tmp_path, {"question": "一"}, {"question": "二", "answers": {"a": "三月"}})
    with pytest.raises(WrongUse, match=r"题目\.jsonl:2: answers"):
        read_questions(file)


def test_a_byte_order_mark_blank_lines_and_odd_separators(tmp_path: Path) -> None:
    file = tmp_path / "题目.jsonl"
    file.write_bytes(
        "\ufeff".encode() + '{"question": "一\u2028二\x85"}\r\n\n  \n{"question": "三"}'.encode()
    )
    assert [question.question for question in read_questions(file)] == ["一\u2028二\x85", "三"]


@pytest.mark.parametrize("line", [b"[1]", b"text", b'{"a": 1', b'"\xff"'])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "坏.jsonl"
    file.write_bytes(b'{"question": "a"}\n' + line + b"\n")
    with pytest.raises(WrongUse, match=r"坏\.jsonl:2"):
        list(read_objects(file))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotReadable):
        read_questions(tmp_path / "没有.jsonl")


CORPUS = (
    {"doc_id": "d1", "title": "年假", "text": "年假可以顺延至次年三月。"},
    {"doc_id": 2, "text": "报销须在三十日内提交。"},
    {"doc_id": "d3", "title": "年假", "text": "留出的文档。"},
)


def test_a_corpus_becomes_a_library_without_what_is_left_out(tmp_path: Path) -> None:
    embedder, done = FakeEmbedder(), []
    library = index_corpus(lines(tmp_path, *CORPUS), embedder, Settings(), ["d3"], done.append)
    assert [(s.document, s.title, s.chunk.prefix, s.chunk.text) for s in library.all_chunks()] == [
        ("d1", "年假", "年假\n", "年假可以顺延至次年三月。"),
        ("2", "2", "2\n", "报销须在三十日内提交。"),
    ]
    assert len(library.store) == 2
    assert done == [1, 2]
    (hit, *_) = retrieval.search("年假顺延", [library], embedder, Settings(), 5)
    assert (hit.document, hit.library) == ("d1", "corpus")
    library.close()


def test_a_corpus_without_an_embedder_is_searched_by_words(tmp_path: Path) -> None:
    library = index_corpus(lines(tmp_path, *CORPUS), None, Settings())
    (hit, *_) = retrieval.search("报销", [library], None, Settings(), 5)
    assert (hit.document, hit.dense) == ("2", None)
    library.close()


@pytest.mark.parametrize("item", [{"doc_id": "a"}, {"text": "a"}])
def test_a_corpus_line_without_text_or_id_is_wrong_use(tmp_path: Path, item: dict[str, str]) -> None:
    with pytest.raises(WrongUse, match="doc_id, text"):
        index_corpus(lines(tmp_path, item), None, Settings())


def test_the_sample_questions_are_as_many_as_promised() -> None:
    import resources

    file = Path(resources.__file__).parent / "sample_questions.jsonl"
    questions = dataset.read_questions(file)
    assert (len(questions), sum(not q.answerable for q in questions)) == (25, 8)
    assert all(q.answers and q.documents for q in questions if q.answerable)

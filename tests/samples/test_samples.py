"""The sample library and its questions: every promised answer is there, every missing one is missing."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from tests.samples import make_samples

SAMPLES = make_samples.SAMPLES
QUESTIONS_FILE = SAMPLES.parent / "sample_questions.jsonl"
KEYS = ("qid", "question", "answers", "document", "page", "answerable", "kind")
GBK_DOCUMENT = "HT-310立项评审会议纪要.txt"
FORMATS = {".pdf": 3, ".docx": 2, ".md": 3, ".html": 1, ".txt": 2}
PAGE_LABELS = {"HT-300系列激光测距仪产品手册.pdf": ["i", "ii", "1", "2", "3"]}
PAGE_COUNTS = {
    "差旅报销管理办法.pdf": 3,
    "HT-300系列激光测距仪产品手册.pdf": 5,
    "2025年第三季度经营报告-英文版.pdf": 2,
}

# What a document would have to say to answer the question; patterns for lower-case text.
ABSENT_FACTS = {
    "公司羽毛球俱乐部每周哪天活动？": "羽毛球|俱乐部",
    "自驾出差的话，每公里给多少油费补贴？": "每公里|元/公里|油费|里程补贴",
    "HT-305 激光测距仪整机有多重？": r"重量|净重|毛重|重约|整机重|\d+(?:\.\d+)?(?:g(?![a-z])|kg|克)",
    "电路板采购框架合同发生争议，约定由哪里的法院管辖？": "法院|仲裁|管辖|诉讼",
    "公司食堂早餐几点开始供应？": "食堂|早餐|餐厅",
    "公司给员工缴纳住房公积金的比例是多少？": "公积金",
    "衡汀仪器的股票代码是多少？": "股票|上市公司|证券|stockcode|ticker",
    "Who is the chief executive officer of Hengting Instruments?": r"chief ?executive|\bceo\b|首席执行官",
}
# The document a near miss is about, and a word that shows it.
NEAR_MISS_SUBJECTS = {
    "自驾出差的话，每公里给多少油费补贴？": ("差旅报销管理办法.pdf", "自驾出差"),
    "HT-305 激光测距仪整机有多重？": ("HT-300系列激光测距仪产品手册.pdf", "HT-305"),
    "电路板采购框架合同发生争议，约定由哪里的法院管辖？": ("电路板采购框架合同摘要.docx", "发生争议"),
}


def fold(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).casefold()


def documents() -> list[str]:
    return sorted(path.name for path in SAMPLES.iterdir() if path.suffix != ".jsonl")


@cache
def page_texts(name: str) -> tuple[str, ...]:
    """The text of each page; one page for formats without pages."""
    path = SAMPLES / name
    match path.suffix:
        case ".pdf":
            import pymupdf

            with pymupdf.open(path) as document:
                return tuple(page.get_text() for page in document)
        case ".docx":
            import docx

            pieces = []
            for item in docx.Document(str(path)).iter_inner_content():
                cells = (
                    [cell.text for row in item.rows for cell in row.cells] if hasattr(item, "rows") else []
                )
                pieces.extend(cells or [item.text])
            return ("\n".join(pieces),)
        case ".html":
            soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            return (soup.get_text("\n"),)
        case _:
            return (path.read_text(encoding="gbk" if name == GBK_DOCUMENT else "utf-8"),)


def whole_library() -> tuple[str, str]:
    """All text without blanks (a word may break at a line end), and with them (words stay apart)."""
    text = "\n".join(text for name in documents() for text in page_texts(name))
    return fold(text), unicodedata.normalize("NFKC", text).casefold()


def load_questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUESTIONS_FILE.read_text(encoding="utf-8").splitlines()]


QUESTIONS = load_questions()
ANSWERABLE = [q for q in QUESTIONS if q["answerable"]]
UNANSWERABLE = [q for q in QUESTIONS if not q["answerable"]]


def qid(question: dict[str, Any]) -> str:
    return str(question["qid"])


def test_library_holds_documents_and_questions_only() -> None:
    assert Counter(Path(name).suffix for name in documents()) == FORMATS
    assert not [path for path in SAMPLES.iterdir() if path.is_dir()]


@pytest.mark.parametrize("name", documents())
def test_document_is_short_and_small(name: str) -> None:
    length = len(re.sub(r"\s", "", "".join(page_texts(name))))
    assert 400 <= length <= 2500
    assert (SAMPLES / name).stat().st_size < 150_000


def test_counts_of_questions() -> None:
    assert len(QUESTIONS) == 25
    assert len(ANSWERABLE) == 17
    assert Counter(q["kind"] for q in QUESTIONS) == {"fact": 17, "near_miss": 3, "absent": 5}
    assert [q["qid"] for q in QUESTIONS] == [f"q{number:02}" for number in range(1, 26)]
    assert len({q["question"] for q in QUESTIONS}) == 25


def test_first_three_questions_suit_the_demonstration() -> None:
    first, second, third = QUESTIONS[:3]
    for question in (first, second):
        assert question["answerable"]
        assert question["document"].endswith(".pdf")
        assert re.search(r"[\u4e00-\u9fff]", question["question"])
    assert not third["answerable"]


def test_every_document_is_asked_about() -> None:
    assert {q["document"] for q in ANSWERABLE} == set(documents())


def test_english_questions_are_about_the_english_documents() -> None:
    english = [q for q in ANSWERABLE if not re.search(r"[\u4e00-\u9fff]", q["question"])]
    assert len(english) == 3
    assert all("英文" in q["document"] for q in english)


def test_questions_reach_different_pages_of_each_pdf() -> None:
    for name, least in {"差旅报销管理办法.pdf": 3, "HT-300系列激光测距仪产品手册.pdf": 3}.items():
        assert len({q["page"] for q in ANSWERABLE if q["document"] == name}) >= least


@pytest.mark.parametrize("question", QUESTIONS, ids=qid)
def test_question_has_the_agreed_fields(question: dict[str, Any]) -> None:
    assert tuple(question) == KEYS
    assert question["answerable"] == (question["kind"] == "fact") == bool(question["answers"])
    if not question["answerable"]:
        assert question["document"] is None
        assert question["page"] is None


@pytest.mark.parametrize("question", ANSWERABLE, ids=qid)
def test_answer_is_on_the_named_page(question: dict[str, Any]) -> None:
    assert (SAMPLES / question["document"]).is_file()
    pages = page_texts(question["document"])
    page = fold(pages[question["page"] - 1])
    for answer in question["answers"]:
        assert fold(answer) in page
    elsewhere = [number for number, text in enumerate(pages, 1) if fold(question["answers"][0]) in fold(text)]
    assert elsewhere == [question["page"]], "the answer must point to one page of its document"


@pytest.mark.parametrize("question", UNANSWERABLE, ids=qid)
def test_unanswerable_fact_is_nowhere_in_the_library(question: dict[str, Any]) -> None:
    assert question["question"] in ABSENT_FACTS
    searched = re.compile(ABSENT_FACTS[question["question"]])
    for text in whole_library():
        assert not searched.search(text)


@pytest.mark.parametrize("question", [q for q in UNANSWERABLE if q["kind"] == "near_miss"], ids=qid)
def test_near_miss_is_about_something_the_library_covers(question: dict[str, Any]) -> None:
    name, word = NEAR_MISS_SUBJECTS[question["question"]]
    assert word in "".join(page_texts(name))


@pytest.mark.parametrize("name", list(PAGE_COUNTS))
def test_pdf_pages_labels_and_fonts(name: str) -> None:
    import pymupdf

    with pymupdf.open(SAMPLES / name) as document:
        assert len(document) == PAGE_COUNTS[name]
        labels = [page.get_label() for page in document]
        assert labels == PAGE_LABELS.get(name, [""] * len(document))
        embedded = {font[1] for page in document for font in page.get_fonts()}
        assert embedded == {"otf"}
        assert document.metadata["title"]
        for page, label in zip(document, labels, strict=True):
            assert page.get_text().rstrip().endswith(label or f"{page.number + 1} / {len(document)}")


@pytest.mark.parametrize("name", list(PAGE_COUNTS))
def test_pdf_text_is_the_source_text(name: str) -> None:
    """The embedded character map is right: each character comes back as it was written, before any NFKC."""
    source = (make_samples.SOURCES / f"{name}.txt").read_text(encoding="utf-8")
    blocks = make_samples.parse(source)
    written = [
        text.replace("**", "") for b in blocks for text in (b.text, *(c for row in b.rows for c in row))
    ]
    title = next(block.text for block in blocks if block.kind == "h1")
    read = []
    for text in page_texts(name):
        lines = text.rstrip().splitlines()
        assert lines[-2] == title  # the foot of the page: title, then number
        read.extend(lines[:-2])
    plain = re.sub(r"[\s•]", "", "".join(read))
    assert plain == re.sub(r"\s", "", "".join(written))


@pytest.mark.parametrize("job", make_samples.DOCX_JOBS, ids=lambda job: job.name)
def test_docx_text_is_the_source_text(job: make_samples.DocxJob) -> None:
    source = (make_samples.SOURCES / f"{job.name}.docx.txt").read_text(encoding="utf-8")
    blocks = make_samples.parse(source)
    written = [
        text.replace("**", "") for b in blocks for text in (b.text, *(c for row in b.rows for c in row))
    ]
    assert fold("".join(page_texts(f"{job.name}.docx"))) == fold("".join(written))


@pytest.mark.parametrize("job", make_samples.DOCX_JOBS, ids=lambda job: job.name)
def test_docx_is_made_the_same_twice(job: make_samples.DocxJob) -> None:
    assert make_samples.make_docx(job) == make_samples.make_docx(job)


def test_gbk_document_is_the_source_and_not_utf8() -> None:
    data = (SAMPLES / GBK_DOCUMENT).read_bytes()
    assert data == make_samples.make_gbk(make_samples.GBK_JOBS[0])
    with pytest.raises(UnicodeDecodeError):
        data.decode("utf-8")


def test_pdf_is_made_the_same_twice() -> None:
    pytest.importorskip("fontTools", reason="fontTools makes the PDFs; the repository carries them ready")
    font_dir = make_samples.find_font_dir()
    if font_dir is None:
        pytest.skip("Noto Sans CJK is not installed")
    job = make_samples.PDF_JOBS[-1]
    assert make_samples.make_pdf(job, font_dir) == make_samples.make_pdf(job, font_dir)

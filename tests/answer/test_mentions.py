from collections.abc import Iterator

import pytest

from engine.answer import mentions
from engine.index.library import Library
from tests.builders import memory_library

TEXTS = {
    "员工手册.pdf": "年假十天。",
    "合同/采购.docx": "违约金为千分之三。",
    "销售合同.docx": "违约金为千分之五。",
    "2023年度报告.md": "收入八百万元。",
    "Employee Handbook.pdf": "Annual leave is ten days.",
    "杂记.txt": "中国的历史。",
}


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    made = memory_library(TEXTS)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "filter_text"),
    [
        ("《员工手册》中年假有几天？", "员工手册"),
        ("根据《员工手册》，年假有几天？", "员工手册"),
        ("在员工手册里年假有几天？", "员工手册"),
        ("在合同里违约金是多少？", "合同"),
        ("員工手冊這份文件怎么说年假？", "员工手册"),
        ("2023 年的报告里收入是多少？", "2023"),
        ("How many days of leave are granted in the handbook?", "handbook"),
        ("According to the employee handbook, how long is annual leave?", "employee handbook"),
    ],
)
def test_a_document_that_is_named_is_chosen(library: Library, question: str, filter_text: str) -> None:
    found = mentions.understood(question, [library])
    assert found is not None
    assert str(found) == filter_text


@pytest.mark.parametrize(
    "question",
    [
        "年假有几天？",
        "在中国历史里谁最有名？",
        "在公司内部怎么请假？",
        "《红楼梦》中谁最有名？",
        "《员工手册》的作者是谁？",
        "在保险合同中违约金是多少？",
        "2019年的收入是多少？",
        "Who lives in the house?",
        "PDF 文件怎么打印？",
        "",
        "《》",
        "在[a-z]*合同(里",
    ],
)
def test_what_is_not_said_in_so_many_words_chooses_nothing(library: Library, question: str) -> None:
    assert mentions.understood(question, [library]) is None


def test_a_format_that_all_documents_have_chooses_nothing() -> None:
    library = memory_library({"a.pdf": "年假", "b.pdf": "病假"}, kind="pdf")
    assert mentions.understood("PDF 里年假有几天？", [library]) is None
    library.db.execute("UPDATE documents SET kind = 'sheet', path = 'b.xlsx' WHERE path = 'b.pdf'")
    chosen = mentions.understood("PDF 里年假有几天？", [library])
    assert chosen is not None and chosen.types == ("pdf",)
    library.close()

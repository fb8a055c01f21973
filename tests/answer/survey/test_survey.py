"""A question about all documents from its words to the table."""

from collections.abc import Iterator

import pytest

from engine.answer.survey import reading
from engine.answer.survey.table import markdown
from engine.answer_events import AnswerFinished, SourcesFound, SurveyRow
from engine.answers import Answer
from engine.cancel import CancelToken
from engine.config import Settings
from engine.events import Event, Notice, StepProgress
from engine.index.library import Library
from engine.pipeline import ask
from tests.builders import answer_of, events_of, memory_library
from tests.fakes import FakeEmbedder, FakeGenerator

TEXTS = {
    "采购合同.pdf": "甲公司采购合同。\n本合同总金额为人民币120万元。签订日期：2023年5月1日。",
    "租赁合同.pdf": "乙公司租赁合同。合同金额：800,000元。违约金为合同金额的5%。签订日期为2024年2月3日。",
    "服务合同.docx": "丙公司服务合同。\n合同金额另行商定。",
    "采购发票.pdf": "发票。金额：300元。",
    "访客.md": "访客须在前台登记。",
}
AMOUNTS = "所有合同的金额分别是多少？"


@pytest.fixture
def library() -> Iterator[Library]:
    made = memory_library(TEXTS)
    yield made
    made.close()


def cells(answer: Answer) -> list[tuple[str, str]]:
    assert answer.table is not None
    return [row.cells[:2] for row in answer.table.rows]  # type: ignore[misc]


def test_every_document_is_read_and_each_that_says_something_is_a_cited_row(library: Library) -> None:
    answer = answer_of(AMOUNTS, [library])
    assert cells(answer) == [("租赁合同.pdf", "800,000元"), ("采购合同.pdf", "人民币120万元")]
    table = answer.table
    assert table is not None
    assert (table.read, table.of, table.documents, table.chosen, table.count) == (5, 5, 5, "all", 2)
    assert table.columns == ("文件", "金额", "原句")
    for row in table.rows:
        (citation,) = [each for each in answer.citations if each.number in row.citations]
        assert (citation.document, citation.quote) == (row.cells[0], row.cells[2])
    assert "800,000元[1]" in answer.text
    assert not answer.refused


def test_progress_and_rows_are_told_while_it_reads(library: Library) -> None:
    events = events_of(AMOUNTS, [library])
    progress = [(event.done, event.total) for event in events if isinstance(event, StepProgress)]
    assert progress == [(done, 5) for done in range(1, 6)]
    found = {event.citation.document for event in events if isinstance(event, SurveyRow)}
    assert found == {"采购合同.pdf", "租赁合同.pdf"}
    assert isinstance(events[0], SourcesFound)


def test_a_count_counts_documents_that_are_what_is_asked_for(library: Library) -> None:
    answer = answer_of("一共有多少份合同？", [library])
    assert [name for name, _ in cells(answer)] == ["服务合同.docx", "租赁合同.pdf", "采购合同.pdf"]
    assert "有依据的 3 份" in answer.text


def test_a_sum_names_and_cites_its_addends(library: Library) -> None:
    answer = answer_of("所有合同的金额合计是多少？", [library])
    assert answer.table is not None
    (total,) = answer.table.totals
    assert (total.unit, total.value, total.addends) == ("元", "2000000", (1, 2))
    assert "合计 2000000 元：800,000元[1] + 人民币120万元[2]" in answer.text


def test_a_mention_is_a_row_with_its_sentence(library: Library) -> None:
    assert cells(answer_of("哪些文件提到了违约金？", [library])) == [
        ("租赁合同.pdf", "违约金为合同金额的5%。")
    ]


def test_only_the_chosen_documents_are_read(library: Library) -> None:
    answer = answer_of(AMOUNTS, [library], documents=frozenset({"采购合同.pdf", "访客.md"}))
    assert answer.table is not None
    assert (answer.table.read, answer.table.of, answer.table.documents) == (2, 2, 2)
    assert [name for name, _ in cells(answer)] == ["采购合同.pdf"]


def test_what_no_document_says_is_told_and_answered_as_any_question(library: Library) -> None:
    events = events_of("所有合同的仲裁机构是什么？", [library])
    notice = next(event for event in events if isinstance(event, Notice))
    assert (notice.code, notice.params) == ("survey_found_nothing", {"read": 5, "of": 5})
    last = events[-1]
    assert isinstance(last, AnswerFinished)
    assert last.answer.table is not None
    assert last.answer.table.rows == ()


def test_the_limit_of_documents_is_said(library: Library) -> None:
    answer = answer_of("哪些文件提到了金额？", [library], settings=Settings(survey_documents=4))
    assert answer.table is not None
    assert (answer.table.read, answer.table.of) == (4, 5)
    assert "读了 5 份文件中的 4 份" in answer.text
    assert "上限" in answer.text


def test_it_can_be_switched_off(library: Library) -> None:
    assert answer_of(AMOUNTS, [library], settings=Settings(survey=False)).table is None


def stopped_after(count: int, library: Library, token: CancelToken) -> list[Event]:
    """The events of a question that is stopped once it has read ``count`` documents."""
    found: list[Event] = []
    steps = ask(
        7, AMOUNTS, [library], embedder=FakeEmbedder(), load_generator=lambda: None,
        settings=Settings(), token=token,
    )  # fmt: skip
    for event in steps:
        found += [] if event is None else [event]
        if isinstance(event, StepProgress) and event.done == count:
            token.cancel()
        if isinstance(event, AnswerFinished):
            break
    return found


def test_stop_keeps_the_rows_so_far_and_says_so(library: Library) -> None:
    last = stopped_after(3, library, CancelToken())[-1]
    assert isinstance(last, AnswerFinished)
    answer = last.answer
    assert answer.stopped
    assert answer.table is not None
    assert (answer.table.read, answer.table.of) == (3, 5)
    assert answer.table.rows
    assert "中途停止" in answer.text


def test_a_chat_model_reads_all_documents_where_they_are_few(library: Library) -> None:
    table = answer_of(AMOUNTS, [library], generator=FakeGenerator("无")).table
    assert table is not None
    assert (table.read, table.of, table.documents) == (5, 5, 5)


def test_a_chat_model_reads_the_likely_documents_and_each_line_is_checked(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FEW", 0)

    class Reader(FakeGenerator):
        """Copies the amount of one contract, invents that of another and finds none in the third."""

        def __init__(self) -> None:
            super().__init__("")
            self.asked: list[str] = []

        def generate(self, messages, **options):  # type: ignore[no-untyped-def]
            text = messages[1]["content"]
            self.asked.append(text)
            self.replies = ["120万元" if "120" in text else "无" if "另行" in text else "900万元"]
            return super().generate(messages, **options)

    generator = Reader()
    answer = answer_of(AMOUNTS, [library], generator=generator)
    table = answer.table
    assert table is not None
    found = {row.cells[0]: (row.cells[1], row.verdict) for row in table.rows}
    assert found == {"采购合同.pdf": ("120万元", "supported"), "租赁合同.pdf": ("900万元", "unsupported")}
    assert (table.count, table.read, table.of, table.documents) == (1, 3, 3, 5)
    assert table.chosen == "retrieved"
    assert (answer.model, answer.prompt) == ("fake-chat", "survey-1")
    assert "未核实" in answer.text
    assert not any("访客须" in text for text in generator.asked)


def test_the_same_question_gives_the_same_table_whatever_the_order_of_indexing() -> None:
    backwards = memory_library(dict(reversed(TEXTS.items())))
    forwards = memory_library(TEXTS)
    assert answer_of(AMOUNTS, [backwards]).text == answer_of(AMOUNTS, [forwards]).text


def test_a_table_in_markdown_keeps_bars_and_breaks_inside_their_cells() -> None:
    made = memory_library({"合同|一.pdf": "采购合同。金额：3元 | 含税。"})
    table = answer_of(AMOUNTS, [made]).table
    assert table is not None
    lines = markdown(table)
    assert lines[:2] == ["| 文件 | 金额 | 原句 |  |", "| --- | --- | --- | --- |"]
    assert lines[2] == r"| 合同\|一.pdf | 3元 | 金额：3元 \| 含税。 | [1] |"

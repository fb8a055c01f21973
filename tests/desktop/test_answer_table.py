"""Answers about all documents: rows as they are found, the table in the end, Stop, copies."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from desktop import languages
from desktop.ask import answer_table, table_copy
from desktop.ask.cited_text import LINK
from engine.answer_events import AnswerFinished, SurveyRow
from engine.answers import TableRow
from engine.commands import AskQuestion, StopTask
from engine.events import Notice, StepProgress, TaskFailed, TaskStopped
from tests.desktop import sample_content, sample_table
from tests.desktop.conftest import process_events_until
from tests.desktop.test_answer_view import chip_position

QUESTION = "所有合同的金额分别是多少？一共多少？"


def found(task: int, count: int) -> list:
    """What a survey says that has read ``count`` of six documents, each with a row."""
    events: list = []
    for done, (row, citation) in enumerate(sample_table.rows()[:count], 1):
        events += [SurveyRow(task, row, citation), StepProgress(task, "progress_survey", done, 6)]
    return events


def shown(opened):
    return opened.turns[-1].answer_table


def wait_for_rows(qtbot, opened, count: int) -> None:
    qtbot.waitUntil(lambda: f"目前{count}行" in shown(opened).summary_label.text())
    qtbot.waitUntil(lambda: f"[{count}]" in shown(opened).text.toPlainText())


def test_rows_appear_while_the_documents_are_read(qtbot, opened):
    task = opened.ask(QUESTION)
    assert not shown(opened).isVisible()
    opened.engine.emit(StepProgress(task, "progress_survey", 0, 6))
    qtbot.waitUntil(lambda: shown(opened).isVisible())
    opened.engine.emit(*found(task, 2))
    wait_for_rows(qtbot, opened, 2)
    view = shown(opened)
    assert view.summary_label.text() == "已读2/6份文件 · 目前2行"
    assert (view.bar.value(), view.bar.maximum(), view.bar.isVisible()) == (2, 6, True)
    assert view.bar.accessibleName() == "已读文件"
    assert opened.turns[-1].status_label.text() == "正在逐份阅读文件…"
    assert "62,500 元" in view.text.toPlainText()


def test_a_row_that_was_found_on_the_way_opens_its_own_page(qtbot, opened):
    opened_sources = []
    opened.controller.ask.source_opened.connect(opened_sources.append)
    task = opened.ask(QUESTION)
    opened.engine.emit(*found(task, 2))
    wait_for_rows(qtbot, opened, 2)
    shown(opened).text.citation_clicked.emit(2)
    assert [source.document for source in opened_sources] == [sample_table.CONTRACTS[1][0]]


def test_the_table_in_the_end_takes_the_place_of_the_rows_and_of_the_text(opened):
    task = opened.ask(QUESTION)
    opened.answer(*found(task, 4), sample_table.answer())
    view, turn = shown(opened), opened.turns[-1]
    assert view.summary_label.text() == (
        "已读6/6份文件 · 有依据3行 · 未核实1行，未计入 · 其余4份没有相关的片段，没有逐份阅读"
    )
    assert not view.bar.isVisible() and not view.limit_note.isVisible()
    assert not turn.answer_view.isVisible(), "its text repeats the table"
    text = view.text.toPlainText()
    assert text.count("合同金额") == 1 and text.count("480,000 元") == 2
    assert "未核实" in text and "部分有依据" in text, "said in words, not by colour"
    assert "542,500 元" in text and "2行之和" in text
    assert turn.status_label.text() == "9.3秒"


def test_every_row_has_its_chip_and_a_click_opens_the_source(qtbot, opened):
    opened.ask(QUESTION, sample_table.answer())
    opened_sources = []
    opened.controller.ask.source_opened.connect(opened_sources.append)
    view = shown(opened).text
    for number in (1, 2, 3, 4):
        cursor = view.document().find(f"[{number}]")
        assert cursor.charFormat().anchorHref() == f"{LINK}{number}"
        place = chip_position(view, f"[{number}]")
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [source.number for source in opened_sources] == [1, 2, 3, 4]


def test_tab_and_enter_reach_the_sources_of_a_table(qtbot, opened):
    opened.ask(QUESTION, sample_table.answer())
    opened_sources = []
    opened.controller.ask.source_opened.connect(opened_sources.append)
    view = shown(opened).text
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert [source.number for source in opened_sources] == [2]
    assert view.accessibleName() == "查找结果的表格"


@pytest.mark.parametrize(("stopped", "why"), [(False, "到了时间或份数的上限"), (True, "中途停止")])
def test_a_table_that_was_not_read_to_the_end_says_why(opened, stopped, why):
    opened.ask(QUESTION, sample_table.answer(sample_table.table(read=4), stopped=stopped))
    assert shown(opened).summary_label.text().startswith("已读4/6份文件")
    assert shown(opened).limit_note.label.text() == f"没有读完：{why}。"


def test_stop_keeps_the_rows_so_far(qtbot, opened):
    task = opened.ask(QUESTION)
    opened.engine.emit(*found(task, 3))
    wait_for_rows(qtbot, opened, 3)
    opened.window.ask_panel.composer.stop_button.click()
    view = shown(opened)
    assert len(view.rows) == 3 and view.isVisible() and not view.bar.isVisible()
    assert view.limit_note.label.text() == "没有读完：中途停止。"
    assert not opened.controller.ask.is_busy()


def test_a_failure_keeps_the_rows_and_ends_the_progress(qtbot, opened):
    task = opened.ask(QUESTION)
    opened.engine.emit(*found(task, 2))
    wait_for_rows(qtbot, opened, 2)
    opened.engine.emit(TaskFailed(task, "internal", {}))
    qtbot.waitUntil(lambda: opened.turns[-1].failure.isVisible())
    view = shown(opened)
    assert len(view.rows) == 2 and not view.bar.isVisible() and not view.limit_note.isVisible()


def test_the_end_of_a_stopped_task_takes_nothing_from_its_table(opened, qapp):
    task = opened.ask(QUESTION)
    table = sample_table.answer(sample_table.table(read=4), stopped=True)
    opened.engine.emit(*found(task, 4), AnswerFinished(task, table), TaskStopped(task))
    process_events_until(lambda: not opened.controller.ask.is_busy())
    assert shown(opened).summary_label.text().startswith("已读4/6份文件 · 有依据3行")


def test_what_was_found_before_a_stop_is_summed_up_although_the_next_question_runs(
    qtbot, opened, monkeypatch
):
    task = opened.ask(QUESTION)
    opened.engine.emit(*found(task, 3))
    wait_for_rows(qtbot, opened, 3)
    send = opened.engine.send
    monkeypatch.setattr(opened.engine, "send", lambda c: None if isinstance(c, StopTask) else send(c))
    opened.controller.ask.stop()
    following = opened.ask("下一个？")
    late = sample_table.answer(sample_table.table(read=3), stopped=True)
    opened.engine.emit(AnswerFinished(task, late, 5, 9), TaskStopped(task))
    view = opened.turns[0].answer_table
    qtbot.waitUntil(lambda: "542,500" in view.text.toPlainText())
    assert view.limit_note.label.text() == "没有读完：中途停止。"
    assert opened.controller.ask.is_busy(), "the next question is still being answered"
    opened.engine.done(following, AnswerFinished(following, sample_content.answer(), 6, 9))
    qtbot.waitUntil(lambda: not opened.controller.ask.is_busy())


def test_a_conversation_that_was_put_away_is_not_written_into(qtbot, opened, monkeypatch):
    task = opened.ask(QUESTION)
    opened.engine.emit(*found(task, 2))
    wait_for_rows(qtbot, opened, 2)
    send = opened.engine.send
    monkeypatch.setattr(opened.engine, "send", lambda c: None if isinstance(c, StopTask) else send(c))
    opened.controller.ask.begin_anew()
    opened.engine.emit(AnswerFinished(task, sample_table.answer(stopped=True), 5, 9), TaskStopped(task))
    opened.ask("二？", sample_content.answer())
    assert opened.engine.commands(AskQuestion)[-1].thread is None


def test_rows_that_nothing_supports_give_way_to_an_answer_from_passages(opened):
    task = opened.ask(QUESTION)
    row, citation = sample_table.rows()[3]
    opened.answer(
        SurveyRow(task, row, citation),
        StepProgress(task, "progress_survey", 6, 6),
        Notice(task, "survey_found_nothing", {"read": 6, "of": 6}),
        sample_content.answer(table=sample_table.table(rows=(row,), totals=())),
    )
    assert not shown(opened).isVisible()
    assert opened.turns[-1].answer_view.isVisible()
    assert "没有一份写明" in opened.turns[-1].note_label.text()


def test_the_table_is_copied_as_markdown_with_its_sources(opened, qapp):
    opened.ask(QUESTION, sample_table.answer())
    button = shown(opened).markdown_button
    button.click()
    lines = qapp.clipboard().text().split("\n")
    assert lines[:2] == ["| 文件 | 合同金额 | 原句 | 位置 |", "| --- | --- | --- | --- |"]
    assert lines[2].endswith("按季度支付。 | [1] |")
    assert lines[5].endswith("| [4] 未核实，未计入 |")
    assert lines[6] == "| 合计 | 542,500 元 |  | [1][2] |"
    assert lines[8] == "[1] 合同/2023 办公楼租赁合同.pdf｜第 3 页（页码标签 1）"
    assert button.text() == "已复制"


def test_the_table_is_copied_as_cells_for_a_spreadsheet(opened, qapp):
    opened.ask(QUESTION, sample_table.answer())
    shown(opened).cells_button.click()
    lines = [line.split("\t") for line in qapp.clipboard().text().split("\n")]
    assert lines[0] == ["文件", "合同金额", "原句", "位置", "核对结果"]
    assert [line[-1] for line in lines[1:5]] == ["有依据", "有依据", "部分有依据", "未核实，未计入"]
    assert lines[5][:2] == ["合计", "542,500 元"]
    assert {len(line) for line in lines} == {5}


@pytest.mark.parametrize(
    ("cell", "copied"),
    [
        ('=HYPERLINK("http://a")', '\'=HYPERLINK("http://a")'),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-1+cmd", "'-1+cmd"),
        ("-5.2%", "-5.2%"),
        ("+86 万元", "+86 万元"),
        ("两\t格\n两行", "两 格 两行"),
    ],
)
def test_no_cell_of_a_document_becomes_a_formula(qapp, cell, copied):
    text = table_copy.as_tsv(("文件", "值"), [TableRow(("甲.pdf", cell), (1,), "supported")], (), {})
    assert text.split("\n")[1].split("\t")[1] == copied


def test_a_bar_in_a_cell_stays_in_its_cell(qapp):
    text = table_copy.as_markdown(("文件", "值"), [TableRow(("甲|乙.pdf", "1"), (1,), "supported")], (), {})
    assert text.split("\n")[2] == "| 甲\\|乙.pdf | 1 | [1] |"


def test_a_long_table_shows_its_beginning_and_a_way_to_the_rest(opened):
    row, citation = sample_table.rows()[0]
    count = answer_table.SHOWN + 20
    rows = tuple(
        replace(row, cells=(f"{at}.pdf", "1 元", "句"), citations=(at,)) for at in range(1, count + 1)
    )
    citations = tuple(replace(citation, number=at) for at in range(1, count + 1))
    long = sample_table.table(rows=rows, read=count, of=count, documents=count, totals=())
    opened.ask(QUESTION, sample_table.answer(long, citations=citations))
    view = shown(opened)
    assert f"[{count}]" not in view.text.toPlainText()
    assert view.more_button.text() == f"显示全部{count}行"
    view.more_button.click()
    assert f"[{count}]" in view.text.toPlainText() and not view.more_button.isVisible()
    view.cells_button.click()
    assert not view.more_button.isVisible()


def test_a_table_follows_the_theme_and_speaks_english(qapp, opened):
    from desktop.design_tokens import DARK, palette_of

    languages.install("en")
    opened.ask(QUESTION, sample_table.answer())
    view = shown(opened)
    qapp.setPalette(palette_of(DARK))
    qapp.processEvents()
    cursor = view.text.document().find("480,000")
    assert cursor.charFormat().foreground().color().name() == DARK.text
    assert view.summary_label.text() == (
        "Read 6 of 6 documents · 3 rows supported · 1 row unverified, not counted"
        " · 4 other documents have no passage about it and were not read"
    )


def test_markup_in_a_cell_is_shown_as_it_is(opened):
    row, _ = sample_table.rows()[0]
    hostile = replace(row, cells=("<b>甲</b>.pdf", "<img src='file:///etc/passwd'>", "[1](http://a)"))
    opened.ask(QUESTION, sample_table.answer(sample_table.table(rows=(hostile,), totals=())))
    text = shown(opened).text.toPlainText()
    assert "<b>甲</b>.pdf" in text and "<img src=" in text and "[1](http://a)" in text

"""The self-test window: questions added, marked, run, removed and exported through the engine's commands."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton, QToolButton

from desktop.self_test.words import is_missed, result_words
from engine.answer_events import SourcesFound, ThreadsListed
from engine.commands import ListThreads
from engine.errors import LibraryUnknown
from engine.events import StepProgress, TaskFailed
from engine.self_test.messages import (
    AddThreadToSelfTest,
    ExportSelfTest,
    FindSelfTestPassages,
    KeepSelfTestQuestion,
    ListSelfTest,
    RemoveSelfTestQuestions,
    RunSelfTest,
    SelfTestAdded,
    SelfTestExported,
    SelfTestListed,
)
from tests.desktop import sample_content, sample_history, sample_self_test
from tests.desktop.conftest import Opened, process_events_until
from tests.desktop.test_accessibility import unnamed

LIBRARY = "公司制度"


@pytest.fixture
def testing(opened: Opened) -> Opened:
    opened.engine.scripts |= {
        ListSelfTest: lambda c: [sample_self_test.listed(c.task_id)],
        FindSelfTestPassages: lambda c: [SourcesFound(c.task_id, sample_content.five_hits())],
        KeepSelfTestQuestion: lambda c: [sample_self_test.listed(c.task_id)],
        RemoveSelfTestQuestions: lambda c: [sample_self_test.listed(c.task_id)],
    }
    opened.child(QPushButton, "openSelfTest").click()
    window = opened.controller.self_test.window
    assert window is not None
    process_events_until(lambda: window.table.questions.rowCount() == 5)
    return opened


def window_of(testing: Opened):
    return testing.controller.self_test.window


def marking(testing: Opened):
    return testing.controller.self_test.marking.window


def cells(testing: Opened, column: int) -> list[str]:
    model = window_of(testing).table.questions
    return [model.data(model.index(row, column), Qt.ItemDataRole.DisplayRole) for row in range(5)]


def test_questions_show_their_passage_and_what_became_of_them(testing):
    assert cells(testing, 1) == [
        "员工手册（2025 版）.pdf · 第 3 页（页码标签 1）",
        "差旅报销办法.docx · 住宿标准",
        "员工手册（2025 版）.pdf · 第 4 页（页码标签 2）",
        "文档里没有",
        "还没标注",
    ]
    assert cells(testing, 2) == [
        "找到了，排第1",
        "检索时丢失：没排进前十",
        "找到了片段，却拒答了",
        "正确地拒答",
        "",
    ]
    assert window_of(testing).hint_label.text() == "1道题还没标注"


def test_the_chart_says_its_figures_and_changes(testing):
    told = window_of(testing).figures.chart.accessibleDescription().split("\n")
    assert told[0] == "首位就是正确片段: 67% (↑ 17)"
    assert told[3] == "误拒: 33% (=)"
    assert window_of(testing).figures.compared_label.text().startswith("横条里的竖线是")


def test_a_typed_question_is_marked_with_a_click(testing):
    window_of(testing).add_button.click()
    mark = marking(testing)
    assert not mark.save_button.isEnabled()
    mark.question_edit.setText("出差住宿能报多少？")
    mark.find_button.click()
    assert testing.engine.last(FindSelfTestPassages).words == "出差住宿能报多少？"
    process_events_until(lambda: mark.passages.hits.rowCount() == 5)
    mark.passages.choose(2)
    assert mark.text_view.toPlainText() == sample_content.TRAVEL
    mark.save_button.click()
    kept = testing.engine.last(KeepSelfTestQuestion)
    assert (kept.library, kept.question, kept.absent, kept.id) == (LIBRARY, "出差住宿能报多少？", False, None)
    assert kept.passage == sample_content.five_hits()[2]
    process_events_until(lambda: marking(testing) is None)


def test_other_words_find_a_passage_that_the_question_does_not(testing):
    window_of(testing).add_button.click()
    mark = marking(testing)
    mark.question_edit.setText("问题")
    mark.search_edit.setText("住宿标准")
    mark.find_button.click()
    assert testing.engine.last(FindSelfTestPassages).words == "住宿标准"


def test_not_in_the_documents_and_a_passage_exclude_each_other(testing):
    window_of(testing).add_button.click()
    mark = marking(testing)
    mark.question_edit.setText("食堂几点关门？")
    mark.find_button.click()
    process_events_until(lambda: mark.passages.hits.rowCount() == 5)
    mark.passages.choose(0)
    mark.absent_box.setChecked(True)
    assert mark.passages.passage() is None and mark.save_button.isEnabled()
    mark.passages.choose(1)
    assert not mark.absent_box.isChecked()
    mark.absent_box.setChecked(True)
    mark.save_button.click()
    kept = testing.engine.last(KeepSelfTestQuestion)
    assert kept.absent and kept.passage is None


def test_a_chosen_question_is_marked_again_under_its_id(testing):
    window = window_of(testing)
    window.table.selectRow(4)
    window.mark_button.click()
    mark = marking(testing)
    assert mark.question_edit.text() == sample_self_test.questions()[4].question
    assert not mark.library_box.isEnabled()
    process_events_until(lambda: mark.passages.hits.rowCount() == 5)
    mark.passages.choose(0)
    mark.save_button.click()
    assert testing.engine.last(KeepSelfTestQuestion).id == 5


def test_a_passage_that_has_gone_is_said_in_the_window(testing):
    del testing.engine.scripts[KeepSelfTestQuestion]
    window_of(testing).add_button.click()
    mark = marking(testing)
    mark.question_edit.setText("问题")
    mark.absent_box.setChecked(True)
    mark.save_button.click()
    task = testing.engine.last(KeepSelfTestQuestion).task_id
    error = LibraryUnknown(name=LIBRARY)
    testing.engine.emit(TaskFailed(task, error.code, error.params))
    process_events_until(lambda: LIBRARY in mark.hint_label.text())
    assert marking(testing) is mark


def test_a_question_under_an_answer_brings_its_passages(testing):
    testing.ask("年假多少天？", SourcesFound(0, sample_content.five_hits()), sample_content.answer())
    button = testing.turns[0].answer_actions.findChild(QToolButton, "addToSelfTest")
    assert not button.isHidden()
    button.click()
    mark = marking(testing)
    assert mark.question_edit.text() == "年假多少天？"
    assert mark.passages.hits.rowCount() == 5
    assert testing.engine.commands(FindSelfTestPassages) == []


def test_a_conversation_gives_its_questions(testing):
    testing.engine.scripts[ListThreads] = lambda c: [ThreadsListed(c.task_id, sample_history.threads(), 3)]
    testing.engine.scripts[AddThreadToSelfTest] = lambda c: [SelfTestAdded(c.task_id, 2)]
    testing.window.ask_panel.composer.history_button.click()
    history = testing.controller.history.window
    process_events_until(lambda: history.thread_list.count() == 3)
    listings = len(testing.engine.commands(ListSelfTest))
    history.self_test_button.click()
    assert testing.engine.last(AddThreadToSelfTest).thread == sample_history.LEAVE
    process_events_until(lambda: history.hint_label.text().startswith("已加入2道自测题"))
    assert len(testing.engine.commands(ListSelfTest)) == listings + 1


def test_a_run_shows_progress_and_can_be_stopped(testing):
    window = window_of(testing)
    window.answers_box.setChecked(True)
    window.run_button.click()
    command = testing.engine.last(RunSelfTest)
    assert command.answers and command.library == LIBRARY
    testing.engine.emit(StepProgress(command.task_id, "progress_self_test", 2, 4))
    process_events_until(lambda: window.busy_bar.value() == 2)
    assert window.hint_label.text() == "已问2/4题"
    assert not window.library_box.isEnabled()
    window.stop_button.click()
    process_events_until(lambda: window.hint_label.text() == "已停止")
    assert window.stop_button.isHidden() and window.library_box.isEnabled()


def test_a_run_ends_with_its_results(testing):
    window = window_of(testing)
    window.run_button.click()
    task = testing.engine.last(RunSelfTest).task_id
    fresh = sample_self_test.listed(task)
    fewer = replace(fresh, questions=fresh.questions[:2])
    testing.engine.done(task, fewer)
    process_events_until(lambda: window.table.questions.rowCount() == 2)
    assert window.stop_button.isHidden()


def test_a_run_that_fails_says_why(testing):
    window = window_of(testing)
    window.run_button.click()
    task = testing.engine.last(RunSelfTest).task_id
    testing.engine.emit(TaskFailed(task, "generation_failed", {"model": "qwen", "detail": "-"}))
    process_events_until(lambda: "qwen" in window.hint_label.text())
    assert not window.run_button.isHidden()


def test_chosen_questions_are_removed(testing):
    window = window_of(testing)
    window.table.selectRow(1)
    window.remove_button.click()
    assert testing.engine.last(RemoveSelfTestQuestions).ids == (2,)


def test_an_export_goes_into_a_new_folder(testing, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    testing.engine.scripts[ExportSelfTest] = lambda c: [SelfTestExported(c.task_id, c.folder, 4)]
    window_of(testing).export_button.click()
    folder = testing.engine.last(ExportSelfTest).folder
    assert folder.parent == tmp_path and folder.name.startswith("zhiye-selftest-")
    process_events_until(lambda: str(folder) in window_of(testing).hint_label.text())


def test_without_questions_the_window_says_how_to_begin(testing):
    testing.engine.scripts[ListSelfTest] = lambda c: [SelfTestListed(c.task_id, LIBRARY, ())]
    testing.controller.self_test.list_questions()
    window = window_of(testing)
    process_events_until(lambda: not window.empty_label.isHidden())
    assert not window.run_button.isEnabled() and not window.export_button.isEnabled()
    assert window.figures.title_label.text() == "还没运行过"


def test_every_outcome_has_words(qapp):
    marked, absent = sample_self_test.questions()[0], sample_self_test.questions()[3]
    result = sample_self_test.results()[0]
    stages = ("reading", "chunking", "retrieval", "gate", "budget", "answer", "grounding")
    words = {result_words(marked, replace(result, lost=stage)) for stage in stages}
    assert len(words) == len(stages)
    assert is_missed(absent, replace(result, refused=False))
    assert not is_missed(absent, replace(result, refused=True))
    assert is_missed(marked, replace(result, failed="question_empty"))
    assert not is_missed(marked, None)


def test_every_control_has_a_name(testing):
    window_of(testing).add_button.click()
    assert unnamed(window_of(testing)) == [] and unnamed(marking(testing)) == []


def test_enter_marks_the_chosen_question(testing, qtbot):
    window = window_of(testing)
    window.table.selectRow(0)
    window.table.setCurrentIndex(window.table.questions.index(0, 0))
    qtbot.keyClick(window.table, Qt.Key.Key_Return)
    assert marking(testing).question_edit.text() == sample_self_test.questions()[0].question


def test_what_was_chosen_stays_chosen_when_questions_are_listed_anew(testing):
    window = window_of(testing)
    window.table.selectRow(2)
    window.show_listed(sample_self_test.listed(0))
    assert [question.id for question in window.table.chosen()] == [3]
    assert window.mark_button.isEnabled()

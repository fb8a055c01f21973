"""The first run: documents, models, a question; skipped, taken up again, and out of the way afterwards."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

import resources
from desktop import application, languages
from desktop.first_run.ask_step import sample_questions
from desktop.first_run.page import ASK, FOLDER, MODEL
from engine.commands import AskQuestion, IngestFolders, ListLibraries, PrepareModels
from engine.events import LibrariesListed, ModelsReady, Notice, TaskFailed
from engine.model_files.commands import ChooseModel, DownloadModel, ImportModel, ListModels, MeasureModel
from engine.model_files.events import ModelArrived, ModelChosen, ModelMeasured
from tests.desktop import sample_content, sample_models
from tests.desktop.test_models import answers as answers
from tests.desktop.test_theme import THEMES, unreadable

SAMPLES = replace(sample_content.library("示例资料库"), folders=(str(resources.path("samples")),))


@pytest.fixture
def start(qtbot, make_engine, shape):
    """Starts the program: without knowledge bases and without a chat model, unless a test says otherwise."""
    windows = []
    make_engine.scripts = {
        PrepareModels: lambda c: [
            Notice(c.task_id, "model_missing", {"model": "chat"}),
            ModelsReady(c.task_id, "bge-small-zh-v1.5", None),
        ],
        ListModels: lambda c: [sample_models.listed(c.task_id, sample_models.WITHOUT_CHAT)],
    }

    def open_window():
        window, controller = application.open_window(make_engine, shape=shape)
        windows.append((window, controller))
        qtbot.waitUntil(lambda: window.model_button.text() == "没有对话模型：只显示片段")
        return window, controller

    yield open_window
    for window, controller in windows:
        window.close()
        controller.close()
        window.deleteLater()


def is_shown(window) -> bool:
    return window.pages.currentWidget() is window.welcome_page


def has_libraries(engine_slot, *libraries) -> None:
    engine_slot.engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, libraries)]
    engine_slot.scripts[ListLibraries] = engine_slot.engine.scripts[ListLibraries]


def choose_samples(qtbot, window, engine) -> int:
    """The first step with the samples; returns the task that reads them."""
    window.welcome_page.folder_step.sample_button.click()
    task = engine.last(IngestFolders).task_id
    qtbot.waitUntil(lambda: bool(engine.commands(ListModels)))
    return task


def text_of(window, name: str) -> str:
    return window.findChild(QLabel, name).text()


def with_chat_model(c):
    return [sample_models.listed(c.task_id)]


def test_from_the_samples_to_a_question_in_four_clicks(qtbot, start, make_engine):
    window, controller = start()
    page, engine = window.welcome_page, make_engine.engine
    assert is_shown(window) and page.step == FOLDER
    # The run says itself that there is no chat model; a banner over it would be one too many.
    assert window.banners.messages() == []
    engine.scripts[ListModels] = with_chat_model
    task = choose_samples(qtbot, window, engine)
    assert page.step == MODEL and page.state_label.text().startswith("文档正在后台读取")
    controller._show_models(ModelsReady(0, "bge-small-zh-v1.5", sample_models.LARGE.id))
    qtbot.waitUntil(lambda: text_of(window, "chatFoundTitle").startswith("已找到对话模型"))
    assert page.next_button.isVisible() and not page.skip_button.isVisible()
    has_libraries(make_engine, SAMPLES)
    engine.done(task)
    qtbot.waitUntil(lambda: page.state_label.text() == "")
    assert page.step == MODEL  # what is read behind it changes nothing in front
    page.next_button.click()
    examples = page.ask_step.examples()
    assert page.step == ASK and [button.text() for button in examples] == list(sample_questions())
    examples[0].click()
    qtbot.waitUntil(lambda: not is_shown(window))
    assert engine.last(AskQuestion).question == sample_questions()[0]


def test_a_folder_of_ones_own_gets_no_examples(qtbot, start, make_engine, monkeypatch, tmp_path):
    window, _ = start()
    page, engine = window.welcome_page, make_engine.engine
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    page.folder_step.choose_button.click()
    assert page.step == MODEL
    has_libraries(make_engine, sample_content.library("公司制度"))
    engine.done(engine.last(IngestFolders).task_id)
    page.skip_button.click()
    qtbot.waitUntil(lambda: page.step == ASK)
    assert page.ask_step.examples() == []
    page.next_button.click()
    assert not is_shown(window) and not engine.commands(AskQuestion)
    assert window.ask_panel.composer.question_box.hasFocus() or not window.isActiveWindow()


@pytest.mark.parametrize("by", ["enter", "button"])
def test_a_question_is_typed_on_the_last_step(qtbot, start, make_engine, monkeypatch, tmp_path, by):
    window, _ = start()
    page, engine = window.welcome_page, make_engine.engine
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    page.folder_step.choose_button.click()
    has_libraries(make_engine, sample_content.library("公司制度"))
    engine.done(engine.last(IngestFolders).task_id)
    page.skip_button.click()
    qtbot.waitUntil(lambda: page.step == ASK)
    edit = page.ask_step.question_edit
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert is_shown(window) and not engine.commands(AskQuestion)
    edit.setText(" 年假有几天？ ")
    if by == "enter":
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    else:
        page.next_button.click()
    qtbot.waitUntil(lambda: not is_shown(window))
    assert engine.last(AskQuestion).question == "年假有几天？"


def test_a_cancelled_picker_stays_on_the_first_step(start, make_engine, monkeypatch):
    window, _ = start()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    window.welcome_page.folder_step.choose_button.click()
    assert is_shown(window) and window.welcome_page.step == FOLDER


def test_documents_that_cannot_be_read_lead_back_to_the_first_step(qtbot, start, make_engine):
    window, _ = start()
    task = choose_samples(qtbot, window, make_engine.engine)
    make_engine.engine.emit(TaskFailed(task, "no_documents", {"folders": ["/空"]}))
    qtbot.waitUntil(lambda: window.welcome_page.step == FOLDER)
    assert is_shown(window) and window.banners.messages()


def test_every_step_can_be_skipped_and_gone_back_to(qtbot, start, make_engine):
    window, _ = start()
    page = window.welcome_page
    for step in (MODEL, ASK):
        page.skip_button.click()
        assert page.step == step
    for step in (MODEL, FOLDER):
        page.back_button.click()
        assert page.step == step
    page.skip_button.click()
    page.skip_button.click()
    page.next_button.click()
    assert not is_shown(window)


def restart(qtbot, start, window, controller):
    window.close()
    controller.close()
    again, controller = start()
    qtbot.waitUntil(lambda: controller.first_run.is_open or bool(controller._libraries))
    return again


def test_a_run_that_was_left_is_taken_up_where_it_was(qtbot, start, make_engine):
    window, controller = start()
    choose_samples(qtbot, window, make_engine.engine)
    has_libraries(make_engine, SAMPLES)
    again = restart(qtbot, start, window, controller)
    qtbot.waitUntil(lambda: is_shown(again))
    assert again.welcome_page.step == MODEL


def test_once_somebody_asked_it_does_not_come_again(qtbot, start, make_engine, shape):
    window, controller = start()
    choose_samples(qtbot, window, make_engine.engine)
    has_libraries(make_engine, SAMPLES)
    window.welcome_page.skip_button.click()
    window.welcome_page.next_button.click()
    again = restart(qtbot, start, window, controller)
    assert not is_shown(again)
    assert not [key for key in shape.allKeys() if key.startswith("first_run")]


def test_people_who_have_knowledge_bases_never_see_it(opened):
    assert not is_shown(opened.window)


def test_documents_given_at_the_start_lead_to_the_workspace(qtbot, start, make_engine):
    window, controller = start()
    controller.library.index((Path("/资料"),), None)
    assert not is_shown(window)


# -- the second step ----------------------------------------------------------------------------------


def test_without_a_chat_model_it_says_which_fits_and_what_works_all_the_same(qtbot, start, make_engine):
    window, _ = start()
    choose_samples(qtbot, window, make_engine.engine)
    page = window.welcome_page
    qtbot.waitUntil(lambda: text_of(window, "chatFoundTitle") == "还没有对话模型")
    advice = text_of(window, "chatFoundText")
    assert "适合这台电脑的是 Qwen2.5 1.5B" in advice and "片段和原句" in advice
    assert text_of(window, "embedderFoundTitle").startswith("已找到向量模型")
    assert "4核" in text_of(window, "machineFacts")
    assert page.model_step.import_button.isVisible() and page.model_step.download_button.isVisible()
    assert page.skip_button.isVisible() and not page.next_button.isVisible()


def test_the_speed_is_measured_once_while_somebody_looks(qtbot, start, make_engine):
    window, controller = start()
    engine = make_engine.engine
    assert engine.commands(MeasureModel) == []
    choose_samples(qtbot, window, engine)
    qtbot.waitUntil(lambda: len(engine.commands(MeasureModel)) == 1)
    task = engine.last(MeasureModel).task_id
    card = window.welcome_page.model_step.machine_card
    assert card.bar.isVisible()
    engine.done(task, ModelMeasured(task, "bge", "embedder", sample_models.EMBEDDER_SPEED))
    qtbot.waitUntil(lambda: not card.bar.isVisible())
    controller.models.refresh()
    qtbot.wait(50)
    assert len(engine.commands(MeasureModel)) == 1


def test_an_imported_chat_model_is_loaded_and_the_step_is_done(
    qtbot, start, make_engine, monkeypatch, tmp_path
):
    window, _ = start()
    engine, page = make_engine.engine, window.welcome_page
    choose_samples(qtbot, window, engine)
    qtbot.waitUntil(page.model_step.import_button.isVisible)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "m.gguf"), ""))
    page.model_step.file_action.trigger()
    task = engine.last(ImportModel).task_id
    qtbot.waitUntil(page.model_step.transfer_strip.isVisible)
    engine.scripts[ChooseModel] = lambda c: [
        ModelChosen(c.task_id, "chat", sample_models.LARGE.id),
        ModelsReady(c.task_id, "bge", sample_models.LARGE.id),
    ]
    engine.scripts[ListModels] = with_chat_model
    engine.done(task, ModelArrived(task, sample_models.LARGE.id, sample_models.LARGE.name, "chat", True))
    qtbot.waitUntil(page.next_button.isVisible)
    assert "校验无误" in page.model_step.note.label.text()
    qtbot.waitUntil(lambda: text_of(window, "chatFoundTitle").startswith("已找到对话模型"))
    assert not page.model_step.import_button.isVisible()


def test_the_fitting_model_can_be_downloaded_after_a_yes(qtbot, start, make_engine, answers):
    window, _ = start()
    choose_samples(qtbot, window, make_engine.engine)
    step = window.welcome_page.model_step
    qtbot.waitUntil(step.download_button.isVisible)
    answers.button = "confirmDownload"
    step.download_button.click()
    assert make_engine.engine.last(DownloadModel).model == sample_models.ABSENT.id


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("step", [FOLDER, MODEL, ASK])
def test_every_step_is_readable_and_every_control_has_a_name(qapp, qtbot, start, make_engine, theme, step):
    from desktop.design_tokens import palette_of

    window, _ = start()
    page = window.welcome_page
    if step != FOLDER:
        choose_samples(qtbot, window, make_engine.engine)
        has_libraries(make_engine, SAMPLES)
        make_engine.engine.done(make_engine.engine.last(IngestFolders).task_id)
        qtbot.waitUntil(lambda: bool(page.ask_step.examples()))
    if step == ASK:
        page.skip_button.click()
    assert page.step == step
    window.resize(1200, 900)
    qapp.setPalette(palette_of(THEMES[theme]))
    qtbot.wait(50)
    assert unreadable(page) == []
    for button in page.findChildren(QPushButton):
        assert not button.isVisibleTo(page) or button.accessibleName() or button.text(), button.objectName()


def test_the_examples_are_questions_that_the_samples_answer_in_both_languages():
    by_language = {}
    for language in ("zh", "en"):
        languages.install(language)
        by_language[language] = sample_questions()
    assert len(set(by_language["zh"])) == len(set(by_language["en"])) == 3
    assert all(question.isascii() for question in by_language["en"])
    assert not any(question.isascii() for question in by_language["zh"])

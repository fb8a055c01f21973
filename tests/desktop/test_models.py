"""The models page and its controller: what is listed, and what importing, fetching and choosing say."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QPushButton

from desktop import languages
from desktop.models import words
from engine.commands import IngestFolders, StopTask
from engine.events import ModelsReady, TaskFailed
from engine.model_files.commands import (
    ChooseModel,
    DownloadModel,
    ImportModel,
    ListModels,
    MeasureModel,
    RemoveModel,
    VerifyModel,
)
from engine.model_files.events import (
    MeasureProgress,
    ModelArrived,
    ModelChosen,
    ModelMeasured,
    ModelProgress,
    ModelRemoved,
    ModelsListed,
    ModelVerified,
)
from tests.desktop import sample_models
from tests.desktop.test_theme import THEMES, unreadable

FILE = Path("/media/li/U盘/qwen.gguf")


@pytest.fixture
def page(qtbot, opened):
    """The models page, opened from the footer."""
    opened.engine.scripts[ListModels] = lambda c: [sample_models.listed(c.task_id)]
    opened.child(QPushButton, "modelLabel").click()
    found = opened.controller.settings.window.page("models")
    qtbot.waitUntil(lambda: len(found.rows()) == len(sample_models.ALL))
    yield found
    opened.controller.settings.window.close()


@pytest.fixture
def answers(monkeypatch):
    """Clicks the button of this object name in the next question; empty: Cancel. Keeps what was asked."""
    asked = []

    class Answers:
        button = ""
        texts = asked

    def execute(box):
        asked.append((box.text(), box.informativeText()))
        wanted = [b for b in box.buttons() if b.objectName() == Answers.button]
        (wanted[0] if wanted else box.button(QMessageBox.StandardButton.Cancel)).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", execute)
    return Answers


def label(row, name: str) -> str:
    found = row.findChild(QLabel, name)
    return "" if found is None else found.text()


def choose_file(monkeypatch, page) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(FILE), ""))
    page.file_action.trigger()


def test_models_are_shown_by_what_they_are_for_with_installed_ones_first(page):
    assert [row.model.id for row in page.rows()] == [
        model.id
        for model in (
            sample_models.LARGE, sample_models.SMALL, sample_models.TORN, sample_models.STRANGER,
            sample_models.ABSENT, sample_models.BGE_SMALL, sample_models.BGE_BASE, sample_models.BGE_LARGE,
        )
    ]  # fmt: skip
    row = page.row(sample_models.LARGE.id)
    assert row.badges() == ["使用中", "适合本机"]
    assert label(row, "modelFacts") == "1.1 GB · Apache-2.0 · 需要内存2.2 GB"
    assert label(row, "modelState") == "适合这台电脑 · 已校验，SHA-256 一致"
    assert label(row, "modelSpeed") == "实测：约7.1秒后开始回答，之后每秒约写19字"


def test_each_row_offers_what_can_be_done_with_it(page):
    def offered(model) -> str | None:
        button = page.row(model.id).main_button
        return None if button is None else button.text()

    assert offered(sample_models.LARGE) is None  # in use already
    assert offered(sample_models.SMALL) == "使用"
    assert offered(sample_models.STRANGER) is None  # would not fit
    assert offered(sample_models.ABSENT) == "下载…"
    assert offered(sample_models.BGE_LARGE) == "导入文件夹…"


def test_faults_and_strangers_say_so(page):
    assert "校验值不符" in label(page.row(sample_models.TORN.id), "modelState")
    stranger = label(page.row(sample_models.STRANGER.id), "modelState")
    assert "内存不够" in stranger and "不在目录里" in stranger
    assert "无法下载" in label(page.row(sample_models.BGE_LARGE.id), "modelState")


def test_this_computer_is_told_in_plain_words(page):
    card = page.machine_card
    assert card.machine_label.text() == "4核 · 内存16.6 GB，空闲9.3 GB · 硬盘空闲212.0 GB"
    assert "1.5B" in card.advice_label.text() and "7.1秒" in card.speed_label.text()


def test_an_import_shows_how_far_it_is_and_offers_the_model(qtbot, opened, page, monkeypatch):
    choose_file(monkeypatch, page)
    command = opened.engine.last(ImportModel)
    assert (command.path, command.anyway) == (FILE, False)
    strip = page.transfer_strip
    qtbot.waitUntil(strip.isVisible)
    assert not page.import_button.isEnabled() and not page.row(sample_models.SMALL.id).main_button.isEnabled()
    opened.engine.emit(ModelProgress(command.task_id, 3_000_000_000, 4_000_000_000))
    qtbot.waitUntil(lambda: strip.amount_label.text() == "3.0 GB / 4.0 GB")
    assert (strip.bar.value(), strip.bar.maximum()) == (750, 1000)
    lists = len(opened.engine.commands(ListModels))
    name = sample_models.SMALL.name
    opened.engine.done(
        command.task_id, ModelArrived(command.task_id, sample_models.SMALL.id, name, "chat", True)
    )
    qtbot.waitUntil(lambda: not strip.isVisible())
    assert page.note.label.text() == f"{name} 已就绪，校验无误。"
    qtbot.waitUntil(lambda: len(opened.engine.commands(ListModels)) == lists + 1)
    page.note.button.click()
    chosen = opened.engine.last(ChooseModel)
    assert (chosen.role, chosen.model) == ("chat", sample_models.SMALL.id)


def test_the_first_chat_model_is_taken_into_use_without_a_question(qtbot, opened, page, monkeypatch):
    opened.engine.scripts[ListModels] = lambda c: [
        sample_models.listed(c.task_id, sample_models.WITHOUT_CHAT)
    ]
    opened.controller.models.refresh()
    qtbot.waitUntil(lambda: len(page.rows()) == len(sample_models.WITHOUT_CHAT))
    opened.engine.scripts[ChooseModel] = lambda c: [
        ModelChosen(c.task_id, "chat", "m"),
        ModelsReady(c.task_id, "e", "m"),
    ]
    choose_file(monkeypatch, page)
    task = opened.engine.last(ImportModel).task_id
    opened.engine.done(task, ModelArrived(task, "m", "M", "chat", True))
    qtbot.waitUntil(lambda: opened.window.model_button.text() == "对话模型：m")
    assert opened.engine.last(ChooseModel).model is None


def test_an_unknown_file_is_added_only_when_a_person_says_so(qtbot, opened, page, monkeypatch, answers):
    def refuse() -> None:
        task = opened.engine.last(ImportModel).task_id
        params = {"path": str(FILE), "architecture": "llama"}
        opened.engine.emit(TaskFailed(task, "model_not_in_catalogue", params))
        qtbot.waitUntil(lambda: not opened.controller.models.is_busy or asked(2))

    def asked(count: int) -> bool:
        return len(opened.engine.commands(ImportModel)) == count

    choose_file(monkeypatch, page)
    refuse()
    assert "不在目录里" in answers.texts[0][0] and asked(1)
    answers.button = "confirmAnyway"
    choose_file(monkeypatch, page)
    refuse()
    qtbot.waitUntil(lambda: asked(3))
    command = opened.engine.last(ImportModel)
    assert command.anyway and command.path == FILE
    opened.engine.done(command.task_id, ModelArrived(command.task_id, "qwen", "qwen", "chat", False))
    qtbot.waitUntil(lambda: "不在目录里" in page.note.label.text())


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("model_incomplete", {"path": "m.gguf", "size": 10, "expected": 20}, "不完整"),
        ("model_not_gguf", {"path": "m.gguf"}, "不是 GGUF"),
        ("model_damaged", {"path": "m.gguf"}, "校验值不符"),
        ("model_disk_full", {"path": "/m", "needed_mb": 1200, "free_mb": 300}, "需要 1200 MB，剩余 300 MB"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_its_own_words(
    qtbot, opened, page, monkeypatch, code, params, said
):
    choose_file(monkeypatch, page)
    opened.engine.emit(TaskFailed(opened.engine.last(ImportModel).task_id, code, params))
    qtbot.waitUntil(lambda: said in page.note.label.text())
    assert page.note.property("tone") == "warn" and page.import_button.isEnabled()


def test_nothing_is_downloaded_before_a_person_said_yes(qtbot, opened, page, answers):
    page.row(sample_models.ABSENT.id).main_button.click()
    assert opened.engine.commands(DownloadModel) == []
    title, advice = answers.texts[0]
    assert sample_models.ABSENT.name in title and "联网" in advice and "1.1 GB" in advice
    answers.button = "confirmDownload"
    page.row(sample_models.ABSENT.id).main_button.click()
    task = opened.engine.last(DownloadModel).task_id
    opened.engine.emit(ModelProgress(task, 1, 2, "huggingface"))
    qtbot.waitUntil(lambda: page.transfer_strip.bar.value() == 500)
    page.transfer_strip.stop_button.click()
    assert page.transfer_strip.text_label.text() == "正在停止…"
    qtbot.waitUntil(lambda: not page.transfer_strip.isVisible())
    assert StopTask(task) in opened.engine.sent and page.note.label.text() == "已停止。"


def test_removing_says_what_it_frees(qtbot, opened, page, answers):
    answers.button = "confirmRemoval"
    opened.controller.models.do("remove", sample_models.SMALL.id)
    assert "491 MB" in answers.texts[0][1]
    task = opened.engine.last(RemoveModel).task_id
    opened.engine.done(task, ModelRemoved(task, sample_models.SMALL.id, 491_400_064))
    qtbot.waitUntil(lambda: page.note.label.text().endswith("腾出491 MB。"))


def test_choosing_a_chat_model_changes_the_footer_without_a_restart(qtbot, opened, page):
    page.row(sample_models.SMALL.id).main_button.click()
    command = opened.engine.last(ChooseModel)
    assert page.transfer_strip.isVisible() and not page.transfer_strip.stop_button.isVisible()
    opened.engine.done(
        command.task_id,
        ModelChosen(command.task_id, "chat", sample_models.SMALL.id),
        ModelsReady(command.task_id, "bge", sample_models.SMALL.id),
    )
    qtbot.waitUntil(lambda: sample_models.SMALL.name in opened.window.model_button.text())
    assert page.note.label.text() == f"现在由 {sample_models.SMALL.name} 回答。"


def test_another_embedder_says_what_it_costs_and_brings_every_library_in_step(qtbot, opened, page, answers):
    page.row(sample_models.BGE_BASE.id).main_button.click()
    _, advice = answers.texts[0]
    # 190 passages, 2.7 times slower than 12.3 a second.
    assert "190个片段" in advice and "1分钟" in advice
    assert opened.engine.commands(ChooseModel) == []
    answers.button = "confirmEmbedder"
    page.row(sample_models.BGE_BASE.id).main_button.click()
    command = opened.engine.last(ChooseModel)
    assert command.role == "embedder"
    syncs = len(opened.engine.commands(IngestFolders))
    opened.engine.done(
        command.task_id, ModelChosen(command.task_id, "embedder", sample_models.BGE_BASE.id, 190)
    )
    qtbot.waitUntil(lambda: len(opened.engine.commands(IngestFolders)) == syncs + 1)
    assert opened.engine.last(IngestFolders).library == "公司制度"


def test_a_measurement_can_be_stopped_and_fills_the_rows(qtbot, opened, page):
    card = page.machine_card
    card.measure_button.click()
    task = opened.engine.last(MeasureModel).task_id
    opened.engine.emit(MeasureProgress(task, 2.5, 10.0))
    qtbot.waitUntil(lambda: card.bar.value() == 250)
    assert card.measure_button.text() == "停止"
    lists = len(opened.engine.commands(ListModels))
    opened.engine.done(task, ModelMeasured(task, "m", "chat", sample_models.CHAT_SPEED))
    qtbot.waitUntil(lambda: not card.bar.isVisible())
    assert card.measure_button.text() == "测速"
    qtbot.waitUntil(lambda: len(opened.engine.commands(ListModels)) == lists + 1)
    card.measure_button.click()
    card.measure_button.click()
    assert StopTask(opened.engine.last(MeasureModel).task_id) in opened.engine.sent


def test_a_check_says_that_every_byte_is_right(qtbot, opened, page):
    opened.controller.models.do("verify", sample_models.SMALL.id)
    task = opened.engine.last(VerifyModel).task_id
    opened.engine.done(task, ModelVerified(task, sample_models.SMALL.id))
    qtbot.waitUntil(lambda: page.note.label.text() == f"{sample_models.SMALL.name} 校验无误。")


def test_one_thing_at_a_time(opened, page, monkeypatch):
    choose_file(monkeypatch, page)
    opened.controller.models.do("verify", sample_models.SMALL.id)
    choose_file(monkeypatch, page)
    assert len(opened.engine.commands(ImportModel)) == 1 and not opened.engine.commands(VerifyModel)


def test_a_chat_server_is_named_where_it_answers(qtbot, opened, page):
    listed = sample_models.listed(1)
    assert isinstance(listed, ModelsListed)
    page.show_listed(replace(listed, server="http://127.0.0.1:11434"))
    assert "11434" in page.machine_card.advice_label.text()


def test_sizes_are_said_as_people_say_them():
    assert [words.size_words(size) for size in (300, 491_400_064, 1_117_320_768)] == [
        "1 MB", "491 MB", "1.1 GB",
    ]  # fmt: skip
    unmeasured = tuple(replace(model, speed=None) for model in sample_models.ALL)
    assert words.embedding_minutes(5000, unmeasured[1], unmeasured) is None
    assert words.embedding_minutes(73_800, sample_models.BGE_SMALL, sample_models.ALL) == 100


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_is_readable_and_every_control_has_a_name(qapp, qtbot, opened, page, theme):
    from desktop.design_tokens import palette_of

    qapp.setPalette(palette_of(THEMES[theme]))
    opened.controller.settings.window.resize(1000, 1600)
    qtbot.wait(20)
    assert unreadable(page) == []
    for button in page.findChildren(QPushButton):
        assert not button.isVisibleTo(page) or button.accessibleName() or button.text(), button.objectName()


def test_the_page_speaks_english(qtbot, opened):
    languages.install("en")
    opened.engine.scripts[ListModels] = lambda c: [sample_models.listed(c.task_id)]
    opened.controller.settings.open_page("models")
    page = opened.controller.settings.window.page("models")
    qtbot.waitUntil(lambda: bool(page.rows()))
    assert label(page.rows()[0], "modelFacts") == "1.1 GB · Apache-2.0 · needs 2.2 GB of memory"
    assert label(page.rows()[0], "modelSpeed") == (
        "Measured: an answer begins after about 7.1 s, then about 9.3 words a second"
    )
    opened.controller.settings.window.close()


def test_the_footer_shortens_what_it_says_and_tells_all_of_it(qtbot, opened):
    button = opened.window.model_button
    button.setText("对话模型：" + "很长的名字" * 30)
    qtbot.wait(20)
    assert button.text().endswith("很长的名字") and "很长的名字" * 30 in button.toolTip()
    assert button.width() < opened.window.width()

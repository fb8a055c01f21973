"""Pictures of the window: ``python -m tests.desktop.screenshots OUT_DIR --language zh --theme light``.

Run it under a display (``xvfb-run -a``); ``QT_SCALE_FACTOR=2`` gives the pictures for dense screens.
"""

from pathlib import Path

from PySide6.QtCore import QUrl

from engine.answer_events import AnswerFinished, AnswerText, PromptProgress, SourcesFound, SurveyRow
from engine.answers import Answer
from engine.commands import AskQuestion, IngestFolders, LocatePassage, PrepareModels
from engine.events import (
    FileFinished,
    FileProgress,
    FileStarted,
    ModelsReady,
    Notice,
    PassageLocated,
    ScanFinished,
    StepProgress,
)
from tests.desktop import sample_content, sample_table
from tests.desktop.picture_taking import WindowPictures, main, settle
from tests.desktop.scripted_engine import Script


class Pictures(WindowPictures):
    """One window, led through its states, a picture of each."""

    def scripts(self) -> dict[type, Script]:
        """No knowledge base at first."""
        return {}

    def take(self) -> None:
        window, controller, engine, shoot = self.window, self.controller, self.engine, self.shoot
        handbook = sample_content.handbook(self._work / "员工手册（2025 版）.pdf")
        shoot("1-welcome")
        engine.scripts.update(super().scripts())
        controller.library.index((Path("/资料/公司制度"),), "公司制度")
        task = engine.last(IngestFolders).task_id
        engine.emit(ScanFinished(task, "公司制度", 10))
        for done, file in enumerate(sample_content.files()[:6], 1):
            engine.emit(FileStarted(task, file.path), FileFinished(task, file, done, 10))
        engine.emit(FileProgress(task, "研发/系统设计说明书.pdf", 48, 32, 121))
        settle(300)
        shoot("2-indexing")
        strip = window.library_panel.progress
        strip.show_pace(3.4, 260.0)
        shoot("2b-pace", window.library_panel)
        strip.pause_button.click()
        shoot("2c-paused", window.library_panel)
        strip.pause_button.click()
        task = engine.last(IngestFolders).task_id
        engine.done(task)
        settle()
        composer = window.ask_panel.composer

        def ask(question: str, answer: Answer | None = None) -> int:
            composer.question_box.setPlainText(question)
            composer.ask_button.click()
            task = engine.last(AskQuestion).task_id
            if answer is not None:
                engine.done(task, AnswerFinished(task, answer))
                settle()
            return task

        task = ask("年假有多少天？没休完可以留到明年吗？")
        engine.emit(SourcesFound(task, sample_content.five_hits()), PromptProgress(task, 400, 1100))
        shoot("3-evidence")
        engine.emit(
            AnswerText(task, "工龄满一年不满十年的员工，年休假为 10 天；满十年的为 15 天[1]。当年没有休完")
        )
        shoot("4-writing")
        engine.done(task, AnswerFinished(task, sample_content.answer(), 4, 7))
        mark = sample_content.handbook_mark(handbook)
        engine.scripts[LocatePassage] = lambda c: [
            PassageLocated(
                c.task_id, c.library, "人事/员工手册（2025 版）.pdf", handbook, "pdf", "员工手册", (mark,)
            )
        ]
        settle()
        view = window.ask_panel.turns[-1].answer_view
        view.citation_clicked.emit(1)
        settle(600)
        shoot("5-answer")
        window.ask_panel.turns[-1].answer_actions.bad_button.click()
        shoot("5a-rating")
        view.setTextCursor(view.document().find("[1]"))
        view.highlighted.emit(QUrl("zhiye:cite/1"))
        shoot("5b-citation-card")
        view.hover.close()
        task = ask("那病假呢？手册里怎么说？")
        engine.done(
            task,
            SourcesFound(task, sample_content.five_hits()),
            AnswerFinished(task, sample_content.follow_up()),
        )
        panel = composer.filter_panel
        composer.filter_button.click()
        panel.folder_entered.emit("人事")
        panel.name_entered.emit("员工手册*")
        panel.kinds_chosen.emit(("pdf", "word"))
        panel.since_edit.setText("2023")
        panel.until_edit.setText("2024-13")
        panel.dates_entered.emit("2023", "2024-13")
        shoot("5c-follow-up-and-filter")
        panel.until_edit.clear()
        panel.dates_entered.emit("2023", "")
        composer.filter_button.click()
        window.ask_panel.turns[-1].header.understanding.rewritten.edit_button.click()
        shoot("5d-editing")
        while composer.filter_chips.chips():
            composer.filter_chips.chips()[0].click()
        ask("公司食堂周末供应夜宵吗？", sample_content.refusal())
        window.ask_panel.turns[-1].refusal_card.why_not.heading.click()
        shoot("6-refusal")
        window.ask_panel.turns[-1].refusal_card.why_not.heading.click()
        text = (
            "# 差旅报销办法\n\n适用于全体员工。\n\n" * 6
            + sample_content.TRAVEL
            + "\n\n附则：本办法由行政部解释。" * 9
        )
        start = text.index(sample_content.TRAVEL)
        page = sample_content.handbook_mark(handbook)
        page = type(page)(1, None, text, ((start, start + len(sample_content.TRAVEL)),))
        engine.scripts[LocatePassage] = lambda c: [
            PassageLocated(
                c.task_id, c.library, "行政/差旅报销办法.docx", None, "word", "", (page,), changed=True
            )
        ]
        settle()
        controller.reader.open_source(sample_content.five_hits()[2])
        composer.question_box.setPlainText("差旅住宿标准是多少？")
        shoot("6b-refusal-folded")
        composer.passages_button.click()
        task = ask("差旅住宿标准是多少？")
        engine.emit(SourcesFound(task, sample_content.five_hits()))
        engine.done(task, AnswerFinished(task, sample_content.quotes()))
        shoot("6c-passages-only")
        composer.passages_button.click()
        task = ask("所有合同的金额分别是多少？一共多少？")
        for done, (row, cited) in enumerate(sample_table.rows()[:2], 1):
            engine.emit(SurveyRow(task, row, cited), StepProgress(task, "progress_survey", done, 6))
        shoot("6d-survey")
        engine.done(task, AnswerFinished(task, sample_table.answer(sample_table.table(read=5), stopped=True)))
        shoot("6e-table")
        ask("年假有多少天？没休完可以留到明年吗？", sample_table.two_versions())
        shoot("6f-versions")
        engine.scripts[PrepareModels] = lambda c: [
            Notice(c.task_id, "model_missing", {"model": "qwen2.5-1.5b"}),
            ModelsReady(c.task_id, "bge-small-zh-v1.5", None),
        ]
        controller._prepare_models()
        settle()
        shoot("7-no-model")
        self.close()


if __name__ == "__main__":
    main(__doc__, lambda *given: Pictures(*given).take())

"""Pictures of keeping knowledge bases: settings, folders that are away, copies, backup. Run like
``tests.desktop.screenshots``: ``xvfb-run -a python -m tests.desktop.library_screenshots OUT_DIR``.
"""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from engine.answer_events import SourcesFound
from engine.commands import AskQuestion, BackUp, ChangeLibrary, ListFiles, ListLibraries
from engine.documents import FileState, Reason
from engine.events import (
    BackedUp,
    FileReport,
    FilesListed,
    LibrariesListed,
    StepProgress,
    TaskFailed,
    TaskStarted,
)
from tests.desktop import sample_content
from tests.desktop.picture_taking import WindowPictures, main
from tests.desktop.scripted_engine import Script

COPY = FileReport(
    "存档/员工手册（2025 版）副本.pdf",
    FileState.INDEXED,
    Reason("copy_of", {"document": "人事/员工手册（2025 版）.pdf"}),
    12,
)
COPIES = ("存档/员工手册（2025 版）副本.pdf", "新人资料/员工手册.pdf", "邮件附件/手册.pdf", "备用/手册.pdf")


class LibraryPictures(WindowPictures):
    """One window with several knowledge bases, one of which has a folder on a drive that is away."""

    def scripts(self) -> dict[type, Script]:
        away = replace(
            sample_content.library(),
            folders=("/资料/公司制度", "/media/移动硬盘/历年合同与会议纪要", "项目归档"),
            offline=("/media/移动硬盘/历年合同与会议纪要",),
            exclude=("*.bak", "草稿/", "!草稿/定稿*"),
        )
        others = (
            sample_content.library("研究论文"),
            sample_content.library("产品手册与技术规范（2019–2025）"),
        )
        return {
            ListLibraries: lambda c: [LibrariesListed(c.task_id, (away, *others))],
            ListFiles: lambda c: [FilesListed(c.task_id, c.library, (*sample_content.files(), COPY))],
        }

    def take(self) -> None:
        panel = self.window.library_panel
        self.controller.library.show_library("公司制度")
        panel.table.select([COPY.path])
        self._ask()
        self.shoot("window")
        self._take_settings()
        menu = panel.more_button.menu()
        menu.popup(panel.more_button.mapToGlobal(panel.more_button.rect().bottomLeft()))
        self.shoot("menu", menu)
        menu.hide()
        scope = self.window.ask_panel.composer.scope_button
        for action in scope.menu().actions()[2:4]:
            action.trigger()
        scope.menu().popup(scope.mapToGlobal(scope.rect().bottomLeft()))
        self.shoot("scope", scope.menu())
        scope.menu().hide()
        self.shoot("scope-chosen", self.window.ask_panel.composer)
        self._take_backup()
        self.close()

    def _take_backup(self) -> None:
        QFileDialog.getExistingDirectory = lambda *_: "/media/备份盘"
        self.window.library_panel.backup_action.trigger()
        task, packs = self.engine.last(BackUp).task_id, self.controller.packs
        self.engine.emit(TaskStarted(task), StepProgress(task, "progress_backup", 310, 840))
        self.shoot("backup", packs.dialog)
        folder = Path("/media/备份盘/zhiye-backup-20250701-101500")
        self.engine.done(task, BackedUp(task, folder, ("公司制度", "研究论文"), 880_000_000, ()))
        self.shoot("backup-done")

    def _ask(self) -> None:
        self.window.ask_panel.composer.question_box.setPlainText("年假有多少天？")
        self.window.ask_panel.composer.ask_button.click()
        task = self.engine.last(AskQuestion).task_id
        first, *rest = sample_content.five_hits()
        hits = (replace(first, copies=COPIES), replace(rest[0], copies=COPIES[:1]), *rest[1:])
        self.engine.done(task, SourcesFound(task, hits))

    def _take_settings(self) -> None:
        self.window.library_panel.properties_action.trigger()
        dialog = self.controller.library.properties.dialog
        assert dialog is not None
        self.shoot("settings", dialog)
        dialog.folder_list.rows[0].remove()
        dialog.folder_list.rows[1].move_to(Path("/media/新硬盘/历年合同与会议纪要"))
        dialog.folder_list.add(Path("/资料/会议纪要/2025 年度各部门例会与专题会议/第三季度/补充材料"))
        dialog.selection.exclude_box.setPlainText("[草稿")
        dialog.ok_button.click()
        self.shoot("settings-applying", dialog)
        task = self.engine.last(ChangeLibrary).task_id
        self.engine.emit(TaskFailed(task, "pattern_invalid", {"pattern": "[草稿", "detail": "'['"}))
        self.shoot("settings-error", dialog)
        dialog.scroll_area.verticalScrollBar().setValue(10_000)
        self.shoot("settings-end", dialog)
        dialog.reject()


if __name__ == "__main__":
    main(__doc__, lambda *given: LibraryPictures(*given).take())

"""Pictures of intake: file list, inspect window, passwords, OCR. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.intake_screenshots OUT_DIR --language zh --theme light``.
"""

from dataclasses import replace
from pathlib import Path

import pymupdf

from engine.commands import IngestFolders, InspectDocument, ListFiles, ListLibraries, LocatePassage
from engine.documents import FileState
from engine.events import (
    FilesListed,
    FileStarted,
    LibrariesListed,
    MarkedPage,
    OcrProgress,
    PassageLocated,
    ScanFinished,
)
from tests.desktop import sample_content, sample_documents
from tests.desktop.picture_taking import WindowPictures, main, settle
from tests.desktop.scripted_engine import Script

LOCKED, SCANNED = "合同/供应商保密协议.pdf", "合同/2019 年租赁合同（扫描件）.pdf"
HANDBOOK, PRICES = "人事/员工手册（2025 版）.pdf", "行政/价格表.xlsx"


class IntakePictures(WindowPictures):
    """One window with files in every state, a picture of each thing that can be done with them."""

    def scripts(self) -> dict[type, Script]:
        def inspected(command: InspectDocument) -> list:
            make = sample_documents.price_list if command.document == PRICES else sample_documents.inspected
            return [make(command.task_id)]

        return {
            ListLibraries: lambda c: [LibrariesListed(c.task_id, (sample_content.library(),))],
            ListFiles: lambda c: [FilesListed(c.task_id, c.library, sample_documents.files())],
            InspectDocument: inspected,
        }

    def take(self) -> None:
        self._take_list()
        self._take_inspect()
        self._take_reader()
        self.window.resize(960, 600)
        self.shoot("small")
        self.close()

    def _take_list(self) -> None:
        panel = self.window.library_panel
        panel.table.select(["研发/系统设计说明书.pdf"])
        self.shoot("list")
        panel.ledger.button(FileState.NEEDS_PASSWORD).click()
        panel.table.select([LOCKED])
        panel.details.main_button.click()
        dialog = self.controller.library.passwords.dialog
        dialog.box.setText("密码")
        self.shoot("filtered")
        self.shoot("password", dialog)
        dialog.reject()
        panel.ledger.show_all()
        panel.details.more_button.click()
        self.shoot("menu", panel.file_menu)
        panel.file_menu.hide()

    def _take_inspect(self) -> None:
        inspect = self.controller.inspect
        for document, name in ((HANDBOOK, "inspect"), (PRICES, "inspect-sheet")):
            inspect.open("公司制度", document)
            window = inspect.windows()[-1]
            self.shoot(name, window)
            if document == HANDBOOK:
                window.chunk_list.go_to(5)
                self.shoot("inspect-chunk", window)
                window.page_list.go_to(6)
                self.shoot("inspect-ocr", window)
            window.close()

    def _take_reader(self) -> None:
        plain, locked = self._work / "手册.pdf", self._work / "加密.pdf"
        mark = sample_content.handbook_mark(sample_content.handbook(plain))
        with pymupdf.open(plain) as document:
            document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="秘密", owner_pw="主人")
        self._locate(PassageLocated(0, "", LOCKED, locked, "pdf", "", (mark,)))
        self.shoot("reader-locked")
        doubtful = replace(mark, confidence=0.8)
        opened = PassageLocated(0, "", LOCKED, locked, "pdf", "", (doubtful,), passwords=("秘密",))
        self._locate(opened)
        self.controller.library.indexing.index([Path("/资料/公司制度")], "公司制度")
        task = self.engine.last(IngestFolders).task_id
        self.engine.emit(
            ScanFinished(task, "公司制度", 18), FileStarted(task, SCANNED), OcrProgress(task, SCANNED, 12, 40)
        )
        self.shoot("reader-ocr")
        text = sample_documents.price_list(0).pages[0].text
        page = MarkedPage(1, None, text, ((text.index("0006"), text.index("0007") - 1),))
        self._locate(PassageLocated(0, "", PRICES, plain, "sheet", "", (page,)), "sheet")
        self.shoot("reader-sheet")

    def _locate(self, found: PassageLocated, kind: str = "pdf") -> None:
        self.engine.scripts[LocatePassage] = lambda c: [replace(found, task_id=c.task_id)]
        place = {"sheet": "价格表", "rows": [2, 33]} if kind == "sheet" else None
        self.controller.reader.open_source(sample_content.hit(1, found.document, kind=kind, location=place))
        settle(600)


if __name__ == "__main__":
    main(__doc__, lambda *given: IntakePictures(*given).take())

"""Pictures of the reader: ``python -m tests.desktop.reader_screenshots OUT_DIR --language zh --theme light``.

Run it under a display (``xvfb-run -a``); ``QT_SCALE_FACTOR=2`` gives the pictures for dense screens.
"""

import shutil
from dataclasses import replace

from PySide6.QtCore import QPointF

import resources
from engine.commands import FindInDocument, LocatePassage, ReadPages
from engine.documents import PageSpan, SearchHit
from engine.reader.document_text import find, read
from engine.reader.passages import locate
from tests.desk import Desk
from tests.desktop import sample_content
from tests.desktop.picture_taking import WindowPictures, main, settle

_PRICES = "\n".join(
    ["编号,品名,规格,单价（元）,交期"]
    + [
        f"{n:04d},激光测距仪 HT-{300 + n % 40},{n % 7 + 1} 台装,{180 + n * 7 % 900},{n % 30 + 5} 天"
        for n in range(1, 200)
    ]
)


class Pictures(WindowPictures):
    """The sample library, read for real, behind a window whose engine is a double."""

    def take(self) -> None:
        self._desk = Desk(self._work)
        for name in resources.path("samples").iterdir():
            if name.suffix in {".pdf", ".docx", ".md", ".html"}:
                shutil.copy(name, self._desk.folder)
        self._desk.write("价格表.csv", _PRICES)
        self._desk.ingest()
        self._serve()
        self.window.ask_panel.composer.question_box.setPlainText("连续出差超过多少天，要分管副总经理批准？")
        panel, shoot = self.window.reader_panel, self.shoot
        self._open("连续出差超过 15 天分管副总经理批准", "差旅报销管理办法.pdf")
        shoot("r1-pdf", panel)
        panel.header.outline_button.click()
        panel.find_bar.open_bar()
        panel.find_bar.edit.setText("出差")
        settle(600)
        panel.pdf_pages.selection.begin(panel.pdf_pages.page_index, QPointF(100, 300))
        panel.pdf_pages.selection.extend(QPointF(400, 330))
        shoot("r2-outline-find", panel)
        panel.find_bar.close_bar()
        for name, question, document in (
            ("r3-word", "L3 秘密级 数据 保密期限", "数据安全管理制度.docx"),
            ("r4-markdown", "年假 顺延", "员工休假管理规定.md"),
            ("r5-html", "加急校准 费用", "计量校准服务介绍.html"),
            ("r6-sheet", "激光测距仪 HT-320 单价", "价格表.csv"),
        ):
            self._open(question, document)
            shoot(name, panel)
        pdf = self._desk.folder / "差旅报销管理办法.pdf"
        pdf.write_bytes(pdf.read_bytes() + b"\n")
        self._open("连续出差超过 15 天分管副总经理批准", "差旅报销管理办法.pdf")
        shoot("r7-changed", panel)
        shoot("r8-window")
        self.close()

    def _serve(self) -> None:
        library = self._desk.library
        self.engine.scripts |= {
            LocatePassage: lambda c: [locate(c, library)],
            ReadPages: lambda c: [read(c, library)],
            FindInDocument: lambda c: [find(c, library)],
        }

    def _open(self, question: str, document: str) -> None:
        """Cite the second sentence of the passage found, with the two others found as its neighbours."""
        hits = [hit for hit in self._desk.found(question) if hit.document == document]
        source = self._cited(hits[0])
        self.controller.reader.ways._beside = lambda _: (source, sample_content.hit(2), sample_content.hit(3))
        self.controller.reader.open_source(source)
        settle(700)

    def _cited(self, hit: SearchHit) -> object:
        span = hit.spans[-1]
        (page,) = read(ReadPages(1, hit.library, hit.row, (span.page,)), self._desk.library).pages
        text = page.text[span.start : span.end]
        start = text.find("。") + 1 or text.find("\n") + 1
        end = text.find("。", start) + 1 or text.find("\n", start) + 1 or len(text)
        start += len(text[start:end]) - len(text[start:end].lstrip())
        narrow = (PageSpan(span.page, span.start + start, span.start + end),)
        return replace(sample_content.citation(1, hit), spans=narrow, quote=text[start:end])


if __name__ == "__main__":
    main(__doc__, lambda *given: Pictures(*given).take())

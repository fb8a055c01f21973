"""The answer to a question about all documents: a table that grows while they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask import table_copy
from desktop.ask.quiet_button import Acknowledgement, quiet_button
from desktop.ask.table_text import TableText
from desktop.design_tokens import SPACE_S, SPACE_XS
from desktop.flow_layout import FlowLayout
from desktop.note_line import NoteLine
from desktop.plain_label import plain_label
from engine.answers import AnswerTable, Citation, TableRow, Total

SHOWN = 100
"""Rows that are set at once; a button shows the rest."""

_TOGETHER_MS = 100


class AnswerTableView(QFrame):
    """Hidden until a document is read. What is shown when a pass ends early are the rows so far.

    Signals:
        citation_clicked(object): number of the citation, an int.
    """

    citation_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answerTable")
        self._rows: list[TableRow] = []
        self._columns: tuple[str, ...] = ()
        self._totals: tuple[Total, ...] = ()
        self._citations: dict[int, Citation] = {}
        self._waiting: list[TableRow] = []
        self._read = self._of = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TOGETHER_MS)
        self._timer.timeout.connect(self._set_waiting)
        self._acknowledgement = Acknowledgement(self)
        self._build()
        self._connect()
        self.clear()
        self._dress()

    def _build(self) -> None:
        self.summary_label = plain_label("tableSummary", "plain")
        self.bar = QProgressBar()
        self.bar.setObjectName("surveyProgress")
        self.bar.setAccessibleName(self.tr("Documents read"))
        self.bar.setTextVisible(False)
        self.limit_note = NoteLine("tableLimit")
        self.text = TableText()
        self.more_button = quiet_button("showAllRows")
        self.markdown_button = quiet_button("copyTableMarkdown", self.tr("Copy as Markdown"))
        self.cells_button = quiet_button("copyTableCells", self.tr("Copy for a spreadsheet"))
        self._buttons = QWidget()
        flow = FlowLayout(SPACE_XS, self._buttons)
        for button in (self.markdown_button, self.cells_button, self.more_button):
            flow.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        for part in (self.summary_label, self.bar, self.limit_note, self.text, self._buttons):
            layout.addWidget(part)

    def _connect(self) -> None:
        self.text.citation_clicked.connect(self.citation_clicked)
        self.more_button.clicked.connect(self._on_more)
        self.markdown_button.clicked.connect(self._on_markdown)
        self.cells_button.clicked.connect(self._on_cells)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return tuple(self._rows)

    def clear(self) -> None:
        """Nothing was found document by document: the answer is another one."""
        self.bar.hide()
        self._fill((), (), {})
        self.hide()

    def show_progress(self, read: int, of: int) -> None:
        """``read`` of the ``of`` documents that are to be read have been."""
        self._read, self._of = read, of
        self.bar.setRange(0, max(of, 1))
        self.bar.setValue(read)
        self.bar.show()
        self._say_progress()
        self._buttons.setVisible(bool(self._rows))
        self.show()

    def add_row(self, row: TableRow, citation: Citation) -> Citation:
        """One more row was found; it and its citation get the next number, until the table is made."""
        number = len(self._rows) + 1
        cited = replace(citation, number=number)
        self._rows.append(replace(row, citations=(number,)))
        self._citations[number] = cited
        if not self._columns:
            heads = (self.tr("Document"), self.tr("Found"), self.tr("Sentence"))
            self._columns = heads[: len(row.cells)]
            self.text.show_table(self._columns, ())
        if number <= SHOWN:
            self._waiting.append(self._rows[-1])
        if not self._timer.isActive():
            self._timer.start()
        self.text.show()
        self._buttons.show()
        self.show()
        return cited

    def end(self, *, stopped: bool) -> None:
        """A pass that is under way ends without its table, by Stop or a failure; the rows so far stay."""
        if self.bar.isHidden():
            return
        self.bar.hide()
        self._set_waiting()
        if stopped and self._read < self._of:
            self.limit_note.show_note(self.tr("Not read to the end: it was stopped."), tone="warn")

    def show_table(self, table: AnswerTable, citations: Mapping[int, Citation], *, stopped: bool) -> None:
        """The table as it was made in the end, instead of the rows that were found on the way."""
        self._read, self._of = table.read, table.of
        self.bar.hide()
        self._fill(table.columns, table.rows, citations, table.totals)
        self.summary_label.setText(self._summary(table))
        why = ""
        if table.read < table.of:
            why = self.tr("Not read to the end: the limit of time or of documents was reached.")
            if stopped:
                why = self.tr("Not read to the end: it was stopped.")
        self.limit_note.show_note(why, tone="warn")
        self.show()

    def _fill(
        self,
        columns: Sequence[str],
        rows: Sequence[TableRow],
        citations: Mapping[int, Citation],
        totals: tuple[Total, ...] = (),
    ) -> None:
        self._timer.stop()
        self._waiting = []
        self._columns, self._rows, self._totals = tuple(columns), list(rows), totals
        self._citations = dict(citations)
        self.text.show_citations(self._citations)
        self.text.show_table(self._columns, self._rows[:SHOWN], totals)
        self.text.setVisible(bool(rows))
        self._buttons.setVisible(bool(rows))
        self._show_more()

    @Slot()
    def _set_waiting(self) -> None:
        self._timer.stop()
        self.text.append_rows(self._waiting)
        self._waiting = []
        self.text.show_citations(self._citations)
        self._say_progress()
        self._show_more()

    def _say_progress(self) -> None:
        said = self.tr("Read {read} of {of} documents").format(read=self._read, of=self._of)
        found = self.tr("%n rows so far", "", len(self._rows))
        self.summary_label.setText(" · ".join((said, found)))

    def _summary(self, table: AnswerTable) -> str:
        """How much was read, how many rows count, and what was not looked at."""
        said = [self.tr("Read {read} of {of} documents").format(read=table.read, of=table.of)]
        said.append(self.tr("%n rows supported", "", table.count))
        if unsupported := len(table.rows) - table.count:
            said.append(self.tr("%n rows unverified, not counted", "", unsupported))
        if (rest := table.documents - table.of) > 0:
            said.append(self.tr("%n other documents have no passage about it and were not read", "", rest))
        return " · ".join(said)

    def _show_more(self) -> None:
        """All rows can be set at once when no more are to come."""
        self.more_button.setText(self.tr("Show all %n rows", "", len(self._rows)))
        self.more_button.setVisible(self.bar.isHidden() and len(self._rows) > SHOWN)

    def _dress(self) -> None:
        icons.dress(self.markdown_button, "copy", "muted")
        icons.dress(self.cells_button, "copy", "muted")
        icons.dress(self.more_button, "chevron-down", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    @Slot()
    def _on_more(self) -> None:
        self.text.show_table(self._columns, self._rows, self._totals)
        self.more_button.hide()

    @Slot()
    def _on_markdown(self) -> None:
        self._copy(table_copy.as_markdown, self.markdown_button)

    @Slot()
    def _on_cells(self) -> None:
        self._copy(table_copy.as_tsv, self.cells_button)

    def _copy(self, as_text: table_copy.AsText, button: QPushButton) -> None:
        text = as_text(self._columns, self._rows, self._totals, self._citations)
        QGuiApplication.clipboard().setText(text)
        self._acknowledgement.tell(button, self.tr("Copied"))

"""The figures of the last run: when it was, the chart, and what they are compared with."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.plain_label import plain_label
from desktop.self_test.chart import FigureChart
from desktop.words import moment_words
from engine.self_test.records import RunReport


class FiguresPanel(QFrame):
    """On the right of the questions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selfTestFigures")
        self.setProperty("role", "column")
        self.setMinimumWidth(260)
        self.title_label = plain_label("figuresTitle", "title")
        self.count_label = plain_label("figuresCount", "caption")
        self.chart = FigureChart()
        self.compared_label = plain_label("figuresCompared", "caption")
        body = QWidget()
        body.setObjectName("figuresBody")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.title_label)
        layout.addWidget(self.count_label)
        layout.addSpacing(SPACE_M)
        layout.addWidget(self.chart)
        layout.addWidget(self.compared_label)
        layout.addStretch(1)
        area = QScrollArea()
        area.setObjectName("figuresScroll")
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(body)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(area)
        self.show_report(None)

    def show_report(self, report: RunReport | None) -> None:
        has_run = report is not None
        self.chart.setVisible(has_run)
        self.count_label.setVisible(has_run)
        if report is None:
            self.title_label.setText(self.tr("Not run yet"))
            self.compared_label.setText(self.tr("Mark the right passages, then run the questions."))
            return
        self.title_label.setText(self.tr("Last run"))
        count = self.tr("%n questions", "", len(report.run.results))
        self.count_label.setText(f"{moment_words(report.run.at)} · {count}")
        self.chart.show_figures(report.figures)
        self.compared_label.setText(self._compared(report))

    def _compared(self, report: RunReport) -> str:
        if report.before is None:
            return self.tr("The next run shows what has changed.")
        text = self.tr("The line in a bar is the run of {moment}.").format(moment=moment_words(report.before))
        if not report.same_questions:
            text += "\n" + self.tr("It had other questions, so compare with care.")
        return text

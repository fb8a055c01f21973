"""The view of self-test questions; what was chosen stays so when they are listed anew."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop.self_test.question_model import MARK, QUESTION, RESULT, QuestionModel
from engine.self_test.records import QuestionResult, SelfTestQuestion


class QuestionTable(QTableView):
    """A double click or Enter marks (``activated``)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selfTestTable")
        self.setProperty("role", "rows")
        self.setAccessibleName(self.tr("Self-test questions"))
        self.questions = QuestionModel(self)
        self.setModel(self.questions)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(16, 16))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 18)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QUESTION, QHeaderView.ResizeMode.Stretch)
        for column, width in ((MARK, 210), (RESULT, 260)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)

    def show_questions(
        self, questions: Sequence[SelfTestQuestion], results: Sequence[QuestionResult]
    ) -> None:
        before = [question.id for question in self.chosen()]
        self.questions.set_questions(questions, results)
        for id_ in before:
            if (row := self.questions.row_of(id_)) is not None:
                flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
                self.selectionModel().select(self.questions.index(row, QUESTION), flags)

    def chosen(self) -> list[SelfTestQuestion]:
        """The selected questions from top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.questions.question(row) for row in rows]

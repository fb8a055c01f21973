"""The view of self-test questions; what was chosen stays so when they are listed anew."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from desktop.row_table import RowTable
from desktop.self_test.question_model import MARK, QUESTION, RESULT, QuestionModel
from engine.self_test.records import QuestionResult, SelfTestQuestion


class QuestionTable(RowTable):
    """A double click or Enter marks (``activated``)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(18, parent)
        self.setObjectName("selfTestTable")
        self.setProperty("role", "rows")
        self.setAccessibleName(self.tr("Self-test questions"))
        self.questions = QuestionModel(self)
        self.setModel(self.questions)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = self.horizontalHeader()
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

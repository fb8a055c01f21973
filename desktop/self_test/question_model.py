"""The questions of a self-test as a table: the question, the right passage, what became of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from desktop import icons
from desktop.design_tokens import current_colours
from desktop.self_test.words import is_missed, mark_words, result_words
from engine.self_test.records import QuestionResult, SelfTestQuestion

_Index = QModelIndex | QPersistentModelIndex

QUESTION, MARK, RESULT = range(3)


class QuestionModel(QAbstractTableModel):
    """Oldest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: tuple[SelfTestQuestion, ...] = ()
        self._results: Mapping[int, QuestionResult] = {}

    def set_questions(self, questions: Sequence[SelfTestQuestion], results: Sequence[QuestionResult]) -> None:
        self.beginResetModel()
        self._questions = tuple(questions)
        self._results = {result.question: result for result in results}
        self.endResetModel()

    def question(self, row: int) -> SelfTestQuestion:
        return self._questions[row]

    def row_of(self, id_: int) -> int | None:
        return next((row for row, each in enumerate(self._questions) if each.id == id_), None)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._questions)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return (self.tr("Question"), self.tr("Right passage"), self.tr("Last run"))[section]
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        question = self._questions[index.row()]
        result = self._results.get(question.id)
        column = index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = (question.question, mark_words(question), result_words(question, result))[column]
            if role == Qt.ItemDataRole.ToolTipRole and column == MARK and question.mark is not None:
                return f"{question.mark.document}\n{question.mark.quote}"
            return text
        if role == Qt.ItemDataRole.DecorationRole and column == RESULT and result_words(question, result):
            name, shade = ("state-good", "good")
            if is_missed(question, result):
                name, shade = ("state-bad", "bad")
            return icons.icon(name, getattr(current_colours(), shade))
        if role == Qt.ItemDataRole.ForegroundRole and column == MARK and question.state == "unmarked":
            return QColor(current_colours().warn)
        return None

"""What people do with an answer: copy it, say whether it is good, write it into a file, delete it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from shiboken6 import isValid

from desktop import error_text, languages
from desktop.ask import answer_copy
from desktop.ask.conversation import Turn
from desktop.ask.deleting import confirm_deleting
from desktop.ask.export_place import export_place
from desktop.engine_bridge import EngineBridge
from engine.answer_events import AnswersExported
from engine.answers import Answer
from engine.commands import DeleteRun, ExportAnswers, RateAnswer
from engine.events import Event, TaskDone, TaskFailed
from engine.history.records import Rating


class AnswerUses(QObject):
    """Serves the actions under every answer.

    Signals:
        failed(str): why something could not be done, in words.
        deleted(object): this Turn is kept no more.
    """

    failed = Signal(str)
    deleted = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge

    def serve(self, turn: Turn) -> None:
        actions = turn.view.answer_actions
        for button, as_text in (
            (actions.copy_button, answer_copy.with_markers),
            (actions.copy_plain_button, answer_copy.without_markers),
        ):
            button.clicked.connect(partial(self._copy, turn, button, as_text))
        actions.export_button.clicked.connect(partial(self._export, turn))
        actions.rated.connect(partial(self._rate, turn))
        actions.delete_button.clicked.connect(partial(self._delete, turn))

    def _copy(self, turn: Turn, button: QPushButton, as_text: Callable[[Answer], str], *_: object) -> None:
        if turn.answer is not None:
            QGuiApplication.clipboard().setText(as_text(turn.answer))
            turn.view.answer_actions.show_copied(button)

    def _rate(self, turn: Turn, rating: Rating | None, note: str) -> None:
        if turn.run is not None:
            command = RateAnswer(self._bridge.new_task(), turn.run, rating, note)
            self._bridge.send(command, partial(self._on_rating_event, turn))

    def _on_rating_event(self, turn: Turn, event: Event) -> None:
        if isinstance(event, TaskFailed):
            if isValid(turn.view):
                turn.view.answer_actions.show_rating(None)
            self._tell(event)

    def _export(self, turn: Turn, *_: object) -> None:
        if turn.answer is None or (place := export_place(turn.view, turn.command.question)) is None:
            return
        file, kind = place
        command = ExportAnswers(
            self._bridge.new_task(),
            file,
            kind,
            run=turn.run,
            answers=() if turn.run is not None else (turn.answer,),
            language=languages.current(),
        )
        self._bridge.send(command, partial(self._on_export_event, turn))

    def _on_export_event(self, turn: Turn, event: Event) -> None:
        if isinstance(event, AnswersExported) and isValid(turn.view):
            turn.view.answer_actions.show_exported()
        elif isinstance(event, TaskFailed):
            self._tell(event)

    def _delete(self, turn: Turn, *_: object) -> None:
        if turn.run is not None and confirm_deleting(turn.view):
            command = DeleteRun(self._bridge.new_task(), turn.run)
            self._bridge.send(command, partial(self._on_delete_event, turn))

    def _on_delete_event(self, turn: Turn, event: Event) -> None:
        if isinstance(event, TaskDone):
            self.deleted.emit(turn)
        elif isinstance(event, TaskFailed):
            self._tell(event)

    def _tell(self, event: TaskFailed) -> None:
        self.failed.emit(str(error_text.describe(event.code, event.params)))

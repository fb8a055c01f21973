"""Decides in the ask panel: what may be asked, what goes with a question, what a click opens."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop import error_text
from desktop.ask.answer_uses import AnswerUses
from desktop.ask.conversation import Conversation, Turn
from desktop.ask.filter_words import EVERYWHERE, from_record
from desktop.ask.panel import AskPanel
from desktop.ask.presenter import TurnPresenter
from desktop.ask.scope_controller import ScopeController
from desktop.engine_bridge import EngineBridge
from desktop.problems.actions import TRY_AGAIN, ProblemActions
from engine.answer_events import AnswerFinished, RunKept, SourcesFound, ThreadShown
from engine.answers import Citation
from engine.commands import AskQuestion
from engine.config import QUESTION_LIMIT
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.events import Event, ModelsReady, TaskDone, TaskFailed, TaskStopped
from engine.history.records import Turn as KeptTurn
from engine.standing import LibrarySummary


class AskController(QObject):
    """Runs one question at a time.

    Signals:
        source_opened(object): the SearchHit or Citation a person wants to read.
        file_wanted(str, object): a document that was not read, and the names of the knowledge bases that
            were asked (none: all); its row is wanted.
        self_test_wanted(str, object): a question in full and the passages shown for it, a tuple of SearchHit.
        models_told(object): ModelsReady of a chat model that was loaded for a question.
    """

    source_opened = Signal(object)
    file_wanted = Signal(str, object)
    self_test_wanted = Signal(str, object)
    models_told = Signal(object)

    def __init__(self, bridge: EngineBridge, panel: AskPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._conversation = Conversation()
        self._presenter = TurnPresenter(self)
        self._uses = AnswerUses(bridge, self)
        self.scope = ScopeController(panel.composer, self)
        self.problem_actions = ProblemActions(self)
        self._asking: Turn | None = None
        self._connect()
        self._on_text_changed()

    def _connect(self) -> None:
        composer = self._panel.composer
        composer.question_box.send_wanted.connect(self.ask)
        composer.question_box.passages_wanted.connect(self.find)
        composer.question_box.textChanged.connect(self._on_text_changed)
        composer.ask_button.clicked.connect(self.ask)
        composer.stop_button.clicked.connect(self.stop)
        composer.new_button.clicked.connect(self.begin_anew)
        self._uses.failed.connect(composer.show_hint)
        self._uses.deleted.connect(self._on_deleted)

    def is_busy(self) -> bool:
        return self._asking is not None

    @property
    def thread_id(self) -> int | None:
        """The conversation that is shown; None: it is not kept yet."""
        return self._conversation.thread

    def set_libraries(self, libraries: Sequence[LibrarySummary]) -> None:
        self.scope.set_libraries(libraries)

    def sources_beside(self, source: SearchHit | Citation) -> tuple[SearchHit | Citation, ...]:
        """What the answer on the screen that has this source has besides."""
        return self._conversation.sources_beside(source)

    @Slot()
    def ask(self) -> None:
        """Send the question, or say why not; a running answer is not cut off by it."""
        self._ask_from_box(use_model=not self._panel.composer.passages_button.isChecked())

    @Slot()
    def find(self) -> None:
        """Show passages only, this once."""
        self._ask_from_box(use_model=False)

    def _ask_from_box(self, *, use_model: bool) -> None:
        box = self._panel.composer.question_box
        question = box.question().strip()
        if not self._may_ask(question):
            return
        box.clear()
        command = AskQuestion(
            self._bridge.new_task(),
            question,
            self.scope.libraries(),
            use_model=use_model,
            previous=self._conversation.previous(),
            chosen=self.scope.chosen(),
            thread=self._conversation.thread,
        )
        self._send(command)

    def _may_ask(self, question: str) -> bool:
        if self._asking is not None:
            self._panel.composer.show_hint(self.tr("Wait for the answer, or stop it first."))
        elif not question:
            self._hint("question_empty")
        elif len(question) > QUESTION_LIMIT:
            self._hint("question_too_long", length=len(question), limit=QUESTION_LIMIT)
        else:
            return True
        return False

    def _send(self, command: AskQuestion) -> None:
        turn = self._add(command)
        self._asking = turn
        composer = self._panel.composer
        composer.show_busy(True)
        composer.show_hint("")
        self._bridge.send(command, partial(self._on_event, turn))

    def _add(self, command: AskQuestion) -> Turn:
        view = self._panel.add_turn(command.task_id, command.question)
        turn = Turn(view, command)
        view.citation_clicked.connect(self._on_citation_clicked)
        view.hit_opened.connect(self.source_opened)
        view.header.edited.connect(partial(self._ask_edited, turn))
        view.header.understanding.edited.connect(partial(self._ask_edited, turn))
        view.header.understanding.everywhere_wanted.connect(partial(self._ask_everywhere, turn))
        view.refusal_card.file_wanted.connect(partial(self._on_file_wanted, turn))
        view.answer_actions.again_button.clicked.connect(partial(self._ask_again, turn))
        view.answer_actions.self_test_button.clicked.connect(partial(self._on_self_test_wanted, turn))
        self._uses.serve(turn)
        self._conversation.add(turn)
        self._panel.composer.question_box.history.remember(command.question)
        return turn

    def _ask_edited(self, turn: Turn, question: str) -> None:
        """The changed question takes the place of the one it was, and of those after it."""
        if self._may_ask(question):
            self._ask_in_place(turn, replace(turn.command, question=question))

    def _ask_again(self, turn: Turn, *_: object) -> None:
        if self._may_ask(turn.command.question):
            self._repeat(turn, replace(turn.command, use_model=True))

    def _ask_everywhere(self, turn: Turn) -> None:
        if self._may_ask(turn.command.question):
            self._repeat(turn, replace(turn.command, chosen=EVERYWHERE))

    def _repeat(self, turn: Turn, command: AskQuestion) -> None:
        """In the place of the last turn; an earlier one stays, with all that came after it."""
        if self._conversation.is_last(turn):
            self._ask_in_place(turn, command)
        else:
            self._send(replace(command, task_id=self._bridge.new_task(), thread=self._conversation.thread))

    def _ask_in_place(self, turn: Turn, command: AskQuestion) -> None:
        previous = self._conversation.previous(before=turn)
        self._remove(self._conversation.take_from(turn))
        self._send(
            replace(
                command,
                task_id=self._bridge.new_task(),
                previous=previous,
                thread=self._conversation.thread,
                replaces=turn.run,
            )
        )

    @Slot()
    def begin_anew(self) -> None:
        """The next question leans on none of those that were asked."""
        self.stop()
        self._remove(self._conversation.clear())

    def show_thread(self, shown: ThreadShown) -> None:
        """A kept conversation takes the place of the one that is shown; new questions continue it."""
        self.begin_anew()
        self._conversation.thread = shown.thread.id
        for kept in shown.turns:
            self._show_kept(kept)

    def _show_kept(self, kept: KeptTurn) -> None:
        answer, run = kept.answer, kept.run
        record = answer.filter or {}
        command = AskQuestion(
            self._bridge.new_task(),
            run.question,
            self.scope.libraries(),
            use_model=not answer.evidence_only,
            # What was understood from the question is understood again.
            chosen=DocumentFilter() if record.get("understood") else from_record(record),
            thread=run.thread,
        )
        turn = self._add(command)
        if answer.hits:
            self._presenter.show_event(turn, SourcesFound(command.task_id, answer.hits, answer.gate))
        finished = AnswerFinished(command.task_id, answer, run.id, run.thread)
        self._presenter.show_event(turn, finished)
        turn.view.answer_actions.show_rating(run.rating, run.note)

    @Slot(object)
    def _on_deleted(self, turn: Turn) -> None:
        if self._conversation.has(turn):
            self._conversation.take(turn)
            self._remove([turn])

    def _remove(self, turns: Sequence[Turn]) -> None:
        for turn in turns:
            self._panel.remove_turn(turn.view)
        self._panel.composer.question_box.setFocus()

    @Slot()
    def stop(self) -> None:
        """The box is free at once; the engine notices at its next step and nothing it still says is shown."""
        if self._asking is not None:
            self._presenter.show_stopped(self._asking)
            self._bridge.stop_task(self._asking.command.task_id)
            self._end_task()

    def _hint(self, code: str, **params: object) -> None:
        words = error_text.describe(code, params)
        self._panel.composer.show_hint(str(words))

    @Slot()
    def _on_text_changed(self) -> None:
        composer = self._panel.composer
        composer.ask_button.setEnabled(bool(composer.question_box.question().strip()))
        composer.show_hint("")

    def _on_event(self, turn: Turn, event: Event) -> None:
        if isinstance(event, ModelsReady):
            self.models_told.emit(event)
            return
        if isinstance(event, RunKept):
            turn.run = event.run
            self._keep_thread(turn, event.thread)
            if self._conversation.has(turn):
                turn.view.answer_actions.show_for_stopped()
        if turn is not self._asking and not self._is_stopped_table(turn, event):
            return
        if isinstance(event, AnswerFinished):
            self._keep_thread(turn, event.thread)
        self._presenter.show_event(turn, event)
        if isinstance(event, TaskFailed):
            self._offer_help(turn, event)
        if isinstance(event, (TaskDone, TaskStopped, TaskFailed)):
            self._end_task()

    def _offer_help(self, turn: Turn, event: TaskFailed) -> None:
        words = error_text.describe(event.code, event.params)
        run = self.problem_actions.of(words)
        if run is None and event.retryable:
            words = replace(words, action=TRY_AGAIN)
            run = partial(self._ask_again, turn)
        turn.view.failure.action_button.show_for(words, run)

    def _is_stopped_table(self, turn: Turn, event: Event) -> bool:
        """Rows that were found before a stop are sorted and summed up while the next question may run."""
        is_table = isinstance(event, AnswerFinished) and event.answer.table is not None
        return is_table and self._conversation.has(turn)

    def _keep_thread(self, turn: Turn, thread: int | None) -> None:
        if thread is not None and self._conversation.has(turn):
            self._conversation.thread = thread

    def _end_task(self) -> None:
        self._asking = None
        self._panel.composer.show_busy(False)

    def _on_self_test_wanted(self, turn: Turn, *_: object) -> None:
        if turn.answer is not None:
            self.self_test_wanted.emit(turn.in_full, turn.answer.hits or turn.answer.nearest)

    def _on_file_wanted(self, turn: Turn, document: str) -> None:
        self.file_wanted.emit(document, turn.command.libraries)

    @Slot(object, object)
    def _on_citation_clicked(self, turn_id: int, chosen: int) -> None:
        citation = self._conversation.turn(turn_id).citations.get(chosen)
        if citation is not None:
            self.source_opened.emit(citation)

"""Decides in the ask panel: what may be asked, what an answer shows, what a click opens."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop import error_text
from desktop.ask.answer_layout import lay_out
from desktop.ask.panel import AskPanel
from desktop.ask.turn import TurnView
from desktop.engine_bridge import EngineBridge
from desktop.words import number, place_of, refusal_words
from engine.commands import AskQuestion
from engine.config import QUESTION_LIMIT
from engine.documents import Answer, Citation
from engine.events import (
    AnswerFinished,
    AnswerText,
    Event,
    Notice,
    PromptProgress,
    SourcesFound,
    TaskDone,
    TaskFailed,
    TaskStarted,
    TaskStopped,
)


@dataclass(slots=True)
class _Turn:
    """What is known about a turn besides its view."""

    view: TurnView
    citations: dict[int, Citation]
    is_answered: bool = False


class AskController(QObject):
    """Runs one question at a time.

    Signals:
        source_opened(object): the SearchHit or Citation a person wants to read.
    """

    source_opened = Signal(object)

    def __init__(self, bridge: EngineBridge, panel: AskPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._turns: dict[int, _Turn] = {}
        self._task: int | None = None
        self._connect()
        self._on_text_changed()

    def _connect(self) -> None:
        composer = self._panel.composer
        composer.question_box.send_wanted.connect(self.ask)
        composer.question_box.textChanged.connect(self._on_text_changed)
        composer.ask_button.clicked.connect(self.ask)
        composer.stop_button.clicked.connect(self.stop)

    def is_busy(self) -> bool:
        return self._task is not None

    @Slot(object)
    def set_libraries(self, names: tuple[str, ...]) -> None:
        self._panel.composer.scope_button.set_libraries(names)

    @Slot()
    def ask(self) -> None:
        """Send the question, or say why not; a running answer is not cut off by it."""
        composer = self._panel.composer
        question = composer.question_box.question().strip()
        if self._task is not None:
            return
        if not question:
            self._hint("question_empty")
            return
        if len(question) > QUESTION_LIMIT:
            self._hint("question_too_long", length=len(question), limit=QUESTION_LIMIT)
            return
        task = self._bridge.new_task()
        view = self._panel.add_turn(task, question)
        view.citation_clicked.connect(self._on_citation_clicked)
        view.hit_opened.connect(self.source_opened)
        view.show_status(self.tr("Searching…"))
        self._turns[task] = _Turn(view, {})
        self._task = task
        composer.question_box.clear()
        composer.show_busy(True)
        self._bridge.send(AskQuestion(task, question, composer.scope_button.scope()), self._on_event)

    @Slot()
    def stop(self) -> None:
        """The box is free at once; the engine notices at its next step and nothing it still says is shown."""
        if self._task is not None:
            self._bridge.drop(self._task)
            self._turns[self._task].view.show_status(self.tr("Stopped"))
            self._end_task()

    def _hint(self, code: str, **params: object) -> None:
        words = error_text.describe(code, params)
        self._panel.composer.show_hint(str(words))

    @Slot()
    def _on_text_changed(self) -> None:
        composer = self._panel.composer
        composer.ask_button.setEnabled(bool(composer.question_box.question().strip()))
        composer.show_hint("")

    def _on_event(self, event: Event) -> None:
        turn = self._turns[event.task_id]
        view = turn.view
        if isinstance(event, TaskStarted):
            view.show_status(self.tr("Searching…"))
        elif isinstance(event, SourcesFound):
            view.show_hits(event.hits)
            view.show_status(self.tr("Reading the evidence…"))
        elif isinstance(event, PromptProgress):
            percent = round(100 * event.done / max(event.total, 1))
            view.show_status(self.tr("Reading the evidence… {percent}%").format(percent=percent))
        elif isinstance(event, AnswerText):
            view.show_status(self.tr("Writing…"))
            view.append_text(event.text)
        elif isinstance(event, Notice):
            view.add_note(error_text.describe(event.code, event.params).title)
        elif isinstance(event, AnswerFinished):
            self._show_answer(turn, event.answer)
        elif isinstance(event, TaskFailed):
            words = error_text.describe(event.code, event.params)
            view.show_status("")
            view.show_failure(words.title, words.advice)
            self._end_task()
        elif isinstance(event, TaskStopped):
            view.show_status(self.tr("Stopped"))
            self._end_task()
        elif isinstance(event, TaskDone):
            if not turn.is_answered:
                view.show_status("")
            self._end_task()

    def _end_task(self) -> None:
        self._task = None
        self._panel.composer.show_busy(False)

    def _show_answer(self, turn: _Turn, answer: Answer) -> None:
        turn.is_answered = True
        turn.citations = {citation.number: citation for citation in answer.citations}
        view = turn.view
        if answer.refused:
            view.show_status("")
            view.show_refusal(answer.text, self._why(answer), answer.nearest)
            return
        if answer.evidence_only and not view.has_note():
            view.add_note(error_text.describe("evidence_only").title)
        tips = {n: self._tip(citation) for n, citation in turn.citations.items()}
        view.show_answer(lay_out(answer), tips)
        view.show_status(self._summary(answer))

    def _why(self, answer: Answer) -> str:
        reason = refusal_words(answer)
        if answer.gate is not None and answer.gate.missing_terms:
            terms = self.tr("Question words found in no document: {terms}")
            reason += "\n" + terms.format(terms=self.tr(", ").join(answer.gate.missing_terms))
        return reason

    def _tip(self, citation: Citation) -> str:
        return f"{citation.document}｜{place_of(citation)}\n{citation.quote or citation.excerpt}"

    def _summary(self, answer: Answer) -> str:
        """How many sentences are supported, and how long it took."""
        parts = []
        verdicts = [sentence.verdict for sentence in answer.sentences]
        if count := verdicts.count("supported"):
            parts.append(self.tr("%n sentences supported", "", count))
        if count := verdicts.count("partly"):
            parts.append(self.tr("%n sentences partly supported", "", count))
        if count := verdicts.count("unsupported"):
            parts.append(self.tr("%n sentences unverified", "", count))
        if answer.stopped:
            parts.append(self.tr("Stopped"))
        total = answer.seconds.get("total")
        if total is not None:
            parts.append(self.tr("{seconds} s").format(seconds=number(total, 1)))
        return " · ".join(parts)

    @Slot(object, object)
    def _on_citation_clicked(self, turn_id: int, chosen: int) -> None:
        citation = self._turns[turn_id].citations.get(chosen)
        if citation is not None:
            self.source_opened.emit(citation)

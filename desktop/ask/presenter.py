"""Shows in a turn what the engine says about it."""

from PySide6.QtCore import QObject

from desktop import error_text
from desktop.ask.answer_layout import lay_out
from desktop.ask.conversation import Turn
from desktop.ask.filter_words import all_words, conditions, from_record
from desktop.words import number, refusal_words
from engine.answer_events import AnswerFinished, AnswerText, PromptProgress, SourcesFound, SurveyRow
from engine.answers import Answer
from engine.events import Event, Notice, StepProgress, TaskDone, TaskFailed, TaskStarted, TaskStopped


class TurnPresenter(QObject):
    """From events to words and widgets; it sends nothing and keeps nothing but what a turn is told."""

    def show_event(self, turn: Turn, event: Event) -> None:
        view = turn.view
        if isinstance(event, TaskStarted):
            view.show_status(self.tr("Searching…"))
        elif isinstance(event, SourcesFound):
            view.show_hits(event.hits)
            asks_model = turn.command.use_model
            view.show_status(self.tr("Reading the evidence…") if asks_model else self.tr("Searching…"))
        elif isinstance(event, PromptProgress):
            percent = round(100 * event.done / max(event.total, 1))
            view.show_status(self.tr("Reading the evidence… {percent}%").format(percent=percent))
        elif isinstance(event, AnswerText):
            view.show_status(self.tr("Writing…"))
            view.append_text(event.text)
        elif isinstance(event, (StepProgress, SurveyRow)):
            self._show_survey(turn, event)
        elif isinstance(event, Notice):
            self._show_notice(turn, event)
        elif isinstance(event, AnswerFinished):
            self._show_answer(turn, event)
        elif isinstance(event, TaskFailed):
            words = error_text.describe(event.code, event.params)
            view.show_status("")
            view.show_failure(words.title, words.advice)
            view.answer_table.end(stopped=False)
        elif isinstance(event, TaskStopped):
            self.show_stopped(turn)
        elif isinstance(event, TaskDone) and turn.answer is None:
            view.show_status("")

    def show_stopped(self, turn: Turn) -> None:
        turn.view.show_status(self.tr("Stopped"))
        turn.view.answer_table.end(stopped=True)

    def _show_survey(self, turn: Turn, event: StepProgress | SurveyRow) -> None:
        """Rows are shown as they are found, with numbers that hold until the table is made."""
        view = turn.view
        if isinstance(event, SurveyRow):
            cited = view.answer_table.add_row(event.row, event.citation)
            turn.citations[cited.number] = cited
        elif event.code == "progress_survey":
            view.show_status(self.tr("Reading the documents one by one…"))
            view.answer_table.show_progress(event.done, event.total)

    def _show_notice(self, turn: Turn, notice: Notice) -> None:
        """How the question was understood has a place of its own; all else is a note."""
        understanding = turn.view.header.understanding
        if notice.code == "question_rewritten":
            turn.rewritten = str(notice.params["question"])
            understanding.show_rewritten(turn.rewritten)
        elif notice.code == "filter_understood":
            understanding.show_filter(str(notice.params["filter"]), was_understood=True)
        elif notice.code == "version_differs":
            pass  # The answer that follows tells of it below, where both places can be opened.
        else:
            if notice.code == "survey_found_nothing":
                turn.view.answer_table.clear()
                turn.citations.clear()
            turn.view.add_note(error_text.describe(notice.code, notice.params).title)

    def _show_answer(self, turn: Turn, event: AnswerFinished) -> None:
        answer, view = event.answer, turn.view
        turn.answer, turn.run = answer, event.run
        turn.citations = {citation.number: citation for citation in answer.citations}
        self._show_understanding(turn, answer)
        for part in answer.parts:
            if not part.gate.answerable:
                view.add_note(error_text.describe("part_without_evidence", {"question": part.question}).title)
        if answer.refused:
            view.show_status("")
            view.show_refusal(answer.text, self._why(answer), answer.nearest)
            if answer.why_not is not None:
                view.refusal_card.show_why(answer.why_not, answer.gate)
            is_kept = event.run is not None
            view.answer_actions.show_for_refusal(can_ask_again=event.can_ask_again, is_kept=is_kept)
            return
        view.answer_actions.show_can_rate(event.run is not None)
        if answer.evidence_only:
            self._name_evidence(turn)
        view.answer_actions.show_passages_only(not turn.command.use_model)
        if answer.table is not None and answer.table.count:
            view.show_table(answer, turn.citations)
            view.show_status(self._took(answer))
            return
        view.show_answer(lay_out(answer), turn.citations)
        view.version_notes.show_versions(answer.versions, turn.citations)
        view.show_status(self._summary(answer))

    def _show_understanding(self, turn: Turn, answer: Answer) -> None:
        understanding = turn.view.header.understanding
        if answer.rewritten:
            turn.rewritten = answer.rewritten
            understanding.show_rewritten(answer.rewritten)
        found = conditions(from_record(answer.filter or {}))
        if found:
            was_understood = bool((answer.filter or {}).get("understood"))
            understanding.show_filter(all_words(found), was_understood=was_understood)

    def _name_evidence(self, turn: Turn) -> None:
        """These are the documents' own sentences, and why no model wrote an answer."""
        if not turn.command.use_model:
            turn.view.add_note(self.tr("Passages only: sentences of the documents, no model was asked."))
        elif not turn.view.has_note():
            turn.view.add_note(error_text.describe("evidence_only").title)

    def _why(self, answer: Answer) -> str:
        reason = refusal_words(answer)
        if answer.gate is not None and answer.gate.missing_terms:
            terms = self.tr("Question words found in no document: {terms}")
            reason += "\n" + terms.format(terms=self.tr(", ").join(answer.gate.missing_terms))
        suggestion = answer.why_not.suggestion if answer.why_not is not None else None
        if suggestion is not None:
            reason += "\n" + error_text.describe(suggestion.code, suggestion.params).title
        return reason

    def _summary(self, answer: Answer) -> str:
        """How many sentences are supported, and what it took."""
        parts = []
        verdicts = [sentence.verdict for sentence in answer.sentences]
        if answer.evidence_only:
            parts.append(self.tr("%n sentences quoted", "", len(verdicts)))
        elif count := verdicts.count("supported"):
            parts.append(self.tr("%n sentences supported", "", count))
        if count := verdicts.count("partly"):
            parts.append(self.tr("%n sentences partly supported", "", count))
        if count := verdicts.count("unsupported"):
            parts.append(self.tr("%n sentences unverified", "", count))
        return " · ".join(part for part in (*parts, self._took(answer)) if part)

    def _took(self, answer: Answer) -> str:
        """Whether it was stopped, and how long it took."""
        parts = [self.tr("Stopped")] if answer.stopped else []
        total = answer.seconds.get("total")
        if total is not None:
            parts.append(self.tr("{seconds} s").format(seconds=number(total, 1)))
        return " · ".join(parts)

"""What a run keeps beside its answer, gathered from the events of one question, also of a stopped one."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from engine.answer_events import AnswerFinished, AnswerText, PromptMade, SourcesFound
from engine.answers import Answer, Gate
from engine.documents import SearchHit
from engine.events import Event, Notice
from engine.history.records import RunState


class Recording:
    """``answer`` is the finished one, or what there is of it: the passages found and the text so far.

    ``previous`` are the questions that this one may lean on. ``thread`` and ``replaces`` say where in the
    history it belongs (:meth:`engine.runs.Runs.save`), ``attempt`` how often the question of that place has
    been answered before.
    """

    def __init__(
        self,
        question: str,
        previous: Sequence[str] = (),
        thread: int | None = None,
        replaces: int | None = None,
        attempt: int = 0,
    ) -> None:
        self.question, self.previous = question, tuple(previous)
        self.thread, self.replaces, self.attempt = thread, replaces, attempt
        self.run: int | None = None
        """Where it was kept."""
        self._started = time.monotonic()
        self._finished: Answer | None = None
        self._hits: tuple[SearchHit, ...] = ()
        self._gate: Gate | None = None
        self._rewritten: str | None = None
        self._prompts: list[PromptMade] = []
        self._text = ""

    def note(self, event: Event | None) -> None:
        match event:
            case SourcesFound():
                self._hits, self._gate = event.hits, event.gate
            case Notice(code="question_rewritten"):
                self._rewritten = str(event.params["question"])
            case PromptMade():
                self._prompts.append(event)
            case AnswerText():
                self._text += event.text
            case AnswerFinished():
                self._finished = event.answer
            case _:
                pass

    @property
    def is_finished(self) -> bool:
        return self._finished is not None

    @property
    def written(self) -> str:
        """What the model wrote, before it was checked."""
        return self._text

    @property
    def state(self) -> RunState:
        return "stopped" if self.answer.stopped else "finished"

    @property
    def answer(self) -> Answer:
        if self._finished is not None:
            return self._finished
        last = self._prompts[-1] if self._prompts else None
        return Answer(
            self.question, self._text.strip(), False, None, (), (), self._hits, self._gate,
            model=last.model if last else None,
            prompt=last.name if last else None,
            seconds={"total": time.monotonic() - self._started},
            rewritten=self._rewritten,
            stopped=True,
        )  # fmt: skip

    @property
    def record(self) -> Mapping[str, Any]:
        """For the trace: what the model was given, word for word, and what the question leant on."""
        return {
            "prompts": [
                {"name": made.name, "model": made.model, "seed": made.seed, "messages": list(made.messages)}
                for made in self._prompts
            ],
            "previous": list(self.previous) if self.answer.rewritten else [],
        }

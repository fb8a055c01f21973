"""The questions of one conversation in order, as far as the window needs to know them."""

from dataclasses import dataclass, field

from desktop.ask.turn import TurnView
from engine.answers import Answer, Citation
from engine.commands import AskQuestion
from engine.documents import SearchHit


@dataclass(slots=True)
class Turn:
    """What is known about a turn besides its view. ``run`` is where the engine kept it, None: not yet."""

    view: TurnView
    command: AskQuestion
    answer: Answer | None = None
    rewritten: str | None = None
    run: int | None = None
    citations: dict[int, Citation] = field(default_factory=dict)

    @property
    def in_full(self) -> str:
        """The question as it was understood."""
        return self.rewritten or self.command.question


class Conversation:
    """Turns by the id of their task; ``thread`` is the one that the engine keeps them in, None: not yet."""

    def __init__(self) -> None:
        self._turns: dict[int, Turn] = {}
        self.thread: int | None = None

    def add(self, turn: Turn) -> None:
        self._turns[turn.command.task_id] = turn

    def turn(self, task_id: int) -> Turn:
        return self._turns[task_id]

    def has(self, turn: Turn) -> bool:
        return self._turns.get(turn.command.task_id) is turn

    def is_last(self, turn: Turn) -> bool:
        return bool(self._turns) and next(reversed(self._turns.values())) is turn

    def previous(self, before: Turn | None = None) -> tuple[str, ...]:
        """All questions, or those asked before a turn, each as it was understood."""
        found: list[str] = []
        for turn in self._turns.values():
            if turn is before:
                break
            found.append(turn.in_full)
        return tuple(found)

    def sources_beside(self, source: SearchHit | Citation) -> tuple[SearchHit | Citation, ...]:
        """The citations of the answer that has this one, or the passages that were found with it."""
        for turn in self._turns.values():
            cited = tuple(turn.citations.values())
            if source in cited:
                return cited
            if turn.answer is not None and source in turn.answer.hits:
                return turn.answer.hits
        return ()

    def take_from(self, turn: Turn) -> list[Turn]:
        """Take a turn and those after it out, and return them."""
        ids = list(self._turns)
        gone = ids[ids.index(turn.command.task_id) :]
        return [self._turns.pop(task_id) for task_id in gone]

    def take(self, turn: Turn) -> None:
        """Take one turn out; a conversation without any begins anew."""
        self._turns.pop(turn.command.task_id, None)
        if not self._turns:
            self.thread = None

    def clear(self) -> list[Turn]:
        """Begin another one; returns the turns of this one."""
        gone = list(self._turns.values())
        self._turns.clear()
        self.thread = None
        return gone

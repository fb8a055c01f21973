"""Runs and threads as they are handed on: frozen and plain."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from engine.answers import Answer

RunState = Literal["finished", "stopped"]

Rating = Literal["good", "bad"]
"""What a person thinks of an answer; it never leaves this machine."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One question that was asked. ``asked_at`` is ISO 8601 in UTC.

    ``thread`` and ``place`` (from 1) say where in which conversation; runs that took each other's place share
    it, and all but the last are ``superseded``. A ``stopped`` run holds the text that was written until then,
    unchecked.
    """

    id: int
    asked_at: str
    question: str
    refused: bool
    model: str | None
    thread: int
    place: int
    state: RunState
    superseded: bool
    rating: Rating | None
    note: str


@dataclass(frozen=True, slots=True)
class Run(RunSummary):
    """A run with its trace: what ``ask --json`` prints, and everything to make the answer again."""

    trace: Mapping[str, Any]

    @property
    def dated_trace(self) -> Mapping[str, Any]:
        """The trace with the time it was asked at, for people who read it elsewhere."""
        return {**self.trace, "asked_at": self.asked_at}

    @property
    def summary(self) -> RunSummary:
        return RunSummary(*(getattr(self, known.name) for known in fields(RunSummary)))


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """A conversation. ``title`` is the one a person gave, else its first question.

    ``runs`` counts the questions in it that no other one has taken the place of.
    """

    id: int
    title: str
    created_at: str
    updated_at: str
    pinned: bool
    runs: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A run of a thread with its answer, whose citations can be followed where they are still indexed."""

    run: RunSummary
    answer: Answer

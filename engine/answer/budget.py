"""How many tokens of evidence a question gets: as many as are read before a person has waited too long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from engine.answer.generation import Generator

FIRST_TOKEN_S = 10.0
"""Within this time the answer shall begin."""

LEAST, MOST = 300, 1400
"""Tokens of evidence. Below, too little of what was found is left; above, hardly more of what is needed is
held (the table "What the prompt holds" in tests/quality/README.md)."""

UNKNOWN = 700
"""Where no speed has been measured yet, as with a server at its first question."""

_STEP = 50


@runtime_checkable
class Timed(Protocol):
    """A generator that knows its prompt tokens a second; None before they were measured."""

    @property
    def prompt_speed(self) -> float | None: ...


def default(generator: Generator, fixed: int) -> int:
    """Evidence tokens beside ``fixed`` tokens of rules and question, where the settings name no number.

    Prompt tokens a second × 10 s − ``fixed``, between LEAST and MOST, in steps of 50: a machine whose speed
    wavers a little shall give a question the same evidence each time.
    """
    speed = generator.prompt_speed if isinstance(generator, Timed) else None
    return UNKNOWN if speed is None else within(speed, fixed)


def within(speed: float, fixed: int) -> int:
    """The same for a known ``speed``, in prompt tokens a second."""
    tokens = int(speed * FIRST_TOKEN_S) - fixed
    return max(LEAST, min(MOST, tokens // _STEP * _STEP))

"""Guesses at how an answer goes on: as the prompt did where it held the same last tokens.

Answers quote their evidence, so several tokens at once can be given to the model to check, which costs
little more than one: a model of this size waits for memory, not for arithmetic. What it would not have
written itself is thrown away, so the text stays its own (prompt lookup decoding).
"""

from collections import defaultdict
from collections.abc import Sequence

SHORT, LONG = 3, 7
"""Guessed tokens: with the one before them they fill llama.cpp's kernels, which take rows by four."""

LEAST, MOST = 2, 5
"""Last tokens that must be found again: after a guess that came true, and after several that did not."""

_LOOKED_AT = 8
"""Places where the last two tokens stood before, the latest ones."""


class PromptLookup:
    """``tokens`` is the prompt; what is written is added token by token."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens: list[int] = []
        self._after: dict[tuple[int, ...], list[int]] = defaultdict(list)
        self._least, self._reach = LEAST, SHORT
        self._guess: list[int] = []
        self._right = 0
        for token in tokens:
            self._append(token)

    def add(self, token: int) -> None:
        """The model wrote ``token``."""
        if self._right < len(self._guess) and self._guess[self._right] == token:
            self._right += 1
        elif self._guess:
            self._learn()
        self._append(token)

    def guess(self) -> list[int]:
        """The tokens that may come next, at most :data:`LONG`; none where nothing speaks for any."""
        self._learn()
        place, length = self._longest()
        found = self._tokens[place : place + self._reach] if length >= self._least else []
        # Fewer than three cost as much to check as three, and four to six as much as seven.
        self._guess = found if len(found) == self._reach else found[:SHORT] if len(found) >= SHORT else []
        return self._guess

    def _learn(self) -> None:
        if not self._guess:
            return
        self._reach = LONG if self._right == len(self._guess) else SHORT
        if self._right == 0:
            self._least = min(self._least + 1, MOST)
        elif self._right >= SHORT:
            self._least = LEAST
        self._guess, self._right = [], 0

    def _longest(self) -> tuple[int, int]:
        """Where what follows begins, and how many tokens before it are the last ones written."""
        tokens, best = self._tokens, (0, 0)
        for place in reversed(self._after.get(tuple(tokens[-2:]), [])[-_LOOKED_AT:]):
            length = 2
            while length < min(MOST, place) and tokens[place - 1 - length] == tokens[-1 - length]:
                length += 1
            best = max(best, (place, length), key=lambda found: found[1])
        return best

    def _append(self, token: int) -> None:
        # The pair is noted once it has a follower, so that it is never found as its own past.
        if len(self._tokens) > 1:
            self._after[tuple(self._tokens[-2:])].append(len(self._tokens))
        self._tokens.append(token)

"""What happens to a model's output between its tokens and the screen.

Bytes become whole characters, thinking is taken out, and everything after a stop mark is cut off, even
where tags and marks arrive in pieces.
"""

import codecs
import re

STOP_MARKS = ("<|im_end|>", "<|endoftext|>", "<|im_start|>")
_OPEN, _CLOSE = "<think>", "</think>"


class Characters:
    """Bytes to text: nothing is given out before a character is whole."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> str:
        return self._decoder.decode(data)


class Surrogates:
    """Text from JSON to whole characters: a server may send the halves of one (\\ud83d, \\ude00) apart."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-16-le")("replace")

    def feed(self, piece: str) -> str:
        return self._decoder.decode(piece.encode("utf-16-le", "surrogatepass"))


class VisibleText:
    """Takes pieces of model output and gives out what people may see.

    ``stopped`` is true once a stop mark came: the rest of the output is nothing. ``thought`` counts the
    characters taken out as thinking.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._begun = False
        self.stopped = False
        self.thought = 0

    def feed(self, piece: str) -> str:
        """The visible text that has become certain with this piece."""
        if self.stopped:
            return ""
        self._held += piece
        shown = ""
        while True:
            if self._thinking:
                before, close, after = self._held.partition(_CLOSE)
                if not close:
                    kept = _tail(self._held, (_CLOSE,))
                    self.thought += len(self._held) - len(kept)
                    self._held = kept
                    break
                self.thought += len(before)
                self._held, self._thinking = after.lstrip(), False
                continue
            found = re.search("|".join(map(re.escape, (_OPEN, _CLOSE, *STOP_MARKS))), self._held)
            if found is None:
                kept = _tail(self._held, (_OPEN, _CLOSE, *STOP_MARKS))
                shown += self._held[: len(self._held) - len(kept)]
                self._held = kept
                break
            shown += self._held[: found.start()]
            self._held = self._held[found.end() :]
            if found.group() == _OPEN:
                self._thinking = True
            elif found.group() == _CLOSE:  # a template may have opened the tag in the prompt
                self._held = self._held.lstrip()
            else:
                self.stopped, self._held = True, ""
                break
        return self._without_leading_blanks(shown)

    def end(self) -> str:
        """What was held back and turned out to be ordinary text. Thinking that never closed stays hidden."""
        rest = "" if self._thinking or self.stopped else self._held
        self._held = ""
        return self._without_leading_blanks(rest)

    def _without_leading_blanks(self, text: str) -> str:
        if not self._begun:
            text = text.lstrip()
            self._begun = bool(text)
        return text


class LoopGuard:
    """Notices that a model says the same thing over and over."""

    _WINDOW = 24
    _TIMES = 3

    def __init__(self) -> None:
        self._text = ""

    def is_looping(self, piece: str) -> bool:
        """Whether the last 24 characters now stand in the recent text for the third time."""
        self._text = (self._text + piece)[-600:]
        tail = self._text[-self._WINDOW :]
        return len(tail) == self._WINDOW and self._text.count(tail) >= self._TIMES


def _tail(text: str, marks: tuple[str, ...]) -> str:
    """The longest end of ``text`` that may be the beginning of a mark."""
    for length in range(min(len(text), max(map(len, marks)) - 1), 0, -1):
        if any(mark.startswith(text[-length:]) for mark in marks):
            return text[-length:]
    return ""

"""The questions asked before, walked through with the arrow keys; what was being typed is not lost."""

_MOST = 200


class QuestionHistory:
    """Newest last; the same question twice is kept once, where it was asked last."""

    def __init__(self) -> None:
        self._asked: list[str] = []
        self._place: int | None = None
        self._draft = ""

    def remember(self, question: str) -> None:
        """A question was asked: the next walk begins behind it."""
        if question in self._asked:
            self._asked.remove(question)
        self._asked = [*self._asked, question][-_MOST:]
        self._place = None

    def leave(self) -> None:
        """The text in the box is somebody's own again."""
        self._place = None

    def earlier(self, text: str) -> str | None:
        """The question before the one that is shown; None at the first. ``text`` is what the box holds."""
        if self._place is None:
            self._draft = text
            place = len(self._asked) - 1
            if place >= 0 and self._asked[place] == text:
                place -= 1
        else:
            place = self._place - 1
        if place < 0:
            return None
        self._place = place
        return self._asked[place]

    def later(self) -> str | None:
        """The question after the one that is shown, at last what was being typed; None outside a walk."""
        if self._place is None:
            return None
        if self._place + 1 < len(self._asked):
            self._place += 1
            return self._asked[self._place]
        self._place = None
        return self._draft

"""What a page of the settings window says, for the search over all of them."""

from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QAbstractButton, QGroupBox, QLabel, QWidget


@runtime_checkable
class Searchable(Protocol):
    """A page that shows what a search is about."""

    def show_matching(self, words: str) -> int:
        """Show only what says all the words (all of it when there are none); how many settings that is."""
        ...


def matches(page: QWidget, words: str) -> int:
    """How many settings of the page say all the words; 1 or 0 for a page that does not count them."""
    if isinstance(page, Searchable):
        return page.show_matching(words)
    return int(says(_texts(page), words))


def says(text: str, words: str) -> bool:
    """Whether every word stands somewhere in the text, in capitals or not."""
    lowered = text.casefold()
    return all(word in lowered for word in words.casefold().split())


def _texts(page: QWidget) -> str:
    """What the page and all that is on it say, to people and to screen readers."""
    said = []
    for widget in (page, *page.findChildren(QWidget)):
        said.append(widget.accessibleName())
        if isinstance(widget, (QLabel, QAbstractButton)):
            said.append(widget.text())
        elif isinstance(widget, QGroupBox):
            said.append(widget.title())
    return "\n".join(said)

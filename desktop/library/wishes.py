"""What waits to be indexed, and in which order."""

from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path

from engine.commands import IngestFolders
from engine.intake.chunking.profiles import ProfileName


class Rank(IntEnum):
    """Smaller is sooner: what a person started, what nobody asked for, what only OCR is left to do of."""

    PERSON = 0
    QUIET = 1
    PICTURES = 2


@dataclass(frozen=True, slots=True)
class Wish:
    """Folders that wait for their turn; ``retry`` names documents that are read again.

    ``is_quiet``: nobody asked for it. ``is_for_pictures``: all that is left to do is OCR.
    """

    folders: tuple[Path, ...]
    library: str | None
    retry_failed: bool = False
    retry: tuple[str, ...] = ()
    profile: ProfileName | None = None
    below: tuple[Path, ...] = ()
    deep: bool = False
    is_quiet: bool = False
    is_for_pictures: bool = False

    def command(self, task_id: int) -> IngestFolders:
        return IngestFolders(
            task_id, self.folders, self.library, self.retry_failed, self.retry, self.profile, self.below,
            self.deep, self.is_quiet,
        )  # fmt: skip

    def pictures_left(self, library: str | None) -> "Wish":
        """The rest of a wish whose text has been read; ``library`` is what its knowledge base is called."""
        return Wish(self.folders, library, below=self.below, is_quiet=self.is_quiet, is_for_pictures=True)

    @property
    def rank(self) -> Rank:
        if self.is_for_pictures:
            return Rank.PICTURES
        return Rank.QUIET if self.is_quiet else Rank.PERSON

    def joined(self, later: "Wish") -> "Wish":
        """Both quiet wishes for one knowledge base in one."""
        everything = not self.below or not later.below
        return replace(later, below=() if everything else tuple(dict.fromkeys(self.below + later.below)))


class WaitingWishes:
    """By rank, then by arrival."""

    def __init__(self) -> None:
        self._wishes: list[Wish] = []

    def __bool__(self) -> bool:
        return bool(self._wishes)

    def add(self, wish: Wish) -> None:
        """Let a wish wait; a quiet one joins the quiet one that waits for the same knowledge base."""
        for place, waiting in enumerate(self._wishes if wish.is_quiet else ()):
            if waiting.is_quiet and (waiting.library, waiting.rank) == (wish.library, wish.rank):
                self._wishes[place] = waiting.joined(wish)
                return
        self._wishes.append(wish)

    def take(self) -> Wish:
        """The next one, which waits no longer."""
        wish = min(self._wishes, key=lambda waiting: waiting.rank)
        self._wishes.remove(wish)
        return wish

    def take_all(self) -> list[Wish]:
        """All of them, in the order of their arrival; none waits any longer."""
        wishes, self._wishes = self._wishes, []
        return wishes

    def first_rank(self) -> Rank | None:
        """The rank of the next one; None when nothing waits."""
        return min((wish.rank for wish in self._wishes), default=None)

    def drop(self, library: str) -> None:
        """Forget what waits for a knowledge base."""
        self._wishes = [wish for wish in self._wishes if wish.library != library]

    def clear(self) -> None:
        self._wishes.clear()

"""Runs one indexing task at a time, what a person started first."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.engine_bridge import EngineBridge
from desktop.library.battery import BatteryWait
from desktop.library.news import IndexingNews
from desktop.library.panel import LibraryPanel
from desktop.library.wishes import Rank, WaitingWishes, Wish
from engine.events import (
    Event,
    Notice,
    OcrProgress,
    OnBattery,
    ScanFinished,
    TaskDone,
    TaskFailed,
    TaskStopped,
)
from engine.intake.chunking.profiles import ProfileName

PICTURES_S = 20.0
"""OCR does not give way to a quiet task before this, or a folder that never rests would stop it for good."""
_NOT_WORTH_SAYING = frozenset({"library_busy", "not_readable"})
"""Ends of a quiet task that nobody has to know: it is tried again, and the folder is marked."""


class Indexing(QObject):
    """``shown`` says which knowledge base the table shows: only its files get news.

    ``reads_pictures`` is true once everything else of the task has been read. A pause stops the task, which
    loses no more than the file in hand, and lets what is left of it wait until somebody goes on or asks for
    something else. A task that takes long on battery waits for mains power in the same way; others go on. A
    quiet task (a sync that nobody asked for) is not announced, changes nothing but the table's rows, and says
    only what went wrong.

    Signals:
        began(object): an indexing task was sent; the name of its knowledge base, or None. Not of a quiet one.
        named(str): the knowledge base that grows has this name. Not of a quiet task.
        running_changed(): another knowledge base is being indexed now, or none.
        synced(str, object, object): a task is done to its end; its knowledge base, which folders alone it
            looked at (``below``), and the seconds it took.
        put_off(str, object): another program writes to the knowledge base of a quiet task; its ``below``.
        ended(object): the task is over, whatever its outcome; the name of its knowledge base, or None.
        problem_found(str, object): code and params of something to tell.
    """

    began = Signal(object)
    named = Signal(str)
    running_changed = Signal()
    synced = Signal(str, object, object)
    put_off = Signal(str, object)
    ended = Signal(object)
    problem_found = Signal(str, object)

    def __init__(
        self,
        bridge: EngineBridge,
        panel: LibraryPanel,
        shown: Callable[[], str | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._strip = panel.progress
        self._news = IndexingNews(panel, self)
        self._shown = shown
        self._waiting = WaitingWishes()
        self.battery = BatteryWait(parent=self)
        self._task: int | None = None
        self._library: str | None = None
        self._wish: Wish | None = None
        self._begun = 0.0
        self.reads_pictures = False
        self._pictures_begun = 0.0
        self._is_leaving = False
        self._is_paused = False
        self._told: set[tuple[str | None, str]] = set()
        self._pictures_due = QTimer(self)
        self._pictures_due.setSingleShot(True)
        self._pictures_due.timeout.connect(self._give_way)
        self._strip.stop_button.clicked.connect(self._on_stop_clicked)
        self._strip.pause_button.clicked.connect(self._on_pause_clicked)
        self.battery.ended.connect(self._on_mains)

    @property
    def library(self) -> str | None:
        """The knowledge base that is indexed now."""
        return self._library

    def is_busy(self) -> bool:
        """Whether something that a person started is under way or waits."""
        is_seen = self._wish is not None and not self._wish.is_quiet
        return is_seen or Rank.PERSON in (self._waiting.first_rank(), self.battery.wishes.first_rank())

    def index(
        self,
        paths: Sequence[Path],
        library: str | None,
        *,
        retry_failed: bool = False,
        retry: Sequence[str] = (),
        profile: ProfileName | None = None,
        deep: bool = False,
    ) -> None:
        """Index now, or after what is being indexed already; pictures that are being read wait, too."""
        if paths:
            self._add(Wish(tuple(paths), library, retry_failed, tuple(retry), profile, deep=deep))

    def sync_quietly(self, folders: Sequence[Path], library: str, below: Sequence[Path] = ()) -> None:
        """Bring a knowledge base in step when nothing else is to be done; ``below``: only these folders."""
        self._add(Wish(tuple(folders), library, below=tuple(below), is_quiet=True))

    def forget(self, library: str) -> None:
        """Nothing more is done for this knowledge base: it is about to go."""
        self._waiting.drop(library)
        self.battery.wishes.drop(library)
        if self._task is not None and self._library == library:
            self._is_leaving = True
            self._bridge.stop_task(self._task)
        elif self._task is None and self._strip.is_paused and not self._waits():
            self._end_pause()

    def _add(self, wish: Wish) -> None:
        self._waiting.add(wish)
        if self._is_paused and wish.is_quiet:
            return
        self._is_paused = False
        if self._task is None:
            self._begin_next()
            return
        if not wish.is_quiet:
            self._news.show_strip()
        self._give_way()

    @Slot()
    def _give_way(self) -> None:
        """OCR may take hours. What it has read is kept; it goes on when the text that waits can be found."""
        if self._task is None or self._wish is None or not self.reads_pictures or self._is_leaving:
            return
        rank = self._waiting.first_rank()
        if rank is None or rank is Rank.PICTURES:
            return
        rest_s = self._pictures_begun + PICTURES_S - time.monotonic()
        if rank is Rank.QUIET and rest_s > 0:
            self._pictures_due.start(int(rest_s * 1000) + 1)
            return
        self._is_leaving = True
        self._waiting.add(self._wish.pictures_left(self._library))
        self._bridge.stop_task(self._task)

    def _begin_next(self) -> None:
        wish = self._waiting.take()
        self._wish, self._library = wish, wish.library
        self.reads_pictures = self._is_leaving = False
        self._begun = time.monotonic()
        self._task = self._bridge.new_task()
        self._news.begin(is_quiet=wish.is_quiet)
        if not wish.is_quiet:
            self.began.emit(wish.library)
        self.running_changed.emit()
        self._bridge.send(wish.command(self._task), self._on_event)

    def _on_event(self, event: Event) -> None:
        if event.task_id != self._task or self._wish is None:
            return
        self._news.take(event, is_shown=self._shown() == self._library)
        if isinstance(event, ScanFinished):
            self._library = event.library
            if not self._wish.is_quiet:
                self.named.emit(event.library)
        elif isinstance(event, OcrProgress):
            if not self.reads_pictures:
                self.reads_pictures, self._pictures_begun = True, time.monotonic()
                self._give_way()
        elif isinstance(event, OnBattery):
            if not self.battery.is_ignored and not self._is_leaving:
                self._put_back(self.battery.wishes)
                self.battery.watch()
        elif isinstance(event, Notice):
            if not self._wish.is_quiet:
                self.problem_found.emit(event.code, event.params)
        elif isinstance(event, TaskFailed):
            self._on_failed(self._wish, event)
            self._end()
        elif isinstance(event, TaskDone):
            self._told = {told for told in self._told if told[0] != self._library}
            if self._library is not None:
                self.synced.emit(self._library, self._wish.below, time.monotonic() - self._begun)
            self._end()
        elif isinstance(event, TaskStopped):
            self._end()

    def _on_failed(self, wish: Wish, event: TaskFailed) -> None:
        if not wish.is_quiet:
            self.problem_found.emit(event.code, event.params)
            return
        if event.code == "library_busy":
            self.put_off.emit(wish.library, wish.below)
        key = (wish.library, event.code)
        if event.code not in _NOT_WORTH_SAYING and key not in self._told:
            self._told.add(key)
            self.problem_found.emit(event.code, event.params)

    def _end(self) -> None:
        self._news.end()
        self._pictures_due.stop()
        library = self._library
        self._task = self._library = self._wish = None
        self.reads_pictures = False
        if self._waiting and not self._is_paused:
            self._begin_next()
        else:
            self.running_changed.emit()
            if self._waits():
                self._strip.show_paused(is_for_power=not self._is_paused)
        self.ended.emit(library)

    def _waits(self) -> bool:
        """Whether something waits for a click, or for mains power."""
        return bool(self._is_paused and self._waiting) or bool(self.battery.wishes)

    @Slot()
    def _on_pause_clicked(self) -> None:
        if self._strip.is_paused:
            self._is_paused = False
            if self.battery.wishes:
                self.battery.ignore()
            self._go_on()
        elif self._task is not None and not self._is_leaving:
            self._is_paused = True
            self._put_back(self._waiting)

    def _put_back(self, wishes: WaitingWishes) -> None:
        """Stop the task; what is left of it waits in ``wishes``."""
        assert self._wish is not None and self._task is not None
        self._is_leaving = True
        left = replace(self._wish, library=self._library)
        wishes.add(self._wish.pictures_left(self._library) if self.reads_pictures else left)
        self._strip.show_pausing()
        self._bridge.stop_task(self._task)

    @Slot()
    def _on_mains(self) -> None:
        if self.battery.wishes:
            self._go_on()

    def _go_on(self) -> None:
        """What waited for power waits for its turn now, behind a pause that somebody wished for."""
        for wish in self.battery.wishes.take_all():
            self._waiting.add(wish)
        if self._task is None and self._is_paused:
            self._strip.show_paused()
            return
        if self._task is None and self._waiting:
            self._begin_next()
        if self._task is not None:
            self._news.show_strip()

    def _end_pause(self) -> None:
        self._is_paused = False
        self._strip.end()
        self.ended.emit(None)

    @Slot()
    def _on_stop_clicked(self) -> None:
        self.battery.wishes.clear()
        self._waiting.clear()
        if self._task is None:
            self._end_pause()
        else:
            self._is_paused = False
            self._is_leaving = True
            self._strip.show_stopping()
            self._bridge.stop_task(self._task)

"""The rounds of the soak: one home, one folder, and what is run, killed and compared in each round."""

import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from engine import shelf
from engine.answer import searching
from engine.config import Settings
from engine.errors import CodedError
from engine.index.embedding import Embedder
from engine.index.library import Library
from tests.soak import ending, inspection, snapshot
from tests.soak.documents import Documents
from tests.soak.ending import UNDISTURBED, Ending, Moment
from tests.soak.fresh import FreshIndex
from tests.soak.snapshot import Snapshot

NAME = "资料库"
_MOST_EDITS = 8
_SETTLE_EVERY = 5
_SHOWN = 12


@dataclass
class Soak:
    """One home and one folder, over many rounds.

    ``module`` is the command line that is run; the folder begins with ``count`` documents and some samples.
    """

    place: Path
    seed: int
    embedder: Embedder
    module: str
    count: int = 24
    problems: list[str] = field(default_factory=list)
    moments: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.home = self.place / "家"
        self.library = self.home / "libraries" / shelf.library_id(NAME)
        self.documents = Documents(self.place / "资料 夹", self.chance, self.count)
        self.fresh = FreshIndex(self.documents.root, self.embedder)
        self.excused: set[str] = set()
        self.usual: dict[str, Ending] = {}

    # -- rounds -----------------------------------------------------------------------------------

    def rehearse(self) -> None:
        """Run everything once undisturbed, to know how long it takes.

        Raises:
            RuntimeError: it does not work even so.
        """
        for command in ("ingest", "sync", "remove"):
            self._run(command, UNDISTURBED)
        if self.problems:
            raise RuntimeError(self.problems[0])

    def round(self, number: int) -> str:
        """One kill, and sometimes a sync that may finish; what was found wrong is added to ``problems``.

        Returns its lines.
        """
        known, kills = len(self.problems), self.moments.total()
        lines = []
        while self.moments.total() == kills and len(self.problems) == known:
            # A run that ended before its moment came is no kill: the next one, then.
            remove = self._is_there() and self.chance.random() < 0.15
            lines.append(self._killed_remove() if remove else self._killed_sync())
        if number % _SETTLE_EVERY == 0:
            lines.append(self._settle())
        new = self.problems[known:]
        more = [f"and {len(new) - _SHOWN} more"] if len(new) > _SHOWN else []
        text = "\n     ".join(lines)
        return "\n     ! ".join((f"{number:4} {text}", *(problem[:400] for problem in new[:_SHOWN]), *more))

    def _killed_sync(self) -> str:
        before = self._state()
        done = self.documents.change(self.chance.randint(1, _MOST_EDITS))
        command = "sync" if before and self.chance.random() < 0.8 else "ingest"
        files = self.documents.count()
        moment = ending.while_indexing(self.chance, self.usual[command], files, self.library)
        end = self._run(command, moment)
        self._count(moment, end, files)
        reported = {str(self.documents.root / name) for name in end.reported()}
        lost = 1 if moment.target == "child" else 0
        after = self._inspect(before, self._targets(), reported, lost)
        aside = sum(document.state == "set_aside" for document in after.values())
        held = f"{len(after)} documents" + (f", {aside} set aside" if aside else "")
        return f"{command:6} {moment}: {_how(end)}; {len(done)} edits, {held}"

    def _killed_remove(self) -> str:
        before = self._state()
        if self.chance.random() < 0.5:  # something that quotes the library
            word = self.chance.choice(sorted(self.documents.words.values()))
            self._expect(self._command("ask", word, "--no-model"), 0)
        moment = ending.while_removing(self.chance, self.usual["remove"], self.library)
        end = self._run("remove", moment)
        if end.killed:
            self.moments["while removing"] += 1
        self._expect(self._command("status"), 0)  # the next start
        if self._is_there():
            self._inspect(before, [before])
            return f"remove {moment}: {_how(end)}, still there"
        self.excused.clear()
        words = {*self.documents.words.values(), *self.documents.gone}
        self.problems += inspection.traces(self.home, words, "after it was removed")
        return f"remove {moment}: {_how(end)}, gone"

    def _settle(self) -> str:
        """Let a sync finish and compare the library with a fresh index, in everything."""
        # A command that was killed before it had noted the folder has to be given again.
        end = self._run("sync" if self._state() else "ingest", UNDISTURBED, "--retry-failed")
        self._expect(end, 0)
        self.excused.clear()
        with self._opened() as library:
            self.problems += snapshot.damage(library) + snapshot.remains(library)
            self.problems += snapshot.differences(
                snapshot.take(library), *self._targets(), vectors_within=inspection.ROUNDING
            )
            count = library.chunk_count()
        gone = self.documents.gone
        self.problems += inspection.traces(self.library, gone, "of a text that has left the folder")
        return f"{'settle':6} {end.seconds:.1f} s: {count} chunks compared with a fresh index"

    # -- what is looked at ------------------------------------------------------------------------

    def _is_there(self) -> bool:
        return (self.library / "library.sqlite").is_file()

    def _state(self) -> Snapshot:
        if not self._is_there():
            return {}
        with self._opened() as library:
            return snapshot.take(library)

    @contextmanager
    def _opened(self) -> Iterator[Library]:
        with closing(Library(self.library, dimension=self.embedder.dimension)) as library:
            yield library

    def _targets(self) -> list[Snapshot]:
        """Fresh indexes of the folder: with the files read under their names, and under each earlier one."""
        names = self.documents.names
        turns = range(max(map(len, names.values())))
        earlier = [{path: had[turn % len(had)] for path, had in names.items()} for turn in turns]
        return [self.fresh.snapshot(), *map(self.fresh.snapshot, earlier)]

    def _inspect(
        self, before: Snapshot, targets: Sequence[Snapshot], reported: Set[str] = frozenset(), lost: int = 0
    ) -> Snapshot:
        """Whether the library is whole; arguments as for :func:`inspection.torn`."""
        if not self._is_there():
            return {}
        try:
            with self._opened() as library:
                self.problems += snapshot.damage(library)
                in_work = inspection.in_work(library)
                after = snapshot.take(library)
                self._search(library, after)
        except (CodedError, sqlite3.DatabaseError) as exc:
            self.problems.append(f"cannot be opened: {type(exc).__name__}: {exc}")
            return {}
        if len(in_work) > 1:
            self.problems.append(f"{len(in_work)} files in work")
        self.excused |= in_work
        self.problems += inspection.torn(after, before, targets, reported, self.excused, lost)
        return after

    def _search(self, library: Library, after: Snapshot) -> None:
        """A document that is indexed is found by its own word."""
        words = [
            word for path, word in self.documents.words.items() if inspection.holds(after, str(path), word)
        ]
        if words:
            word = self.chance.choice(sorted(words))
            hits, _ = searching.search(word, [library], self.embedder, Settings())
            if not any(word in hit.text for hit in hits):
                self.problems.append(f"a search for {word} does not find it")

    # -- commands ---------------------------------------------------------------------------------

    def _run(self, command: str, moment: Moment, *more: str) -> Ending:
        what = (str(self.documents.root), "--library", NAME) if command == "ingest" else (NAME,)
        end = self._command(command, *what, *more, moment=moment)
        if end.orphans:
            self.problems.append(f"{end.orphans} processes went on after the end of the main process")
        if not end.killed or moment.target == "child":
            self._expect(end, 0)
            self.usual[command] = end
        return end

    def _count(self, moment: Moment, end: Ending, files: int) -> None:
        """Note in what part of a run the blow struck."""
        if not end.killed:
            return
        if moment.target == "child":
            self.moments["a parsing process alone"] += 1
        elif 0 < end.files < files:
            self.moments["among the files"] += 1
        else:
            self.moments["behind the last file" if end.files else "before the first file"] += 1

    def _command(self, *arguments: str, moment: Moment = UNDISTURBED) -> Ending:
        command = [sys.executable, "-m", self.module, *arguments, "--json", "--home", str(self.home)]
        return ending.run(command, {"PYTHONUNBUFFERED": "1"}, moment, self.place)

    def _expect(self, end: Ending, code: int) -> None:
        if end.code != code:
            self.problems.append(f"exit code {end.code}: {end.messages[-300:]}")


def _how(end: Ending) -> str:
    if not end.killed:
        return f"ended before it, after {end.seconds:.2f} s"
    return f"killed after {end.seconds:.2f} s and {end.files} files"

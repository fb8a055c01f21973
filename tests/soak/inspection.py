"""What is looked at after a kill; each look returns what is wrong, in words."""

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from engine.index.library import Library
from tests.soak import snapshot
from tests.soak.snapshot import TEXT, DocumentSnapshot, Snapshot

ROUNDING = 1e-5
"""How far numbers of a vector may lie apart that were embedded in batches of different texts."""


def in_work(library: Library) -> set[str]:
    """The files that were being read when the program was ended; the next start sets them aside."""
    found = library.db.execute(
        "SELECT f.path || '/' || w.path FROM work w JOIN folders f ON f.id = w.folder_id"
    )
    return {path for (path,) in found}


def torn(
    after: Snapshot,
    before: Snapshot,
    targets: Sequence[Snapshot],
    reported: Set[str],
    excused: Set[str],
    lost: int,
) -> list[str]:
    """Documents that are neither as they were nor as in a fresh index (each of ``targets`` is one).

    Those that the command ``reported`` as done have to be as in a fresh index. Set aside may be those that
    were in work when the main process was killed (``excused``), and as many as ``lost`` because their
    parsing process was. A file that was copied and then changed gives its document to the copy, and has none
    until it is read.
    """
    found = []
    for path in sorted(before.keys() | targets[0].keys() | after.keys()):
        have = after.get(path)
        was = before.get(path)
        # One that was set aside is reported so again, and not read, until somebody asks for it.
        is_settled = path in reported and (was is None or was.state != "set_aside")
        allowed = targets if is_settled else [before, *targets]
        if any(_is(have, wanted.get(path)) for wanted in allowed):
            continue
        if have is not None and have.reason == "ended_abruptly" and path in excused:
            continue
        if have is not None and have.reason == "loader_crashed" and lost:
            lost -= 1
            continue
        if have is None and _went_with_its_bytes(path, after, before, targets[0]):
            continue
        why = "gone" if have is None else f"{have.state} {have.reason or ''}"
        told = " although it was reported" if path in reported else ""
        found.append(f"{path}: {why}, neither as before nor as in the folder{told}")
        for name, wanted in (("before", before.get(path)), ("folder", targets[0].get(path))):
            if have is not None and wanted is not None:
                found += [f"  not as {name}: {what}" for what in snapshot.unlike(have, wanted)]
    return found


def _went_with_its_bytes(path: str, after: Snapshot, before: Snapshot, wanted: Snapshot) -> bool:
    was, will = before.get(path), wanted.get(path)
    if was is None or will is None or will.facts["content_hash"] == was.facts["content_hash"]:
        return False
    new = after.keys() - before.keys()
    return any(after[other].facts["content_hash"] == was.facts["content_hash"] for other in new)


def _is(have: DocumentSnapshot | None, want: DocumentSnapshot | None) -> bool:
    if have is None or want is None:
        return have is want
    return not snapshot.unlike(have, want, ROUNDING)


def holds(documents: Snapshot, path: str, word: str) -> bool:
    """Whether a passage of this document says the word."""
    return path in documents and any(word in chunk[TEXT] for chunk in documents[path].chunks)


def traces(folder: Path, words: Iterable[str], when: str) -> list[str]:
    """Files below the folder that hold one of the words, as text or as a term of the lexical index."""
    wanted = sorted(words)
    found = []
    for path in (path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if held := [word for word in wanted if word.encode() in data]:
            found.append(f"{path.name} holds {held[:3]} {when}")
    return found

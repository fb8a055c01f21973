"""Pages that are pictures, after all others: the second half of an ingest.

Every page that OCR has read is stored at once; when a file's pages are done, the file is read again with
them. A stop loses the page in work, and the next ingest goes on behind the last one stored.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from engine.documents import FileState, Reason
from engine.events import Event, FileReport, FileStarted, Notice, OcrProgress
from engine.index import pictures
from engine.ingest.indexing import Indexer
from engine.intake import scanner
from engine.intake.changes import Candidate
from engine.intake.messages import PageRead, ReadDone, RecognisePages

_OF_ONE_PAGE = frozenset({FileState.SET_ASIDE, FileState.OVER_BUDGET, FileState.DAMAGED})
"""How OCR ends when a page is too much for it; the pages behind that one may be read all the same."""

_MOST_FAILURES = 5
"""Pages of one file: each costs a process, and up to the whole time that a silent one is given."""


@dataclass(slots=True)
class _Progress:
    total: int
    done: int = 0


def read_pictures(indexer: Indexer) -> Iterator[Event | None]:
    """Read what OCR can find in the files that are settled; each is settled anew when it is done."""
    waiting = _waiting(indexer)
    progress = _Progress(sum(len(left) for _, left in waiting))
    for candidate, left in waiting:
        yield FileStarted(indexer.task_id, candidate.name)
        if left and not (yield from _is_unchanged(candidate)):
            yield indexer.settle(candidate, indexer.settled[candidate.name][1])
            continue  # the next ingest reads it as it is then
        end = yield from _recognise(indexer, candidate, left, progress)
        if end.reason is not None and end.reason.code == "ocr_unavailable":
            yield Notice(indexer.task_id, end.reason.code, end.reason.params)
            return
        report = yield from indexer.read_again(candidate)
        if report.recognisable and candidate.name not in indexer.locked:
            report = _give_up(indexer, candidate, report, end)
        yield indexer.settle(candidate, report)


def _waiting(indexer: Indexer) -> list[tuple[Candidate, list[int]]]:
    """The files with pages for OCR, as they are stored, and those of the pages that it has not read yet."""
    found = [item for item in indexer.settled.values() if item[1].recognisable]
    stored = {(file.folder_id, file.path): file for file in indexer.library.files()} if found else {}
    waiting = []
    for candidate, report in found:
        file = stored[candidate.folder_id, candidate.found.relative]
        if file.copy_of is not None:  # what it is a copy of came later
            continue
        seen = {page.number for page in pictures.stored(indexer.library, file.id)}
        left = [number for number in report.recognisable if number not in seen]
        waiting.append((replace(candidate, stored=file), left))
    return waiting


def _recognise(
    indexer: Indexer, candidate: Candidate, left: list[int], progress: _Progress
) -> Generator[Event | None, None, ReadDone]:
    """Read the pages ``left`` and store each; returns the last failure, if there was one."""
    assert candidate.stored is not None
    failure = ReadDone(FileState.INDEXED)
    failures = 0
    while left:
        last = 0
        end = failure
        request = RecognisePages(candidate.found.path, tuple(left), indexer.passwords)
        for message in indexer.reader.answer(request, indexer.token):
            match message:
                case PageRead():
                    pictures.store(indexer.library, candidate.stored.id, message.page)
                    last = message.page.number
                    progress.done += 1
                    yield OcrProgress(indexer.task_id, candidate.name, progress.done, progress.total)
                case ReadDone():
                    end = message
                case _:
                    yield None
            indexer.token.check()
        if end.reason is None:
            break
        failure = end
        failures += 1
        if end.state not in _OF_ONE_PAGE or failures == _MOST_FAILURES:
            break
        # The first page that did not come was too much.
        left = [number for number in left if number > last][1:]
    return failure


def _is_unchanged(candidate: Candidate) -> Generator[None, None, bool]:
    assert candidate.stored is not None
    try:
        return (yield from scanner.hashing(candidate.found.path)) == candidate.stored.content_hash
    except OSError:
        return False


def _give_up(indexer: Indexer, candidate: Candidate, report: FileReport, end: ReadDone) -> FileReport:
    """Some pages ended the process or took too long: they are named, and not tried again by themselves."""
    detail = end.reason.code if end.reason is not None else end.state.value
    reason = Reason("ocr_failed", {"count": len(report.recognisable), "detail": detail})
    pictures.give_up(indexer.library, candidate.folder_id, candidate.found.relative, reason)
    return replace(report, reason=reason, recognisable=())

"""Pages that are pictures, after all others: the second half of an ingest.

Every page that OCR has read is stored at once; when a file's pages are done, the file is read again with
them. A stop loses the page in work, and the next ingest goes on behind the last one stored.
"""

from collections.abc import Generator, Iterator
from dataclasses import replace

from engine.documents import FileState, Reason
from engine.events import Event, FileReport, FileStarted, Notice, OcrProgress
from engine.index import pictures
from engine.indexing import Indexer
from engine.intake import scanner
from engine.intake.changes import Candidate
from engine.intake.messages import PageRead, ReadDone, RecognisePages


def read_pictures(indexer: Indexer) -> Iterator[Event | None]:
    """Read what OCR can find in the files that are settled; each is settled anew when it is done."""
    library = indexer.library
    waiting: list[tuple[Candidate, int, list[int], int]] = []
    for candidate, report in indexer.settled.values():
        if not report.recognisable:
            continue
        stored = next(
            file for file in library.files(candidate.folder_id) if file.path == candidate.found.relative
        )
        seen = {page.number for page in pictures.stored(library, stored.id)}
        left = [number for number in report.recognisable if number not in seen]
        waiting.append((replace(candidate, stored=stored), stored.id, left, len(seen)))
    total = sum(len(left) for _, _, left, _ in waiting)
    done = 0
    for candidate, document_id, left, _ in waiting:
        yield FileStarted(indexer.task_id, candidate.name)
        end = ReadDone(FileState.INDEXED)
        if left and not (yield from _is_unchanged(candidate)):
            yield indexer.settle(candidate, indexer.settled[candidate.name][1])
            continue  # the next ingest reads it as it is then
        request = RecognisePages(candidate.found.path, tuple(left), indexer.passwords)
        for message in indexer.reader.answer(request, indexer.token) if left else ():
            match message:
                case PageRead():
                    pictures.store(library, document_id, message.page)
                    done += 1
                    yield OcrProgress(indexer.task_id, candidate.name, done, total)
                case ReadDone():
                    end = message
                case _:
                    yield None
            indexer.token.check()
        if end.reason is not None and end.reason.code == "ocr_unavailable":
            yield Notice(indexer.task_id, end.reason.code, end.reason.params)
            return
        report = yield from indexer.read_again(candidate)
        if report.recognisable:
            report = _give_up(indexer, candidate, report, end)
        yield indexer.settle(candidate, report)


def _is_unchanged(candidate: Candidate) -> Generator[None, None, bool]:
    assert candidate.stored is not None
    try:
        return (yield from scanner.hashing(candidate.found.path)) == candidate.stored.content_hash
    except OSError:
        return False


def _give_up(indexer: Indexer, candidate: Candidate, report: FileReport, end: ReadDone) -> FileReport:
    """Some pages ended the process or took too long: they are named, and not tried again by themselves."""
    library = indexer.library
    stored = next(
        file for file in library.files(candidate.folder_id) if file.path == candidate.found.relative
    )
    detail = end.reason.code if end.reason is not None else end.state.value
    reason = Reason("ocr_failed", {"count": len(report.recognisable), "detail": detail})
    pictures.give_up(library, stored.id, reason)
    return replace(report, reason=reason, recognisable=())

from engine.answer import why_not
from engine.answers import Gate
from engine.documents import FileState
from engine.events import FileReport
from engine.index.library import Library
from engine.index.writing import FileRecord
from tests.builders import make_hit, memory_library
from tests.indexed import FOLDER


def unread(library: Library, path: str, state: FileState) -> None:
    library.write_document(
        FileRecord(library.folder_id(FOLDER), path, 1, 1, path, FileReport(path, state, None, 0, 0))
    )


def test_files_that_were_not_read_come_by_likeness_of_their_name() -> None:
    library = memory_library({"员工手册.txt": "年假十天。"})
    unread(library, "a.pdf", FileState.DAMAGED)
    unread(library, "住宿标准.pdf", FileState.NEEDS_OCR)
    unread(library, "空.txt", FileState.EMPTY)
    unread(library, "忽略.txt", FileState.EXCLUDED)
    assert why_not.unreadable("住宿费是多少", [library]) == (
        ("住宿标准.pdf", "needs_ocr"),
        ("a.pdf", "damaged"),
    )
    library.close()


def test_the_best_of_each_lane_is_named() -> None:
    near = make_hit("词", lexical=9.0, dense=0.1)
    like = make_hit("义", lexical=0.0, dense=0.9)
    found = why_not.explain("住宿", [like, near], Gate(False, 0.1, 0.5, ("住宿",)), [])
    assert (found.lexical, found.dense, found.missing_terms) == (near, like, ("住宿",))


def test_without_passages_there_is_nothing_to_name() -> None:
    found = why_not.explain("住宿", [make_hit("义", lexical=0.0, dense=None)], None, [])
    assert (found.lexical, found.dense, found.missing_terms, found.unreadable) == (None, None, (), ())

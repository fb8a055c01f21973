"""What is said about a file of a knowledge base: state, why, what to do, what is missing."""

from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication

from desktop import error_text
from desktop.words import moment_words, number, number_list, state_word
from engine.documents import FileState
from engine.events import FileReport

_MARKS: dict[FileState | None, tuple[str, str]] = {
    None: ("state-reading", "muted"),
    FileState.INDEXED: ("state-good", "good"),
    FileState.PARTIAL: ("state-part", "warn"),
    FileState.NEEDS_PASSWORD: ("state-locked", "warn"),
    FileState.NEEDS_OCR: ("state-picture", "warn"),
    FileState.EMPTY: ("state-skip", "muted"),
    FileState.EXCLUDED: ("state-skip", "muted"),
    FileState.UNSUPPORTED: ("state-skip", "muted"),
}


def mark(state: FileState | None) -> tuple[str, str]:
    """Icon and colour role of a state; None is a file that is being read."""
    return _MARKS.get(state, ("state-bad", "bad"))


def is_copy(file: FileReport) -> bool:
    """Whether another document of the knowledge base has the same bytes, and is searched in its place."""
    return file.reason is not None and file.reason.code == "copy_of"


def outcome_word(file: FileReport, state: FileState | None) -> str:
    """The state in a table's column, where a copy says that it is one."""
    return copy_word(state) if state is not None and is_copy(file) else state_word(state)


def copy_word(state: FileState) -> str:
    return QCoreApplication.translate("File", "{state} (copy)").format(state=state_word(state))


def name_of(file: FileReport) -> str:
    return PurePosixPath(file.path).name


def reason_lines(file: FileReport) -> list[str]:
    """Why the file is in its state, then what to do."""
    if file.reason is None:
        return []
    words = error_text.describe(file.reason.code, file.reason.params)
    return [part for part in (words.title, words.advice) if part]


def page_lines(file: FileReport) -> list[str]:
    """Pages that are missing and pages that were read by OCR."""
    lines = []
    if file.missing_pages:
        text = QCoreApplication.translate("File", "Pages missing: {pages}")
        lines.append(text.format(pages=number_list(file.missing_pages)))
    if file.from_ocr:
        text = QCoreApplication.translate("File", "Pages read by OCR: {pages}")
        lines.append(text.format(pages=number_list(file.from_ocr)))
    return lines


def figures(file: FileReport) -> str:
    """Pages, passages, when and in which encoding it was read, in one line; empty when nothing was."""
    parts = []
    if file.pages:
        text = QCoreApplication.translate("File", "Pages {count}")
        parts.append(text.format(count=number(file.pages)))
    if file.chunks:
        text = QCoreApplication.translate("File", "Passages {count}")
        parts.append(text.format(count=number(file.chunks)))
    if file.indexed_at:
        text = QCoreApplication.translate("File", "read {time}")
        parts.append(text.format(time=moment_words(file.indexed_at)))
    if file.encoding:
        text = QCoreApplication.translate("File", "Encoding {name}")
        parts.append(text.format(name=file.encoding.upper()))
    return " · ".join(parts)


def explanation(file: FileReport, state: FileState | None) -> str:
    """Everything, line by line, for tooltips and screen readers."""
    lines = [file.path, state_word(state)]
    if state is not None:
        lines += [*reason_lines(file), *page_lines(file), figures(file)]
    return "\n".join(line for line in lines if line)

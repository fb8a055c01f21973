"""What is said above a document about its file."""

from typing import Literal

from PySide6.QtCore import QCoreApplication

from desktop.words import CERTAIN, percent
from engine.events import PassageLocated


def ocr_note(found: PassageLocated) -> tuple[str, str, str]:
    """Text, button and tone of what is said about pages that OCR read; the least certain one counts."""
    read = [(page.confidence, page.number) for page in found.pages if page.confidence is not None]
    if not read:
        return "", "", "quiet"
    confidence, page = min(read)
    text = QCoreApplication.translate(
        "ReaderNotes", "The text of page {page} was read by OCR, confidence {share}."
    ).format(page=page, share=percent(confidence))
    if confidence >= CERTAIN:
        return text, "", "quiet"
    advice = QCoreApplication.translate("ReaderNotes", "Compare numbers with the original picture.")
    return f"{text}\n{advice}", "", "warn"


def changed_note(found: PassageLocated) -> tuple[str, str]:
    """Text and button for a file that is gone, or is not the one that was indexed."""
    if found.path is None or not found.path.exists():
        text = QCoreApplication.translate(
            "ReaderNotes", "The file is no longer where it was when it was indexed. This is the stored text."
        )
        return text, ""
    text = QCoreApplication.translate(
        "ReaderNotes", "The file was changed since it was indexed. This is the stored text."
    )
    show = QCoreApplication.translate("ReaderNotes", "Show file") if found.kind == "pdf" else ""
    return text, show


def locked_note(found: PassageLocated) -> tuple[str, str]:
    """Text and button for a file that wants a password."""
    button = QCoreApplication.translate("ReaderNotes", "Enter password…")
    if found.passwords:
        text = QCoreApplication.translate(
            "ReaderNotes", "The passwords given so far do not open this file. This is the stored text."
        )
        return text, button
    text = QCoreApplication.translate(
        "ReaderNotes",
        "The file is encrypted: with its password the original page can be shown. This is the stored text.",
    )
    return text, button


def plain_note(what: Literal["broken", "unmarked"]) -> str:
    """What is said of a file that cannot be opened, and of a passage without a place on its page."""
    if what == "broken":
        return QCoreApplication.translate(
            "ReaderNotes", "The file cannot be opened. This is the stored text."
        )
    return QCoreApplication.translate("ReaderNotes", "The passage could not be marked on this page.")

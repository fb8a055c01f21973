"""What the inspect window says about pages and chunks."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from desktop.words import location_words, number, page_place, percent
from engine.documents import Chunk, Page
from engine.events import DocumentInspected


def chunk_title(chunk: Chunk) -> str:
    """片段 12 · 312 词元 · 第 3–4 页."""
    name = QCoreApplication.translate("Inspect", "Passage {number}").format(number=chunk.ordinal + 1)
    tokens = QCoreApplication.translate("Inspect", "{count} tokens").format(count=number(chunk.tokens))
    place = location_words(chunk.location) or _pages(chunk)
    return f"{name} · {tokens} · {place}"


def _pages(chunk: Chunk) -> str:
    if chunk.page_end > chunk.page:
        text = QCoreApplication.translate("Inspect", "pages {first}–{last}")
        return text.format(first=chunk.page, last=chunk.page_end)
    return QCoreApplication.translate("Inspect", "page {page}").format(page=chunk.page)


def section_words(chunk: Chunk) -> str:
    return " › ".join(chunk.section)


def chunk_hint(chunk: Chunk) -> str:
    return "\n".join(part for part in (chunk_title(chunk), section_words(chunk)) if part)


def ocr_words(confidence: float | None) -> str:
    """How a page was read when it was not read from its text."""
    if confidence is None:
        return QCoreApplication.translate("Inspect", "read by OCR")
    text = QCoreApplication.translate("Inspect", "read by OCR, confidence {share}")
    return text.format(share=percent(confidence))


def short_ocr_words(confidence: float | None) -> str:
    name = QCoreApplication.translate("Inspect", "OCR")
    return name if confidence is None else f"{name} {percent(confidence)}"


def page_words(page: Page) -> str:
    """Place, length, and how it was read."""
    count = QCoreApplication.translate("Inspect", "{count} characters").format(count=number(len(page.text)))
    parts = [page_place(page), count]
    if page.from_ocr:
        parts.append(ocr_words(page.confidence))
    return " · ".join(parts)


def figures(found: DocumentInspected) -> list[tuple[str, str]]:
    """Names and values of the header's figures."""
    pages = found.report.pages or len(found.pages)
    characters = sum(len(page.text) for page in found.pages)
    rows = [
        (QCoreApplication.translate("Inspect", "Pages"), number(pages)),
        (QCoreApplication.translate("Inspect", "Passages"), number(len(found.chunks))),
        (QCoreApplication.translate("Inspect", "Characters"), number(characters)),
    ]
    if found.dropped:
        rows.append((QCoreApplication.translate("Inspect", "Left out"), number(len(found.dropped))))
    read = [page for page in found.pages if page.from_ocr]
    if read:
        value, share = number(len(read)), confidence_of(read)
        rows.append(
            (
                QCoreApplication.translate("Inspect", "Pages by OCR"),
                value if share is None else f"{value} · {percent(share)}",
            )
        )
    if found.report.encoding:
        rows.append((QCoreApplication.translate("Inspect", "Encoding"), found.report.encoding.upper()))
    return rows


def confidence_of(pages: Sequence[Page]) -> float | None:
    """Mean confidence of pages read by OCR, a long page counting more; None when none is known."""
    known = [(page.confidence, len(page.text)) for page in pages if page.confidence is not None]
    total = sum(length for _, length in known)
    if not total:
        return None
    return sum(share * length for share, length in known) / total

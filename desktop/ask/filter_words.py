"""The conditions of a document filter one by one, in words, and a filter without one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication

from engine.document_filter import DocumentFilter

KINDS = ("pdf", "word", "sheet", "slides", "markdown", "text", "html", "mail", "ebook")
"""The kinds of documents that are offered, the commonest first."""

EVERYWHERE = DocumentFilter(folders=(".",))
"""All documents, said in so many words: where a filter is given none is understood from the question."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One value of one field of a DocumentFilter."""

    field: Literal["folders", "names", "types", "since", "until"]
    value: str


def conditions(chosen: DocumentFilter) -> list[Condition]:
    """What must hold, in the order in which it is shown; nothing for :data:`EVERYWHERE`."""
    found = [Condition("folders", folder) for folder in chosen.folders if folder != "."]
    found += [Condition("names", name) for name in chosen.names]
    found += [Condition("types", kind) for kind in chosen.types]
    found += [Condition("since", chosen.since.isoformat())] if chosen.since else []
    found += [Condition("until", chosen.until.isoformat())] if chosen.until else []
    return found


def without(chosen: DocumentFilter, condition: Condition) -> DocumentFilter:
    def left(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(value for value in values if value != condition.value)

    match condition.field:
        case "folders":
            return replace(chosen, folders=left(chosen.folders))
        case "names":
            return replace(chosen, names=left(chosen.names))
        case "types":
            return replace(chosen, types=left(chosen.types))
        case "since":
            return replace(chosen, since=None)
        case "until":
            return replace(chosen, until=None)


def from_record(record: Mapping[str, Any]) -> DocumentFilter:
    """The filter that an answer carries (``DocumentFilter.record``)."""
    since, until = (record.get(end) for end in ("since", "until"))
    return DocumentFilter(
        folders=tuple(record.get("in") or ()),
        types=tuple(record.get("type") or ()),
        since=date.fromisoformat(since) if since else None,
        until=date.fromisoformat(until) if until else None,
        names=tuple(record.get("name") or ()),
    )


def condition_words(condition: Condition) -> str:
    """文件夹“人事”, 文件名“合同*”, PDF, 2023-01-01起."""
    value = condition.value
    if condition.field == "types":
        return kind_word(value)
    texts = {
        "folders": QCoreApplication.translate("Filter", "Folder: {value}"),
        "names": QCoreApplication.translate("Filter", "Name: {value}"),
        "since": QCoreApplication.translate("Filter", "From {value}"),
        "until": QCoreApplication.translate("Filter", "Until {value}"),
    }
    return texts[condition.field].format(value=value)


def all_words(found: Sequence[Condition]) -> str:
    return " · ".join(map(condition_words, found))


def kind_word(kind: str) -> str:
    """The kind of document, or a suffix as it is written."""
    words = {
        "pdf": "PDF",
        "word": "Word",
        "markdown": "Markdown",
        "sheet": QCoreApplication.translate("Filter", "Tables"),
        "slides": QCoreApplication.translate("Filter", "Slides"),
        "text": QCoreApplication.translate("Filter", "Plain text"),
        "html": QCoreApplication.translate("Filter", "Web pages"),
        "mail": QCoreApplication.translate("Filter", "E-mail"),
        "ebook": QCoreApplication.translate("Filter", "E-books"),
    }
    return words.get(kind, f".{kind}")

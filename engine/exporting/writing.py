"""Exports as bytes and as files."""

from collections.abc import Sequence
from pathlib import Path

from engine.errors import WrongUse
from engine.exporting import ExportFormat
from engine.exporting.composition import Record, compose
from engine.exporting.legible import one_line
from engine.exporting.markdown import markdown
from engine.index.replacing import write_file
from engine.wording import Language


def exported(
    records: Sequence[Record], form: ExportFormat, language: Language, title: str | None = None
) -> bytes:
    """Answers as a file of this format; ``title`` stands above those of a conversation.

    Raises WrongUse when there is none.
    """
    if not records:
        raise WrongUse(detail="no answer to export")
    answers = [compose(record, language) for record in records]
    heading = one_line(title) if title and len(answers) > 1 else None
    if form == "md":
        return markdown(answers, language, heading).encode("utf-8")
    from engine.exporting import word  # lxml is loaded when it is needed

    return word.document(answers, language, heading)


def write(
    file: Path, records: Sequence[Record], form: ExportFormat, language: Language, title: str | None = None
) -> None:
    """Write :func:`exported` in one step: the file is whole, or as it was; raises StorageFailed, WrongUse."""
    write_file(file, exported(records, form, language, title))

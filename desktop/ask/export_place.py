"""Asks where answers are to be written, and as what."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.exporting import ExportFormat

_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\s]+')
_LONGEST_NAME = 40


def export_place(owner: QWidget, title: str) -> tuple[Path, ExportFormat] | None:
    """File and format, named after ``title`` unless somebody says otherwise; None: nobody chose any."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    name = _NOT_IN_NAMES.sub(" ", title).strip(" .")[:_LONGEST_NAME].strip() or "zhiye"
    markdown = QCoreApplication.translate("Export", "Markdown (*.md)")
    word = QCoreApplication.translate("Export", "Word document (*.docx)")
    caption = QCoreApplication.translate("Export", "Export with sources")
    offered = str(Path(folder) / f"{name}.md")
    chosen, kind = QFileDialog.getSaveFileName(owner.window(), caption, offered, f"{markdown};;{word}")
    if not chosen:
        return None
    file = Path(chosen)
    if kind == word and file.suffix.lower() == ".md":  # the name that was offered
        file = file.with_suffix(".docx")
    wanted: ExportFormat = "docx" if kind == word or file.suffix.lower() == ".docx" else "md"
    file = file if file.suffix.lower() == f".{wanted}" else Path(f"{file}.{wanted}")
    return (file if str(file) == chosen else _free(file)), wanted


def _free(file: Path) -> Path:
    """A name that is not taken: the dialog asked about another one before it was completed here."""
    return next(each for each in _numbered(file) if not each.exists())


def _numbered(file: Path) -> Iterator[Path]:
    yield file
    for number in itertools.count(2):
        yield file.with_stem(f"{file.stem} ({number})")

"""Which files of its folders a knowledge base reads: two lists of patterns, and hidden files."""

from PySide6.QtWidgets import QCheckBox, QGridLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.library.properties.titles import field_error, field_title
from desktop.plain_label import plain_label
from engine.standing import LibrarySummary

_LINES = 4


class SelectionFields(QWidget):
    """One pattern a line, as in .gitignore; ``include_error`` and ``exclude_error`` stand below the boxes."""

    def __init__(self, library: LibrarySummary, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self.include_box.setPlainText("\n".join(library.include))
        self.exclude_box.setPlainText("\n".join(library.exclude))
        self.hidden_box.setChecked(library.hidden)

    def _build(self) -> None:
        note = self.tr(
            "One pattern a line, as in .gitignore: * stands for any characters, a / at the end for a folder, "
            "! in front for an exception."
        )
        self.include_box = _pattern_box("includePatterns", self.tr("*.pdf\ncontracts/"))
        self.exclude_box = _pattern_box("excludePatterns", self.tr("*.bak\ndrafts/"))
        self.include_error, self.exclude_error = field_error("includeError"), field_error("excludeError")
        self.hidden_box = QCheckBox(self.tr("Read hidden files and folders too"))
        self.hidden_box.setObjectName("propertiesHidden")
        columns = QGridLayout()
        columns.setHorizontalSpacing(SPACE_M)
        columns.setVerticalSpacing(SPACE_XS)
        parts = (
            (self.tr("Only these (none: all files)"), self.include_box, self.include_error),
            (self.tr("Leave these out"), self.exclude_box, self.exclude_error),
        )
        for column, (text, box, error) in enumerate(parts):
            columns.addWidget(field_title(text, box), 0, column)
            columns.addWidget(box, 1, column)
            columns.addWidget(error, 2, column)
            columns.setColumnStretch(column, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(plain_label("patternsNote", "caption", note))
        layout.addLayout(columns)
        layout.addWidget(self.hidden_box)

    def include(self) -> tuple[str, ...]:
        return _patterns(self.include_box)

    def exclude(self) -> tuple[str, ...]:
        return _patterns(self.exclude_box)


def _pattern_box(name: str, example: str) -> QPlainTextEdit:
    box = QPlainTextEdit()
    box.setObjectName(name)
    box.setPlaceholderText(example)
    box.setTabChangesFocus(True)
    box.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    box.setFixedHeight(box.fontMetrics().lineSpacing() * _LINES + 2 * SPACE_M)
    return box


def _patterns(box: QPlainTextEdit) -> tuple[str, ...]:
    """Its lines; blanks at their ends mean something only in rare patterns, and are a slip more often."""
    return tuple(line.strip() for line in box.toPlainText().splitlines() if line.strip())

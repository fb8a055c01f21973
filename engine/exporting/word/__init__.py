"""Answers as a Word document whose footnotes are Word's own.

python-docx makes no footnotes, so the few parts that such a document needs are written here (ECMA-376,
part 1: WordprocessingML).
"""

from engine.exporting.word.document import document

__all__ = ["document"]

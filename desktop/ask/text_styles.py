"""Character formats of an answer, from the colours of the theme."""

from PySide6.QtGui import QColor, QFont, QTextCharFormat

from desktop.design_tokens import CAPTION, TITLE, Colours
from engine.documents import Sentence, Verdict


class AnswerStyles:
    """Formats for text, sentences by verdict, chips and badges."""

    def __init__(self, colours: Colours, font: QFont) -> None:
        self._colours = colours
        self._size = font.pointSizeF() if font.pointSizeF() > 0 else 10.0

    def body(self) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setForeground(QColor(self._colours.text))
        style.setFontPointSize(self._size * TITLE)
        return style

    def sentence(self, sentence: Sentence | None) -> QTextCharFormat:
        """Doubtful sentences carry a dotted line beside their badge: colour is never the only sign."""
        style = self.body()
        if sentence is not None and sentence.verdict in ("partly", "unsupported"):
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            style.setUnderlineColor(QColor(self._colours.warn))
        return style

    def chip(self, link: str, tip: str) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setAnchor(True)
        style.setAnchorHref(link)
        style.setForeground(QColor(self._colours.accent_strong))
        style.setBackground(QColor(self._colours.accent_soft))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setFontPointSize(self._size * BODY_CHIP)
        style.setToolTip(tip)
        return style

    def badge(self, verdict: Verdict, tip: str) -> QTextCharFormat:
        style = QTextCharFormat()
        is_bad = verdict == "unsupported"
        style.setForeground(QColor(self._colours.bad if is_bad else self._colours.warn))
        style.setBackground(QColor(self._colours.bad_soft if is_bad else self._colours.warn_soft))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setFontPointSize(self._size * CAPTION)
        style.setToolTip(tip)
        return style


BODY_CHIP = 0.95
"""Chips are a little smaller than the answer's text, so that they do not break its rhythm."""

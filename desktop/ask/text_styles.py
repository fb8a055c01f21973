"""Character formats of an answer, from the colours of the theme."""

from PySide6.QtGui import QColor, QFont, QTextCharFormat

from desktop.design_tokens import CAPTION, TITLE, Colours
from engine.answers import Sentence, Verdict

BODY_CHIP = 0.95
"""Chips are a little smaller than the answer's text, so that they do not break its rhythm."""

SOURCE = QTextCharFormat.Property.UserProperty.value + 1
"""Property of a sentence's format: the number of its first citation."""

_Line = QTextCharFormat.UnderlineStyle


class AnswerStyles:
    """Formats for text, sentences by verdict, details nothing holds, chips and badges."""

    def __init__(self, colours: Colours, font: QFont) -> None:
        self._colours = colours
        self.size = font.pointSizeF() if font.pointSizeF() > 0 else 10.0

    def body(self) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setForeground(QColor(self._colours.text))
        style.setFontPointSize(self.size * TITLE)
        return style

    def sentence(self, sentence: Sentence | None) -> QTextCharFormat:
        """Doubtful sentences carry a dotted line beside their badge: colour is never the only sign."""
        style = self.body()
        if sentence is not None and sentence.verdict in ("partly", "unsupported"):
            style.setUnderlineStyle(_Line.DotLine)
            style.setUnderlineColor(QColor(self._colours.warn))
        return style

    def locked(self, tip: str) -> QTextCharFormat:
        """A detail that no passage holds: bold on a wavy line, and why in the tooltip."""
        style = self.body()
        style.setUnderlineStyle(_Line.WaveUnderline)
        style.setUnderlineColor(QColor(self._colours.bad))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setToolTip(tip)
        return style

    def chip(self, link: str) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setAnchor(True)
        style.setAnchorHref(link)
        style.setForeground(QColor(self._colours.accent_strong))
        style.setBackground(QColor(self._colours.accent_soft))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setFontPointSize(self.size * BODY_CHIP)
        return style

    def badge(self, verdict: Verdict, tip: str) -> QTextCharFormat:
        text, background = {
            "supported": (self._colours.good, None),
            "partly": (self._colours.warn, self._colours.warn_soft),
        }.get(verdict, (self._colours.bad, self._colours.bad_soft))
        style = QTextCharFormat()
        style.setForeground(QColor(text))
        if background is not None:
            style.setBackground(QColor(background))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setFontPointSize(self.size * CAPTION)
        style.setToolTip(tip)
        return style

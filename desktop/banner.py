"""Calm lines across the top of the window for things people should know."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, current_colours
from desktop.plain_label import plain_label
from desktop.problems.actions import TRY_AGAIN, ActionButton, ProblemActions
from engine.wording import Wording

Tone = Literal["info", "warn", "bad"]
_MOST = 3


class Banner(QFrame):
    """One message, with a button where something can be done; it goes when it is closed or taken back."""

    def __init__(self, key: str, words: Wording, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setProperty("tone", tone)
        self.key = key
        self._tone = tone
        self.icon_label = QLabel()
        self.title_label = plain_label("bannerTitle", "plain", words.title)
        self.advice_label = plain_label("bannerAdvice", "plain", words.advice)
        self.advice_label.setVisible(bool(words.advice))
        self.action_button = ActionButton("bannerAction")
        self.close_button = QToolButton()
        self.close_button.setObjectName("bannerClose")
        self.close_button.setProperty("kind", "flat")
        self.close_button.setAccessibleName(self.tr("Close this message"))
        self.close_button.setToolTip(self.tr("Close this message"))
        self.close_button.setIconSize(QSize(16, 16))
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addWidget(self.title_label)
        text.addWidget(self.advice_label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_S, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.icon_label, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(text, 1)
        layout.addWidget(self.action_button, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._dress()

    def _dress(self) -> None:
        role = {"info": "accent", "warn": "warn", "bad": "bad"}[self._tone]
        name = "info" if self._tone == "info" else "warning"
        colour = getattr(current_colours(), role)
        self.icon_label.setPixmap(icons.icon(name, colour).pixmap(QSize(20, 20)))
        icons.dress(self.close_button, "close", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ParentChange):
            self._dress()


class Banners(QWidget):
    """At most three banners, one of a kind, the newest last; a card, where there is one, stands above them.

    ``problem_actions`` are what their buttons can do.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banners")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._shown: list[Banner] = []
        self._card: QWidget | None = None
        self.problem_actions = ProblemActions(self)
        self.hide()

    def messages(self) -> list[str]:
        return [banner.title_label.text() for banner in self._shown]

    def show_message(
        self, key: str, words: Wording, tone: Tone, again: Callable[[], object] | None = None
    ) -> None:
        """``again`` does once more what has failed; with it a message that has no other button has that."""
        self.take_back(key)
        while len(self._shown) >= _MOST:
            self.take_back(self._shown[0].key)
        banner = Banner(key, words, tone, self)
        banner.close_button.clicked.connect(self._on_close_clicked)
        if words.action in ("", TRY_AGAIN) and again is not None:
            banner.action_button.show_for(replace(words, action=TRY_AGAIN), lambda _: self._try(key, again))
        else:
            banner.action_button.show_for(words, self.problem_actions.of(words))
        self._shown.append(banner)
        self._layout.addWidget(banner)
        self.show()

    def _try(self, key: str, again: Callable[[], object]) -> None:
        self.take_back(key)
        again()

    def show_card(self, card: QWidget) -> None:
        """A card with buttons of its own, until :meth:`take_card`."""
        self._card = card
        self._layout.insertWidget(0, card)
        self.show()

    def take_card(self, card: QWidget) -> None:
        self._layout.removeWidget(card)
        card.hide()
        card.deleteLater()
        self._card = None
        self.setVisible(bool(self._shown))

    def take_back(self, key: str) -> None:
        for banner in [shown for shown in self._shown if shown.key == key]:
            self._shown.remove(banner)
            self._layout.removeWidget(banner)
            banner.hide()
            banner.action_button.take_back()
            banner.deleteLater()
        self.setVisible(bool(self._shown) or self._card is not None)

    @Slot()
    def _on_close_clicked(self) -> None:
        button = self.sender()
        for banner in self._shown:
            if banner.close_button is button:
                self.take_back(banner.key)
                return

"""The settings window: a search field over a list of pages, and the chosen page beside it. Layout only."""

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import icons
from desktop.design_tokens import ICON, SPACE_L, SPACE_M, SPACE_S, SPACE_XL, current_colours
from desktop.note_line import NoteLine
from desktop.plain_label import plain_label
from desktop.settings.searching import matches
from desktop.theme import SystemTheme

PAGE_ORDER = ("general", "answers", "reading", "performance", "models", "shortcuts", "privacy", "data", "log")
"""Where a page stands in the list, whoever adds it and when; pages of other names follow."""

_NAME = int(Qt.ItemDataRole.UserRole)
_ICON_NAME = _NAME + 1
_TITLE = _NAME + 2


class SettingsWindow(QWidget):
    """Stands over the main window and closes on Esc; the pages are made once and kept.

    A page may have a method ``show_matching(words: str) -> int`` that shows what the search is about and
    says how much that is; of any other page all of the text is searched.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("settingsWindow")
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self.search_edit.textChanged.connect(self._on_search)
        self.page_list.currentItemChanged.connect(self._on_page_chosen)
        self._theme = SystemTheme(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._on_escape)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search_edit.setFocus)
        self.setMinimumSize(720, 480)
        self.resize(940, 700)

    def _build(self) -> None:
        self.search_edit = QLineEdit()
        self.search_edit.setObjectName("settingsSearch")
        self.search_edit.setPlaceholderText(self.tr("Search settings"))
        self.search_edit.setAccessibleName(self.search_edit.placeholderText())
        self.search_edit.setClearButtonEnabled(True)
        self.page_list = QListWidget()
        self.page_list.setObjectName("settingsPages")
        self.page_list.setAccessibleName(self.tr("Pages of settings"))
        self.page_list.setIconSize(QSize(ICON, ICON))
        self.page_list.setFrameShape(QFrame.Shape.NoFrame)
        self.page_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side = QFrame()
        side.setObjectName("settingsSide")
        side.setFixedWidth(232)
        column = QVBoxLayout(side)
        column.setContentsMargins(SPACE_M, SPACE_L, SPACE_M, SPACE_M)
        column.setSpacing(SPACE_M)
        column.addWidget(self.search_edit)
        column.addWidget(self.page_list, 1)
        self.note = NoteLine("settingsNote", SPACE_XL)
        self.title_label = plain_label("settingsTitle", "heading")
        self.title_label.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_S)
        self.pages = QStackedWidget()
        self.nothing_label = plain_label("settingsNothing", "lead", self.tr("No setting says that."))
        self.nothing_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing_label.hide()
        body = QVBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.note)
        body.addWidget(self.title_label)
        body.addWidget(self.pages, 1)
        body.addWidget(self.nothing_label, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(side)
        layout.addLayout(body, 1)

    def add_page(self, name: str, icon: str, title: str, widget: QWidget) -> None:
        """Put ``widget`` on a page of its own; it scrolls where it is higher than the window.

        ``name`` places it (:data:`PAGE_ORDER`) and opens it (:meth:`show_page`), ``icon`` is a file of
        ``resources/icons`` without its suffix.
        """
        area = QScrollArea()
        area.setObjectName("settingsScroll")
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(widget)
        row = next((r for r in range(self.page_list.count()) if _rank(self._name(r)) > _rank(name)), None)
        row = self.page_list.count() if row is None else row
        self.pages.insertWidget(row, area)
        item = QListWidgetItem(title)
        for role, value in ((_NAME, name), (_ICON_NAME, icon), (_TITLE, title)):
            item.setData(role, value)
        item.setIcon(icons.icon(icon, current_colours().text))
        self.page_list.insertItem(row, item)
        if self.page_list.currentRow() < 0:
            self.page_list.setCurrentRow(0)

    def page(self, name: str) -> QWidget | None:
        """The widget that was added under this name."""
        row = self._row(name)
        area = self.pages.widget(row) if row is not None else None
        return area.widget() if isinstance(area, QScrollArea) else None

    def page_names(self) -> tuple[str, ...]:
        """From top to bottom."""
        return tuple(self._name(row) for row in range(self.page_list.count()))

    def show_page(self, name: str) -> None:
        """Open a page; a name that no page has changes nothing."""
        row = self._row(name)
        if row is not None:
            self.search_edit.clear()
            self.page_list.setCurrentRow(row)

    def _name(self, row: int) -> str:
        return str(self.page_list.item(row).data(_NAME))

    def _row(self, name: str) -> int | None:
        return next((row for row in range(self.page_list.count()) if self._name(row) == name), None)

    @Slot(object, object)
    def _on_page_chosen(self, chosen: QListWidgetItem | None, _: QListWidgetItem | None) -> None:
        if chosen is not None:
            self.pages.setCurrentIndex(self.page_list.row(chosen))
            self.title_label.setText(chosen.data(_TITLE))

    @Slot(str)
    def _on_search(self, words: str) -> None:
        """The pages that say the words stay in the list, each with how many settings of it do."""
        words = words.strip()
        found = []
        for row, name in enumerate(self.page_names()):
            page = self.page(name)
            count = matches(page, words) if page is not None else 0
            item = self.page_list.item(row)
            title = str(item.data(_TITLE))
            item.setText(self.tr("{title} ({count})").format(title=title, count=count) if words else title)
            item.setHidden(not count)
            if count:
                found.append(row)
        if found and self.page_list.currentRow() not in found:
            self.page_list.setCurrentRow(found[0])
        for widget in (self.pages, self.title_label):
            widget.setVisible(bool(found))
        self.nothing_label.setVisible(not found)

    @Slot()
    def _on_escape(self) -> None:
        if self.search_edit.text():
            self.search_edit.clear()
        else:
            self.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page_list"):
            for row in range(self.page_list.count()):
                item = self.page_list.item(row)
                item.setIcon(icons.icon(str(item.data(_ICON_NAME)), current_colours().text))


def _rank(name: str) -> int:
    return PAGE_ORDER.index(name) if name in PAGE_ORDER else len(PAGE_ORDER)

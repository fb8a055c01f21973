"""Decides which documents a question goes to: what is chosen becomes chips, a chip goes with a click."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from desktop.ask.composer import Composer
from desktop.ask.filter_words import Condition, conditions, without
from engine.document_filter import DocumentFilter, period
from engine.errors import FilterInvalid
from engine.standing import LibrarySummary


class ScopeController(QObject):
    """Owns the filter; it lasts until it is taken back or the program ends."""

    def __init__(self, composer: Composer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._composer = composer
        self._chosen = DocumentFilter()
        self._folders: tuple[str, ...] = ()
        self._connect()

    def _connect(self) -> None:
        composer, panel = self._composer, self._composer.filter_panel
        composer.filter_button.toggled.connect(self._on_filter_toggled)
        composer.filter_chips.removed.connect(self._on_removed)
        panel.folder_entered.connect(self._on_folder_entered)
        panel.name_entered.connect(self._on_name_entered)
        panel.kinds_chosen.connect(self._on_kinds_chosen)
        panel.dates_entered.connect(self._on_dates_entered)
        panel.browse_button.clicked.connect(self._on_browse)

    def libraries(self) -> tuple[str, ...]:
        """The names that are ticked; none: all."""
        return self._composer.scope_button.scope()

    def chosen(self) -> DocumentFilter:
        return self._chosen

    def set_libraries(self, libraries: Sequence[LibrarySummary]) -> None:
        self._composer.scope_button.set_libraries([library.name for library in libraries])
        self._folders = tuple(dict.fromkeys(folder for library in libraries for folder in library.folders))
        self._composer.filter_panel.offer_folders(self._folders)

    def _choose(self, chosen: DocumentFilter) -> None:
        self._chosen = chosen
        self._composer.filter_chips.show_conditions(conditions(chosen))
        self._composer.filter_panel.show_filter(chosen)

    @Slot(bool)
    def _on_filter_toggled(self, is_open: bool) -> None:
        self._composer.filter_panel.setVisible(is_open)
        if is_open:
            self._composer.filter_panel.folder_edit.setFocus()

    @Slot(object)
    def _on_removed(self, condition: Condition) -> None:
        self._choose(without(self._chosen, condition))
        self._composer.question_box.setFocus()

    @Slot(str)
    def _on_folder_entered(self, folder: str) -> None:
        if folder.strip("/\\ ."):
            self._choose(replace(self._chosen, folders=_with(self._chosen.folders, folder)))

    @Slot(str)
    def _on_name_entered(self, name: str) -> None:
        if name.strip("/\\ ."):
            self._choose(replace(self._chosen, names=_with(self._chosen.names, name)))

    @Slot(object)
    def _on_kinds_chosen(self, kinds: tuple[str, ...]) -> None:
        self._choose(replace(self._chosen, types=kinds))

    @Slot(str, str)
    def _on_dates_entered(self, since: str, until: str) -> None:
        """Both or none: what cannot be understood is told, and the dates stay as they were."""
        hint = ""
        first = last = None
        try:
            first = period(since, "since")[0] if since else None
            last = period(until, "until")[1] if until else None
        except FilterInvalid as error:
            hint = self.tr("“{value}” is no date. Write 2023, 2023-05 or 2023-05-01.")
            hint = hint.format(value=error.params["value"])
        if first and last and first > last:
            hint = self.tr("The first date is after the last one.")
        self._composer.filter_panel.show_hint(hint)
        if not hint and (first, last) != (self._chosen.since, self._chosen.until):
            self._choose(replace(self._chosen, since=first, until=last))

    @Slot()
    def _on_browse(self) -> None:
        panel = self._composer.filter_panel
        start = self._folders[0] if self._folders else ""
        folder = QFileDialog.getExistingDirectory(panel.window(), panel.browse_button.accessibleName(), start)
        if folder:
            self._on_folder_entered(folder)


def _with(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if value in values else (*values, value)

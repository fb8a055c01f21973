"""Asks where a pack or a backup lies, or is to lie."""

import re
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop.choice_box import choice_box

SUFFIX = ".zhiye"
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*]')


class PackPicker(QObject):
    """Native dialogs over ``owner``; each method gives None when nobody chose anything."""

    def __init__(self, owner: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._owner = owner

    def new_pack(self, library: str) -> Path | None:
        """Where to write the pack of a knowledge base."""
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        offered = str(Path(folder) / (_NOT_IN_NAMES.sub("_", library) + SUFFIX))
        title = self.tr("Export knowledge base pack")
        chosen, _ = QFileDialog.getSaveFileName(self._owner.window(), title, offered, self._kinds())
        if not chosen:
            return None
        return Path(chosen if chosen.endswith(SUFFIX) else chosen + SUFFIX)

    def pack(self) -> Path | None:
        title = self.tr("Import knowledge base pack")
        chosen, _ = QFileDialog.getOpenFileName(self._owner.window(), title, "", self._kinds())
        return Path(chosen) if chosen else None

    def _kinds(self) -> str:
        return self.tr("Knowledge base packs (*.zhiye)")

    def wants_documents(self, pack: Path) -> bool | None:
        """Whether the documents of a pack lie in a folder here; None: do not import it at all."""
        title = self.tr("Import knowledge base pack")
        question = self.tr("Are the documents of “{pack}” on this computer?").format(pack=pack.name)
        advice = self.tr(
            "A pack holds their text, not the documents. With their folder they can be opened, and the "
            "knowledge base stays in step with it; you can choose it later, too."
        )
        box = choice_box(self._owner.window(), title, question, advice)
        folder = box.addButton(self.tr("Choose their folder…"), QMessageBox.ButtonRole.AcceptRole)
        folder.setObjectName("packWithFolder")
        later = box.addButton(self.tr("Import without folder"), QMessageBox.ButtonRole.DestructiveRole)
        later.setObjectName("packWithoutFolder")
        box.setDefaultButton(later)
        box.exec()
        if box.clickedButton() is folder:
            return True
        return False if box.clickedButton() is later else None

    def documents(self) -> Path | None:
        return self._folder(self.tr("Choose the folder with the documents of the pack"))

    def backup_place(self) -> Path | None:
        return self._folder(self.tr("Choose where the backup is to lie, best on another drive"))

    def backup(self) -> Path | None:
        return self._folder(self.tr("Choose a backup, or the folder that holds it"))

    def _folder(self, title: str) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self._owner.window(), title)
        return Path(chosen) if chosen else None

"""Which inspect windows are open: one for each document that is looked at."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop.engine_bridge import EngineBridge
from desktop.inspect.document import InspectedDocument
from desktop.inspect.window import InspectWindow


class InspectController(QObject):
    """Opens windows beside ``owner``; a document that is open already comes forward."""

    def __init__(self, bridge: EngineBridge, owner: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._open: dict[tuple[str, str], InspectedDocument] = {}

    @Slot(str, str)
    def open(self, library: str, document: str) -> None:
        key = (library, document)
        view = self._open.get(key)
        if view is None:
            view = InspectedDocument(self._bridge, InspectWindow(self._owner), library, document)
            view.window.destroyed.connect(view.forget)
            view.window.destroyed.connect(lambda *_: self._open.pop(key, None))
            self._open[key] = view
            view.window.show()
        view.window.raise_()
        view.window.activateWindow()

    def windows(self) -> list[InspectWindow]:
        return [view.window for view in self._open.values()]

"""Decides in the reader: asks where a passage stands and shows the page or, failing that, the stored text."""

from pathlib import PurePosixPath

from PySide6.QtCore import QObject, Signal, Slot

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.passwords.controller import PasswordController
from desktop.reader.panel import ReaderPanel
from desktop.reader.text_page import TextPart
from desktop.words import CERTAIN, page_words, percent, place_of, place_words
from engine.answers import Citation
from engine.commands import LocatePassage
from engine.documents import SearchHit
from engine.events import Event, PassageLocated, TaskFailed


class ReaderController(QObject):
    """Opens one passage at a time; a newer click makes an older one's answer unwanted.

    Signals:
        problem_found(str, object): code and params of something to tell.
    """

    problem_found = Signal(str, object)

    def __init__(self, bridge: EngineBridge, panel: ReaderPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._task: int | None = None
        self._source: SearchHit | Citation | None = None
        self.passwords = PasswordController(bridge, panel, self)
        self._connect()

    def _connect(self) -> None:
        panel, pages = self._panel, self._panel.pdf_pages
        pages.page_changed.connect(self._on_page_changed)
        pages.zoom_changed.connect(self._on_zoom_changed)
        panel.previous_button.clicked.connect(self._on_previous)
        panel.next_button.clicked.connect(self._on_next)
        panel.zoom_in_button.clicked.connect(self._on_zoom_in)
        panel.zoom_out_button.clicked.connect(self._on_zoom_out)
        panel.fit_button.clicked.connect(pages.fit_width)
        panel.note.button.clicked.connect(self._on_password_clicked)
        self.passwords.given.connect(self._on_password_given)
        self.passwords.problem_found.connect(self.problem_found)

    @Slot(object)
    def open_source(self, source: SearchHit | Citation) -> None:
        """Show where a passage, or the quote of a citation, stands."""
        if self._task is not None:
            self._bridge.drop(self._task)
        self._source = source
        spans: tuple[tuple[int, int, int], ...] = ()
        if isinstance(source, Citation):
            spans = tuple((span.page, span.start, span.end) for span in source.spans)
        self._panel.show_header(source.document, place_of(source))
        command = LocatePassage(self._bridge.new_task(), source.library, source.row, spans)
        self._task = self._bridge.send(command, self._on_event)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, PassageLocated):
            self._show(event)
        elif isinstance(event, TaskFailed):
            self._show_without_engine(error_text.describe(event.code, event.params).title)

    def _show(self, found: PassageLocated) -> None:
        self._panel.show_header(found.document, self._place(found))
        pages = self._panel.pdf_pages
        if found.path is None or found.changed:
            note = self.tr("The file was moved or changed since it was indexed. This is the stored text.")
            self._show_stored(found, note)
        elif found.kind != "pdf":
            self._show_stored(found)
        elif pages.open(found.path, found.passwords):
            self._show_pdf(found)
        elif pages.needs_password:
            self._show_locked(found)
        else:
            self._show_stored(found, self.tr("The file cannot be opened. This is the stored text."))

    def _place(self, found: PassageLocated) -> str:
        source, first = self._source, found.pages[0] if found.pages else None
        section = source.section if source is not None else ()
        location = source.location if source is not None else None
        number, label = (first.number, first.label) if first is not None else (1, None)
        return place_words(found.kind, number, label, section, location)

    def _show_pdf(self, found: PassageLocated) -> None:
        marks = {page.number - 1: page.rects for page in found.pages if page.rects}
        first = found.pages[0].number - 1 if found.pages else 0
        if marks:
            self._panel.note.show_note(*self._ocr_note(found))
        else:
            self._panel.note.show_note(self.tr("The passage could not be marked on this page."), tone="warn")
        self._panel.show_pdf()
        self._panel.pdf_pages.show_marks(marks, first)
        self._on_zoom_changed(self._panel.pdf_pages.zoom)

    def _ocr_note(self, found: PassageLocated) -> tuple[str, str, str]:
        """Text, button and tone of what is said about pages that OCR read; the least certain one counts."""
        read = [(page.confidence, page.number) for page in found.pages if page.confidence is not None]
        if not read:
            return "", "", "quiet"
        confidence, page = min(read)
        text = self.tr("The text of page {page} was read by OCR, confidence {share}.")
        text = text.format(page=page, share=percent(confidence))
        if confidence >= CERTAIN:
            return text, "", "quiet"
        advice = self.tr("Compare numbers with the original picture.")
        return f"{text}\n{advice}", "", "warn"

    def _show_locked(self, found: PassageLocated) -> None:
        if found.passwords:
            note = self.tr("The passwords given so far do not open this file. This is the stored text.")
        else:
            note = self.tr(
                "The file is encrypted: with its password the original page can be shown. "
                "This is the stored text."
            )
        self._show_stored(found, note, self.tr("Enter password…"))

    def _show_stored(self, found: PassageLocated, note: str = "", button: str = "") -> None:
        has_headings = found.kind == "pdf" and len(found.pages) > 1
        parts = [
            TextPart(page.text, page.spans, page_words(page.number, page.label) if has_headings else "")
            for page in found.pages
        ]
        ocr_text, _, ocr_tone = self._ocr_note(found)
        text = "\n".join(part for part in (note, ocr_text) if part)
        self._panel.note.show_note(text, button, "warn" if note else ocr_tone)
        self._panel.show_text()
        self._panel.text_page.show_parts(parts)

    def _show_without_engine(self, reason: str) -> None:
        """The engine cannot say where it is: what the click itself knows is shown."""
        source = self._source
        text = "" if source is None else source.text if isinstance(source, SearchHit) else source.quote
        self._panel.note.show_note(reason, tone="warn")
        self._panel.show_text()
        self._panel.text_page.show_parts([TextPart(text)])

    @Slot()
    def _on_password_clicked(self) -> None:
        if self._source is not None:
            name = PurePosixPath(self._source.document).name
            self.passwords.ask(self.tr("Password for {file}").format(file=name))

    @Slot()
    def _on_password_given(self) -> None:
        if self._source is not None:
            self.open_source(self._source)

    @Slot(object)
    def _on_page_changed(self, index: int) -> None:
        self._panel.show_page_number(index + 1, self._panel.pdf_pages.page_count)

    @Slot(object)
    def _on_zoom_changed(self, zoom: float) -> None:
        self._panel.zoom_label.setText(f"{round(zoom * 100)}%")

    @Slot()
    def _on_previous(self) -> None:
        self._panel.pdf_pages.go_to_page(self._panel.pdf_pages.page_index - 1)

    @Slot()
    def _on_next(self) -> None:
        self._panel.pdf_pages.go_to_page(self._panel.pdf_pages.page_index + 1)

    @Slot()
    def _on_zoom_in(self) -> None:
        self._panel.pdf_pages.zoom_by(1)

    @Slot()
    def _on_zoom_out(self) -> None:
        self._panel.pdf_pages.zoom_by(-1)

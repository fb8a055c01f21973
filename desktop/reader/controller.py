"""Decides in the reader: asks where a passage stands and shows the page or, failing that, the stored text."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from PySide6.QtCore import QObject, Signal, Slot

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.passwords.controller import PasswordController
from desktop.reader.finding import Finding
from desktop.reader.notes import changed_note, locked_note, ocr_note, plain_note
from desktop.reader.outline import OutlineEntry, bookmarks
from desktop.reader.panel import ReaderPanel
from desktop.reader.pdf_controls import PdfControls
from desktop.reader.places import Place, Source
from desktop.reader.stored_text import MOST_CHARACTERS, first_page, marked_parts, whole_parts
from desktop.reader.text_part import TextPart
from desktop.reader.ways import Ways
from desktop.words import place_of, place_words
from engine.answers import Citation
from engine.commands import LocatePassage, ReadPages
from engine.documents import SearchHit
from engine.events import Event, PagesRead, PassageLocated, TaskFailed
from engine.intake import boxes


class ReaderController(QObject):
    """Opens one passage at a time; a newer click makes an older one's answer unwanted.

    ``beside`` gives the other sources of the answer that one was opened from.

    Signals:
        problem_found(str, object): code and params of something to tell.
        read_again_wanted(str, object): a library and the names of its documents to be read again.
    """

    problem_found = Signal(str, object)
    read_again_wanted = Signal(str, object)

    def __init__(
        self,
        bridge: EngineBridge,
        panel: ReaderPanel,
        parent: QObject | None = None,
        beside: Callable[[Source], Sequence[Source]] = lambda source: (),
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._tasks: list[int] = []
        self._source: Source | None = None
        self._page: int | None = None
        self._found: PassageLocated | None = None
        self.passwords = PasswordController(bridge, panel, self)
        self.controls = PdfControls(panel, self)
        self.finding = Finding(bridge, panel, self)
        self.ways = Ways(panel, beside, self)
        self._connect()

    def _connect(self) -> None:
        panel = self._panel
        panel.note.button.clicked.connect(self._on_note_clicked)
        panel.note.again_button.clicked.connect(self._on_read_again)
        panel.outline.place_chosen.connect(self._on_outline_chosen)
        panel.pdf_pages.selection.glyphs_wanted.connect(self._on_glyphs_wanted)
        self.controls.jumped.connect(self.ways.note_jump)
        self.ways.place_wanted.connect(self._open)
        self.ways.problem_found.connect(self.problem_found)
        self.passwords.given.connect(self._on_password_given)
        self.passwords.problem_found.connect(self.problem_found)

    @Slot(object)
    def open_source(self, source: Source) -> None:
        """Show where a passage, or the quote of a citation, stands."""
        self.ways.visit(source)
        self._open(Place(source))

    @Slot(object)
    def _open(self, place: Place) -> None:
        for task in self._tasks:
            self._bridge.drop(task)
        source = self._source = place.source
        self._page, self._found = place.page, None
        spans: tuple[tuple[int, int, int], ...] = ()
        if isinstance(source, Citation):
            spans = tuple((span.page, span.start, span.end) for span in source.spans)
        self._panel.show_header(source.document, place_of(source))
        command = LocatePassage(self._bridge.new_task(), source.library, source.row, spans)
        self._tasks = [self._bridge.send(command, self._on_event)]

    def _read(self, handler: Callable[[Event], None], *numbers: int) -> None:
        if self._source is not None:
            task = self._bridge.new_task()
            command = ReadPages(task, self._source.library, self._source.row, numbers)
            self._tasks.append(self._bridge.send(command, handler))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, PassageLocated):
            self._found = event
            self._show(event)
        elif isinstance(event, TaskFailed):
            self._show_without_engine(error_text.describe(event.code, event.params).title)

    def _show(self, found: PassageLocated) -> None:
        self._panel.show_header(found.document, self._place(found))
        self._panel.outline.show_entries(())
        self._panel.show_outline_button()
        self.ways.show_file(found.path)
        pages = self._panel.pdf_pages
        if found.path is None or found.changed:
            self._show_stored(found, *changed_note(found), again=found.path is not None)
        elif found.kind != "pdf":
            self._show_stored(found)
        elif pages.open(found.path, found.passwords):
            self._show_pdf(found)
        elif pages.needs_password:
            self._show_stored(found, *locked_note(found))
        else:
            self._show_stored(found, plain_note("broken"))

    def _place(self, found: PassageLocated) -> str:
        source, first = self._source, first_page(found)
        section = source.section if source is not None else ()
        location = source.location if source is not None else None
        number, label = (first.number, first.label) if first is not None else (1, None)
        return place_words(found.kind, number, label, section, location)

    def _show_pdf(self, found: PassageLocated) -> None:
        pages = self._panel.pdf_pages
        marks = {page.number - 1: page.rects for page in found.pages if page.rects}
        passage = {page.number - 1: page.passage_rects for page in found.pages if page.passage_rects}
        first = first_page(found)
        if marks:
            self._panel.note.show_note(*ocr_note(found))
        else:
            self._panel.note.show_note(plain_note("unmarked"), tone="warn")
        self._panel.show_pdf()
        shown = self._page if self._page is not None else first.number - 1 if first is not None else 0
        pages.show_marks(marks, shown, passage)
        pages.selection.set_document_facts(frozenset(number - 1 for number in found.from_ocr))
        self._show_pdf_tools(found)

    def _show_pdf_tools(self, found: PassageLocated) -> None:
        self.controls.show_zoom(self._panel.pdf_pages.zoom)
        self.finding.look_in_pdf(found.library, self._source.row if self._source is not None else 0)
        entries = bookmarks(self._panel.pdf_pages.document)
        if entries:
            self._show_outline(entries)
        else:
            self._read(self._on_headings_event)

    def _on_headings_event(self, event: Event) -> None:
        """A PDF without bookmarks: the headings that were found when it was read."""
        if isinstance(event, PagesRead):
            self._show_outline(
                [
                    OutlineEntry(heading.level, heading.text, page.number - 1)
                    for page in event.pages
                    for heading in page.headings
                ]
            )

    def _show_outline(self, entries: Sequence[OutlineEntry]) -> None:
        self._panel.outline.show_entries(entries)
        self._panel.show_outline_button()

    def _show_stored(
        self, found: PassageLocated, note: str = "", button: str = "", *, again: bool = False
    ) -> None:
        ocr_text, _, ocr_tone = ocr_note(found)
        text = "\n".join(part for part in (note, ocr_text) if part)
        self._panel.note.show_note(text, button, "warn" if note else ocr_tone, again=again)
        self._show_parts(found.kind, marked_parts(found))
        self._read(self._on_pages_event)

    def _on_pages_event(self, event: Event) -> None:
        """The passage is there already; now comes the document around it."""
        if isinstance(event, PagesRead) and self._found is not None:
            parts, entries = whole_parts(self._found, event.pages)
            self._show_parts(self._found.kind, parts)
            self._show_outline(entries)

    def _show_parts(self, kind: str, parts: Sequence[TextPart]) -> None:
        panel = self._panel
        is_plain = kind in ("pdf", "text", "") or sum(len(part.text) for part in parts) > MOST_CHARACTERS
        reader = panel.grid_page if kind == "sheet" else panel.text_page if is_plain else panel.rich_page
        panel.show_text(reader)
        reader.show_parts(parts)
        self.finding.look_in_text(reader, parts)

    def _show_without_engine(self, reason: str) -> None:
        """The engine cannot say where it is: what the click itself knows is shown."""
        source = self._source
        text = "" if source is None else source.text if isinstance(source, SearchHit) else source.quote
        self._panel.note.show_note(reason, tone="warn")
        self._panel.outline.show_entries(())
        self._panel.show_outline_button()
        self.ways.show_file(None)
        self._show_parts("text", [TextPart(text)])

    @Slot(object)
    def _on_outline_chosen(self, place: object) -> None:
        current = self._panel.body.currentWidget()
        if isinstance(place, int):
            self.controls.go_to(place)
        elif isinstance(place, tuple) and current is not self._panel.pdf_pages:
            for reader in (self._panel.text_page, self._panel.rich_page, self._panel.grid_page):
                if reader is current:
                    reader.go_to(*place)

    @Slot(object)
    def _on_glyphs_wanted(self, index: int) -> None:
        self._read(self._on_glyphs_event, index + 1)

    def _on_glyphs_event(self, event: Event) -> None:
        for page in event.pages if isinstance(event, PagesRead) else ():
            if page.boxes is not None and page.size is not None:
                glyphs = boxes.unpack(page.boxes, page.size)
                self._panel.pdf_pages.selection.set_glyphs(page.number - 1, page.text, glyphs)

    @Slot()
    def _on_note_clicked(self) -> None:
        found, panel = self._found, self._panel
        if found is None or self._source is None:
            return
        if not found.changed:
            name = PurePosixPath(self._source.document).name
            self.passwords.ask(self.tr("Password for {file}").format(file=name))
        elif panel.body.currentWidget() is panel.pdf_pages:
            self._show(found)
        elif found.path is not None and panel.pdf_pages.open(found.path, found.passwords):
            note = self.tr("This is the file as it is now. The passage is not marked in it.")
            panel.note.show_note(note, self.tr("Show stored text"), "warn", again=True)
            panel.show_pdf()
            panel.pdf_pages.show_marks({}, found.pages[0].number - 1 if found.pages else 0)
            self.controls.show_zoom(panel.pdf_pages.zoom)
            self.finding.look_nowhere()
            self._show_outline(bookmarks(panel.pdf_pages.document))
        else:
            panel.note.show_note(plain_note("broken"), tone="warn", again=True)

    @Slot()
    def _on_read_again(self) -> None:
        if self._found is not None:
            self.read_again_wanted.emit(self._found.library, (self._found.document,))

    @Slot()
    def _on_password_given(self) -> None:
        if self._source is not None:
            self._open(Place(self._source, self._page))

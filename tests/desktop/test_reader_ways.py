"""From one passage to others: back, forward, next citation, the system's viewer, files that have changed."""

from pathlib import Path

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabBar,
    QTableView,
    QToolButton,
)

from desktop.reader import external
from desktop.reader.external import open_document, viewer_command
from desktop.reader.panel import ReaderPanel
from desktop.reader.places import Place, Places
from engine.commands import IngestFolders, LocatePassage
from engine.events import MarkedPage
from tests.desktop import reading, sample_content
from tests.desktop.test_reader import NAMES

LEFT = Qt.MouseButton.LeftButton


def marked(number: int) -> MarkedPage:
    return MarkedPage(number, None, "文字", ((0, 1),), (400.0, 600.0), (reading.line_rect(0),))


def open_hit(qtbot, opened, path, rank: int, number: int, **facts):
    reading.located(opened.engine, path, (marked(number),), **facts)
    count = len(opened.engine.commands(LocatePassage))
    opened.controller.reader.open_source(sample_content.hit(rank))
    settle(qtbot, opened, count)


def settle(qtbot, opened, count: int) -> None:
    qtbot.waitUntil(lambda: len(opened.engine.commands(LocatePassage)) > count)
    qtbot.wait(20)


def row(opened) -> int:
    return opened.engine.last(LocatePassage).row


def test_back_and_forward_as_in_a_browser(qtbot, opened, tmp_path):
    path = reading.written_pdf(tmp_path / "页.pdf", 12)
    back, forward = opened.child(QToolButton, "readerBack"), opened.child(QToolButton, "readerForward")
    open_hit(qtbot, opened, path, 1, 2)
    assert not back.isEnabled() and not forward.isEnabled()
    pages = opened.window.reader_panel.pdf_pages
    pages.go_to_page(8)
    open_hit(qtbot, opened, path, 2, 5)
    assert (row(opened), pages.page_index) == (2, 4)
    reading.located(opened.engine, path, (marked(2),))
    qtbot.mouseClick(back, LEFT)
    qtbot.wait(20)
    assert (row(opened), pages.page_index) == (1, 8)
    assert forward.isEnabled() and not back.isEnabled()
    reading.located(opened.engine, path, (marked(5),))
    opened.window.activateWindow()
    qtbot.keyClick(opened.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: row(opened) == 2)
    open_hit(qtbot, opened, path, 3, 1)
    assert not forward.isEnabled()


def test_a_jump_inside_a_document_can_be_taken_back(qtbot, opened, tmp_path):
    path = reading.written_pdf(tmp_path / "页.pdf", 12)
    open_hit(qtbot, opened, path, 1, 2)
    pages = opened.window.reader_panel.pdf_pages
    opened.controller.reader.controls.go_to(9)
    assert pages.page_index == 9
    count = len(opened.engine.commands(LocatePassage))
    qtbot.mouseClick(opened.child(QToolButton, "readerBack"), LEFT)
    settle(qtbot, opened, count)
    assert pages.page_index == 1
    qtbot.mouseClick(opened.child(QToolButton, "readerForward"), LEFT)
    settle(qtbot, opened, count + 1)
    assert pages.page_index == 9


def test_the_citations_of_the_answer_follow_each_other(qtbot, opened, tmp_path):
    answer = sample_content.answer()
    opened.ask("年假有多少天？", answer)
    path = reading.written_pdf(tmp_path / "页.pdf", 12)
    reading.located(opened.engine, path, (marked(1),))
    assert len(answer.citations) > 1
    opened.turns[-1].answer_view.citation_clicked.emit(answer.citations[0].number)
    label, count = opened.child(QLabel, "citationNumber"), len(answer.citations)
    qtbot.waitUntil(lambda: label.text() == f"引用 1 / {count}")
    assert not opened.child(QToolButton, "previousCitation").isEnabled()
    for number in range(2, count + 1):
        qtbot.mouseClick(opened.child(QToolButton, "nextCitation"), LEFT)
        assert label.text() == f"引用 {number} / {count}"
        assert row(opened) == answer.citations[number - 1].row
    assert not opened.child(QToolButton, "nextCitation").isEnabled()
    qtbot.keyClick(opened.window, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: label.text() == f"引用 {count - 1} / {count}")


def test_a_passage_of_no_answer_has_no_citations_beside_it(qtbot, opened, tmp_path):
    open_hit(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), 1, 1)
    assert not opened.window.reader_panel.header.citation_steps.isVisible()


def test_places_forget_what_lay_ahead():
    one, two, three = (sample_content.hit(n) for n in (1, 2, 3))
    places = Places()
    for source in (one, two, two):
        places.visit(Place(source))
    places.leave(7)
    assert places.step(-1) == Place(one) and places.step(-1) is None
    assert places.step(1) == Place(two, 7)
    places.step(-1)
    places.visit(Place(three))
    assert places.step(1) is None and places.step(-1) == Place(one)


@pytest.mark.parametrize(
    ("platform", "installed", "arguments"),
    [
        ("linux", "evince", ["--page-index=7", "{path}"]),
        ("linux", "okular", ["-p", "7", "{path}"]),
        ("linux", "zathura", ["-P", "7", "{path}"]),
        ("linux", "qpdfview", ["{path}#7"]),
        ("win32", "SumatraPDF.exe", ["-page", "7", "{path}"]),
        ("win32", "AcroRd32.exe", ["/A", "page=7", "{path}"]),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_viewers_get_the_path_and_the_page(platform, installed, arguments, name):
    path = Path("/资料") / name
    command = viewer_command(
        path, 7, platform=platform, find=lambda each: f"/bin/{each}" if each == installed else None
    )
    assert command == [f"/bin/{installed}", *(part.replace("{path}", str(path)) for part in arguments)]


def test_a_browser_gets_an_address_that_keeps_the_name_whole():
    path = Path("/资料/制度#3 (终稿)100%.pdf")
    find = {"msedge.exe": "edge"}.get
    (_, address) = viewer_command(path, 7, platform="win32", find=find) or ("", "")
    assert address.endswith("%233%20(%E7%BB%88%E7%A8%BF)100%25.pdf#page=7")


@pytest.mark.parametrize("platform", ["darwin", "linux"])
def test_without_such_a_viewer_there_is_no_command(platform):
    assert viewer_command(Path("/a.pdf"), 1, platform=platform, find=lambda _: None) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_plain_way_opens_the_very_file(monkeypatch, name):
    opened = []
    monkeypatch.setattr(external, "viewer_command", lambda path, page: None)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    path = Path("/资料") / name
    assert open_document(path, 3) and open_document(path, None)
    assert opened == [str(path)] * 2


def test_a_viewer_that_does_not_start_leaves_it_to_the_system(monkeypatch):
    tried, opened = [], []
    monkeypatch.setattr(external, "viewer_command", lambda path, page: ["没有这个程序", str(path)])
    monkeypatch.setattr(QProcess, "startDetached", lambda *command: tried.append(command) or (False, 0))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or False)
    assert not open_document(Path("/a.pdf"), 1)
    assert tried == [("没有这个程序", ["/a.pdf"])] and len(opened) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_click_opens_the_stored_path_at_the_page_that_is_read(qtbot, opened, tmp_path, monkeypatch, name):
    calls = []
    monkeypatch.setattr("desktop.reader.ways.open_document", lambda *given: calls.append(given) or True)
    path = reading.written_pdf(tmp_path / name, 5)
    open_hit(qtbot, opened, path, 1, 2)
    opened.window.reader_panel.pdf_pages.go_to_page(3)
    assert calls == []
    qtbot.mouseClick(opened.child(QToolButton, "openExternally"), LEFT)
    assert calls == [(path, 4)]


def test_what_cannot_be_opened_is_told(qtbot, opened, tmp_path, monkeypatch):
    monkeypatch.setattr("desktop.reader.ways.open_document", lambda *given: False)
    open_hit(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), 1, 1)
    with qtbot.waitSignal(opened.controller.reader.problem_found) as told:
        qtbot.mouseClick(opened.child(QToolButton, "openExternally"), LEFT)
    assert told.args[0] == "not_readable"


def test_a_changed_file_shows_the_stored_text_and_on_a_click_the_file(qtbot, opened, tmp_path):
    path = reading.written_pdf(tmp_path / "页.pdf")
    open_hit(qtbot, opened, path, 1, 2, changed=True)
    panel, button = opened.window.reader_panel, opened.child(QPushButton, "readerNoteButton")
    assert panel.body.currentWidget() is panel.text_page
    assert "改动过" in panel.note.label.text() and button.text() == "显示文件"
    qtbot.mouseClick(button, LEFT)
    assert panel.body.currentWidget() is panel.pdf_pages and not panel.pdf_pages.marks.sentence
    assert not panel.header.find_button.isEnabled()
    assert button.text() == "显示存下的文字"
    qtbot.mouseClick(button, LEFT)
    assert panel.body.currentWidget() is panel.text_page


def test_a_file_that_is_gone_says_so(qtbot, opened, tmp_path):
    open_hit(qtbot, opened, tmp_path / "没有了.pdf", 1, 1, changed=True)
    panel = opened.window.reader_panel
    assert "已不在" in panel.note.label.text()
    assert not opened.child(QPushButton, "readerNoteButton").isVisible()


def test_read_again_reads_that_document_of_that_library(qtbot, opened, tmp_path):
    open_hit(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), 1, 1, changed=True)
    qtbot.mouseClick(opened.child(QPushButton, "readAgain"), LEFT)
    command = opened.engine.last(IngestFolders)
    assert command.retry == ("子/文件.pdf",) and command.library == sample_content.library().name


def test_a_file_that_is_as_it_was_offers_no_reading_again(qtbot, opened, tmp_path):
    open_hit(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), 1, 1)
    assert not opened.child(QPushButton, "readAgain").isVisible()


def test_ctrl_f_finds_in_the_document_beside_the_answer_too(qtbot, opened, tmp_path):
    open_hit(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), 1, 1)
    panel = opened.window.reader_panel
    for place in (opened.window.ask_panel.composer.question_box, panel.pdf_pages):
        opened.window.activateWindow()
        place.setFocus()
        qtbot.keyClick(place, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert panel.find_bar.isVisible()
        panel.find_bar.close_bar()


def test_everything_in_the_reader_has_a_name_and_can_be_reached(qtbot, opened, tmp_path):
    open_hit(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf", bookmarks=True), 1, 1)
    panel = opened.window.reader_panel
    panel.header.outline_button.setChecked(True)
    panel.find_bar.open_bar()
    kinds = (QAbstractButton, QLineEdit, QAbstractScrollArea, QTabBar)
    inner = {"qt_toolbar_ext_button", "ScrollLeftButton", "ScrollRightButton"}
    controls = [
        each
        for kind in kinds
        for each in panel.findChildren(kind)
        if each.objectName() not in inner
        and not isinstance(each, QHeaderView)
        and not isinstance(each.parent(), (QLineEdit, QTableView))
    ]
    assert len(controls) > 20
    for control in controls:
        name = control.accessibleName() or getattr(control, "text", str)()
        assert name or not control.isVisible(), control.objectName()
        assert control.focusPolicy() != Qt.FocusPolicy.NoFocus, control.objectName()


@pytest.mark.parametrize(("width", "orientation"), [(380, "Vertical"), (700, "Horizontal")])
def test_the_outline_stands_where_there_is_room_for_it(qtbot, width, orientation):
    panel = ReaderPanel()
    qtbot.addWidget(panel)
    panel.resize(width, 800)
    panel.show()
    assert panel.columns.orientation() == Qt.Orientation[orientation]
    assert panel.header.zoom_label.isVisibleTo(panel.header.pdf_tools) == (orientation == "Horizontal")

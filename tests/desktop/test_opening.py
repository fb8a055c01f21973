"""Packs and folders that the program is given: at the start, by a second start, by the system, by a drop."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent

from desktop import application
from desktop.packs.pickers import PackPicker
from engine.commands import ImportLibrary, IngestFolders
from tests.desktop.test_properties import answer_with


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """Every question about a pack, each answered with: import it without a folder."""
    packs: list[str] = []

    def ask(picker: PackPicker, pack: Path) -> bool:
        packs.append(pack.name)
        return False

    monkeypatch.setattr(PackPicker, "wants_documents", ask)
    return packs


def imported(opened) -> list[str]:
    return [command.file.name for command in opened.engine.commands(ImportLibrary)]


def test_packs_at_the_start_are_imported_and_the_rest_is_indexed(qtbot, make_engine, shape, asked, tmp_path):
    given = (tmp_path / "甲", tmp_path / "同事的.ZHIYE")
    window, controller = application.open_window(make_engine, given, shape)
    engine = make_engine.engine
    qtbot.waitUntil(lambda: bool(engine.commands(ImportLibrary)))
    assert engine.last(IngestFolders).folders == (tmp_path / "甲",)
    assert engine.last(ImportLibrary).file.name == "同事的.ZHIYE"
    window.close()
    controller.close()
    window.deleteLater()


def test_a_file_that_the_system_hands_over_is_imported(qtbot, opened, asked):
    event = QFileOpenEvent(QUrl.fromLocalFile("/下载/资料 #1（终稿）.zhiye"))
    QCoreApplication.sendEvent(QCoreApplication.instance(), event)
    qtbot.waitUntil(lambda: imported(opened) == ["资料 #1（终稿）.zhiye"])
    assert opened.engine.last(ImportLibrary).file == Path("/下载/资料 #1（终稿）.zhiye")
    assert not opened.engine.commands(IngestFolders)


def test_a_second_start_brings_its_packs_one_after_the_other(qtbot, opened, asked):
    opened.controller.come_forward((Path("/甲.zhiye"), Path("/乙.zhiye")))
    qtbot.waitUntil(lambda: imported(opened) == ["甲.zhiye"])
    opened.engine.done(opened.engine.last(ImportLibrary).task_id)
    qtbot.waitUntil(lambda: imported(opened) == ["甲.zhiye", "乙.zhiye"])
    assert asked == ["甲.zhiye", "乙.zhiye"]


def test_a_pack_that_somebody_thinks_better_of_does_not_hold_up_the_next(qtbot, opened, monkeypatch):
    answers = iter([None, False])
    monkeypatch.setattr(PackPicker, "wants_documents", lambda *_: next(answers))
    opened.controller.come_forward((Path("/甲.zhiye"), Path("/乙.zhiye")))
    qtbot.waitUntil(lambda: imported(opened) == ["乙.zhiye"])


def test_a_dropped_pack_is_imported_and_a_dropped_folder_joins_what_is_shown(qtbot, opened, asked, tmp_path):
    opened.window.paths_dropped.emit((tmp_path / "资料", tmp_path / "包.zhiye"))
    qtbot.waitUntil(lambda: imported(opened) == ["包.zhiye"])
    command = opened.engine.last(IngestFolders)
    assert (command.folders, command.library) == ((tmp_path / "资料",), "公司制度")


def test_a_folder_that_is_called_like_a_pack_is_indexed(qtbot, opened, tmp_path):
    folder = tmp_path / "旧.zhiye"
    folder.mkdir()
    opened.controller.come_forward((folder,))
    assert opened.engine.last(IngestFolders).folders == (folder,)


def test_the_question_about_its_documents_is_the_one_that_choosing_it_asks(qtbot, opened, monkeypatch):
    answer_with(monkeypatch, "packWithoutFolder")
    opened.controller.come_forward((Path("/甲.zhiye"),))
    qtbot.waitUntil(lambda: imported(opened) == ["甲.zhiye"])
    assert opened.engine.last(ImportLibrary).relink is None

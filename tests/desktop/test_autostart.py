"""Starting with the system: an entry that is there while it is wanted."""

import plistlib
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from desktop import autostart
from desktop.autostart import IN_TRAY, DesktopFile, LaunchAgent, RunKey, for_system, own_command

COMMAND = ["/opt/知页/zhiye gui", IN_TRAY, "--home", '/家/"引号" $HOME `x` 100%']


def entry(kind: type, folder: Path):
    if kind is RunKey:
        return RunKey(COMMAND, QSettings(str(folder / "run.ini"), QSettings.Format.IniFormat))
    return kind(COMMAND, folder / "新 文件夹")


@pytest.mark.parametrize("kind", [DesktopFile, RunKey, LaunchAgent])
def test_an_entry_comes_and_goes(tmp_path, kind):
    made = entry(kind, tmp_path)
    assert not made.is_on()
    made.set_on(False)
    for _ in range(2):
        made.set_on(True)
        assert entry(kind, tmp_path).is_on()
    made.set_on(False)
    assert not entry(kind, tmp_path).is_on()
    if kind is not RunKey:
        assert list(made.file.parent.iterdir()) == []


def test_the_line_of_a_desktop_file_gives_the_command_back(tmp_path):
    made = DesktopFile(COMMAND, tmp_path)
    made.set_on(True)
    lines = made.file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]"
    (line,) = (each.removeprefix("Exec=") for each in lines if each.startswith("Exec="))
    # First the rule of all values, then those of Exec.
    value = line.replace("\\\\", "\\")
    words = [quoted or plain for quoted, plain in re.findall(r'"((?:\\.|[^"\\])*)"|(\S+)', value)]
    assert [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in words] == COMMAND


def test_an_entry_that_the_desktop_switched_off_is_off(tmp_path):
    made = DesktopFile(COMMAND, tmp_path)
    made.set_on(True)
    text = made.file.read_text(encoding="utf-8")
    made.file.write_text(text.replace("enabled=true", "enabled = false"), encoding="utf-8")
    assert not made.is_on()
    made.file.write_text(text + "Hidden=true\n", encoding="utf-8")
    assert not made.is_on()


def test_a_launch_agent_names_each_word(tmp_path):
    made = LaunchAgent(COMMAND, tmp_path)
    made.set_on(True)
    found = plistlib.loads(made.file.read_bytes())
    assert (found["ProgramArguments"], found["RunAtLoad"]) == (COMMAND, True)


def test_each_system_has_its_own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    linux = for_system(COMMAND, "linux")
    assert isinstance(linux, DesktopFile)
    assert linux.file == tmp_path / "autostart" / "zhiye.desktop"
    monkeypatch.setenv("XDG_CONFIG_HOME", "no absolute path")
    assert for_system(COMMAND, "linux").file == Path.home() / ".config" / "autostart" / "zhiye.desktop"
    assert isinstance(for_system(COMMAND, "darwin"), LaunchAgent)
    assert isinstance(for_system(COMMAND, "win32"), RunKey)


def test_a_program_is_started_by_its_own_file_or_as_a_module(tmp_path):
    program = tmp_path / "zhiye-gui"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert own_command(None, str(program), "/usr/bin/python3") == [str(program), IN_TRAY]
    script = tmp_path / "desktop" / "__main__.py"
    assert own_command(Path("/家"), str(script), "/usr/bin/python3") == [
        "/usr/bin/python3", "-m", "desktop", IN_TRAY, "--home", "/家",
    ]  # fmt: skip


class Refusing:
    def is_on(self) -> bool:
        return False

    def set_on(self, is_on: bool) -> None:
        raise PermissionError(13, "Permission denied")


def test_a_system_that_refuses_is_told_at_its_row(qtbot, qapp):
    from desktop.preferences import Preferences
    from desktop.settings.general_page import GeneralPage

    general = GeneralPage(Preferences(), Refusing(), has_tray=True)
    qtbot.addWidget(general.page)
    row = general.page.rows["autostart"]
    row.control.switch.click()
    assert "Permission denied" in row.problem_label.text()
    assert row.control.value() is False


def test_the_switch_writes_the_entry_and_takes_it_away(qtbot, qapp, tmp_path):
    from desktop.preferences import Preferences
    from desktop.settings.general_page import GeneralPage

    kept = autostart.DesktopFile(COMMAND, tmp_path)
    general = GeneralPage(Preferences(), kept, has_tray=True)
    qtbot.addWidget(general.page)
    row = general.page.rows["autostart"]
    row.control.switch.click()
    assert kept.is_on()
    assert not row.reset_button.isHidden()
    row.reset_button.click()
    assert not kept.is_on()
    assert row.control.value() is False

"""The program opens whatever its settings files look like (faults.md B65)."""

import json
import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

from engine.config import Settings
from engine.paths import Home
from engine.settings.file import SettingsFile
from tests.conftest import ROOT

BROKEN = {
    "nothing": b"",
    "zeros": b"\0" * 200,
    "torn": b'{"top_k":',
    "a list": b"[]",
    "bad values": (
        '{"top_k":"八","n_ctx":-1,"theme":null,"model_path":123,"mode":"strict","threads":1}'
    ).encode(),
    "another encoding": "top_k: 8 # 严格\n".encode("gbk"),
    "closed against writing": b"top_k: 8\n",
}

PROGRAM = """
    import json, sys
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    from desktop import app, banner
    from engine.events import LibrariesListed, ModelsReady, Notice, TaskDone
    from engine.commands import ListLibraries, PrepareModels
    from engine.workspace import Workspace

    seen = {{}}

    class Light:
        \"\"\"A workspace that loads no model.\"\"\"

        def __init__(self, home, settings, on_event):
            self.workspace, self.on_event = Workspace(home, settings), on_event
            seen["settings"] = self.workspace.settings.model_dump(include={{"top_k", "mode", "threads"}})

        def start(self):
            pass

        def send(self, command):
            if isinstance(command, ListLibraries):
                self.on_event(LibrariesListed(command.task_id, ()))
            elif isinstance(command, PrepareModels):
                if (damage := self.workspace.settings_file.take_damage()) is not None:
                    self.on_event(Notice(command.task_id, damage.code, damage.params))
                self.on_event(ModelsReady(command.task_id, None, None))
                QTimer.singleShot(200, close)
            else:
                return
            self.on_event(TaskDone(command.task_id))

        def stop(self, timeout):
            self.workspace.close()
            return True

    def close():
        (window,) = (w for w in QApplication.topLevelWidgets() if w.objectName() == "mainWindow")
        seen["visible"] = window.isVisible()
        seen["banners"] = [each.key for each in window.findChildren(banner.Banner)]
        window.close()

    for home in sys.argv[1:]:
        seen.clear()
        seen["code"] = app.run(["--home", home, "--language", "zh"], Light)
        print(json.dumps(seen), flush=True)
"""


def test_every_start_opens_the_window_and_tells_once_what_was_wrong(tmp_path: Path) -> None:
    homes = []
    for place, (name, content) in enumerate(BROKEN.items()):
        home = tmp_path / f"家 {place}"
        home.mkdir()
        (home / "settings.yaml").write_bytes(content)
        (home / "window.ini").write_bytes(content)
        if name == "closed against writing":
            (home / "settings.yaml").chmod(stat.S_IRUSR)
        homes.append(home)
    folder = tmp_path / "家 文件夹"
    (folder / "settings.yaml").mkdir(parents=True)
    (folder / "window.ini").mkdir()
    homes.append(folder)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(PROGRAM.format()), *map(str, homes)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        capture_output=True, encoding="utf-8", timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    starts = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(starts) == 8
    assert all(start["code"] == 0 and start["visible"] for start in starts)
    usual = {"top_k": 5, "mode": "balanced", "threads": None}
    for home, start in zip(homes, starts, strict=True):
        expected, told, backups = usual, "settings_set_aside", 1
        if home == homes[4]:
            expected, told = {"top_k": 5, "mode": "strict", "threads": 1}, "settings_mended"
        elif home == homes[6]:
            expected, told, backups = usual | {"top_k": 8}, None, 0
        assert start["settings"] == expected, home
        assert [code for code in start["banners"] if code.startswith("settings")] == [told] * backups, home
        assert len(list(home.glob("settings.yaml.bak-*"))) == backups, home
        later = SettingsFile(Home(home))
        assert later.beneath(Settings()).model_dump(include=set(usual)) == expected
        assert later.take_damage() is None, "the next start has nothing to tell"


RESTART = """
    import sys
    from PySide6.QtCore import QTimer
    from desktop import app, application, restarting, single_instance, window_controller

    class Silent:
        def __init__(self, home, settings, on_event): pass
        def start(self): pass
        def send(self, command): pass
        def stop(self, timeout): return True

    def start_again():
        taken = single_instance.claim(home, ())
        print("again", taken is not None, flush=True)
        taken.close()
        taken.release()

    restarting.start_again = start_again
    begin = window_controller.WindowController.start
    def start(self):
        begin(self)
        QTimer.singleShot(100, self.settings.restart_wanted.emit)
    window_controller.WindowController.start = start
    from pathlib import Path
    home = Path(sys.argv[1])
    sys.exit(app.run(["--home", str(home), "--language", "zh"], Silent))
"""


def test_a_restart_begins_when_the_data_folder_is_free_again(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(RESTART), str(tmp_path / "家")],
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.split()) == (0, ["again", "True"]), done.stderr

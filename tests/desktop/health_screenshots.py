"""Pictures of the health window. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.health_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from PySide6.QtCore import QSettings

from desktop import application
from engine.commands import CheckHealth, ListFiles, ListLibraries, RepairLibraries
from engine.events import FilesListed, LibrariesListed
from tests.desktop import sample_content, sample_health
from tests.desktop.picture_taking import main, settle
from tests.desktop.scripted_engine import ScriptedEngine

SCRIPTS = {
    ListLibraries: lambda c: [LibrariesListed(c.task_id, (sample_content.library(),))],
    ListFiles: lambda c: [FilesListed(c.task_id, c.library, sample_content.files())],
    CheckHealth: lambda c: [sample_health.checked(c.task_id)],
    RepairLibraries: lambda c: [sample_health.repaired(c.task_id)],
}


def take(folder: Path, work: Path, prefix: str) -> None:
    """The window's states, and where it is opened from."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = QSettings(str(work / "shape.ini"), QSettings.Format.IniFormat)
    made: list[ScriptedEngine] = []

    def make_engine(on_event: object) -> ScriptedEngine:
        made.append(ScriptedEngine(on_event, SCRIPTS))
        return made[0]

    window, controller = application.open_window(make_engine, shape=shape)
    settle(400)
    window.grab().save(str(folder / f"{prefix}-footer.png"))
    controller.health.open()
    health = controller.health.window
    assert health is not None
    for name in ("found", "repaired", "narrow"):
        if name == "repaired":
            health.repair_button.click()
        if name == "narrow":
            health.resize(520, 400)
        settle(400)
        health.grab().save(str(folder / f"{prefix}-{name}.png"))
    del made[0].scripts[CheckHealth]
    health.check_button.click()
    settle(200)
    health.grab().save(str(folder / f"{prefix}-busy.png"))
    window.close()
    controller.close()


if __name__ == "__main__":
    main(__doc__, take)

"""Pictures of the health window. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.health_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from engine.commands import CheckHealth, RepairLibraries
from tests.desktop import sample_health
from tests.desktop.picture_taking import WindowPictures, main
from tests.desktop.scripted_engine import Script


class Pictures(WindowPictures):
    def scripts(self) -> dict[type, Script]:
        return {
            **super().scripts(),
            CheckHealth: lambda c: [sample_health.checked(c.task_id)],
            RepairLibraries: lambda c: [sample_health.repaired(c.task_id)],
        }


def take(folder: Path, work: Path, prefix: str) -> None:
    """The window's states, and where it is opened from."""
    pictures = Pictures(folder, work, prefix)
    pictures.shoot("footer")
    pictures.controller.health.open()
    health = pictures.controller.health.window
    assert health is not None
    pictures.shoot("found", health)
    health.repair_button.click()
    pictures.shoot("repaired", health)
    health.resize(520, 400)
    pictures.shoot("narrow", health)
    del pictures.engine.scripts[CheckHealth]
    health.check_button.click()
    pictures.shoot("busy", health)
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

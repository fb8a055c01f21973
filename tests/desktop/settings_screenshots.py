"""Pictures of the settings window. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.settings_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from tests.desktop.picture_taking import WindowPictures, main
from tests.desktop.sample_settings import KeptSettings
from tests.desktop.scripted_engine import Script


class SettingsPictures(WindowPictures):
    """The window with some settings changed."""

    def scripts(self) -> dict[type, Script]:
        return super().scripts() | KeptSettings(mode="strict", threads=1).scripts()


def take(folder: Path, work: Path, prefix: str) -> None:
    """Every page, a search, a large font, and a setting that waits for the next start."""
    pictures = SettingsPictures(folder, work, prefix)
    pictures.shoot("settings-footer")
    controller = pictures.controller.settings
    controller.open()
    window = controller.window
    assert window is not None
    for name in ("general", "answers", "reading", "performance", "shortcuts"):
        window.show_page(name)
        pictures.shoot(f"settings-{name}", window)
    window.show_page("answers")
    area = window.pages.currentWidget()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    pictures.shoot("settings-answers-end", window)
    window.search_edit.setText("模型" if prefix.startswith("zh") else "model")
    pictures.shoot("settings-search", window)
    window.search_edit.setText("zzz")
    pictures.shoot("settings-nothing", window)
    window.search_edit.clear()
    window.resize(window.minimumSize())
    pictures.shoot("settings-small", window)
    window.resize(940, 700)
    preferences = pictures.controller.preferences
    preferences.set("language", "en" if prefix.startswith("zh") else "zh")
    window.show_page("general")
    pictures.shoot("settings-waiting", window)
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

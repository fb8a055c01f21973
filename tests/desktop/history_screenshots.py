"""Pictures of the window with the conversations. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.history_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from engine.answer_events import ThreadShown, ThreadsListed
from engine.commands import ListThreads, ShowThread
from tests.desktop import sample_history
from tests.desktop.picture_taking import WindowPictures, main
from tests.desktop.scripted_engine import Script


class Pictures(WindowPictures):
    def scripts(self) -> dict[type, Script]:
        found = sample_history.threads()
        return {
            **super().scripts(),
            ListThreads: lambda c: [
                ThreadsListed(c.task_id, () if c.search else found, len(found)),
            ],
            ShowThread: lambda c: [
                ThreadShown(c.task_id, sample_history.thread(c.thread), sample_history.turns())
            ],
        }


def take(folder: Path, work: Path, prefix: str) -> None:
    """The list, a title being changed, nothing found, and an opened conversation."""
    pictures = Pictures(folder, work, prefix)
    pictures.window.ask_panel.composer.history_button.click()
    history = pictures.controller.history.window
    assert history is not None
    pictures.shoot("threads", history)
    history.rename_button.click()
    pictures.shoot("renaming", history)
    history.search_edit.setFocus()
    history.search_edit.setText("?")
    pictures.shoot("nothing", history)
    history.search_edit.clear()
    pictures.shoot("again", history)
    history.open_button.click()
    pictures.shoot("opened")
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

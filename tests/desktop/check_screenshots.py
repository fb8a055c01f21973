"""Pictures of the window in which a draft is checked. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.check_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from engine.answer_events import DraftChecked
from engine.commands import CheckDraft
from engine.events import StepProgress
from tests.desktop import sample_draft
from tests.desktop.picture_taking import WindowPictures, main


def take(folder: Path, work: Path, prefix: str) -> None:
    """Empty, checking, checked and narrow, and where it is opened from."""
    pictures = WindowPictures(folder, work, prefix)
    pictures.shoot("footer")
    pictures.window.check_button.click()
    check = pictures.controller.check.window
    assert check is not None
    pictures.shoot("empty", check)
    check.draft_edit.setPlainText(sample_draft.TEXT)
    check.check_button.click()
    task = pictures.engine.last(CheckDraft).task_id
    pictures.engine.emit(StepProgress(task, "progress_check", 2, 5))
    pictures.shoot("checking", check)
    pictures.engine.done(task, DraftChecked(task, sample_draft.checked()))
    pictures.shoot("checked", check)
    check.resize(560, 400)
    pictures.shoot("narrow", check)
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

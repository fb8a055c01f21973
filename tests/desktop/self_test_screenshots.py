"""Pictures of the self-test. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.self_test_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from engine.answer_events import SourcesFound
from engine.events import StepProgress
from engine.self_test.messages import FindSelfTestPassages, ListSelfTest, RunSelfTest, SelfTestListed
from tests.desktop import sample_content, sample_self_test
from tests.desktop.picture_taking import WindowPictures, main, settle
from tests.desktop.scripted_engine import Script


class Pictures(WindowPictures):
    def scripts(self) -> dict[type, Script]:
        return {
            **super().scripts(),
            ListSelfTest: lambda c: [SelfTestListed(c.task_id, c.library, ())],
            FindSelfTestPassages: lambda c: [SourcesFound(c.task_id, sample_content.five_hits())],
        }


def take(folder: Path, work: Path, prefix: str) -> None:
    """Nothing yet, questions with figures, a run that goes on, a passage being marked."""
    pictures = Pictures(folder, work, prefix)
    controller = pictures.controller.self_test
    controller.open()
    window = controller.window
    assert window is not None
    pictures.shoot("empty", window)
    pictures.engine.scripts[ListSelfTest] = lambda c: [sample_self_test.listed(c.task_id)]
    controller.list_questions()
    settle()
    window.table.selectRow(1)
    pictures.shoot("figures", window)
    window.run_button.click()
    task = pictures.engine.last(RunSelfTest).task_id
    pictures.engine.emit(StepProgress(task, "progress_self_test", 2, 4))
    pictures.shoot("running", window)
    window.stop_button.click()
    settle()
    window.mark_button.click()
    mark = controller.marking.window
    assert mark is not None
    settle()
    mark.passages.choose(2)
    pictures.shoot("marking", mark)
    pictures.shoot("main")
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

"""Pictures of the first run. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.first_run_screenshots OUT_DIR --language zh --theme light``.
"""

from dataclasses import replace
from pathlib import Path

import resources
from engine.commands import IngestFolders, ListLibraries, PrepareModels
from engine.events import LibrariesListed, ModelsReady, ScanFinished
from engine.model_files.commands import ListModels, MeasureModel
from engine.model_files.events import MeasureProgress
from tests.desktop import sample_content, sample_models
from tests.desktop.picture_taking import WindowPictures, main, settle
from tests.desktop.scripted_engine import Script


class Pictures(WindowPictures):
    def scripts(self) -> dict[type, Script]:
        """No knowledge base and no chat model at first."""
        return {
            PrepareModels: lambda c: [ModelsReady(c.task_id, "bge-small-zh-v1.5", None)],
            ListModels: lambda c: [sample_models.listed(c.task_id, sample_models.WITHOUT_CHAT)],
        }


def take(folder: Path, work: Path, prefix: str) -> None:
    """The three steps, the second one without and with a chat model, and in a small window."""
    pictures = Pictures(folder, work, prefix)
    window, engine = pictures.window, pictures.engine
    window.resize(1280, 820)
    page = window.welcome_page
    pictures.shoot("first-1-folder")
    page.folder_step.sample_button.click()
    task = engine.last(IngestFolders).task_id
    engine.emit(ScanFinished(task, "示例资料库", 11))
    settle()
    measuring = engine.last(MeasureModel).task_id
    engine.emit(MeasureProgress(measuring, 1.2, 10.0))
    settle()
    pictures.shoot("first-2-without-chat-model")
    engine.done(measuring)
    engine.scripts[ListModels] = lambda c: [sample_models.listed(c.task_id)]
    controller = pictures.controller
    controller._show_models(ModelsReady(0, "bge-small-zh-v1.5", "qwen2.5-coder-1.5b-instruct-q4_k_m"))
    settle()
    pictures.shoot("first-2-with-chat-model")
    window.resize(960, 600)
    pictures.shoot("first-2-small-window")
    window.resize(1280, 820)
    samples = replace(sample_content.library("示例资料库"), folders=(str(resources.path("samples")),))
    engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, (samples,))]
    engine.done(task)
    settle()
    page.next_button.click()
    pictures.shoot("first-3-ask")
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

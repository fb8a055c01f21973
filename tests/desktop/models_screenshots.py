"""Pictures of the models page. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.models_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from engine.model_files.commands import ListModels, MeasureModel
from engine.model_files.events import MeasureProgress
from tests.desktop import sample_models
from tests.desktop.picture_taking import WindowPictures, main, settle
from tests.desktop.scripted_engine import Script


class Pictures(WindowPictures):
    def scripts(self) -> dict[type, Script]:
        return {**super().scripts(), ListModels: lambda c: [sample_models.listed(c.task_id)]}


def take(folder: Path, work: Path, prefix: str) -> None:
    """The page as it is opened from the footer, its lower half, and what goes on."""
    from desktop.models.controller import Told
    from desktop.models.transfer import Transfer

    pictures = Pictures(folder, work, prefix)
    pictures.window.model_button.click()
    settings = pictures.controller.settings.window
    assert settings is not None
    settings.resize(1000, 820)
    pictures.shoot("models-footer")
    pictures.shoot("models", settings)
    models = pictures.controller.models
    page = settings.page("models")
    assert page is not None
    area = page.parent().parent()
    area.verticalScrollBar().setValue(10_000)  # type: ignore[attr-defined]
    pictures.shoot("models-below", settings)
    area.verticalScrollBar().setValue(0)  # type: ignore[attr-defined]
    models.told.emit(Told("Qwen2.5-Coder 0.5B", offer="x"))
    models.transferred.emit(Transfer("Qwen2.5 1.5B Instruct (Q4_K_M)", 412_000_000, 1_117_320_736))
    models.measure()
    task = pictures.engine.last(MeasureModel).task_id
    pictures.engine.emit(MeasureProgress(task, 4.0, 10.0))
    settle()
    pictures.shoot("models-busy", settings)
    settings.resize(720, 480)
    pictures.shoot("models-narrow", settings)
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

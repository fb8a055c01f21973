"""Pictures of the privacy page. Run like ``tests.desktop.screenshots``:
``xvfb-run -a python -m tests.desktop.privacy_screenshots OUT_DIR --language zh --theme light``.
"""

from pathlib import Path

from engine.events import StepProgress
from engine.privacy.messages import LastProof, MoveHome, PrivacyRead, ProveOffline, ReadPrivacy
from engine.privacy.places import Place
from engine.seal import Attempt
from tests.desktop.picture_taking import WindowPictures, main
from tests.desktop.sample_settings import KeptSettings
from tests.desktop.scripted_engine import Script

HOME = Path("/home/li/.local/share/zhiye")
PROOF = LastProof(True, 0, "2026-11-30T16:20:00+08:00", HOME / "proof" / "offline-proof.html")
SIZES = {
    "libraries": 183_400_000, "history": 2_450_000, "settings": 3_100, "logs": 1_240_000, "crash": 0,
    "proof": 14_200, "models": 1_117_000_000,
}  # fmt: skip


def read(task_id: int, proof: LastProof | None = PROOF, shared: tuple[str, ...] = ()) -> PrivacyRead:
    places = tuple(Place(kind, HOME / kind, size) for kind, size in SIZES.items())  # type: ignore[arg-type]
    return PrivacyRead(task_id, HOME, places, proof, shared)


class PrivacyPictures(WindowPictures):
    def scripts(self) -> dict[type, Script]:
        kept = super().scripts() | KeptSettings().scripts()
        return kept | {ReadPrivacy: lambda c: [read(c.task_id)]}


def take(folder: Path, work: Path, prefix: str) -> None:
    """The footer, the page from top to end, a running proof and move, attempts, and a narrow window."""
    pictures = PrivacyPictures(folder, work, prefix)
    pictures.shoot("privacy-footer")
    controller = pictures.controller.privacy
    pictures.window.offline_button.click()
    window, page = pictures.controller.settings.window, controller.page
    assert window is not None and page is not None
    window.resize(940, 760)
    pictures.shoot("privacy-page", window)
    bar = window.pages.currentWidget().verticalScrollBar()
    bar.setValue(bar.maximum())
    pictures.shoot("privacy-end", window)
    bar.setValue(0)
    page.prove_button.click()
    task = pictures.engine.last(ProveOffline).task_id
    pictures.engine.emit(StepProgress(task, "progress_proof", 1, 2))
    attempt = Attempt("socket.getaddrinfo", "telemetry.example", "", "some_library")
    page.show_attempts("2", "some_library → telemetry.example  × 2")
    assert attempt.library
    pictures.shoot("privacy-proving", window)
    page.show_moving(True)
    page.move_row.show_progress(412, 1117)
    window.resize(window.minimumSize())
    bar.setValue(bar.maximum())
    pictures.shoot("privacy-small", window)
    assert not pictures.engine.commands(MoveHome)
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)

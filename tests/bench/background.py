"""Work in the background as a person notices it: the first passages after Enter, the processor taken."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil

import resources
from engine import jobs, native
from engine.answer_events import SourcesFound
from engine.cancel import CancelToken
from engine.commands import AskQuestion, IngestFolders
from engine.config import DEFAULT_EMBEDDER, Settings
from engine.embedders.precision import PrecisionTrial
from engine.paths import Home
from engine.workspace import Workspace
from models.store import ModelStore
from tests.bench import mixed_folder
from tests.bench.measuring import Row

QUESTIONS = (
    "连续出差超过多少天要分管副总经理批准？",
    "年假最多可以结转几天？",
    "采购超过多少金额需要招标？",
    "实验室的门禁卡丢了怎么办？",
    "试用期是多长时间？",
)
ROUNDS = 4
DOCUMENTS = 80


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place, "home")).create()
        _try_precisions(home)
        yield from _first_passages(home)
        folder = Path(place, "mixed")
        mixed_folder.make(folder, DOCUMENTS)
        for share, is_quiet in ((100, False), (100, True), (50, False), (50, True)):
            yield _share(home, folder, share, is_quiet=is_quiet)


def _try_precisions(home: Home) -> None:
    """Once on each machine, in a process of its own that would be in the figures."""
    trial = PrecisionTrial(home, ModelStore(home.models).ensure_verified(DEFAULT_EMBEDDER), after=0)
    trial.verdict()
    trial.wait()


def _first_passages(home: Home) -> Iterator[Row]:
    """Of the engine alone: what the window adds to it is its event loop, which has rows of its own."""
    workspace = Workspace(home, Settings())
    workspace.embedder()
    _finish(workspace, IngestFolders(1, (resources.path("samples"),), "samples"))
    times = sorted(_until_passages(workspace, question) for _ in range(ROUNDS) for question in QUESTIONS)
    workspace.close()
    yield Row(
        "first passages after Enter, embedder loaded",
        f"{1000 * times[len(times) // 2]:.0f} ms, longest {1000 * times[-1]:.0f} ms",
        f"at most 1,000 ms; {len(times)} questions to the samples",
    )


def _until_passages(workspace: Workspace, question: str) -> float:
    begun = time.perf_counter()
    steps = jobs.start(AskQuestion(2, question, ("samples",)), workspace, CancelToken())
    with ExitStack() as stack:
        stack.callback(steps.close)  # type: ignore[attr-defined]
        for event in steps:
            if isinstance(event, SourcesFound):
                return time.perf_counter() - begun
    raise AssertionError(question)


def _share(home: Home, folder: Path, share: int, *, is_quiet: bool) -> Row:
    workspace = Workspace(home, Settings(indexing_share=share))
    workspace.embedder()
    begun, spent = time.perf_counter(), _spent()
    _finish(workspace, IngestFolders(1, (folder,), f"mixed {share} {is_quiet}", is_quiet=is_quiet))
    taken, seconds = _spent() - spent, time.perf_counter() - begun
    workspace.close()
    allowed = share / (2 if is_quiet else 1)
    return Row(
        f"processor taken by indexing, share {share} %{', unasked' if is_quiet else ''}",
        f"{100 * taken / seconds / native.core_count():.0f} %",
        f"at most {allowed:.0f} %; {DOCUMENTS} documents in {seconds:.1f} s",
    )


def _spent() -> float:
    """Processor seconds of this process and of the parsing processes that it had."""
    times = os.times()
    alive = sum(sum(child.cpu_times()[:2]) for child in psutil.Process().children(recursive=True))
    return times.user + times.system + times.children_user + times.children_system + alive


def _finish(workspace: Workspace, command: IngestFolders) -> None:
    for _ in jobs.start(command, workspace, CancelToken()):
        pass

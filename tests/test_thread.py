"""The engine thread: order, overtaking, Stop, shutdown, and one end for every task whatever happens."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from engine import jobs
from engine.answer.generation import Generator, Piece, PromptRead
from engine.answer.prompting import Message
from engine.answer_events import AnswerFinished, AnswerText, RunKept
from engine.cancel import Cancelled, CancelToken
from engine.commands import (
    AskQuestion,
    Command,
    IngestFolders,
    ListLibraries,
    LocatePassage,
    PrepareModels,
    RemoveLibrary,
    StopTask,
)
from engine.config import Settings
from engine.documents import Page
from engine.errors import EngineStopped, GenerationFailed, LibraryUnknown
from engine.events import (
    Event,
    FileStarted,
    LibrariesListed,
    ModelsReady,
    Notice,
    PassageLocated,
    TaskDone,
    TaskFailed,
    TaskStarted,
    TaskStopped,
)
from engine.history.records import Run
from engine.index.embedding import Embedder
from engine.jobs import answering
from engine.paths import Home
from engine.thread import EngineThread
from engine.workspace import Workspace
from tests.builders import add_pages
from tests.fakes import FakeEmbedder, FakeGenerator

PATIENCE_S = 20.0
ENDS = (TaskDone, TaskStopped, TaskFailed)
ANSWER = "秘密级数据的保密期限为10年[1]。"
QUESTION = "秘密级数据的保密期限"


class Recorder:
    """Keeps every event, and waits for one without sleeping."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait_for(self, kind: type[Event], task_id: int) -> Event:
        def found() -> Event | None:
            return next((e for e in self.events if isinstance(e, kind) and e.task_id == task_id), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, PATIENCE_S), self.events
        event = found()
        assert event is not None
        return event

    def of(self, task_id: int) -> list[Event]:
        return [event for event in self.events if event.task_id == task_id]

    def ends(self, task_id: int) -> list[Event]:
        return [event for event in self.of(task_id) if isinstance(event, ENDS)]


class Scripted:
    """Jobs by task id instead of the real ones."""

    def __init__(self) -> None:
        self.scripts: dict[int, Callable[[CancelToken], Iterator[Event | None]]] = {}
        self.order: list[str] = []
        self.threads: set[int] = set()

    def start(self, command: Command, workspace: Workspace, token: CancelToken) -> Iterator[Event | None]:
        return self.scripts[command.task_id](token)

    def counting(
        self, name: str, steps: int, gate: "Gate | None" = None
    ) -> Callable[[CancelToken], Iterator[None]]:
        """A job of so many steps; with ``gate`` it waits inside the first one."""

        def job(token: CancelToken) -> Iterator[None]:
            for step in range(steps):
                self.threads.add(threading.get_ident())
                self.order.append(f"{name}{step}")
                if gate is not None and step == 0:
                    gate.wait()
                yield None

        return job


class Gate:
    """Holds the engine thread inside a step until the test lets it go."""

    def __init__(self) -> None:
        self._entered, self._open = threading.Event(), threading.Event()

    def wait(self) -> None:
        self._entered.set()
        assert self._open.wait(PATIENCE_S)

    def entered(self) -> None:
        assert self._entered.wait(PATIENCE_S)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    script = Scripted()
    monkeypatch.setattr(jobs, "start", script.start)
    return script


class FakeWorkspace(Workspace):
    """A real workspace on disk with doubles for the models."""

    model: Generator | None = None

    @property
    def dimension(self) -> int:
        return 64

    def embedder(self) -> Embedder | None:
        return FakeEmbedder()

    def generator(self) -> Generator:
        return self.model or super().generator()


@pytest.fixture
def make_engine(
    tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., EngineThread]]:
    made: list[EngineThread] = []

    def make(model: Generator | None = None, home: Path | None = None, **options: object) -> EngineThread:
        class Ours(FakeWorkspace):
            pass

        Ours.model = model
        options.setdefault("make_workspace", Ours)
        engine = EngineThread(Home(home or tmp_path / "家"), Settings(), recorder, **options)
        made.append(engine)
        engine.start()
        return engine

    yield make
    for engine in made:
        assert engine.stop(PATIENCE_S)


def fill(home: Path, *libraries: str) -> None:
    """Libraries with one document each, written before the engine opens them."""
    workspace = FakeWorkspace(Home(home), Settings())
    for name in libraries:
        library = workspace.libraries.for_writing(name)
        page = Page(1, f"{name}：秘密级数据的保密期限为10年。")
        add_pages(library, "保密.txt", [page], FakeEmbedder(), kind="text")
    workspace.close()


def ingest(task_id: int) -> IngestFolders:
    return IngestFolders(task_id, (Path("/文档"),))


# -- order ----------------------------------------------------------------------------------------


def test_a_question_overtakes_indexing_between_two_steps(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate = Gate()
    scripted.scripts = {1: scripted.counting("index", 3, gate), 2: scripted.counting("ask", 3)}
    engine = make_engine()
    engine.send(ingest(1))
    gate.entered()
    engine.send(AskQuestion(2, "问"))
    gate.open()
    recorder.wait_for(TaskDone, 1)
    assert scripted.order == ["index0", "ask0", "ask1", "ask2", "index1", "index2"]
    assert recorder.ends(2) == [TaskDone(2)]


def test_a_click_on_evidence_does_not_wait_for_the_end_of_an_answer(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate = Gate()
    scripted.scripts = {1: scripted.counting("ask", 3, gate), 2: scripted.counting("locate", 1)}
    engine = make_engine()
    engine.send(AskQuestion(1, "问"))
    gate.entered()
    engine.send(LocatePassage(2, "甲", 1))
    gate.open()
    recorder.wait_for(TaskDone, 1)
    assert scripted.order == ["ask0", "locate0", "ask1", "ask2"]


def test_two_questions_at_once_both_end_and_never_run_inside_each_other(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    inside: list[str] = []

    class Watched(FakeGenerator):
        def generate(
            self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
        ) -> Iterator[PromptRead | Piece]:
            inside.append(f"enter {threading.current_thread().name}")
            yield from super().generate(messages, max_tokens=max_tokens, temperature=temperature, token=token)
            inside.append(f"leave {threading.current_thread().name}")

    engine = make_engine(Watched(ANSWER))
    engine.send(AskQuestion(1, QUESTION))
    engine.send(AskQuestion(2, QUESTION))
    recorder.wait_for(TaskDone, 1)
    recorder.wait_for(TaskDone, 2)
    assert inside == ["enter zhiye-engine", "leave zhiye-engine"] * 2
    answers = [event.answer.text for event in recorder.events if isinstance(event, AnswerFinished)]
    assert answers == [ANSWER, ANSWER]


def test_all_jobs_run_in_one_thread(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    scripted.scripts = {at: scripted.counting(str(at), 2) for at in range(6)}
    engine = make_engine()
    for at in range(6):
        engine.send((ingest, ListLibraries, PrepareModels)[at % 3](at))
    for at in range(6):
        recorder.wait_for(TaskDone, at)
    assert len(scripted.threads) == 1
    assert threading.get_ident() not in scripted.threads


# -- Stop -----------------------------------------------------------------------------------------


def test_stop_during_an_answer_ends_it_and_leaves_the_next_question_alone(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    gate = Gate()

    class Slow(FakeGenerator):
        def generate(
            self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
        ) -> Iterator[PromptRead | Piece]:
            if not self.prompts:
                self.prompts.append(messages)
                yield Piece("第一个", 1)
                gate.wait()
                token.check()
                yield Piece("问题的回答", 2)
            yield from super().generate(messages, max_tokens=max_tokens, temperature=temperature, token=token)

    engine = make_engine(Slow(ANSWER))
    engine.send(AskQuestion(1, QUESTION))
    gate.entered()
    engine.send(StopTask(1))
    engine.send(AskQuestion(2, QUESTION))
    gate.open()
    recorder.wait_for(TaskDone, 2)
    assert recorder.ends(1) == [TaskStopped(1)]
    first, second = ("".join(e.text for e in recorder.of(n) if isinstance(e, AnswerText)) for n in (1, 2))
    assert (first, second) == ("第一个", ANSWER)
    assert not any(isinstance(event, AnswerFinished) for event in recorder.of(1))


def test_stop_during_a_survey_keeps_its_rows(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    gate = Gate()
    fill(tmp_path / "家", "甲", "乙", "丙")

    class Slow(FakeGenerator):
        """Waits before it reads its second document."""

        def generate(
            self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
        ) -> Iterator[PromptRead | Piece]:
            if self.prompts:
                gate.wait()
            yield from super().generate(messages, max_tokens=max_tokens, temperature=temperature, token=token)

    engine = make_engine(Slow("秘密级数据的保密期限为10年"))
    engine.send(AskQuestion(1, "哪些文件提到了保密期限？"))
    gate.entered()
    engine.send(StopTask(1))
    gate.open()
    recorder.wait_for(TaskStopped, 1)
    (finished,) = [event for event in recorder.of(1) if isinstance(event, AnswerFinished)]
    table = finished.answer.table
    assert table is not None
    assert (table.read, table.of, len(table.rows), finished.answer.stopped) == (1, 3, 1, True)
    assert recorder.ends(1) == [TaskStopped(1)]


def kept_runs(home: Path) -> list[Run]:
    workspace = FakeWorkspace(Home(home), Settings())
    found = [workspace.runs.get(run.id) for run in workspace.runs.list()]
    workspace.close()
    return found


class WritesUntilStopped(FakeGenerator):
    """Writes a piece, waits, and goes on."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(ANSWER)
        self._gate = gate

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        yield Piece("写到一", 1)
        yield Piece("半", 2)
        self._gate.wait()
        yield Piece("没有人看到", 3)
        token.check()


def test_a_stopped_answer_is_kept_with_the_text_so_far(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    gate = Gate()
    engine = make_engine(WritesUntilStopped(gate))
    engine.send(AskQuestion(1, QUESTION))
    gate.entered()
    engine.send(StopTask(1))
    gate.open()
    recorder.wait_for(TaskStopped, 1)
    assert engine.stop(PATIENCE_S)
    (run,) = kept_runs(tmp_path / "家")
    *_, told, last = recorder.of(1)
    assert (told, last) == (RunKept(1, run.id, run.thread), TaskStopped(1))
    assert (run.state, run.question, run.model) == ("stopped", QUESTION, "fake-chat")
    assert run.trace["answer"].startswith("写到一半")
    assert run.trace["stopped"]
    assert run.trace["hits"]
    (prompt,) = run.trace["prompts"]
    assert QUESTION in prompt["messages"][-1]["content"]


def test_what_is_written_when_the_window_closes_is_kept(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    gate = Gate()
    engine = make_engine(WritesUntilStopped(gate))
    engine.send(AskQuestion(1, QUESTION))
    gate.entered()
    threading.Timer(0.05, gate.open).start()
    assert engine.stop(PATIENCE_S)
    (run,) = kept_runs(tmp_path / "家")
    assert (run.state, recorder.ends(1)) == ("stopped", [TaskStopped(1)])


def test_a_question_that_fails_is_no_run(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    engine = make_engine(FakeGenerator(ANSWER))
    engine.send(AskQuestion(1, " "))
    engine.send(AskQuestion(2, QUESTION, thread=77))
    for task in (1, 2):
        recorder.wait_for(TaskFailed, task)
    assert engine.stop(PATIENCE_S)
    assert kept_runs(tmp_path / "家") == []


def test_a_task_that_waits_is_stopped_at_once_and_never_starts(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate = Gate()
    scripted.scripts = {1: scripted.counting("first", 50, gate), 2: scripted.counting("second", 2)}
    engine = make_engine()
    engine.send(ingest(1))
    gate.entered()
    engine.send(ingest(2))
    engine.send(StopTask(2))
    gate.open()
    recorder.wait_for(TaskDone, 1)
    assert recorder.of(2) == [TaskStopped(2)]
    assert recorder.events.index(TaskStopped(2)) < recorder.events.index(TaskDone(1))
    assert "second0" not in scripted.order


def test_stopping_a_task_that_is_over_or_unknown_does_nothing(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    scripted.scripts = {1: scripted.counting("a", 1), 2: scripted.counting("b", 1)}
    engine = make_engine()
    engine.send(ListLibraries(1))
    recorder.wait_for(TaskDone, 1)
    engine.send(StopTask(1))
    engine.send(StopTask(99))
    engine.send(ListLibraries(2))
    recorder.wait_for(TaskDone, 2)
    assert recorder.ends(1) == [TaskDone(1)]


def test_a_stopped_job_cleans_up_behind_itself(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate, cleaned = Gate(), threading.Event()

    def job(token: CancelToken) -> Iterator[None]:
        try:
            gate.wait()
            while True:
                yield None
        finally:
            cleaned.set()

    scripted.scripts = {1: job}
    engine = make_engine()
    engine.send(ingest(1))
    gate.entered()
    engine.send(StopTask(1))
    gate.open()
    recorder.wait_for(TaskStopped, 1)
    assert cleaned.is_set()


def test_a_stopped_job_may_tell_what_it_kept_and_no_more(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gates = Gate(), Gate()

    def tells(token: CancelToken) -> Iterator[Event | None]:
        try:
            gates[0].wait()
            yield None
        except Cancelled:
            yield None
            yield RunKept(1, 7, 8)
            raise

    def goes_on(token: CancelToken) -> Iterator[Event | None]:
        gates[1].wait()
        while True:
            try:
                yield None
            except Cancelled:
                pass

    scripted.scripts = {1: tells, 2: goes_on}
    engine = make_engine()
    for task, gate in enumerate(gates, start=1):
        engine.send(ingest(task))
        gate.entered()
        engine.send(StopTask(task))
        gate.open()
        recorder.wait_for(TaskStopped, task)
    assert recorder.of(1)[1:] == [RunKept(1, 7, 8), TaskStopped(1)]
    assert recorder.of(2)[1:] == [TaskStopped(2)]


# -- shutdown -------------------------------------------------------------------------------------


def test_stopping_the_engine_while_busy_joins_and_ends_every_task(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate = Gate()

    def endless(token: CancelToken) -> Iterator[None]:
        gate.wait()
        while True:
            token.check()
            yield None

    waiting = range(2, 8)
    scripted.scripts = {1: endless} | {at: scripted.counting(str(at), 1) for at in waiting}
    engine = make_engine()
    engine.send(ingest(1))
    gate.entered()
    for at in waiting:
        engine.send(ingest(at))
    stopper = threading.Thread(target=lambda: stopped.append(engine.stop(PATIENCE_S)))
    stopped: list[bool] = []
    stopper.start()
    gate.open()
    stopper.join(PATIENCE_S)
    assert stopped == [True]
    for task in (1, *waiting):
        assert recorder.ends(task) == [TaskStopped(task)], task


def test_an_idle_engine_stops_and_takes_no_command_any_more(make_engine: Callable[..., EngineThread]) -> None:
    engine = make_engine()
    assert engine.stop(PATIENCE_S)
    with pytest.raises(EngineStopped):
        engine.send(ListLibraries(1))
    assert engine.stop(PATIENCE_S)


def test_an_engine_that_hangs_is_reported_as_alive(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate = Gate()
    scripted.scripts = {1: scripted.counting("a", 1, gate)}
    engine = make_engine()
    engine.send(ingest(1))
    gate.entered()
    assert not engine.stop(timeout=0.01)
    gate.open()
    assert engine.stop(PATIENCE_S)


# -- failures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (LibraryUnknown(name="甲"), ("library_unknown", {"name": "甲"}, False)),
        (
            sqlite3.OperationalError("disk is full"),
            ("storage_failed", {"path": "", "detail": "disk is full"}, True),
        ),
        (OSError("denied"), ("storage_failed", {"path": "", "detail": "denied"}, True)),
        (ValueError("oops"), ("internal", {"detail": "ValueError"}, False)),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_a_job_that_fails_ends_with_its_reason_and_the_engine_goes_on(
    make_engine: Callable[..., EngineThread],
    scripted: Scripted,
    recorder: Recorder,
    error: Exception,
    expected: tuple[str, dict[str, str], bool],
    late: bool,
) -> None:
    def job(token: CancelToken) -> Iterator[None]:
        if late:
            yield None
        raise error

    scripted.scripts = {1: job, 2: scripted.counting("next", 1)}
    engine = make_engine()
    engine.send(ingest(1))
    engine.send(ingest(2))
    recorder.wait_for(TaskDone, 2)
    (end,) = recorder.ends(1)
    assert isinstance(end, TaskFailed)
    assert (end.code, end.params, end.retryable) == expected


def test_a_job_that_fails_to_clean_up_does_not_end_the_engine(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    gate = Gate()

    def job(token: CancelToken) -> Iterator[None]:
        try:
            gate.wait()
            while True:
                yield None
        finally:
            raise OSError("the lock file is gone")

    scripted.scripts = {1: job, 2: scripted.counting("next", 1)}
    engine = make_engine()
    engine.send(ingest(1))
    gate.entered()
    engine.send(StopTask(1))
    engine.send(ingest(2))
    gate.open()
    recorder.wait_for(TaskDone, 2)
    assert recorder.ends(1) == [TaskStopped(1)]


def test_a_home_that_cannot_be_used_fails_every_command_instead_of_hanging(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    blocked = tmp_path / "文件"
    blocked.write_text("kein Ordner", encoding="utf-8")
    engine = make_engine(home=blocked / "家")
    for task in (1, 2):
        engine.send(ListLibraries(task))
        end = recorder.wait_for(TaskFailed, task)
        assert isinstance(end, TaskFailed)
        assert end.code == "storage_failed"
    assert engine.stop(PATIENCE_S)


def test_a_workspace_that_breaks_otherwise_fails_every_command_too(
    make_engine: Callable[..., EngineThread], recorder: Recorder
) -> None:
    def broken(home: Home, settings: Settings) -> Workspace:
        raise RuntimeError("unexpected")

    engine = make_engine(make_workspace=broken)
    engine.send(ListLibraries(1))
    end = recorder.wait_for(TaskFailed, 1)
    assert isinstance(end, TaskFailed)
    assert (end.code, end.params) == ("internal", {"detail": "RuntimeError"})


# -- the real jobs --------------------------------------------------------------------------------


def test_a_missing_chat_model_is_a_notice_and_the_passages_answer(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    engine = make_engine(None)
    engine.send(AskQuestion(1, QUESTION))
    recorder.wait_for(TaskDone, 1)
    notices = [event.code for event in recorder.of(1) if isinstance(event, Notice)]
    assert notices == ["model_missing"]
    (finished,) = [event for event in recorder.of(1) if isinstance(event, AnswerFinished)]
    assert finished.answer.evidence_only
    assert finished.answer.citations


def test_a_chat_model_that_cannot_check_before_it_answers_says_so(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    engine = make_engine(FakeGenerator("秘密级数据的保密期限为六年[1]。"))
    engine.send(AskQuestion(1, QUESTION))
    recorder.wait_for(TaskDone, 1)
    assert [event.code for event in recorder.of(1) if isinstance(event, Notice)] == ["reading_off"]


def test_a_chat_model_that_cannot_run_is_a_notice_too(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")

    class Unable(FakeWorkspace):
        def generator(self) -> Generator:
            raise GenerationFailed(model="模型", detail="died")

    engine = make_engine(make_workspace=Unable)
    engine.send(PrepareModels(1))
    engine.send(AskQuestion(2, QUESTION))
    recorder.wait_for(TaskDone, 2)
    ready = recorder.wait_for(ModelsReady, 1)
    assert ready == ModelsReady(1, "fake", None)
    for task in (1, 2):
        notices = [event for event in recorder.of(task) if isinstance(event, Notice)]
        assert notices == [Notice(task, "generation_failed", {"model": "模型", "detail": "died"})]


def test_a_question_without_model_does_not_ask_for_one(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    model = FakeGenerator(ANSWER)
    engine = make_engine(model)
    engine.send(AskQuestion(1, QUESTION, use_model=False))
    recorder.wait_for(TaskDone, 1)
    assert model.prompts == []


def test_an_answer_is_kept_as_a_run(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲", "乙")
    engine = make_engine(FakeGenerator(ANSWER))
    engine.send(AskQuestion(1, QUESTION, ("甲",)))
    recorder.wait_for(TaskDone, 1)
    assert engine.stop(PATIENCE_S)
    workspace = FakeWorkspace(Home(tmp_path / "家"), Settings())
    (kept,) = workspace.runs.list()
    run = workspace.runs.get(kept.id)
    assert (run.question, run.refused, run.model) == (QUESTION, False, "fake-chat")
    assert run.trace["libraries"] == ["甲"]
    assert run.trace["answer"] == ANSWER
    workspace.close()


def test_libraries_are_listed_removed_and_their_passages_located(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲", "乙")
    engine = make_engine(FakeGenerator(ANSWER))
    engine.send(LocatePassage(1, "乙", 1, ((1, 2, 8),)))
    located = recorder.wait_for(PassageLocated, 1)
    assert isinstance(located, PassageLocated)
    (page,) = located.pages
    assert [page.text[start:end] for start, end in page.spans] == ["秘密级数据的"]
    engine.send(RemoveLibrary(2, "甲"))
    listed = recorder.wait_for(LibrariesListed, 2)
    assert isinstance(listed, LibrariesListed)
    assert [library.name for library in listed.libraries] == ["乙"]
    engine.send(LocatePassage(3, "乙", 99))
    failed = recorder.wait_for(TaskFailed, 3)
    assert isinstance(failed, TaskFailed)
    assert failed.code == "library_unknown"


def test_every_task_begins_once_and_ends_once(
    make_engine: Callable[..., EngineThread], recorder: Recorder, tmp_path: Path
) -> None:
    fill(tmp_path / "家", "甲")
    engine = make_engine(FakeGenerator(ANSWER))
    commands: list[Command] = [
        AskQuestion(1, QUESTION),
        AskQuestion(2, " "),
        AskQuestion(3, QUESTION, ("没有",)),
        ListLibraries(4),
        IngestFolders(5, (tmp_path / "没有",)),
        RemoveLibrary(6, "没有"),
    ]
    for command in commands:
        engine.send(command)
    for command in commands:
        with recorder._changed:
            recorder._changed.wait_for(lambda task=command.task_id: recorder.ends(task), PATIENCE_S)
    kinds = {task: [type(event) for event in recorder.of(task)] for task in range(1, 7)}
    assert all(found[0] is TaskStarted and found.count(TaskStarted) == 1 for found in kinds.values())
    assert all(len(recorder.ends(task)) == 1 for task in kinds)
    codes = {e.task_id: e.code for e in recorder.events if isinstance(e, TaskFailed)}
    assert codes == {2: "question_empty", 3: "library_unknown", 5: "not_readable", 6: "library_unknown"}


def test_progress_of_a_file_comes_before_its_end(
    make_engine: Callable[..., EngineThread], scripted: Scripted, recorder: Recorder
) -> None:
    def job(token: CancelToken) -> Iterator[Event | None]:
        yield FileStarted(1, "甲.md")
        yield None

    scripted.scripts = {1: job}
    make_engine().send(ingest(1))
    recorder.wait_for(TaskDone, 1)
    assert recorder.events == [TaskStarted(1), FileStarted(1, "甲.md"), TaskDone(1)]


def test_no_file_is_read_while_a_question_is_answered(
    tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader stands still from before the search until the answer is there, and also after a Stop."""
    fill(tmp_path / "家", "库")
    workspace = FakeWorkspace(Home(tmp_path / "家"), Settings())
    FakeWorkspace.model = FakeGenerator(ANSWER)
    calls: list[str] = []

    class Pool:
        def __init__(self, settings: Settings) -> None: ...

        def __enter__(self) -> "Pool":
            return self

        def __exit__(self, *_: object) -> None: ...

        def pause(self) -> None:
            calls.append("pause")

        def resume(self) -> None:
            calls.append("resume")

    monkeypatch.setattr("engine.workspace.ParsingPool", Pool)
    try:
        with workspace.readers(workspace.settings):
            for event in answering.ask(AskQuestion(1, QUESTION), workspace, CancelToken()):
                assert calls == ["pause"], event
            assert calls == ["pause", "resume"]
            steps = answering.ask(AskQuestion(2, QUESTION), workspace, CancelToken())
            next(steps)
            steps.close()  # type: ignore[attr-defined]
            assert calls == ["pause", "resume"] * 2
        list(answering.ask(AskQuestion(3, QUESTION), workspace, CancelToken()))
        assert calls == ["pause", "resume"] * 2, "nobody reads any more"
    finally:
        FakeWorkspace.model = None
        workspace.close()

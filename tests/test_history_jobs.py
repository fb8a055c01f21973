"""Conversations through the engine's commands: asked, edited, listed, shown, rated, deleted, exported."""

import io
from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import docx
import pytest

from engine import jobs
from engine.answer.generation import SEED, Generator
from engine.answer_events import (
    AnswerFinished,
    AnswersExported,
    AnswerText,
    PromptMade,
    RunKept,
    SourcesFound,
    SurveyRow,
    ThreadShown,
    ThreadsListed,
)
from engine.cancel import Cancelled, CancelToken
from engine.commands import (
    AskQuestion,
    ChangeThread,
    ClearHistory,
    Command,
    DeleteRun,
    DeleteThread,
    ExportAnswers,
    ListThreads,
    RateAnswer,
    ShowThread,
)
from engine.config import Settings
from engine.documents import Page
from engine.errors import StorageFailed, WrongUse
from engine.events import Event, Notice
from engine.history.remembered import GONE
from engine.index.embedding import Embedder
from engine.paths import Home
from engine.trace import answer_record
from engine.workspace import Workspace
from tests.builders import add_pages
from tests.fakes import FakeEmbedder, FakeGenerator

QUESTION = "秘密级数据的保密期限是几年？"
ANSWER = "秘密级数据的保密期限为10年[1]。"

_Event = TypeVar("_Event", bound=Event)


class SeededGenerator(FakeGenerator):
    seed = 0


class OurWorkspace(Workspace):
    """A real one on disk with doubles for the models."""

    model = SeededGenerator(ANSWER)

    @property
    def dimension(self) -> int:
        return 64

    def embedder(self) -> Embedder | None:
        return FakeEmbedder()

    def generator(self) -> Generator:
        return self.model


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = OurWorkspace(Home(tmp_path / "家"), Settings())
    page = Page(1, "保密制度：秘密级数据的保密期限为10年。机密级数据的保密期限为20年。")
    add_pages(made.libraries.for_writing("制度"), "保密.txt", [page], FakeEmbedder(), kind="text")
    yield made
    made.close()


def do(workspace: Workspace, command: Command) -> list[Event]:
    return [event for event in jobs.start(command, workspace, CancelToken()) if event is not None]


def last(events: list[Event], kind: type[_Event]) -> _Event:
    event = events[-1]
    assert isinstance(event, kind)
    return event


def ask(workspace: Workspace, question: str = QUESTION, **options: Any) -> AnswerFinished:
    return last(do(workspace, AskQuestion(1, question, **options)), AnswerFinished)


def shown(workspace: Workspace, thread: int | None, **options: bool) -> list[str]:
    assert thread is not None
    found = last(do(workspace, ShowThread(1, thread, **options)), ThreadShown)
    return [turn.answer.question for turn in found.turns]


def test_an_answer_says_where_it_was_kept_and_a_thread_goes_on(workspace: Workspace) -> None:
    first = ask(workspace)
    second = ask(workspace, "那机密级数据呢？", thread=first.thread)
    assert first.thread == second.thread
    assert second.answer.rewritten == "机密级数据的保密期限是几年？"
    assert shown(workspace, first.thread) == [QUESTION, "那机密级数据呢？"]
    assert not first.can_ask_again


def test_an_edited_question_leans_on_what_came_before_it(workspace: Workspace) -> None:
    first = ask(workspace)
    second = ask(workspace, "那机密级数据呢？", thread=first.thread)
    third = ask(workspace, "那机密级数据呢", replaces=second.run)
    assert third.answer.rewritten == "机密级数据的保密期限是几年？"
    assert shown(workspace, first.thread) == [QUESTION, "那机密级数据呢"]
    assert len(shown(workspace, first.thread, with_superseded=True)) == 3


def test_what_is_answered_again_is_written_with_another_seed(workspace: Workspace) -> None:
    first = ask(workspace)
    again = do(workspace, AskQuestion(1, QUESTION, replaces=first.run))
    (made,) = [event for event in again if isinstance(event, PromptMade)]
    assert made.seed == SEED + 1
    run = last(again, AnswerFinished).run
    assert run is not None
    trace = workspace.runs.get(run).trace
    assert trace["prompts"] == [
        {"name": made.name, "model": "fake-chat", "seed": SEED + 1, "messages": list(made.messages)}
    ]


def test_a_run_holds_what_it_takes_to_answer_again_and_no_path_of_this_machine(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.settings = workspace.settings.model_copy(
        update={"model_path": tmp_path / "模型.gguf", "home": tmp_path}
    )
    workspace.passwords.append("geheim-42")
    first = ask(workspace)
    second = ask(workspace, "那机密级数据呢？", thread=first.thread)
    assert second.run is not None
    trace = workspace.runs.get(second.run).trace
    assert trace["previous"] == [QUESTION]
    assert trace["settings"]["top_k"] == 5
    assert trace["program"]
    assert trace["prompt"] and trace["gate"] and trace["hits"][0]["score"]
    assert str(tmp_path) not in str(trace)
    assert "geheim-42" not in str(trace)


def test_nothing_is_kept_when_the_settings_say_so(workspace: Workspace) -> None:
    workspace.settings = workspace.settings.model_copy(update={"save_runs": False})
    answered = ask(workspace, "那机密级数据呢？", previous=(QUESTION,))
    assert (answered.run, answered.thread) == (None, None)
    assert answered.answer.rewritten is not None
    assert not workspace.home.history.exists()


def test_a_run_that_cannot_be_kept_is_a_notice(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise StorageFailed(path="history.sqlite", detail="disk is full")

    monkeypatch.setattr(type(workspace.runs), "save", full)
    events = do(workspace, AskQuestion(1, QUESTION))
    assert last(events, AnswerFinished).run is None
    assert "run_not_kept" in [event.code for event in events if isinstance(event, Notice)]


def test_threads_are_listed_searched_changed_and_deleted(workspace: Workspace) -> None:
    thread = ask(workspace).thread
    assert thread is not None
    other = ask(workspace, "机密级数据的保密期限？")
    do(workspace, ChangeThread(1, thread, title="保密", pinned=True))
    listed = last(do(workspace, ListThreads(1)), ThreadsListed)
    assert (listed.threads[0].title, listed.threads[0].pinned) == ("保密", True)
    found = last(do(workspace, ListThreads(1, "秘密级 几年")), ThreadsListed)
    assert ([item.id for item in found.threads], found.total) == ([thread], 2)
    assert len(last(do(workspace, ListThreads(1, limit=1)), ThreadsListed).threads) == 1
    assert other.run is not None
    do(workspace, DeleteRun(1, other.run))
    do(workspace, DeleteThread(1, thread))
    assert last(do(workspace, ListThreads(1)), ThreadsListed).total == 0
    ask(workspace)
    assert last(do(workspace, ClearHistory(1)), ThreadsListed).threads == ()
    assert workspace.runs.list() == []


def test_an_answer_is_rated(workspace: Workspace) -> None:
    answered = ask(workspace)
    assert answered.run is not None and answered.thread is not None
    do(workspace, RateAnswer(1, answered.run, "bad", "页码不对"))
    (turn,) = last(do(workspace, ShowThread(1, answered.thread)), ThreadShown).turns
    assert (turn.run.rating, turn.run.note) == ("bad", "页码不对")


def test_an_old_answer_is_the_answer_that_was_given(workspace: Workspace) -> None:
    answered = ask(workspace)
    assert answered.thread is not None
    (turn,) = last(do(workspace, ShowThread(1, answered.thread)), ThreadShown).turns
    given = answer_record(answered.answer)
    assert answer_record(turn.answer) == given | {"why_not": None}
    assert turn.answer.citations == answered.answer.citations
    assert turn.answer.hits == answered.answer.hits


def test_citations_of_an_old_answer_follow_a_library_that_was_renamed(workspace: Workspace) -> None:
    answered = ask(workspace)
    assert answered.thread is not None
    workspace.libraries.rename("制度", "规章")
    (turn,) = last(do(workspace, ShowThread(1, answered.thread)), ThreadShown).turns
    (citation,) = turn.answer.citations
    assert (citation.library, citation.row) == ("规章", answered.answer.citations[0].row)


def test_an_old_answer_can_be_read_when_its_document_is_gone(workspace: Workspace) -> None:
    answered = ask(workspace)
    assert answered.thread is not None
    library = workspace.libraries.open("制度")
    (file,) = library.files()
    library.remove_file(file.folder_id, file.path)
    (turn,) = last(do(workspace, ShowThread(1, answered.thread)), ThreadShown).turns
    (citation,) = turn.answer.citations
    assert (citation.row, citation.library, citation.kind) == (GONE, "制度", "text")
    assert citation.quote == answered.answer.citations[0].quote


def test_while_documents_are_still_to_be_read_it_is_said_and_can_be_asked_again(workspace: Workspace) -> None:
    workspace.libraries.open("制度").set_meta(
        "awaited", '{"since": "2999", "last_id": 99, "files": 4, "waiting": 3, "ocr": true}'
    )
    events = do(workspace, AskQuestion(1, QUESTION))
    finished = last(events, AnswerFinished)
    assert finished.can_ask_again
    assert finished.answer.indexed_share == 0.25
    assert Notice(1, "still_indexing", {"percent": 25}) in events


# -- export ---------------------------------------------------------------------------------------


def test_a_run_a_thread_and_an_answer_are_exported(workspace: Workspace, tmp_path: Path) -> None:
    first = ask(workspace)
    ask(workspace, "那机密级数据呢？", thread=first.thread)
    assert first.run is not None
    file = tmp_path / "导出" / "回答.md"
    done = last(do(workspace, ExportAnswers(1, file, "md", run=first.run)), AnswersExported)
    assert (done.file, done.answers) == (file, 1)
    text = file.read_text(encoding="utf-8")
    assert "保密期限为10年[^1]。" in text
    assert "[^1]: 保密.txt，正文：“" in text
    done = last(do(workspace, ExportAnswers(1, file, "md", thread=first.thread)), AnswersExported)
    assert done.answers == 2
    assert file.read_text(encoding="utf-8").count("\n## ") == 2
    word = file.with_suffix(".docx")
    do(workspace, ExportAnswers(1, word, "docx", answers=(first.answer,), language="en"))
    assert "10年" in "".join(
        paragraph.text for paragraph in docx.Document(io.BytesIO(word.read_bytes())).paragraphs
    )


def test_a_stopped_answer_is_exported_as_what_it_is(workspace: Workspace, tmp_path: Path) -> None:
    answer = replace(ask(workspace).answer, stopped=True, sentences=(), citations=(), text="写到一半")
    file = tmp_path / "a.md"
    do(workspace, ExportAnswers(1, file, "md", answers=(answer,)))
    assert "> 回答被停止，以下文字未核实。" in file.read_text(encoding="utf-8")


def test_an_export_that_cannot_be_written_leaves_the_old_file(workspace: Workspace, tmp_path: Path) -> None:
    first = ask(workspace)
    (tmp_path / "datei").write_bytes(b"x")
    with pytest.raises(StorageFailed):
        do(workspace, ExportAnswers(1, tmp_path / "datei" / "a.md", "md", run=first.run))
    with pytest.raises(WrongUse):
        do(workspace, ExportAnswers(1, tmp_path / "a.md", "md"))
    assert not (tmp_path / "a.md").exists()


# -- stopping -------------------------------------------------------------------------------------


def stopped_after(workspace: Workspace, question: str, kind: type[Event], **options: Any) -> list[Event]:
    """The events of a question that is stopped between two steps, right after one of this kind."""
    token = CancelToken()
    steps = jobs.start(AskQuestion(1, question, **options), workspace, token)
    assert isinstance(steps, Generator_)
    events: list[Event] = []
    try:
        for event in steps:
            if event is not None:
                events.append(event)
            if isinstance(event, kind):
                break
        token.cancel()
        told = steps.throw(Cancelled())
        while True:
            events += [told] * (told is not None)
            told = next(steps)
    except Cancelled:
        return events


@pytest.mark.parametrize("kind", [SourcesFound, PromptMade, AnswerText])
def test_a_question_that_is_stopped_at_any_phase_is_kept_with_what_was_found(
    workspace: Workspace, kind: type[Event]
) -> None:
    kept = last(stopped_after(workspace, QUESTION, kind), RunKept)
    (turn,) = last(do(workspace, ShowThread(1, kept.thread)), ThreadShown).turns
    assert (turn.run.state, turn.answer.stopped) == ("stopped", True)
    assert turn.answer.hits
    assert turn.answer.text == (ANSWER[:1] if kind is AnswerText else "")
    assert workspace.runs.quoted(kept.run)


def test_a_survey_that_is_stopped_tells_what_it_has_read(workspace: Workspace) -> None:
    library = workspace.libraries.for_writing("合同")
    for n in range(6):
        page = Page(1, f"第{n}号采购合同：违约金为每日千分之三，合同金额为{n + 1}万元。")
        add_pages(library, f"合同{n}.txt", [page], FakeEmbedder(), kind="text")
    events = stopped_after(workspace, "列出所有合同的合同金额", SurveyRow, use_model=False)
    finished = last(events, AnswerFinished)
    assert finished.answer.table is not None
    assert finished.answer.table.read < finished.answer.table.of
    assert finished.run is not None
    assert workspace.runs.get(finished.run).state == "stopped"

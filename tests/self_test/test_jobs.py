"""Self-test questions through the engine's commands: marked, kept over re-indexing, run and exported."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engine import jobs, shelf
from engine.answer.generation import Generator
from engine.answer_events import AnswerFinished, SourcesFound
from engine.cancel import Cancelled, CancelToken
from engine.commands import AskQuestion, Command
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import LibraryUnknown, WrongUse
from engine.evaluation import dataset
from engine.evaluation.measure import evaluate
from engine.events import Event, StepProgress
from engine.index.embedding import Embedder
from engine.jsonlines import read_objects
from engine.paths import Home
from engine.runs import Runs
from engine.self_test.messages import (
    AddThreadToSelfTest,
    ExportSelfTest,
    FindSelfTestPassages,
    KeepSelfTestQuestion,
    ListSelfTest,
    RemoveSelfTestQuestions,
    RunSelfTest,
    SelfTestAdded,
    SelfTestExported,
    SelfTestListed,
)
from engine.self_test.records import QuestionResult
from engine.workspace import Workspace
from tests import indexed
from tests.fakes import FakeEmbedder, FakeGenerator

SECRET = "秘密级数据的保密期限是几年？"
LEAVE = "工龄满十年的员工年休假是多少天？"
CANTEEN = "食堂周末几点关门？"
SECRET_TEXT = "保密制度规定如下。秘密级数据的保密期限为10年。资料室负责保管。"
LEAVE_TEXT = "休假制度规定如下。工龄满十年的员工年休假为15天。人事部负责解释。"

_Event = TypeVar("_Event", bound=Event)


class OurWorkspace(Workspace):
    """A real one on disk with doubles for the models."""

    model = FakeGenerator("秘密级数据的保密期限为10年[1]。")

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
    library = made.libraries.for_writing("制度")
    indexed.put(library, "规章/保密.txt", [SECRET_TEXT], FakeEmbedder())
    indexed.put(library, "规章/休假.txt", [LEAVE_TEXT], FakeEmbedder())
    yield made
    made.close()


def steps(workspace: Workspace, command: Command, token: CancelToken | None = None) -> Iterator[Event]:
    for event in jobs.start(command, workspace, token or CancelToken()):
        if event is not None:
            yield event


def last(workspace: Workspace, command: Command, kind: type[_Event]) -> _Event:
    found = [event for event in steps(workspace, command) if isinstance(event, kind)]
    return found[-1]


def passages(workspace: Workspace, words: str) -> tuple[SearchHit, ...]:
    return last(workspace, FindSelfTestPassages(1, "制度", words), SourcesFound).hits


def keep(workspace: Workspace, question: str, **wished: Any) -> SelfTestListed:
    return last(workspace, KeepSelfTestQuestion(1, "制度", question, **wished), SelfTestListed)


def mark(workspace: Workspace, question: str, text: str) -> SelfTestListed:
    passage = next(hit for hit in passages(workspace, question) if hit.text == text)
    return keep(workspace, question, passage=passage)


def run(workspace: Workspace, **wished: Any) -> SelfTestListed:
    return last(workspace, RunSelfTest(1, "制度", **wished), SelfTestListed)


def figure(listed: SelfTestListed, name: str) -> float | None:
    assert listed.latest is not None
    return next(each.value for each in listed.latest.figures if each.name == name)


def results(listed: SelfTestListed) -> Sequence[QuestionResult]:
    assert listed.latest is not None
    return listed.latest.run.results


def test_a_mark_keeps_the_sentence_that_answers_and_its_place(workspace: Workspace) -> None:
    (question,) = mark(workspace, SECRET, SECRET_TEXT).questions
    assert question.state == "marked" and question.mark is not None
    assert question.mark.quote == "秘密级数据的保密期限为10年。"
    (span,) = question.mark.spans
    assert SECRET_TEXT[span.start : span.end] == question.mark.quote
    assert question.mark.document == "规章/保密.txt" and len(question.mark.file_hash or "") == 64


def test_a_run_counts_marked_and_absent_questions_and_leaves_the_others_out(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    keep(workspace, CANTEEN, absent=True)
    keep(workspace, "还没标的题")
    listed = run(workspace)
    assert [each.state for each in listed.questions] == ["marked", "absent", "unmarked"]
    assert [result.rank for result in results(listed)] == [1, None]
    assert figure(listed, "hit@1") == figure(listed, "mrr@10") == 1.0
    assert figure(listed, "refused_answerable") == 0.0
    assert figure(listed, "refused_unanswerable") == 1.0
    assert listed.latest is not None and listed.latest.before is None
    assert {each.name for each in listed.latest.figures}.isdisjoint({"citation_hit"})


def test_a_passage_that_is_not_found_is_lost_at_retrieval(workspace: Workspace) -> None:
    (passage,) = [hit for hit in passages(workspace, LEAVE) if hit.text == LEAVE_TEXT]
    library = workspace.libraries.open("制度")
    for number in range(12):
        text = f"秘密级数据的保密期限是{number + 1}年，由{'甲乙丙丁戊己庚辛壬癸子丑'[number]}室保管。"
        indexed.put(library, f"规章/保密 {number}.txt", [text], FakeEmbedder())
    # What somebody marked is right, whatever the question says.
    keep(workspace, SECRET, passage=passage)
    (result,) = results(run(workspace))
    assert (result.rank, result.lost) == (None, "retrieval")


def test_a_mark_survives_a_new_name_and_another_cut(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    library = workspace.libraries.open("制度")
    library.db.execute("UPDATE documents SET path = '归档/新名字.txt' WHERE path = '规章/保密.txt'")
    (result,) = results(run(workspace))
    assert (result.rank, result.lost) == (1, None)
    halves = SECRET_TEXT[:9], SECRET_TEXT[9:]
    library.db.execute("DELETE FROM documents WHERE path = '归档/新名字.txt'")
    indexed.put(library, "规章/保密.txt", halves, FakeEmbedder())
    (result,) = results(run(workspace))
    assert result.rank is not None and result.lost is None


def test_a_document_that_is_gone_is_lost_at_reading(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    library = workspace.libraries.open("制度")
    library.db.execute("DELETE FROM documents WHERE path = '规章/保密.txt'")
    (result,) = results(run(workspace))
    assert (result.rank, result.lost) == (None, "reading")


def test_the_next_run_tells_what_has_changed(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    run(workspace)
    assert (same := run(workspace).latest) is not None and same.same_questions and same.before is not None
    library = workspace.libraries.open("制度")
    library.db.execute("DELETE FROM documents WHERE path = '规章/保密.txt'")
    mark(workspace, LEAVE, LEAVE_TEXT)
    listed = run(workspace)
    assert listed.latest is not None and not listed.latest.same_questions
    change = next(each for each in listed.latest.figures if each.name == "hit@1")
    assert (change.value, change.change, change.is_better) == (0.5, -0.5, False)


def test_answers_of_the_chat_model_are_counted_and_not_kept(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    listed = run(workspace, answers=True)
    assert figure(listed, "citation_hit") == figure(listed, "supported_citations") == 1.0
    assert workspace.runs.thread_count() == 0


def test_a_stop_ends_a_run_and_keeps_nothing_of_it(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    token = CancelToken()
    events = steps(workspace, RunSelfTest(1, "制度"), token)
    assert next(events) == StepProgress(1, "progress_self_test", 0, 1)
    token.cancel()
    with pytest.raises(Cancelled):
        list(events)
    assert last(workspace, ListSelfTest(1, "制度"), SelfTestListed).latest is None


def test_the_same_question_twice_is_one_and_gets_the_new_mark(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    (question,) = keep(workspace, f"  {SECRET}\n", absent=True).questions
    assert (question.question, question.state, question.mark) == (SECRET, "absent", None)


def test_a_reworded_question_keeps_its_mark(workspace: Workspace) -> None:
    (question,) = mark(workspace, SECRET, SECRET_TEXT).questions
    (changed,) = keep(workspace, "保密期限几年？", id=question.id).questions
    assert changed == replace(question, question="保密期限几年？")
    keep(workspace, LEAVE)
    with pytest.raises(WrongUse):
        keep(workspace, LEAVE, id=question.id)
    with pytest.raises(WrongUse):
        keep(workspace, "没有这一题", id=99)
    with pytest.raises(WrongUse):
        keep(workspace, "  ")


def test_a_passage_that_was_read_anew_meanwhile_cannot_be_marked(workspace: Workspace) -> None:
    passage = passages(workspace, SECRET)[0]
    for gone in (replace(passage, chunk="0" * 20), replace(passage, row=999)):
        with pytest.raises(LibraryUnknown):
            keep(workspace, SECRET, passage=gone)
    with pytest.raises(LibraryUnknown):
        keep(workspace, SECRET, passage=replace(passage, library="别的"))


def test_a_conversation_gives_its_questions_once(workspace: Workspace) -> None:
    finished = last(workspace, AskQuestion(1, SECRET), AnswerFinished)
    assert finished.thread is not None
    last(workspace, AskQuestion(1, LEAVE, thread=finished.thread), AnswerFinished)
    added = [last(workspace, AddThreadToSelfTest(1, finished.thread), SelfTestAdded).added for _ in "12"]
    assert added == [2, 0]
    listed = last(workspace, ListSelfTest(1, "制度"), SelfTestListed)
    assert [(each.question, each.state) for each in listed.questions] == [
        (SECRET, "unmarked"),
        (LEAVE, "unmarked"),
    ]


def test_what_is_removed_leaves_the_disk(workspace: Workspace) -> None:
    (question,) = keep(workspace, "一道要删掉的题").questions
    assert last(workspace, RemoveSelfTestQuestions(1, "制度", (question.id,)), SelfTestListed).questions == ()
    folder = workspace.home.history.parent
    on_disk = b"".join(path.read_bytes() for path in folder.glob("history.sqlite*"))
    assert "一道要删掉的题".encode() not in on_disk


def test_a_knowledge_base_takes_its_questions_with_it(workspace: Workspace) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    run(workspace)
    id_ = shelf.id_of(workspace.libraries.open("制度"))
    workspace.remove_library("制度")
    assert workspace.runs.self_test.questions(id_) == ()
    assert workspace.runs.self_test.runs(id_) == []


def test_a_backup_brings_its_questions_back(workspace: Workspace, tmp_path: Path) -> None:
    listed = mark(workspace, SECRET, SECRET_TEXT)
    other = Runs(tmp_path / "history.sqlite")
    other.merge(workspace.runs)
    id_ = shelf.id_of(workspace.libraries.open("制度"))
    assert [replace(each, id=1) for each in other.self_test.questions(id_)] == list(listed.questions)
    other.close()


def test_the_export_gives_the_same_figures_to_eval(workspace: Workspace, tmp_path: Path) -> None:
    mark(workspace, SECRET, SECRET_TEXT)
    mark(workspace, LEAVE, LEAVE_TEXT)
    keep(workspace, CANTEEN, absent=True)
    keep(workspace, "还没标的题")
    ours = run(workspace)
    folder = tmp_path / "导出"
    event = last(workspace, ExportSelfTest(1, "制度", folder), SelfTestExported)
    assert (event.folder, event.questions) == (folder, 3)
    questions = dataset.read_questions(folder / "questions.jsonl")
    corpus = dataset.index_corpus(folder / "corpus.jsonl", FakeEmbedder(), Settings())
    record = evaluate(questions, [corpus], FakeEmbedder(), Settings())
    corpus.close()
    assert record["misses"] == [] and record["questions"] == 3
    assert record["retrieval"]["passage_hit@1"] == figure(ours, "hit@1") == 1.0
    documents = [item["doc_id"] for item in read_objects(folder / "corpus.jsonl")]
    assert documents == ["规章/休假.txt", "规章/保密.txt"]

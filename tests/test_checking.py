"""核对文稿: a draft checked sentence by sentence against a library, stopped, and made of anything."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import checking, jobs
from engine.answer_events import DraftChecked
from engine.answers import CheckedDraft
from engine.cancel import Cancelled, CancelToken
from engine.checking import check_text
from engine.commands import CheckDraft
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.events import Event, Notice, StepProgress
from engine.index import aliases
from engine.index.library import Library
from engine.workspace import Workspace
from tests.builders import make_evidence, memory_library
from tests.fakes import FakeEmbedder

TEXTS = {
    "保密.txt": "秘密级数据的保密期限为10年，自2024年3月1日起计算。",
    "差旅.txt": "差旅报销单须在返回后10个工作日内提交给财务部。",
}


@pytest.fixture
def library() -> Library:
    return memory_library(TEXTS)


def events(text: str, libraries: list[Library], token: CancelToken, **options: object) -> list[Event]:
    steps = checking.check_draft(
        3, text, libraries, embedder=FakeEmbedder(), settings=Settings(), token=token, **options
    )  # type: ignore[arg-type]
    return [event for event in steps if event is not None]


def checked(text: str, libraries: list[Library], **options: object) -> CheckedDraft:
    last = events(text, libraries, CancelToken(), **options)[-1]
    assert isinstance(last, DraftChecked)
    return last.checked


def test_each_sentence_gets_its_verdict_its_source_and_its_place(library: Library) -> None:
    draft = "差旅报销单须在10个工作日内提交财务部。秘密级数据的保密期限为20年！\n公司要做得更好吗？"
    found = checked(draft, [library])
    assert [s.verdict for s in found.sentences] == ["supported", "unsupported", "no_claim"]
    assert [draft[start:end] for start, end in found.spans] == [s.text for s in found.sentences]
    assert found.counts == {"supported": 1, "partly": 0, "unsupported": 1, "no_claim": 1}
    cited = {c.number: c for c in found.citations}
    assert cited[found.sentences[0].citations[0]].document == "差旅.txt"
    assert [flag.text for flag in found.sentences[1].flags] == ["20"]


def test_a_sentence_that_leans_on_the_one_before_is_searched_for_with_it(library: Library) -> None:
    found = checked("秘密级数据须保密。期限为10年。", [library])
    assert found.sentences[1].verdict == "supported"


def test_progress_is_told_and_the_check_can_be_stopped(library: Library) -> None:
    token = CancelToken()
    draft = "秘密级数据的保密期限为10年。" * 5
    told = [event for event in events(draft, [library], token) if isinstance(event, StepProgress)]
    assert [(event.code, event.done, event.total) for event in told] == [
        ("progress_check", n, 5) for n in range(1, 6)
    ]
    token.cancel()
    with pytest.raises(Cancelled):
        events(draft, [library], token)


def test_a_check_that_is_stopped_tells_what_it_found_until_then(library: Library) -> None:
    draft = "秘密级数据的保密期限为10年。" * 5
    steps = checking.check_draft(
        3, draft, [library], embedder=FakeEmbedder(), settings=Settings(), token=CancelToken()
    )
    told = [next(steps) for _ in range(3)]
    last = steps.throw(Cancelled())
    assert isinstance(last, DraftChecked)
    assert len(last.checked.sentences) == sum(isinstance(event, StepProgress) for event in told) > 0
    with pytest.raises(Cancelled):
        next(steps)


def test_a_sentence_in_words_that_the_user_calls_the_same_has_its_source(library: Library) -> None:
    draft = "秘件的存续期为10年。秘件的存续期为20年。"
    assert [s.verdict for s in checked(draft, [library]).sentences] == ["unsupported", "unsupported"]
    library.set_meta(aliases.FACT, aliases.dump([("秘件的存续期", "秘密级数据的保密期限")]))
    found = checked(draft, [library])
    assert [(s.text, s.verdict) for s in found.sentences] == [
        ("秘件的存续期为10年。", "supported"),
        ("秘件的存续期为20年。", "unsupported"),
    ]
    assert [c.document for c in found.citations if c.number in found.sentences[0].citations] == ["保密.txt"]


def test_a_filter_restricts_what_may_be_cited(library: Library) -> None:
    found = checked("秘密级数据的保密期限为10年。", [library], chosen=DocumentFilter(names=("差旅",)))
    assert {citation.document for citation in found.citations} <= {"差旅.txt"}
    assert found.sentences[0].verdict == "unsupported"


def test_without_a_library_nothing_is_verified() -> None:
    first, *_, last = events("秘密级数据的保密期限为10年。", [], CancelToken())
    assert first == Notice(3, "no_library")
    assert isinstance(last, DraftChecked)
    assert [s.verdict for s in last.checked.sentences] == ["unsupported"]


@pytest.mark.parametrize("draft", ["", " \n\n ", "。。。！？", "[1]", "😀", "\u200b"])
def test_a_draft_that_says_nothing_has_nothing_to_check(draft: str, library: Library) -> None:
    assert {s.verdict for s in checked(draft, [library]).sentences} <= {"no_claim"}


def test_a_sentence_without_an_end_is_checked_in_pieces() -> None:
    found = check_text("保密期限为10年，" * 2000, [make_evidence(TEXTS["保密.txt"])])
    assert len(found.sentences) == 9
    assert found.spans[0] == (0, 2000)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_is_written_every_flag_stands_where_it_says(draft: str, evidence: str) -> None:
    found = check_text(draft, [make_evidence(evidence)])
    numbers = [citation.number for citation in found.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    for sentence in found.sentences:
        assert set(sentence.citations) <= set(numbers)
        assert all(sentence.text[f.start : f.end] == f.text for f in sentence.flags if f.kind != "subject")


def test_the_command_checks_against_the_libraries_that_it_names(library: Library) -> None:
    workspace = SimpleNamespace(
        quiet=nullcontext,
        libraries=SimpleNamespace(chosen=lambda names: [library] if names == ("制度",) else []),
        question_embedders=lambda libraries: (FakeEmbedder(), ()),
        settings=Settings(),
    )
    command = CheckDraft(5, "秘密级数据的保密期限为10年。", ("制度",))
    *_, last = jobs.start(command, cast(Workspace, workspace), CancelToken())
    assert isinstance(last, DraftChecked)
    assert (last.task_id, last.checked.counts["supported"]) == (5, 1)

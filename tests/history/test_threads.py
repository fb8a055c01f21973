"""Conversations in history.sqlite: order, what replaces what, titles, search, and what deleting leaves."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import StorageFailed, WrongUse
from engine.history import schema as history_schema
from engine.history import wiping
from engine.runs import Runs


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "知页 数据" / "history.sqlite"


@pytest.fixture
def runs(file: Path) -> Iterator[Runs]:
    made = Runs(file)
    yield made
    made.close()


def ask(runs: Runs, question: str, answer: str = "", **options: object) -> int:
    quoted = options.pop("quoted", ())
    trace = {"answer": answer, "rewritten": options.pop("rewritten", None)}
    return runs.save(question, False, None, trace, quoted, **options)  # type: ignore[arg-type]


def on_disk(file: Path) -> str:
    return b"".join(path.read_bytes() for path in file.parent.iterdir()).decode("utf-8", "replace")


def questions(runs: Runs, thread: int, **options: bool) -> list[str]:
    return [run.question for run in runs.of_thread(thread, **options)]


def test_a_question_begins_a_thread_that_is_called_by_it(runs: Runs) -> None:
    first = runs.get(ask(runs, "员工的年假\n有几天？"))
    ask(runs, "那病假呢？", thread=first.thread)
    other = runs.get(ask(runs, "别的"))
    (latest, earlier) = runs.threads()
    assert (latest.id, latest.title, latest.runs) == (other.thread, "别的", 1)
    assert (earlier.title, earlier.runs, earlier.pinned) == ("员工的年假 有几天？", 2, False)
    assert questions(runs, first.thread) == ["员工的年假\n有几天？", "那病假呢？"]
    assert [run.place for run in runs.of_thread(first.thread)] == [1, 2]


def test_an_edited_question_takes_the_place_of_itself_and_of_what_came_after(runs: Runs) -> None:
    first = ask(runs, "甲")
    thread = runs.get(first).thread
    second = ask(runs, "乙", thread=thread)
    ask(runs, "丙", thread=thread)
    edited = ask(runs, "乙改", replaces=second)
    assert questions(runs, thread) == ["甲", "乙改"]
    assert runs.get(edited).place == 2
    assert questions(runs, thread, with_superseded=True) == ["甲", "乙", "乙改", "丙"]
    assert {run.question for run in runs.list() if run.superseded} == {"乙", "丙"}
    ask(runs, "丁", thread=thread)
    assert questions(runs, thread) == ["甲", "乙改", "丁"]
    assert runs.thread(thread).runs == 3


def test_a_thread_is_called_by_its_first_question_that_counts(runs: Runs) -> None:
    first = ask(runs, "甲")
    thread = runs.get(first).thread
    ask(runs, "甲改", replaces=first)
    assert runs.thread(thread).title == "甲改"
    runs.change_thread(thread, title="  我的\n标题 ")
    assert runs.thread(thread).title == "我的 标题"
    runs.change_thread(thread, title=" ")
    assert runs.thread(thread).title == "甲改"


def test_what_a_question_may_lean_on_is_what_counts_before_it(runs: Runs) -> None:
    first = ask(runs, "员工的年假有几天？")
    thread = runs.get(first).thread
    second = ask(runs, "那病假呢？", thread=thread, rewritten="员工的病假有几天？")
    ask(runs, "第三", thread=thread)
    assert runs.previous(thread) == ("员工的年假有几天？", "员工的病假有几天？", "第三")
    assert runs.previous(None, replaces=second) == ("员工的年假有几天？",)
    assert runs.previous(None, replaces=first) == ()
    assert runs.previous(None) == ()
    for missing in ({"thread": 77}, {"thread": None, "replaces": 77}):
        with pytest.raises(WrongUse, match="77"):
            runs.previous(**missing)  # type: ignore[arg-type]


def test_a_very_long_thread_is_remembered_by_its_last_questions(runs: Runs) -> None:
    thread = runs.get(ask(runs, "问0")).thread
    for n in range(1, 300):
        ask(runs, f"问{n}", thread=thread)
    assert runs.thread(thread).runs == 300
    assert runs.previous(thread) == ("问295", "问296", "问297", "问298", "问299")


def test_how_often_a_question_was_answered_is_counted(runs: Runs) -> None:
    first = ask(runs, "甲")
    again = ask(runs, "甲", replaces=first)
    assert runs.attempts(again) == runs.attempts(first) == 2


def test_a_thread_that_was_deleted_meanwhile_does_not_come_back(runs: Runs, file: Path) -> None:
    thread = runs.get(ask(runs, "甲")).thread
    window = Runs(file)
    assert window.delete_thread(thread) == 1
    new = runs.get(ask(runs, "乙", thread=thread))
    assert new.thread != thread
    assert [found.title for found in runs.threads()] == ["乙"]
    gone = ask(runs, "丙", replaces=1)
    assert runs.get(gone).place == 1
    window.close()


def test_two_programs_continue_one_thread(runs: Runs, file: Path) -> None:
    thread = runs.get(ask(runs, "甲")).thread
    window = Runs(file)
    for n in range(5):
        ask(runs, f"命令行{n}", thread=thread)
        ask(window, f"窗口{n}", thread=thread)
    assert [run.place for run in runs.of_thread(thread)] == list(range(1, 12))
    window.close()


def test_pinned_threads_come_first(runs: Runs) -> None:
    first = runs.get(ask(runs, "甲")).thread
    ask(runs, "乙")
    runs.change_thread(first, pinned=True)
    assert [thread.title for thread in runs.threads()] == ["甲", "乙"]
    assert [thread.title for thread in runs.threads(limit=1)] == ["甲"]
    runs.change_thread(first, pinned=False)
    assert [thread.title for thread in runs.threads()] == ["乙", "甲"]
    with pytest.raises(WrongUse, match="thread 77"):
        runs.change_thread(77, pinned=True)


def test_a_rating_is_kept_with_its_note_and_can_be_taken_back(runs: Runs, file: Path) -> None:
    run = ask(runs, "甲")
    runs.rate(run, "bad", " 页码不对 ")
    assert (runs.get(run).rating, runs.get(run).note) == ("bad", "页码不对")
    runs.rate(run, None)
    assert (runs.list()[0].rating, runs.list()[0].note) == (None, "")
    assert "页码不对" not in on_disk(file)
    with pytest.raises(WrongUse, match="run 77"):
        runs.rate(77, "good")


def test_a_state_is_kept(runs: Runs) -> None:
    assert runs.get(ask(runs, "甲", state="stopped")).state == "stopped"
    assert runs.get(ask(runs, "甲")).state == "finished"


# -- search ---------------------------------------------------------------------------------------


def test_runs_and_threads_are_found_by_all_words_of_question_and_answer(runs: Runs) -> None:
    first = ask(runs, "年假有几天？", "員工的年假有１０天，依据 GB/T 19001。")
    ask(runs, "病假有几天？", "病假有15天。")
    for text in ("员工 10天", "gb/t 19001", "年假"):
        assert [run.id for run in runs.list(text=text)] == [first], text
    assert [thread.title for thread in runs.threads("15 病假")] == ["病假有几天？"]
    assert runs.list(text="年假 15天") == []
    assert len(runs.list(text="  ")) == 2
    assert runs.threads("100%_'\"*") == ()


def test_a_title_is_found_too(runs: Runs) -> None:
    thread = runs.get(ask(runs, "甲")).thread
    runs.change_thread(thread, title="人事制度 Q&A")
    assert [found.id for found in runs.threads("q&a 人事")] == [thread]


def test_the_runs_of_a_thread_are_listed(runs: Runs) -> None:
    thread = runs.get(ask(runs, "甲")).thread
    ask(runs, "乙")
    assert [run.question for run in runs.list(thread)] == ["甲"]
    with pytest.raises(WrongUse, match="thread 77"):
        runs.list(77)


def test_ten_thousand_runs_are_listed_and_searched_in_no_time(runs: Runs) -> None:
    trace = {"answer": "差旅报销单须在返回后十个工作日内提交财务部。" * 20, "hits": ["正文" * 2000]}
    with runs._writing():
        for n in range(10_000):
            run = runs._db.execute(
                "INSERT INTO runs (asked_at, question, refused, trace) VALUES ('2026', ?, 0, ?)",
                (f"问题{n}", str(trace)),
            ).lastrowid
            thread = runs._db.execute(
                "INSERT INTO threads (created_at, updated_at) VALUES ('2026', '2026')"
            ).lastrowid
            said = f"问题{n}\n{trace['answer']}"
            values = (run, thread, said)
            runs._db.execute("INSERT INTO turns VALUES (?, ?, 1, 'finished', 0, NULL, '', ?)", values)
    started = time.monotonic()
    assert len(runs.list()) == len(runs.threads()) == 10_000
    assert [run.question for run in runs.list(text="问题9999 财务部")] == ["问题9999"]
    assert [thread.title for thread in runs.threads("问题9999 财务部")] == ["问题9999"]
    assert time.monotonic() - started < 4


# -- forgetting -----------------------------------------------------------------------------------

SECRETS = ("绝密问题", "绝密回答", "绝密标题", "绝密意见")


def secret_thread(runs: Runs, **options: object) -> int:
    run = ask(runs, "绝密问题" * 9, "绝密回答" * 300, **options)
    thread = runs.get(run).thread
    runs.change_thread(thread, title="绝密标题" * 9)
    runs.rate(run, "bad", "绝密意见" * 99)
    return thread


@pytest.mark.parametrize("how", ["clear", "thread", "run", "library"])
def test_nothing_of_what_was_deleted_is_left_on_disk(runs: Runs, file: Path, how: str) -> None:
    kept = 0 if how == "clear" else ask(runs, "留下的", "留下的回答")
    thread = secret_thread(runs, quoted=["库"])
    (run,) = runs.of_thread(thread)
    if how == "clear":
        runs.clear()
    elif how == "thread":
        runs.delete_thread(thread)
    elif how == "run":
        runs.delete(run.id)
    else:
        runs.forget_library("库")
    text = on_disk(file)
    assert [secret for secret in SECRETS if secret in text] == []
    assert [run.id for run in runs.list()] == [kept] * (kept > 0)
    assert len(runs.threads()) == (kept > 0)
    assert ("留下的回答" in text) == (kept > 0)


def test_a_forgotten_library_takes_its_words_out_of_threads_that_stay(runs: Runs, file: Path) -> None:
    thread = secret_thread(runs, quoted=["甲"])
    ask(runs, "访客须登记吗？", "须登记", thread=thread, quoted=["乙"])
    # Said in full, a follow-up repeats what was asked before it.
    ask(runs, "那绝密呢？", rewritten="绝密问题的保密期限？", thread=thread, quoted=["乙"])
    runs.forget_library("甲")
    assert runs.thread(thread).title == "访客须登记吗？"
    assert questions(runs, thread) == ["访客须登记吗？"]
    text = on_disk(file)
    assert [secret for secret in SECRETS if secret in text] == []


def test_deleting_a_run_that_is_not_there_is_wrong_use(runs: Runs) -> None:
    with pytest.raises(WrongUse, match="run 77"):
        runs.delete(77)
    with pytest.raises(WrongUse, match="thread 77"):
        runs.delete_thread(77)


def test_a_start_while_another_program_reads_leaves_the_wiping_for_the_next(
    runs: Runs, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiping.note(runs._db, "2026")

    def busy(*_: object) -> None:
        raise StorageFailed(path=str(file), detail="another program is reading it")

    with monkeypatch.context() as patch:
        patch.setattr(wiping, "wipe", busy)
        Runs(file).close()
    assert wiping.is_due(runs._db)
    Runs(file).close()
    assert not wiping.is_due(runs._db)


def test_a_run_that_fails_to_be_kept_supersedes_nothing(runs: Runs) -> None:
    first = ask(runs, "甲")
    runs._db.execute("CREATE TRIGGER refuse BEFORE INSERT ON runs BEGIN SELECT raise(ABORT, 'full'); END")
    with pytest.raises((StorageFailed, sqlite3.DatabaseError)):
        ask(runs, "乙", replaces=first)
    assert not runs.get(first).superseded


# -- hostile text ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["a\x00b", "\ud800", "'; DROP TABLE runs; --", "\u202e\ufffe", "长" * 100_000, "\x1b[2J"]
)
def test_any_text_is_kept_found_and_deleted(runs: Runs, text: str) -> None:
    run = ask(runs, text, f"答{text}", thread=None)
    runs.rate(run, "good", text)
    runs.change_thread(runs.get(run).thread, title=text)
    assert runs.get(run).trace["answer"] == f"答{text}"
    assert [found.id for found in runs.list(text="答")] == [run]
    runs.threads(text)
    runs.delete(run)
    assert runs.list() == []


# -- versions and backups -------------------------------------------------------------------------


def test_a_history_of_the_second_version_becomes_threads(file: Path) -> None:
    file.parent.mkdir()
    db = sqlite3.connect(file, isolation_level=None)
    for number, step in enumerate(history_schema.STEPS[:2], start=1):
        step(db)
        db.execute(f"PRAGMA user_version = {number}")
    for n in range(3):
        db.execute(
            "INSERT INTO runs (asked_at, question, refused, trace) VALUES (?, ?, 0, ?)",
            (f"2025-0{n + 1}-01T00:00:00+00:00", f"问{n}", f'{{"answer": "答{n}"}}'),
        )
    db.close()
    runs = Runs(file)
    assert [thread.title for thread in runs.threads()] == ["问2", "问1", "问0"]
    assert [run.question for run in runs.list(text="答1")] == ["问1"]
    newest = runs.threads()[0]
    assert (newest.created_at, newest.updated_at) == ("2025-03-01T00:00:00+00:00",) * 2
    assert runs.get(ask(runs, "新", thread=newest.id)).place == 2
    runs.close()


def test_merging_keeps_threads_together_and_knows_those_that_are_here(runs: Runs, tmp_path: Path) -> None:
    other = Runs(tmp_path / "备份.sqlite")
    first = ask(other, "甲")
    thread = other.get(first).thread
    other.change_thread(thread, title="合同", pinned=True)
    assert runs.merge(other) == 1
    edited = ask(other, "甲改", replaces=first)
    ask(other, "乙", thread=thread)
    other.rate(edited, "good", "好")
    assert runs.merge(other) == 2
    assert runs.merge(other) == 0
    (merged,) = runs.threads()
    assert (merged.title, merged.pinned) == ("合同", True)
    assert [(run.question, run.rating) for run in runs.of_thread(merged.id)] == [
        ("甲改", "good"),
        ("乙", None),
    ]
    other.close()

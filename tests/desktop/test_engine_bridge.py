"""The one door to the engine thread: order, joining, dropping, payloads of any kind."""

import re
import threading
from pathlib import Path

import numpy as np

import desktop
from desktop.engine_bridge import EngineBridge
from engine.answer_events import AnswerText, PromptProgress
from engine.commands import AskQuestion, IngestFolders, StopTask
from engine.errors import EngineStopped
from engine.events import FileProgress, Notice, TaskDone, TaskFailed, TaskStarted, TaskStopped


def ask(bridge: EngineBridge, got: list) -> int:
    return bridge.send(AskQuestion(bridge.new_task(), "问"), got.append)


def test_events_arrive_in_the_gui_thread_and_in_order(qtbot, bridge, make_engine):
    got, threads = [], []
    task = bridge.new_task()
    bridge.send(
        IngestFolders(task, ()), lambda event: (got.append(event), threads.append(threading.current_thread()))
    )
    events = [TaskStarted(task), *(FileProgress(task, f"{n}.md", n, 0, 0) for n in range(50)), TaskDone(task)]
    sender = threading.Thread(target=make_engine.engine.emit, args=events)
    sender.start()
    sender.join()
    assert got == []
    qtbot.waitUntil(lambda: len(got) == len(events))
    assert got == events
    assert set(threads) == {threading.main_thread()}


def test_answer_text_is_joined_and_loses_nothing(qtbot, bridge, make_engine):
    got = []
    task = ask(bridge, got)
    pieces = [f"第{n}段，" for n in range(400)]
    make_engine.engine.emit(*(AnswerText(task, piece) for piece in pieces))
    qtbot.waitUntil(lambda: bool(got))
    make_engine.engine.done(task)
    qtbot.waitUntil(lambda: got[-1] == TaskDone(task))
    assert "".join(event.text for event in got[:-1]) == "".join(pieces)
    assert len(got) <= 5


def test_text_comes_before_what_follows_it(qtbot, bridge, make_engine):
    got = []
    task = ask(bridge, got)
    make_engine.engine.emit(AnswerText(task, "甲"), AnswerText(task, "乙"), PromptProgress(task, 1, 2))
    qtbot.waitUntil(lambda: len(got) == 2)
    assert got == [AnswerText(task, "甲乙"), PromptProgress(task, 1, 2)]


def test_late_news_of_finished_dropped_and_foreign_tasks_is_not_delivered(qtbot, bridge, make_engine):
    finished, dropped, live = [], [], []
    first, second, third = ask(bridge, finished), ask(bridge, dropped), ask(bridge, live)
    make_engine.engine.done(first)
    bridge.drop(second)
    make_engine.engine.emit(
        AnswerText(first, "晚"),
        TaskStopped(first),
        AnswerText(second, "晚"),
        TaskDone(second),
        AnswerText(999, "谁"),
        TaskStarted(third),
    )
    qtbot.waitUntil(lambda: bool(live))
    qtbot.wait(80)
    assert finished == [TaskDone(first)]
    assert dropped == []
    assert live == [TaskStarted(third)]
    assert StopTask(second) in make_engine.engine.sent


def test_nothing_arrives_after_close(qtbot, bridge, make_engine):
    got = []
    task = ask(bridge, got)
    make_engine.engine.emit(AnswerText(task, "a"), TaskDone(task))
    assert bridge.close(1)
    make_engine.engine.emit(TaskDone(task))
    qtbot.wait(80)
    assert got == []
    assert not bridge.is_running(bridge.send(AskQuestion(bridge.new_task(), "问"), got.append))


def test_payloads_keep_their_values(qtbot, bridge, make_engine):
    got = []
    task = ask(bridge, got)
    params = {1: "一", 2**40: 2**40, "f": np.float32(0.5), "deep": {7: (1, 2)}}
    make_engine.engine.emit(Notice(task, "x", params), PromptProgress(task, 2**40, 2**41))
    qtbot.waitUntil(lambda: len(got) == 2)
    assert got[0].params == params
    assert isinstance(got[0].params["f"], np.float32)
    assert (got[1].done, got[1].total) == (2**40, 2**41)


def test_an_ended_engine_fails_the_task(qtbot, bridge, make_engine, monkeypatch):
    def refuse(command):
        raise EngineStopped()

    monkeypatch.setattr(make_engine.engine, "send", refuse)
    got = []
    task = ask(bridge, got)
    qtbot.waitUntil(lambda: bool(got))
    assert got == [TaskFailed(task, "engine_stopped", {}, False)]
    assert not bridge.is_running(task)


def test_no_signal_carries_engine_data_as_a_qt_type():
    """Signal(int) cuts byte counts and Signal(dict) drops dictionaries keyed by numbers."""
    source = "".join(path.read_text(encoding="utf-8") for path in Path(desktop.__path__[0]).rglob("*.py"))
    assert not re.findall(r"= Signal\([^)]*\b(?:int|dict|list|float)\b", source)

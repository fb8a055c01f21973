"""What a person sees on a terminal while something runs."""

import io

import pytest

from engine.answer_events import AnswerFinished, AnswerText, PromptProgress
from engine.answers import Answer
from engine.cli.console import Console
from engine.events import FileStarted


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def make_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Not a fixture: pytest puts its own streams back between a fixture and its test."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    return stream


def screen(written: str) -> str:
    """What stands on the terminal: a cleared line is gone."""
    lines = written.split("\n")
    return "\n".join(line.rpartition("\r\x1b[2K")[2] for line in lines)


def finished() -> AnswerFinished:
    return AnswerFinished(0, Answer("问", "十年", False, None, (), (), (), None))


def test_an_answer_grows_on_the_terminal_after_the_status_went(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = make_terminal(monkeypatch)
    console = Console(as_json=False, language="zh")
    console.progress(PromptProgress(0, 10, 20))
    assert "10/20" in screen(terminal.getvalue())
    for piece in ("保密", "期限", "为十年。"):
        console.progress(AnswerText(0, piece))
    console.progress(finished())
    assert screen(terminal.getvalue()).strip() == "保密期限为十年。"


def test_a_status_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = make_terminal(monkeypatch)
    console = Console(as_json=False, language="zh")
    console.progress(FileStarted(0, "甲.md"))
    console.progress(FileStarted(0, "乙.md"))
    assert "甲.md" not in screen(terminal.getvalue())
    assert "乙.md" in screen(terminal.getvalue())
    console.note("说明")
    assert screen(terminal.getvalue()) == "说明\n"


def test_a_program_gets_no_answer_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = make_terminal(monkeypatch)
    console = Console(as_json=True, language="zh")
    console.progress(AnswerText(0, "保密"))
    assert "保密" not in terminal.getvalue()


def test_nothing_is_overwritten_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(as_json=False, language="zh")
    console.progress(FileStarted(0, "甲.md"))
    console.progress(AnswerText(0, "保密"))
    assert capsys.readouterr().err == ""

"""``zhiye runs``: lists, search, deletion and exports; conversations of ``ask --chat``; a stopped answer."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import docx
import pytest

from engine.answer.generation import Piece, PromptRead
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.workspace import Workspace
from tests.cli import shapes
from tests.cli.conftest import QUESTION, REPLY, Run
from tests.fakes import FakeGenerator

FOLLOW_UP = "那机密级数据的保密期限呢？"


@pytest.fixture
def asked(zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A conversation of two questions, then another question; the ids of the three runs."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUESTION}\n{FOLLOW_UP}\n"))
    found = zhiye("ask", "--chat", "--json").records
    found.append(zhiye("ask", "访客在哪里登记？", "--json").record)
    assert [record["thread"] for record in found] == [1, 1, 2]
    return [record["run"] for record in found]


def test_a_conversation_is_one_thread(zhiye: Run, asked: list[int]) -> None:
    runs = zhiye("runs", "list", "--json").record["runs"]
    assert [(run["thread"], run["place"], run["state"], run["superseded"]) for run in runs] == [
        (2, 1, "finished", False), (1, 2, "finished", False), (1, 1, "finished", False),
    ]  # fmt: skip
    of_thread = zhiye("runs", "list", "--thread", 1, "--json").record["runs"]
    assert [run["id"] for run in of_thread] == asked[1::-1]


def test_runs_are_searched(zhiye: Run, asked: list[int]) -> None:
    found = zhiye("runs", "list", "--search", "访客 登記", "--json").record["runs"]
    assert [run["id"] for run in found] == asked[2:]
    assert "访客" in zhiye("runs", "list", "--search", "访客").out
    assert zhiye("runs", "list", "--search", "没有这样的话", "--json").record == {"runs": []}


def test_runs_and_threads_are_deleted(zhiye: Run, asked: list[int]) -> None:
    assert zhiye("runs", "delete", asked[2], "--json").record == {"deleted": 1}
    assert zhiye("runs", "delete", "--thread", 1, "--json").record == {"deleted": 2}
    assert zhiye("runs", "list", "--json").record == {"runs": []}
    result = zhiye("runs", "delete", asked[0], "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")


def test_an_answer_is_printed_as_markdown(zhiye: Run, asked: list[int]) -> None:
    out = zhiye("runs", "export", asked[0]).out
    assert out.startswith(f"## {QUESTION}\n")
    assert "秘密级数据的保密期限为十年[^1]。" in out
    assert "[^1]: 保密.md，保密制度 › 期限：“秘密级数据的保密期限为10年。”" in out
    assert "fake-chat" in out
    record = zhiye("runs", "export", "--json", asked[0]).record
    assert (record["file"], record["format"], record["answers"]) == (None, "md", 1)
    assert record["text"] == out


def test_a_conversation_is_written_as_word(
    zhiye: Run, asked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "对话.docx"
    record = zhiye("runs", "export", "--thread", 1, "--out", file, "--json").record
    assert record == {"file": str(file), "format": "docx", "answers": 2, "text": None}
    texts = [paragraph.text for paragraph in docx.Document(str(file)).paragraphs]
    assert texts[0] == QUESTION
    assert FOLLOW_UP in texts
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    assert "2 answers" in zhiye("runs", "export", "--thread", 1, "--format", "md", "--out", file).out
    assert file.read_text(encoding="utf-8").startswith(f"# {QUESTION}")


@pytest.mark.parametrize(
    "arguments",
    [
        ["export"],
        ["export", "1", "--format", "docx"],
        ["export", "77"],
        ["export", "--thread", "77"],
        ["export", "1", "--format", "pdf"],
        ["list", "--thread", "77"],
        ["delete", "--thread", "77"],
    ],
)
def test_runs_used_wrongly(zhiye: Run, asked: list[int], arguments: list[str]) -> None:
    result = zhiye("runs", *arguments, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")


def test_an_answer_that_is_interrupted_is_kept(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(FakeGenerator):
        def generate(
            self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
        ) -> Iterator[PromptRead | Piece]:
            yield Piece("写到一半", 1)
            raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "generator", lambda self: Interrupted(REPLY))
    assert zhiye("ask", QUESTION, "--json").code == 130
    (run,) = zhiye("runs", "list", "--json").record["runs"]
    assert (run["state"], run["question"]) == ("stopped", QUESTION)
    assert "[已停止]" in zhiye("runs", "list").out
    assert zhiye("runs", "show", run["id"], "--json").record["trace"]["answer"] == "写到一半"


def test_a_batch_keeps_its_questions_apart(
    zhiye: Run, indexed: Path, generator: FakeGenerator, tmp_path: Path
) -> None:
    batch = tmp_path / "问题.jsonl"
    batch.write_text(f'{{"qid": "q1", "question": "{QUESTION}"}}\n' * 2, encoding="utf-8")
    records = zhiye("ask", "--batch", batch, "--json").records
    assert [record["thread"] for record in records] == [1, 2]
    assert zhiye("runs", "show", 1, "--json").record["trace"]["qid"] == "q1"

"""No word of a document, a question or an answer is in the log, whatever goes wrong."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine import log_entries, logs
from engine.answer.generation import Generator, Piece, PromptRead
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.commands import AskQuestion, IngestFolders
from engine.config import Settings
from engine.events import TaskDone, TaskFailed
from engine.index.embedding import Embedder, Vectors
from engine.paths import Home
from engine.self_test.messages import KeepSelfTestQuestion, RunSelfTest
from engine.thread import EngineThread
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder, FakeGenerator
from tests.test_thread import Recorder

SENTINELS = ("紫藤花开三千八", "龙井茶泡几分钟", "答曰白鹭飞上天")
TEXT = f"密档：{SENTINELS[0]}。茶艺：{SENTINELS[1]}，水温是八十五度。"


class Quoting(FakeGenerator):
    """Its error quotes what it was given, as errors of libraries do."""

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        raise ValueError(f"{messages} {SENTINELS[2]}")


class OurWorkspace(Workspace):
    model: Generator = FakeGenerator(f"{SENTINELS[2]}，水温是八十五度[1]。")
    maker: Embedder = FakeEmbedder()

    @property
    def dimension(self) -> int:
        return 64

    def embedder(self) -> Embedder | None:
        return self.maker

    def generator(self) -> Generator:
        return self.model


class QuotingEmbedder(FakeEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        raise RuntimeError(" ".join(texts))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    made = Home(tmp_path / "家")
    logs.set_up(made)
    yield made
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


@pytest.mark.parametrize("fails", [False, True], ids=["all goes well", "everything fails"])
def test_nothing_of_an_ingest_or_an_answer_is_logged(
    home: Home, tmp_path: Path, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "资料"
    folder.mkdir()
    (folder / "茶.txt").write_text(TEXT, encoding="utf-8")
    (folder / "坏.docx").write_bytes(b"PK\x03\x04" + TEXT.encode())
    recorder = Recorder()
    engine = EngineThread(home, Settings(readers=1), recorder, OurWorkspace)
    engine.start()
    engine.send(IngestFolders(1, (folder,), "库"))
    recorder.wait_for(TaskDone, 1)
    if fails:
        monkeypatch.setattr(OurWorkspace, "model", Quoting(""))
        monkeypatch.setattr(OurWorkspace, "maker", QuotingEmbedder())
        (folder / "新.txt").write_text(f"{TEXT}又一句。", encoding="utf-8")
        engine.send(IngestFolders(2, (folder,), "库"))
        recorder.wait_for(TaskFailed, 2)
    engine.send(AskQuestion(3, f"{SENTINELS[1]}？水温是多少度？", ("库",)))
    recorder.wait_for(TaskFailed if fails else TaskDone, 3)
    engine.send(KeepSelfTestQuestion(4, "库", SENTINELS[1], absent=True))
    engine.send(RunSelfTest(5, "库", answers=True))
    recorder.wait_for(TaskDone | TaskFailed, 5)
    assert engine.stop()
    logging.getLogger("engine").info("the end")
    entries = log_entries.read(home.logs)
    assert entries and entries[-1].text == "the end"
    assert any("failed" in entry.text and "builtins." in entry.text for entry in entries) is fails
    log = (home.logs / logs.FILE).read_text(encoding="utf-8")
    assert [each for each in SENTINELS if each in log] == []

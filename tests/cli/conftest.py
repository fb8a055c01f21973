"""The command line in this process, on a home of its own, with doubles for models and parsing process."""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

from engine import workspace
from engine.cli import inspect, main
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder, FakeGenerator, InlineReader

FILES = {
    "保密.md": "# 保密制度\n\n## 期限\n\n秘密级数据的保密期限为10年。机密级数据的保密期限为二十年。\n",
    "部门/差旅.txt": "差旅报销单须在返回后10个工作日内提交财务部。逾期不予受理。\n",
    "访客.html": "<html><title>访客须知</title><body><p>访客须在前台登记，由接待人陪同进入园区。</p></body>",
}
QUESTION = "秘密级数据的保密期限是几年？"
REPLY = "秘密级数据的保密期限为十年[1]。"


class InThisProcess(InlineReader):
    """Stands in for the parsing process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def pause(self) -> None:
        pass

    resume = pause


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        (line,) = self.out.splitlines()
        found: dict[str, Any] = json.loads(line)
        return found

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Result]


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> FakeEmbedder:
    fake = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", lambda self: fake)
    monkeypatch.setattr(Workspace, "dimension", fake.dimension)
    return fake


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> FakeGenerator:
    fake = FakeGenerator(REPLY)
    monkeypatch.setattr(Workspace, "generator", lambda self: fake)
    return fake


@pytest.fixture
def zhiye(
    capsys: pytest.CaptureFixture[str], embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Run]:
    """``zhiye("ask", "问", "--json")``; there is no chat model unless the test takes ``generator``."""
    monkeypatch.setattr(inspect, "ParsingProcess", InThisProcess)
    monkeypatch.setattr(workspace, "ParsingPool", InThisProcess)
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level

    def run(*arguments: object) -> Result:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    yield run
    for handler in [handler for handler in root.handlers if handler not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three documents, 制度."""
    root = tmp_path / "制度"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def indexed(zhiye: Run, folder: Path) -> Path:
    """The folder, indexed into the library 制度."""
    assert zhiye("ingest", folder, "--json").code == 0
    return folder

"""``zhiye ask`` with the chat server of a settings file."""

from pathlib import Path

import pytest

from engine.answer.generation.server import exchange
from tests.chat_server import answer, listing, ollama, openai, serving
from tests.cli import shapes
from tests.cli.conftest import QUESTION, Run

REPLY = "秘密级数据的保密期限为10年[1]。"


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "PAUSES_S", (0.01, 0.02))


def settings(tmp_path: Path, **values: str) -> Path:
    file = tmp_path / "设置.yaml"
    file.write_text("".join(f"{key}: '{value}'\n" for key, value in values.items()), encoding="utf-8")
    return file


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_the_server_of_the_settings_answers(zhiye: Run, indexed: Path, tmp_path: Path, protocol: str) -> None:
    reply = openai(REPLY) if protocol == "openai" else ollama(REPLY)
    with serving(listing("qwen:1.5b", protocol=protocol), reply) as server:
        config = settings(tmp_path, server=server.address, server_protocol=protocol)
        record = zhiye("ask", QUESTION, "--config", config, "--json").record
    shapes.check_answer(record)
    assert (record["model"], record["refused"]) == ("qwen:1.5b", False)
    assert record["citations"][0]["quote"] == "秘密级数据的保密期限为10年。"
    assert len(server.requests) == 2


def test_a_server_elsewhere_is_wrong_use_and_nothing_is_sent(
    zhiye: Run, indexed: Path, tmp_path: Path
) -> None:
    config = settings(tmp_path, server="http://192.0.2.7:11434")
    result = zhiye("ask", QUESTION, "--config", config, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "server_not_local")


def test_a_busy_server_is_said_and_the_passages_answer(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    with serving(answer(b"", "503 Busy")) as server:
        config = settings(tmp_path, server=server.address)
        result = zhiye("ask", QUESTION, "--config", config, "--json")
    assert result.code == 0
    assert result.record["evidence_only"] is True
    assert server.address in result.err
    assert len(server.requests) == 3


def test_a_server_that_dies_in_the_middle_is_an_error(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    with serving(listing("m"), openai("秘密级", last=b"")) as server:
        config = settings(tmp_path, server=server.address)
        result = zhiye("ask", QUESTION, "--config", config, "--json")
    assert result.code == 3
    shapes.check_error(result.record, "server_unreachable")

"""``zhiye libraries share NAME URI`` and ``unshare NAME``."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.index import milvus
from tests.cli import shapes
from tests.cli.conftest import QUESTION, Run
from tests.milvus_server import MilvusServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MilvusServer]:
    made = MilvusServer(tmp_path / "milvus")
    yield made
    made.stop()


def test_a_library_is_shared_searched_and_taken_off_again(
    zhiye: Run, indexed: Path, server: MilvusServer
) -> None:
    before = zhiye("search", QUESTION, "--json").record["hits"]
    address = server.uri.removeprefix("http://")
    assert zhiye("libraries", "share", "制度", server.uri, "--json").record == {
        "shared": "制度", "team": address
    }  # fmt: skip
    (library,) = zhiye("status", "--json").record["libraries"]
    assert library["team"] == address
    assert address in zhiye("status").out
    after = zhiye("search", QUESTION, "--json").record["hits"]
    assert [hit["text"] for hit in after] == [hit["text"] for hit in before]
    asked = zhiye("ask", QUESTION, "--no-model", "--json")
    assert address in asked.err
    assert zhiye("libraries", "unshare", "制度", "--json").record == {
        "unshared": "制度", "removed_there": True
    }  # fmt: skip
    assert zhiye("status", "--json").record["libraries"][0]["team"] is None
    assert address not in zhiye("ask", QUESTION, "--no-model", "--json").err


def test_a_shared_library_is_not_removed_while_its_server_is_away(
    zhiye: Run, indexed: Path, server: MilvusServer
) -> None:
    assert zhiye("libraries", "share", "制度", server.uri).code == 0
    server.stop()
    result = zhiye("remove", "制度", "--json")
    shapes.check_error(result.record, "team_store_unreachable")
    assert result.code == 5
    left = zhiye("libraries", "unshare", "制度", "--json")
    assert (left.code, left.record["removed_there"]) == (0, False)
    assert zhiye("remove", "制度", "--json").code == 0


def test_a_library_that_is_removed_leaves_its_server(zhiye: Run, indexed: Path, server: MilvusServer) -> None:
    assert zhiye("libraries", "share", "制度", server.uri).code == 0
    assert zhiye("remove", "制度", "--json").code == 0
    client = milvus.connect(server.uri, "", "here")
    assert client.list_collections() == []
    client.close()


@pytest.mark.parametrize("words", [("share", "制度"), ("share", "制度", "milvus"), ("unshare",)])
def test_wrong_words_change_nothing(zhiye: Run, indexed: Path, words: tuple[str, ...]) -> None:
    result = zhiye("libraries", *words, "--json")
    shapes.check_error(result.record, "wrong_use")
    assert result.code == 2
    assert zhiye("status", "--json").record["libraries"][0]["team"] is None

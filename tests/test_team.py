"""Sharing a library with a team, from the words of a person to what is on the server."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import seal, team
from engine.answer import retrieval
from engine.answer_events import SourcesFound
from engine.errors import OutsideConnection, TeamStoreUnreachable, WrongUse
from engine.events import TEAM_STORE_ON, Notice
from engine.index import milvus, team_cache
from engine.index.library import Library
from engine.index.store import FlatStore
from tests.builders import events_of
from tests.desk import Desk
from tests.fakes import FakeGenerator
from tests.milvus_server import MilvusServer

QUESTION = "秘密级数据的保密期限是几年？"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MilvusServer]:
    made = MilvusServer(tmp_path / "milvus")
    yield made
    made.stop()


@pytest.fixture
def full(desk: Desk) -> Desk:
    desk.write("保密.txt", "秘密级数据的保密期限为10年。")
    desk.write("差旅.txt", "差旅报销单须在返回后10个工作日内提交财务部。")
    for number in range(20):
        desk.write(f"{number}.txt", f"第{number}条：访客须在前台登记，由接待人陪同进入{number}号园区。")
    desk.ingest()
    return desk


def collections(server: MilvusServer) -> list[str]:
    client = milvus.connect(server.uri, "", "here")
    found: list[str] = client.list_collections()
    client.close()
    return found


def scores(desk: Desk) -> dict[str, float]:
    """Of every passage, by its text."""
    hits = retrieval.search(QUESTION, [desk.library], desk.embedder, desk.settings, 50)
    return {hit.text: hit.score for hit in hits}


def notices(library: Library) -> dict[str, dict[str, object]]:
    events = events_of(QUESTION, [library], generator=FakeGenerator("10年[1]。"))
    return {event.code: dict(event.params) for event in events if isinstance(event, Notice)}


def test_a_shared_library_answers_as_before(full: Desk, server: MilvusServer) -> None:
    before = scores(full)
    address = team.share(full.library, server.uri)
    assert len(collections(server)) == 1
    assert scores(full) == pytest.approx(before, abs=1e-4)
    only = frozenset({"3.txt", "差旅.txt"})
    (ours,) = [e for e in events_of(QUESTION, [full.library], documents=only) if isinstance(e, SourcesFound)]
    assert {hit.document for hit in ours.hits} == only
    assert team.server_of(full.library) == address
    assert team.unshare(full.library)
    assert collections(server) == []
    assert scores(full) == pytest.approx(before, abs=1e-6)
    assert isinstance(full.library.store, FlatStore)


def test_every_answer_and_every_sync_says_that_it_is_shared(full: Desk, server: MilvusServer) -> None:
    assert TEAM_STORE_ON not in notices(full.library)
    address = team.share(full.library, server.uri)
    assert notices(full.library)[TEAM_STORE_ON] == {"name": "库", "host": address}
    full.ingest()
    assert full.notices() == [TEAM_STORE_ON]
    assert team.shared([full.library]) == {"库": address}
    team.unshare(full.library)
    assert team.shared([full.library]) == {}
    assert TEAM_STORE_ON not in notices(full.library)


def test_a_sync_writes_to_the_server(full: Desk, server: MilvusServer) -> None:
    team.share(full.library, server.uri)
    full.write("新.txt", "新来的文件说：餐补每天三十元。")
    (full.folder / "0.txt").unlink()
    full.ingest()
    assert full.found("餐补每天多少元？")[0].document == "新.txt"
    assert sorted(full.library.store.ids()) == sorted(
        row for (row,) in full.library.db.execute("SELECT id FROM chunks")
    )


def test_without_its_server_it_is_searched_by_words_and_says_so(
    full: Desk, server: MilvusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.share(full.library, server.uri)
    server.stop()
    (hit, *_) = full.found(QUESTION)
    assert (hit.document, hit.dense) == ("保密.txt", None)
    told = notices(full.library)
    assert told["team_store_unreachable"]["host"] == team.server_of(full.library)
    full.write("新.txt", "新来的文件说：餐补每天三十元。")
    full.ingest()
    assert full.notices() == [TEAM_STORE_ON, "team_store_unreachable"]
    assert not team.unshare(full.library)
    assert full.found("餐补每天多少元？")[0].dense is not None


def test_a_library_that_could_not_be_shared_is_not(full: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(TeamStoreUnreachable):
        team.share(full.library, f"http://127.0.0.1:{port}")
    with pytest.raises(WrongUse):
        team.share(full.library, "milvus")
    assert team.server_of(full.library) is None
    assert isinstance(full.library.store, FlatStore)


def test_sharing_that_is_stopped_leaves_nothing_on_the_server(
    full: Desk, server: MilvusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(milvus.MilvusStore, "add", stopped)
    with pytest.raises(KeyboardInterrupt):
        team.share(full.library, server.uri)
    assert collections(server) == []
    assert team.server_of(full.library) is None


def test_two_libraries_of_one_name_do_not_meet_on_the_server(
    full: Desk, tmp_path: Path, server: MilvusServer
) -> None:
    team.share(full.library, server.uri)
    other = Desk(tmp_path / "别的机器")
    other.write("别的.txt", "别的内容。")
    other.ingest()
    team.share(other.library, server.uri)
    assert len(collections(server)) == 2
    assert len(full.library.store) == 22
    other.library.close()


def test_sharing_elsewhere_leaves_nothing_behind(full: Desk, server: MilvusServer) -> None:
    team.share(full.library, server.uri)
    (first,) = collections(server)
    team.share(full.library, server.uri)
    (second,) = collections(server)
    assert first != second


def test_without_the_optional_part_nothing_is_shared_and_the_error_says_how(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(uri: str, token: str, host: str) -> object:
        raise milvus.TeamPartMissing(host=host, detail="No module named 'pymilvus'")

    monkeypatch.setattr(team_cache, "connect", missing)
    with pytest.raises(milvus.TeamPartMissing):
        team.share(full.library, "http://127.0.0.1:19530")
    assert team.server_of(full.library) is None


# -- the seal -------------------------------------------------------------------------------------

ELSEWHERE = ("192.0.2.7", 19530)


def refused(address: tuple[str, int]) -> bool:
    """Whether the seal would refuse this connection; nothing is sent."""
    try:
        seal._audit("socket.connect", (None, address))
    except OutsideConnection:
        return True
    return False


def test_only_the_named_server_and_port_are_let_through() -> None:
    assert refused(ELSEWHERE)
    seal.allow(*ELSEWHERE)
    try:
        assert [(known.host, known.port, known.addresses) for known in seal.allowed()] == [
            (*ELSEWHERE, ("192.0.2.7",))
        ]
        assert not refused(ELSEWHERE)
        assert refused(("192.0.2.7", 443))
        assert refused(("192.0.2.8", 19530))
        with pytest.raises(OutsideConnection):
            socket.getaddrinfo("seal-test.invalid", 19530)
    finally:
        seal.withdraw(*ELSEWHERE)
    assert refused(ELSEWHERE)
    assert seal.allowed() == ()


def test_a_server_is_let_through_until_the_last_library_has_left_it() -> None:
    for _ in range(2):
        seal.allow(*ELSEWHERE)
    seal.withdraw(*ELSEWHERE)
    assert not refused(ELSEWHERE)
    seal.withdraw(*ELSEWHERE)
    assert refused(ELSEWHERE)


def test_a_name_is_looked_up_once_and_not_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        seal._audit("socket.getaddrinfo", (host, port, 0, 0, 0))  # as the real one does
        asked.append(host)
        return [(0, 0, 0, "", ("192.0.2.7", port)), (0, 0, 0, "", ("2001:db8::7", port, 0, 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    for _ in range(2):
        known = seal.allow("seal-test.invalid", 19530)
    try:
        assert (asked, known.addresses) == (["seal-test.invalid"], ("192.0.2.7", "2001:db8::7"))
        assert known.first == "192.0.2.7:19530"
        assert not refused(("2001:db8::7", 19530))
        with pytest.raises(OutsideConnection):
            socket.getaddrinfo("seal-test.invalid", 19530)
    finally:
        for _ in range(2):
            seal.withdraw("seal-test.invalid", 19530)


def test_nothing_of_it_is_imported_for_a_library_that_is_not_shared() -> None:
    code = (
        "import sys; from engine import jobs, team; from engine.index.library import Library;"
        "assert team.shared([Library(None, dimension=8)]) == {};"
        "assert not {'pymilvus', 'grpc', 'pandas'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

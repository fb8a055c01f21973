"""A shared library against milvus-lite: the same client as for a cluster.

What it does not show: consistency levels (it has one process) and many writers at a time.
"""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine import seal
from engine.errors import IndexMismatch, TeamStoreUnreachable, WrongUse
from engine.index import milvus, team_cache
from engine.index.library import Library
from engine.index.milvus import MilvusStore
from engine.index.store import FlatStore
from engine.index.team_target import TEAM_STORE, TeamTarget
from tests.fakes import FakeEmbedder
from tests.index.test_store import D, vectors
from tests.indexed import FOLDER, put
from tests.milvus_server import MilvusServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusServer]:
    made = MilvusServer(tmp_path_factory.mktemp("milvus"))
    yield made
    made.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[MilvusServer]:
    """One that a test may stop."""
    made = MilvusServer(tmp_path / "milvus")
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_cache, "_RETRY_S", 0.0)


def passages(ids: list[int]) -> dict[int, dict[str, object]]:
    return {
        row: {
            "mark": str(row),
            "text": "文" * row,
            "document": f"{row % 7}.md",
            "page": 1,
            "section": "一 › 二",
        }
        for row in ids
    }


class Stores:
    """The store on the server and FAISS in memory, filled alike."""

    def __init__(self, server: MilvusServer, name: str) -> None:
        client = milvus.connect(server.uri, "", "here")
        self.team = MilvusStore(client, "here", name, D, passages, lambda problem: None)
        self.local = FlatStore(D)

    def add(self, ids: list[int], found: np.ndarray) -> None:
        self.team.add(ids, found)
        self.local.add(ids, found)

    def agree(self, seed: int, k: int = 20) -> None:
        query = vectors(1, seed=seed)[0]
        (ids, scores), (expected, products) = self.team.search(query, k), self.local.search(query, k)
        assert ids.tolist() == expected.tolist()
        assert np.allclose(scores, products, atol=1e-6)
        assert self.team.moments(query) == pytest.approx(self.local.moments(query), abs=1e-4)
        assert len(self.team) == len(self.local)
        assert sorted(self.team.ids().tolist()) == sorted(self.local.ids().tolist())


@pytest.fixture
def stores(server: MilvusServer, request: pytest.FixtureRequest) -> Iterator[Stores]:
    made = Stores(server, "test_" + request.node.name.partition("[")[0])
    yield made
    made.team.drop()
    made.team.close()


def test_two_thousand_vectors_are_found_as_by_faiss(stores: Stores) -> None:
    stores.add(list(range(5, 2005)), vectors(2000))
    for seed in range(3):
        stores.agree(seed, k=200)
    query = vectors(1, seed=9)[0]
    wanted = [row for row in range(2500) if row % 3 == 0]  # a document filter becomes a list of rows
    ids, scores = stores.team.scores(query, wanted)
    expected = dict(zip(*stores.local.scores(query, wanted), strict=True))
    assert dict(zip(ids.tolist(), scores.tolist(), strict=True)) == pytest.approx(expected, abs=1e-6)
    assert [len(part) for part in stores.team.search(query, 0)] == [0, 0]
    assert len(stores.team.search(query, 5000)[0]) == 2000


def test_what_is_removed_is_gone_at_once(stores: Stores) -> None:
    stores.add(list(range(1, 60)), vectors(59))
    for store in (stores.team, stores.local):
        store.remove([3, 4, 50, 99_999])
    stores.agree(1)
    stores.add([3], vectors(1, seed=77))
    stores.agree(2)


def test_sending_the_same_again_leaves_one(stores: Stores) -> None:
    stores.team.add([1, 2], vectors(2))
    stores.team.add([1, 2], vectors(2))
    assert stores.team.ids().tolist() == [1, 2]


def test_a_query_or_vectors_of_another_dimension_are_refused(stores: Stores) -> None:
    with pytest.raises(IndexMismatch):
        stores.team.add([1], vectors(1, dimension=D + 1))
    for ask in (
        stores.team.moments,
        lambda q: stores.team.search(q, 1),
        lambda q: stores.team.scores(q, [1]),
    ):
        with pytest.raises(IndexMismatch):
            ask(vectors(1, dimension=D + 1)[0])


def test_a_collection_of_another_dimension_is_made_anew(server: MilvusServer, stores: Stores) -> None:
    stores.team.add([1, 2], vectors(2))
    client = milvus.connect(server.uri, "", "here")
    name = "test_a_collection_of_another_dimension_is_made_anew"
    larger = MilvusStore(client, "here", name, 2 * D, passages, lambda problem: None)
    assert len(larger) == 0
    larger.add([7], vectors(1, dimension=2 * D))
    assert larger.ids().tolist() == [7]
    client.close()


def test_texts_longer_than_the_server_takes_are_cut(stores: Stores) -> None:
    stores.team.add([30_000], vectors(1))  # 90,000 bytes
    assert stores.team.ids().tolist() == [30_000]


# -- a library ------------------------------------------------------------------------------------


def share(library: Library, server: MilvusServer, name: str) -> TeamTarget:
    target = TeamTarget.parse(server.uri, name)
    library.set_meta(TEAM_STORE, target.to_text())
    return target


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "库", dimension=64)
    put(made, "a.txt", ["甲一", "甲二"], FakeEmbedder(), section=("总则", "附件"))
    put(made, "b.txt", ["乙一"], FakeEmbedder())
    yield made
    made.close()


def on_server(server: MilvusServer, target: TeamTarget) -> dict[int, tuple[str, str]]:
    """Document and text of each row, as a team's own tool would read them."""
    client = milvus.connect(server.uri, "", "here")
    rows = client.query(target.collection, filter="id > 0", output_fields=["document", "text"])
    client.close()
    return {row["id"]: (row["document"], row["text"]) for row in rows}


def in_sqlite(library: Library) -> dict[int, tuple[str, str]]:
    rows = library.db.execute(
        "SELECT c.id, d.path, c.text FROM chunks c JOIN documents d ON d.id = c.document_id"
        " WHERE vector_key IS NOT NULL"
    )
    return {row: (document, text) for row, document, text in rows}


def test_all_of_it_is_sent_and_every_write_follows(library: Library, own_server: MilvusServer) -> None:
    embedder = FakeEmbedder()
    target = share(library, own_server, "follow")
    assert len(library.store) == 3
    assert on_server(own_server, target) == in_sqlite(library)
    put(library, "b.txt", ["乙二", "乙三"], embedder)
    put(library, "c.txt", ["丙"])
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    assert on_server(own_server, target) == in_sqlite(library)
    library.add_vectors(
        {row: "c" for row, _, _ in library.chunks_without_vectors()}, {"c": embedder.embed_query("丙")}
    )
    assert len(on_server(own_server, target)) == 3
    assert on_server(own_server, target) == in_sqlite(library)


def test_a_document_that_moved_is_called_by_its_new_name(library: Library, own_server: MilvusServer) -> None:
    target = share(library, own_server, "moved")
    library.store
    (document,) = (file.id for file in library.files() if file.path == "a.txt")
    library.move_files({document: "a.txt"}, library.folder_id(FOLDER), library.folder_id(Path("/别处")))
    with library.transaction():
        library.db.execute("UPDATE documents SET path = '新/a.txt' WHERE id = ?", (document,))
        library.raise_generation()
    library.checkpoint()
    assert on_server(own_server, target) == in_sqlite(library)


def test_after_a_restart_nothing_is_sent_again(
    library: Library, own_server: MilvusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    share(library, own_server, "restart")
    library.checkpoint()
    before = library.store.moments(FakeEmbedder().embed_query("甲"))
    library.close()
    own_server.stop()
    own_server.start()
    monkeypatch.setattr(MilvusStore, "add", None)
    monkeypatch.setattr(MilvusStore, "pages", None)
    again = Library(Path(library.file).parent, dimension=64)
    assert len(again.store) == 3
    assert again.store.moments(FakeEmbedder().embed_query("甲")) == pytest.approx(before)
    again.close()


@pytest.mark.parametrize("harm", ["behind", "ahead", "other rows", "emptied", "sums torn"])
def test_a_server_that_is_not_up_to_date_is_mended(
    library: Library, own_server: MilvusServer, harm: str
) -> None:
    target = share(library, own_server, "mended")
    library.checkpoint()
    folder = Path(library.file).parent
    expected = in_sqlite(library)
    library.close()
    client = milvus.connect(own_server.uri, "", "here")
    fields = {"page": 1, "mark": "", "text": "旧", "document": "旧", "section": ""}
    rows = [{"id": row, "vector": np.eye(64)[0], **fields} for row in (1, 7000)]
    if harm == "behind":
        client.delete(target.collection, ids=[2])
    elif harm == "ahead":
        client.upsert(target.collection, rows[1:])
    elif harm == "other rows":
        client.upsert(target.collection, rows[:1])
        (folder / "team.sums").unlink()
    elif harm == "emptied":
        client.drop_collection(target.collection)
    else:
        sums = folder / "team.sums"
        sums.write_bytes(sums.read_bytes()[:-3])
    client.close()
    again = Library(folder, dimension=64)
    query = FakeEmbedder().embed_query("甲一")
    ids, scores = again.store.search(query, 1)
    assert (again.chunks(ids.tolist())[ids[0]].chunk.text, scores[0]) == ("甲一", pytest.approx(1, abs=1e-3))
    assert on_server(own_server, target) == expected
    local = FlatStore(64)
    local.add(list(expected), again.vectors(list(expected)))
    assert again.store.moments(query) == pytest.approx(local.moments(query), abs=1e-4)
    again.close()


def test_sums_of_transactions_that_sqlite_lost_are_not_believed(
    library: Library, own_server: MilvusServer
) -> None:
    share(library, own_server, "lost")
    library.checkpoint()
    with library.transaction():
        library.db.execute("UPDATE meta SET value = '1' WHERE key = 'generation'")
    library.close()
    Library(Path(library.file).parent, dimension=64).close()
    assert not (Path(library.file).parent / "team.sums").exists()


def test_a_server_that_stops_costs_nothing_and_is_brought_up_to_date_later(
    library: Library, own_server: MilvusServer
) -> None:
    target = share(library, own_server, "stops")
    library.checkpoint()
    own_server.stop()
    put(library, "c.txt", ["丙一"], FakeEmbedder())
    library.remove_file(library.folder_id(FOLDER), "b.txt")
    library.checkpoint()
    assert library.team_problem is not None
    with pytest.raises(TeamStoreUnreachable) as caught:
        library.store
    assert caught.value.params["host"] == target.address
    own_server.start()
    deadline = time.monotonic() + 20
    while (
        library.team_problem is not None and time.monotonic() < deadline
    ):  # gRPC waits before it tries again
        library.checkpoint()
        time.sleep(0.05)
    assert library.team_problem is None
    assert on_server(own_server, target) == in_sqlite(library)


def test_a_server_that_does_not_answer_is_left_alone_for_a_while(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_cache, "_RETRY_S", 100.0)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    library.set_meta(TEAM_STORE, TeamTarget.parse(f"http://127.0.0.1:{port}", "none").to_text())
    tries = []
    connect = team_cache.connect
    monkeypatch.setattr(team_cache, "connect", lambda *facts: tries.append(facts) or connect(*facts))
    for _ in range(3):
        with pytest.raises(TeamStoreUnreachable):
            library.store
    assert len(tries) == 1


def test_another_process_that_shares_and_unshares_is_followed(
    library: Library, own_server: MilvusServer
) -> None:
    other = Library(Path(library.file).parent, dimension=64)
    assert isinstance(library.store, FlatStore)
    share(other, own_server, "other")
    assert isinstance(library.store, MilvusStore)
    assert [known.port for known in seal.allowed()] == [library.team_store.port]
    other.set_meta(TEAM_STORE, "")
    assert isinstance(library.store, FlatStore)
    assert seal.allowed() == ()
    other.close()


def test_the_token_comes_from_the_environment_and_is_stored_nowhere(
    library: Library, own_server: MilvusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHIYE_TEAM_TOKEN", "geheim:7351")
    given = []
    connect = team_cache.connect
    monkeypatch.setattr(
        team_cache, "connect", lambda uri, token, host: given.append(token) or connect(uri, token, host)
    )
    share(library, own_server, "token")
    library.checkpoint()
    assert given == ["geheim:7351"]
    library.close()
    for file in Path(library.file).parent.iterdir():
        assert b"geheim" not in file.read_bytes()


@pytest.mark.parametrize(
    "uri", ["", "milvus", "milvus:19530", "ftp://here", "http://", "http://a:99999", "https://user:word@here"]
)
def test_what_is_no_address_is_refused_without_repeating_a_password(uri: str) -> None:
    with pytest.raises(WrongUse) as caught:
        TeamTarget.parse(uri, "x")
    assert "word" not in str(caught.value)


@pytest.mark.parametrize(
    "uri, address", [("http://milvus.büro", "milvus.büro:19530"), ("https://[::1]:443", "[::1]:443")]
)
def test_an_address_has_a_port(uri: str, address: str) -> None:
    target = TeamTarget.parse(uri, "x")
    assert target.address == address
    assert TeamTarget.from_text(target.to_text()) == target

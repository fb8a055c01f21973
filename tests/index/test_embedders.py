"""A library whose vectors another embedder made: noticed, searched without mixing, and changed over."""

import numpy as np
import pytest

from engine.answer import retrieval
from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import IndexMismatch
from engine.events import Notice
from engine.index import embedders
from engine.index.embedding import Vectors, vector_key
from engine.index.library import Library
from tests.builders import events_of, memory_library
from tests.desk import Desk
from tests.fakes import FakeEmbedder
from tests.indexed import put


class OtherEmbedder(FakeEmbedder):
    """Another model: its vectors are elsewhere, and comparing them with the first one's means nothing."""

    model_id = "other"

    def _vector(self, text: str) -> Vectors:
        return np.roll(super()._vector(text), 7)


@pytest.fixture(params=[64, 32], ids=["other model", "other dimension"])
def other(request: pytest.FixtureRequest) -> OtherEmbedder:
    return OtherEmbedder(request.param)


@pytest.fixture
def full(desk: Desk) -> Desk:
    """Three documents, indexed with the first embedder."""
    desk.write("年假.txt", "年假可以顺延至次年三月。")
    desk.write("报销.md", "# 报销\n\n报销须在三十日内提交。")
    desk.write("访客.txt", "访客须在前台登记。")
    desk.ingest()
    return desk


def keys(library: Library, embedder: FakeEmbedder) -> bool:
    """Whether every chunk names its vector by this embedder, and no vector is left over."""
    named = {stored.vector_key for stored in library.all_chunks()}
    wanted = {
        vector_key(embedder.model_id, embedder.precision, stored.chunk.prefix + stored.chunk.text)
        for stored in library.all_chunks()
    }
    kept = {row[0] for row in library.db.execute("SELECT key FROM vectors")}
    return named == wanted == kept


def vector_bytes(library: Library) -> list[tuple[str, bytes]]:
    return library.db.execute("SELECT key, vector FROM vectors ORDER BY key").fetchall()


def search(libraries: list[Library], embedder: FakeEmbedder, *others: FakeEmbedder) -> tuple[SearchHit, ...]:
    return retrieval.search("报销几日内提交", libraries, embedder, Settings(), 5, None, others)


# -- noticing -----------------------------------------------------------------------------------------


def test_the_embedder_is_written_down_with_the_first_vectors(full: Desk) -> None:
    assert full.library.meta("embedder").split("/")[:3] == ["fake", "fp32", "64"]
    assert full.library.meta("model") == "fake"
    assert embedders.fits(full.library, FakeEmbedder())


def test_another_model_or_dimension_does_not_fit(full: Desk, other: FakeEmbedder) -> None:
    assert not embedders.fits(full.library, other)
    (params,) = embedders.strangers([full.library], other)
    assert (params["name"], params["found"]) == ("库", full.library.meta("embedder"))
    assert params["expected"] == embedders.identity(other)


def test_another_precision_or_normaliser_does_not_fit(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    half = FakeEmbedder()
    half.precision = "fp16"
    assert not embedders.fits(full.library, half)
    monkeypatch.setattr(embedders.normalise, "VERSION", 99)
    assert not embedders.fits(full.library, FakeEmbedder())


def test_a_library_that_does_not_name_its_embedder_shows_it_by_its_keys(other: FakeEmbedder) -> None:
    library = memory_library({"a.txt": "年假"})
    assert library.meta("embedder") == ""
    assert embedders.fits(library, FakeEmbedder())
    assert not embedders.fits(library, other)
    assert not embedders.fits(library, FakeEmbedder(32))


def test_a_library_without_vectors_fits_every_embedder() -> None:
    library = Library(None, dimension=64)
    put(library, "a.txt", ["文字"])
    assert embedders.fits(library, OtherEmbedder(32))


# -- searching ----------------------------------------------------------------------------------------


def test_words_answer_alone_where_the_embedder_is_another(full: Desk, other: FakeEmbedder) -> None:
    before = (vector_bytes(full.library), full.library.generation)
    assert search([full.library], other) == retrieval.search(
        "报销几日内提交", [full.library], None, Settings(), 5
    )
    assert search([full.library], other)[0].document == "报销.md"
    assert (vector_bytes(full.library), full.library.generation) == before


def test_a_question_says_which_library_is_searched_by_words_only(full: Desk, other: FakeEmbedder) -> None:
    events = events_of("报销几日内提交", [full.library], embedder=other)
    (notice,) = [event for event in events if isinstance(event, Notice)]
    assert (notice.code, notice.params["name"]) == ("other_embedder", "库")
    assert not [event for event in events_of("报销", [full.library]) if isinstance(event, Notice)]


@pytest.mark.parametrize("fusion", ["standardised", "rrf"])
def test_libraries_of_both_embedders_are_searched_together(
    full: Desk, other: FakeEmbedder, fusion: str
) -> None:
    new = memory_library({"新.txt": "报销单须在五日内提交。"}, other, name="新")
    found = retrieval.search(
        "报销几日内提交", [full.library, new], other, Settings.model_validate({"fusion": fusion}), 5
    )
    dense = {hit.document: hit.dense for hit in found}
    assert {"报销.md", "新.txt"} <= dense.keys()
    assert dense["报销.md"] is None
    assert dense["新.txt"] == pytest.approx(
        float(other.embed_query("报销单须在五日内提交。") @ other.embed_query("报销几日内提交")), abs=1e-5
    )


def test_the_old_embedder_answers_for_its_library_while_it_is_there(full: Desk, other: FakeEmbedder) -> None:
    assert search([full.library], other, FakeEmbedder()) == search([full.library], FakeEmbedder())
    assert embedders.strangers([full.library], other, [FakeEmbedder()]) == []


# -- changing over ------------------------------------------------------------------------------------


def test_the_next_round_embeds_everything_anew_and_reads_nothing(full: Desk, other: FakeEmbedder) -> None:
    full.embedder = other
    result = full.ingest()
    assert (full.read, result.embedded, full.notices()) == ([], 3, ["vectors_made_anew"])
    assert keys(full.library, other)
    assert (full.library.dimension, len(full.library.store)) == (other.dimension, 3)
    assert full.library.meta("model") == "other"
    assert search([full.library], other)[0].dense is not None
    again = full.ingest()
    assert (again.embedded, full.notices()) == (0, [])


def test_new_files_and_reopening_work_after_the_change(full: Desk, other: FakeEmbedder) -> None:
    full.embedder = other
    full.ingest()
    full.write("新.txt", "新的一段文字。")
    assert full.ingest().embedded == 1
    reopened = Library(full.library.folder, dimension=64)
    assert (reopened.dimension, len(reopened.store), keys(reopened, other)) == (other.dimension, 4, True)
    assert search([reopened], other)[0].document == "报销.md"
    reopened.close()


def test_an_open_window_follows_a_change_by_another_process(full: Desk, other: FakeEmbedder) -> None:
    window = Library(full.library.folder, dimension=64)
    assert search([window], FakeEmbedder())[0].dense is not None
    full.embedder = other
    full.ingest()
    assert search([window], FakeEmbedder())[0].dense is None
    assert search([window], other) == search([full.library], other)
    window.close()


def test_the_old_index_answers_until_the_new_one_is_complete(full: Desk, other: FakeEmbedder) -> None:
    old, before = FakeEmbedder(), search([full.library], FakeEmbedder())
    full.embedder = other
    for _ in full.steps():
        if embedders.fits(full.library, other):
            break
        assert search([full.library], other, old) == before
    assert search([full.library], other)[0].dense is not None


def test_a_change_that_was_stopped_goes_on_where_it_was(
    full: Desk, other: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "engine.ingest.vectors.batches", lambda tokens, budget: ([i] for i in range(len(tokens)))
    )
    before = search([full.library], FakeEmbedder())
    full.embedder, token = other, CancelToken()
    other.embedded.clear()
    with pytest.raises(Cancelled):
        for _ in full.steps(token=token):
            if other.embedded:
                token.cancel()
    assert len(other.embedded) == 1
    assert search([full.library], FakeEmbedder()) == before
    assert full.ingest().embedded == 2
    assert keys(full.library, other)


def test_going_back_to_the_old_embedder_embeds_nothing_and_cleans_up(full: Desk, other: FakeEmbedder) -> None:
    before = vector_bytes(full.library)
    embedders.begin_change(full.library, other)
    (waiting,) = embedders.missing(full.library, other)
    made = other.embed_passages([text for _, text, _ in waiting])
    embedders.keep(full.library, other, dict(zip((key for key, _, _ in waiting), made, strict=True)))
    assert len(vector_bytes(full.library)) == 6
    result = full.ingest()
    assert (result.embedded, full.notices(), vector_bytes(full.library)) == (0, [], before)
    assert keys(full.library, FakeEmbedder())


def test_an_early_library_gets_its_embedders_name_without_embedding(full: Desk) -> None:
    full.library.db.execute("DELETE FROM meta WHERE key = 'embedder'")
    before = (full.contents(), full.library.generation)
    result = full.ingest()
    assert (result.embedded, result.reused, full.notices()) == (0, 0, [])
    assert (full.contents(), full.library.generation) == before
    assert full.library.meta("embedder") == embedders.identity(FakeEmbedder())


def test_an_early_library_of_mixed_vectors_is_put_right(full: Desk) -> None:
    """Before embedders were told apart, a changed file got the new model's vectors, the rest kept theirs."""
    full.library.db.execute("DELETE FROM meta WHERE key = 'embedder'")
    put(full.library, "访客.txt", ["访客须在前台登记。"], OtherEmbedder(), folder=full.folder)
    full.ingest()
    assert keys(full.library, FakeEmbedder())


def test_an_embedder_that_lies_about_its_dimension_changes_nothing(full: Desk) -> None:
    before = search([full.library], FakeEmbedder())
    liar = OtherEmbedder(32)
    embedders.begin_change(full.library, liar)
    with pytest.raises(IndexMismatch):
        embedders.keep(full.library, liar, {"key": np.ones(64, np.float32)})
    assert search([full.library], FakeEmbedder()) == before

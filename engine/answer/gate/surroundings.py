"""What a search is seen against, looked up in the libraries asked."""

from collections.abc import Sequence

from engine.answer.gate import background
from engine.answer.gate.search_figures import Surroundings
from engine.answer.retrieval.lanes import asking
from engine.errors import TeamStoreUnreachable
from engine.index import embedders, lexical
from engine.index.embedding import Embedder
from engine.index.library import Library


def of_libraries(
    question: str, wanted: Sequence[str], libraries: Sequence[Library], embedder: Embedder | None
) -> Surroundings:
    """The question's vector only where the background and all libraries are of this ``embedder``."""
    frequency, passages = frequency_in(libraries, wanted)
    is_known = embedder is not None and embedder.model_id == background.load().model
    if embedder is None or not is_known or any(not embedders.fits(item, embedder) for item in libraries):
        return Surroundings(passages, frequency)
    query = embedder.embed_query(asking(question))
    try:
        moments = [library.store.moments(query) for library in libraries]
    except TeamStoreUnreachable:
        return Surroundings(passages, frequency)
    counts, totals, squares = zip(*moments, strict=True)
    return Surroundings(passages, frequency, query, (sum(counts), sum(totals), sum(squares)))


def frequency_in(libraries: Sequence[Library], wanted: Sequence[str]) -> tuple[dict[str, int], int]:
    """In how many passages of the libraries together each term occurs, and how many passages there are."""
    frequency = dict.fromkeys(wanted, 0)
    for library in libraries:
        for term, found in lexical.document_frequency(library.db, wanted).items():
            frequency[term] += found
    return frequency, sum(library.chunk_count() for library in libraries)

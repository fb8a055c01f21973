"""Which embedder made a library's vectors, and the change to another one.

A vector is filed under its embedder and its text (:func:`engine.index.embedding.vector_key`), so those of two
embedders lie side by side in one library. Chunks name the old ones, and with them the old index answers,
until every chunk has its new vector; then all chunks change over in one transaction and the old ones go.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine import normalise
from engine.errors import IndexMismatch
from engine.index.embedding import Embedder, Vectors, vector_key
from engine.index.library import Library
from engine.index.writing import drop_unused_vectors

_MADE, _COMING = "embedder", "embedder_coming"
"""Facts of a library: the embedder of its vectors, and the one whose vectors are being made."""

_ROWS = 500
"""Chunks that are looked at in one step."""

Waiting = tuple[str, str, int]
"""A vector's key, the embedder's input and its tokens."""


def identity(embedder: Embedder) -> str:
    """What must be the same for two vectors to be comparable."""
    parts = (embedder.model_id, embedder.precision, str(embedder.dimension), str(normalise.VERSION))
    return "/".join(parts)


def made_by(library: Library) -> str:
    """The embedder of the library's vectors in words; of an early library no more than the model is known."""
    return library.meta(_MADE) or library.meta("model", "?")


def note_made_by(library: Library, made: str) -> None:
    """Say whose vectors a library was filled with that were made elsewhere; raises StorageFailed."""
    library.set_meta(_MADE, made)


def fits(library: Library, embedder: Embedder) -> bool:
    """Whether this embedder's questions can be compared with the library's vectors."""
    if library.meta(_MADE):
        return library.meta(_MADE) == identity(embedder) or not has_vectors(library)
    # An early library does not say it, but every key is made of it.
    row = library.db.execute(
        "SELECT prefix || text, vector_key FROM chunks WHERE vector_key IS NOT NULL LIMIT 1"
    ).fetchone()
    return row is None or (
        _key(embedder, row[0]) == row[1] and library.dimension == embedder.dimension
    )  # fmt: skip


def fitting(library: Library, embedders: Iterable[Embedder]) -> Embedder | None:
    """The first of the embedders that made the library's vectors."""
    return next((embedder for embedder in embedders if fits(library, embedder)), None)


def strangers(
    libraries: Sequence[Library], embedder: Embedder, others: Sequence[Embedder] = ()
) -> list[Mapping[str, str]]:
    """The libraries that can be searched by words only: name, their embedder and the one in use."""
    return [
        {"name": library.name, "found": made_by(library), "expected": identity(embedder)}
        for library in libraries
        if fitting(library, (embedder, *others)) is None
    ]


# -- the change ---------------------------------------------------------------------------------------


def begin_change(library: Library, embedder: Embedder) -> bool:
    """Whether the library has to change over to this embedder; what an abandoned change made goes."""
    coming = library.meta(_COMING)
    is_made = library.meta(_MADE) == identity(embedder)
    if coming and (is_made or coming != identity(embedder)):
        with library.transaction():
            drop_unused_vectors(library.db)
            library.db.execute("DELETE FROM meta WHERE key = ?", (_COMING,))
    if is_made:
        library.use_dimension(embedder.dimension)
    else:
        library.set_meta(_COMING, identity(embedder))
        library.db.execute("DROP TABLE IF EXISTS temp.new_keys")
        library.db.execute("CREATE TEMP TABLE new_keys (id INTEGER PRIMARY KEY, key TEXT NOT NULL)")
    return not is_made


def missing(library: Library, embedder: Embedder) -> Iterator[list[Waiting]]:
    """Walk through the chunks that have a vector, noting their new keys; yields what must be embedded."""
    last = 0
    while found := library.db.execute(
        "SELECT id, prefix || text, tokens FROM chunks WHERE id > ? AND vector_key IS NOT NULL"
        " ORDER BY id LIMIT ?",
        (last, _ROWS),
    ).fetchall():
        last = found[-1][0]
        keys = {row: _key(embedder, text) for row, text, _ in found}
        library.db.executemany("INSERT INTO temp.new_keys VALUES (?, ?)", keys.items())
        have = library.known_vectors(keys.values())
        waiting = {keys[row]: (keys[row], text, tokens) for row, text, tokens in found}
        yield [item for key, item in waiting.items() if key not in have]


def keep(library: Library, embedder: Embedder, vectors: Mapping[str, Vectors]) -> None:
    """Store vectors that no chunk names yet.

    Raises:
        StorageFailed: nothing has changed.
        IndexMismatch: the embedder makes vectors of another dimension than it says.
    """
    for vector in vectors.values():
        if vector.shape != (embedder.dimension,):
            raise IndexMismatch(
                path=library.file, found=list(vector.shape), expected=[embedder.dimension]
            )  # fmt: skip
    with library.transaction():
        library.db.executemany(
            "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
            ((key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()),
        )


def finish_change(library: Library, embedder: Embedder) -> int:
    """All chunks change over at once and the old vectors go. Returns the number of chunks that changed."""
    with library.transaction():
        changed = library.db.execute(
            "UPDATE chunks SET vector_key = (SELECT key FROM temp.new_keys n WHERE n.id = chunks.id)"
            " WHERE vector_key <> (SELECT key FROM temp.new_keys n WHERE n.id = chunks.id)"
        ).rowcount
        if changed:
            drop_unused_vectors(library.db)
            library.raise_epoch()
        library.db.execute("DELETE FROM meta WHERE key = ?", (_COMING,))
        facts = ((_MADE, identity(embedder)), ("model", embedder.model_id))
        library.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts)
    library.db.execute("DROP TABLE temp.new_keys")
    library.use_dimension(embedder.dimension)
    return changed


def _key(embedder: Embedder, text: str) -> str:
    return vector_key(embedder.model_id, embedder.precision, text)


def has_vectors(library: Library) -> bool:
    """Whether any chunk of the library has a vector."""
    return bool(library.db.execute("SELECT 1 FROM chunks WHERE vector_key IS NOT NULL LIMIT 1").fetchone())

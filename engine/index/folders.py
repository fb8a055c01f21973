"""What a library knows of its folders beside their documents: where they are, whether they can be reached."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path

from engine.index.library import Library


def relocate(library: Library, folder_id: int, path: Path) -> None:
    """A folder lies somewhere else now; its documents keep their paths in it. Raises StorageFailed."""
    with library.transaction():
        library.db.execute(
            "UPDATE folders SET path = ?, offline_since = NULL WHERE id = ?", (str(path), folder_id)
        )
        library.raise_generation()  # names of documents are made of it, also elsewhere


def drop(library: Library, folder_id: int) -> None:
    """Take a folder without documents off the list; raises StorageFailed."""
    with library.transaction():
        library.db.execute("DELETE FROM folders WHERE id = ?", (folder_id,))


def note_offline(library: Library, looked_for: Iterable[Path], offline: Collection[Path]) -> None:
    """Mark those of the folders that cannot be reached, and unmark the others; raises StorageFailed."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    marks = [(now if folder in offline else None, str(folder)) for folder in looked_for]
    with library.transaction():
        library.db.executemany(
            "UPDATE folders SET offline_since = iif(?1 IS NULL, NULL, coalesce(offline_since, ?1))"
            " WHERE path = ?2",
            marks,
        )


def offline(library: Library) -> dict[Path, str]:
    """The folders that could not be reached when they were last looked for, each with the moment (ISO 8601
    in UTC) when it was first missed.
    """
    found = library.db.execute(
        "SELECT path, offline_since FROM folders WHERE offline_since IS NOT NULL ORDER BY id"
    )
    return {Path(path): since for path, since in found}

"""Where a document of a knowledge base lies on disk."""

from collections.abc import Sequence
from pathlib import Path


def path_on_disk(document: str, folders: Sequence[str]) -> Path | None:
    """The file that people know as ``document``; None without a folder.

    With one folder the disk is not asked: it may be a network drive that is away.
    """
    roots = [Path(folder) for folder in folders]
    candidates = [root if root.name == document else root / document for root in roots]
    # Of two folders with a file of the same path, documents are named with the folder's name in front.
    for root in roots:
        first, _, rest = document.partition("/")
        if rest and (first == root.name or first.startswith(f"{root.name}-")):
            candidates.append(root / rest)
    if len(roots) <= 1:
        return candidates[0] if candidates else None
    return next((path for path in candidates if path.exists()), candidates[0])

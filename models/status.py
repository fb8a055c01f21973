"""The rows that ``zhiye models list`` and the settings page show."""

from typing import Any

from models.installed import InstalledModel
from models.store import ModelStore


def model_status(store: ModelStore, free_memory: int, embedder: str | None = None) -> list[dict[str, Any]]:
    """One row a model, known or added, in the shape of the command line's contract.

    ``embedder`` is the id of the chosen one; without it, the one that ships is the default. ``size`` and
    ``memory_needed`` are bytes (``memory_needed`` is null for an added model); ``checked_by`` is ``hash``,
    ``structure`` where no hash is published, or null; ``problem`` is the code of what is wrong with the file,
    or null. Reads no weights, only headers.
    """
    here = {model.id: model for model in store.installed()}
    default_chat = store.default_chat(free_memory)
    rows: list[dict[str, Any]] = []
    for entry in store.known.models:
        found = here.pop(entry.id, None)
        rows.append(
            {
                "id": entry.id,
                "role": entry.role,
                "path": str(found.path) if found else None,
                "size": found.size if found and entry.structure else entry.size,
                "licence": entry.licence,
                "installed": found is not None,
                "verified": found is not None and found.verified,
                "memory_needed": entry.memory_needed,
                "default": entry.id == default_chat
                if entry.role == "chat"
                else found is not None
                and (entry.default_order == 1 if embedder is None else entry.id == embedder),
                "checked_by": found.checked_by if found else None,
                "problem": found.problem if found else None,
            }
        )
    return rows + [_added_row(model, model.id == default_chat) for model in here.values()]


def _added_row(model: InstalledModel, is_default: bool) -> dict[str, Any]:
    return {
        "id": model.id,
        "role": model.role,
        "path": str(model.path),
        "size": model.size,
        "licence": None,
        "installed": True,
        "verified": model.verified,
        "memory_needed": None,
        "default": is_default,
        "checked_by": model.checked_by,
        "problem": model.problem,
    }

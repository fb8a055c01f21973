"""How libraries stand and what is wrong with them: the figures that events, status and doctor carry."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.intake.chunking.profiles import ProfileName


@dataclass(frozen=True, slots=True)
class SyncError:
    """What ended a sync (code and params as in errors); ``at`` is ISO 8601 in UTC."""

    at: str
    code: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LibrarySummary:
    """The figures of one library; ``profile`` is how its documents are cut.

    ``busy``: somebody writes to it right now. ``paused``: it is synced when it is named, not with all others.
    ``offline`` are those of the folders that could not be reached when it was last synced, ``offline_since``
    (ISO 8601 in UTC) when each of them was first missed. ``include``, ``exclude`` and ``hidden`` choose the
    files that are read (:class:`engine.commands.ChangeLibrary`). ``generation`` counts what was written.
    ``last_error`` ended the last sync. ``team`` is host and port of the server that it is shared on.
    """

    name: str
    folders: tuple[str, ...]
    counts: Mapping[str, int]
    chunks: int
    bytes: int
    model: str | None = None
    last_sync: str | None = None
    profile: ProfileName = "general"
    busy: bool = False
    paused: bool = False
    offline: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False
    generation: int = 0
    last_error: SyncError | None = None
    team: str | None = None
    offline_since: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be, in a library or on this machine (code and params as in errors).

    ``exit_code`` is what ``zhiye doctor`` ends with because of it, 0 where everything still works.
    ``can_repair``: RepairLibraries can put it right. ``repaired``: it was put right just now.
    """

    code: str
    library: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    exit_code: int = 0
    can_repair: bool = False
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class LibraryHealth:
    """The figures of one library; ``summary`` is None where it cannot be opened.

    ``left_over`` counts rows, terms and vectors that belong to no document.
    """

    name: str
    summary: LibrarySummary | None = None
    left_over: int = 0

"""A library that a team shares: it is put on a Milvus server on a person's word, and taken off again.

Vectors, passages and their ids go to the one server that is named, and nowhere else. While a library is
shared every answer and every sync says so, and there is no proof that nothing leaves.
"""

import logging
import secrets
from collections.abc import Iterator, Sequence

from engine import shelf
from engine.errors import TeamStoreUnreachable
from engine.events import TEAM_STORE_ON, Notice
from engine.index.library import Library
from engine.index.team_target import TEAM_STORE, TeamTarget
from engine.shelf import WriteLock

_log = logging.getLogger(__name__)


def share(library: Library, uri: str) -> str:
    """Put all vectors with their passages on a server, and write and search there from now on.

    Returns its host and port. One that was shared elsewhere is taken off there first.

    Raises:
        WrongUse: ``uri`` is not ``http[s]://host[:port]``, or holds a name and password.
        TeamPartMissing: pymilvus is not installed.
        TeamStoreUnreachable: the library is not shared; what has been sent already may be there.
        LibraryBusy, StorageFailed: nothing has changed.
    """
    # The name of a library is not its own: another machine may have one called the same.
    target = TeamTarget.parse(uri, f"zhiye_{shelf.id_of(library)}_{secrets.token_hex(4)}")
    with WriteLock(library):
        if library.team_store is not None:
            _unshare(library)
        library.set_meta(TEAM_STORE, target.to_text())
        try:
            library.store  # noqa: B018 - sends everything
        except BaseException:  # stopped by a person, too: half a library is of no use there
            _unshare(library)
            raise
        library.checkpoint()
    return target.address


def unshare(library: Library) -> bool:
    """Search in memory again. False: the server did not answer, and what was sent is still there.

    Raises:
        LibraryBusy, StorageFailed: nothing has changed.
    """
    with WriteLock(library):
        return _unshare(library)


def _unshare(library: Library) -> bool:
    is_dropped = True
    try:
        library.drop_team_copy()
    except TeamStoreUnreachable as exc:
        _log.warning("a shared library could not be taken off its server: %s", exc.params["detail"])
        is_dropped = False
    library.set_meta(TEAM_STORE, "")
    return is_dropped


def server_of(library: Library) -> str | None:
    """Host and port of the server that a library is shared on."""
    target = library.team_store
    return None if target is None else target.address


def notices(task_id: int, libraries: Sequence[Library]) -> Iterator[Notice]:
    """What must be said of those that are shared: where they are, and what keeps them from being reached."""
    for library in libraries:
        if (server := server_of(library)) is not None:
            yield Notice(task_id, TEAM_STORE_ON, {"name": library.name, "host": server})
            if (problem := library.team_problem) is not None:
                yield Notice(task_id, problem.code, problem.params)


def shared(libraries: Sequence[Library]) -> dict[str, str]:
    """Servers by the names of the libraries that are shared; no proof can say that nothing leaves."""
    found = {library.name: server_of(library) for library in libraries}
    return {name: server for name, server in found.items() if server is not None}

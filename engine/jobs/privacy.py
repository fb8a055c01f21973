"""The jobs of the privacy page."""

from collections.abc import Iterator

from engine import team
from engine.cancel import CancelToken
from engine.events import Event
from engine.privacy import clearing, last_proof, moving, places
from engine.privacy.messages import (
    ClearEverything,
    EverythingCleared,
    MoveHome,
    PrivacyCommand,
    PrivacyRead,
    ProveOffline,
    ReadPrivacy,
)
from engine.workspace import Workspace


def start(command: PrivacyCommand, workspace: Workspace, token: CancelToken) -> Iterator[Event | None]:
    """The generator that does what the command asks."""
    match command:
        case ReadPrivacy():
            return _read(command, workspace)
        case ClearEverything():
            return _clear(command, workspace)
        case MoveHome():
            return moving.move(command, workspace, token)
        case ProveOffline():
            return last_proof.run(command, workspace, token)


def _read(command: ReadPrivacy, workspace: Workspace) -> Iterator[Event | None]:
    home = workspace.home
    shared = team.shared(workspace.libraries.chosen(()))
    yield PrivacyRead(
        command.task_id, home.root, places.places(home), last_proof.read(home),
        tuple(sorted(set(shared.values()))), moving.can_move(home),
    )  # fmt: skip


def _clear(command: ClearEverything, workspace: Workspace) -> Iterator[Event | None]:
    libraries, threads = clearing.clear(workspace)
    yield EverythingCleared(command.task_id, libraries, threads)

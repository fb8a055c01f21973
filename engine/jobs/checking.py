"""The job that checks somebody's draft."""

from collections.abc import Iterator

from engine import checking
from engine.cancel import CancelToken
from engine.commands import CheckDraft
from engine.events import Event
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def check_draft(command: CheckDraft, workspace: Workspace, token: CancelToken) -> Steps:
    """Check a draft against libraries; files are not read meanwhile."""
    with workspace.quiet():
        libraries = workspace.libraries.chosen(command.libraries)
        embedder, others = workspace.question_embedders(libraries)
        yield from checking.check_draft(
            command.task_id,
            command.text,
            libraries,
            embedder=embedder,
            others=others,
            settings=workspace.settings,
            token=token,
            chosen=command.chosen or None,
        )

"""The jobs that read and check somebody's draft."""

from collections.abc import Iterator

from engine import checking
from engine.answer_events import DraftRead
from engine.cancel import CancelToken
from engine.commands import CheckDraft, ReadDraft
from engine.errors import DraftTooLarge, NotReadable
from engine.events import Event
from engine.intake.encodings import decode
from engine.workspace import Workspace

Steps = Iterator[Event | None]

LARGEST_MB = 4
"""A book has one or two; each sentence is a search of its own."""


def read_draft(command: ReadDraft) -> Steps:
    """Read a draft's file in whatever encoding it is.

    Raises:
        NotReadable: it is not there, is no file, or may not be read.
        DraftTooLarge: it is larger than ``LARGEST_MB``.
    """
    path = command.path
    try:
        if not path.is_file():  # a pipe would be waited for, for ever
            raise NotReadable(path=str(path))
        if path.stat().st_size > LARGEST_MB * 1_000_000:
            raise DraftTooLarge(path=str(path), limit_mb=LARGEST_MB)
        data = path.read_bytes()
    except OSError as exc:
        raise NotReadable(path=str(path)) from exc
    yield DraftRead(command.task_id, decode(data).text)


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

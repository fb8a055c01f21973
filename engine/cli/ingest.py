"""``zhiye ingest``: folders into a library, or all-or-nothing into the portable layout."""

import argparse
from contextlib import closing
from pathlib import Path

from engine import pipeline
from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.commands import IngestFolders
from engine.documents import FAILED
from engine.errors import EmbedderUnusable, NotReadable
from engine.events import IngestFinished
from engine.index import portable
from engine.index.library import Library
from engine.intake.scope import Scope
from engine.jobs import indexing
from engine.trace import ingest_record
from engine.workspace import Workspace

SOME_FAILED = 1


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    for folder in options.folders:
        if not folder.exists():
            raise NotReadable(path=str(folder))
    take_passwords(options.password_file, workspace)
    if options.out is not None:
        return _run_portable(options, workspace, console)
    command = IngestFolders(
        0, tuple(options.folders), options.library, options.retry_failed, profile=options.profile,
        deep=options.deep,
    )  # fmt: skip
    result = console.follow(indexing.ingest(command, workspace, CancelToken()), IngestFinished)
    return report(result, workspace, console)


def _run_portable(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Everything is read before a file of the old index is touched."""
    embedder = workspace.embedder()
    if embedder is None:
        raise workspace.embedder_error or EmbedderUnusable(path="", detail="")
    settings = workspace.settings.model_copy(
        update={"profile": options.profile or workspace.settings.profile}
    )
    with (
        closing(Library(None, dimension=embedder.dimension, threads=workspace.threads)) as library,
        workspace.readers(settings) as reader,
    ):
        library.set_meta("name", options.library or Path(options.folders[0]).absolute().name)
        steps = pipeline.ingest(
            0, library, Scope(tuple(folder.absolute() for folder in options.folders)), reader=reader,
            embedder=embedder, settings=settings, token=CancelToken(), passwords=workspace.passwords,
        )  # fmt: skip
        result = console.follow(steps, IngestFinished)
        if workspace.settings.fail_on_error and _failed(result):
            console.note(console.say("portable_kept", path=str(options.out)))
        else:
            portable.write(library, options.out, embedder.model_id, embedder.precision, settings)
    return report(result, workspace, console)


def take_passwords(file: Path | None, workspace: Workspace) -> None:
    """Keep the passwords of ``--password-file`` for this command; raises NotReadable."""
    if file is not None:
        workspace.passwords.extend(_passwords(file))


def _passwords(file: Path) -> list[str]:
    """One password a line, in UTF-8; blanks belong to it.

    Raises:
        NotReadable: the file is not there or is not UTF-8.
    """
    try:
        # Bytes: universal newlines would break a password that holds U+0085 or a form feed.
        text = file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise NotReadable(path=str(file)) from exc
    return [line for line in text.replace("\r\n", "\n").split("\n") if line]


def _failed(result: IngestFinished) -> bool:
    return any(report.state in FAILED for report in result.files)


def report(result: IngestFinished, workspace: Workspace, console: Console) -> int:
    """Print the figures of an ingest and return its exit code."""
    states = [f"  {console.say('state_' + state)}: {count}" for state, count in sorted(result.counts.items())]
    summary = console.say(
        "ingest_done", library=result.library, files=len(result.files), chunks=result.chunks,
        seconds=f"{result.seconds['total']:.1f}",
    )  # fmt: skip
    console.result(ingest_record(result, console.language), [summary, *states])
    return SOME_FAILED if workspace.settings.fail_on_error and _failed(result) else 0

"""``zhiye export NAME FILE.zhiye`` and ``zhiye import FILE.zhiye [--library NAME] [--relink FOLDER]``."""

import argparse

from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.commands import ExportLibrary, ImportLibrary
from engine.events import LibraryExported, LibraryImported
from engine.jobs import packs
from engine.workspace import Workspace

_MEGABYTE = 1e6


def run_export(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Write a library as a pack; raises as :func:`engine.jobs.packs.export_library`."""
    command = ExportLibrary(0, options.name, options.file)
    done = console.follow(packs.export_library(command, workspace, CancelToken()), LibraryExported)
    record = {
        "exported": done.library,
        "file": str(done.file),
        "bytes": done.size,
        "documents": done.documents,
        "chunks": done.chunks,
    }
    words = console.say(
        "library_exported", name=done.library, file=str(done.file), documents=done.documents,
        chunks=done.chunks, size_mb=f"{done.size / _MEGABYTE:.1f}",
    )  # fmt: skip
    console.result(record, [words])
    return 0


def run_import(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Take a pack in; raises as :func:`engine.jobs.packs.take_in`, and what an ingest raises."""
    command = ImportLibrary(0, options.file, options.library, options.relink)
    done = console.follow(packs.import_library(command, workspace, CancelToken()), LibraryImported)
    record = {
        "imported": done.library,
        "documents": done.documents,
        "chunks": done.chunks,
        "relinked": done.relinked,
        "embedded": done.embedded,
    }
    lines = [console.say("library_imported", name=done.library, documents=done.documents, chunks=done.chunks)]
    if done.relinked is not None:
        lines.append(
            console.say(
                "library_relinked", folder=str(options.relink), relinked=done.relinked, embedded=done.embedded
            )
        )
    console.result(record, lines)
    return 0

"""Running one command: settings, workspace, errors and exit codes."""

import argparse
import io
import logging
import sqlite3
import sys
from collections.abc import Callable, Sequence

from engine import config, logs, paths, seal, team
from engine.cancel import Cancelled
from engine.cli import (
    arguments,
    ask,
    backup,
    check,
    clear,
    diagnose,
    evaluate,
    ingest,
    inspect,
    libraries,
    models,
    packs,
    prove_offline,
    runs,
    search,
    settings,
    sync,
)
from engine.cli.console import Console
from engine.errors import CodedError
from engine.index.database import storage_error
from engine.privacy import moving
from engine.wording import system_language
from engine.workspace import Workspace

Command = Callable[[argparse.Namespace, Workspace, Console], int]

COMMANDS: dict[str, Command] = {
    "ingest": ingest.run,
    "inspect": inspect.run,
    "search": search.run,
    "ask": ask.run,
    "check": check.run,
    "eval": evaluate.run,
    "runs": runs.run,
    "models": models.run,
    "settings": settings.run,
    "sync": sync.run,
    "status": libraries.run_status,
    "libraries": libraries.run,
    "remove": libraries.run_remove,
    "doctor": diagnose.run,
    "prove-offline": prove_offline.run,
    "clear": clear.run,
    "export": packs.run_export,
    "import": packs.run_import,
    "backup": backup.run_backup,
    "restore": backup.run_restore,
}

INTERRUPTED = 130

_ALONE = frozenset(
    {"ingest", "sync", "search", "ask", "check", "eval", "doctor", "status", "export", "import"}
)
"""Commands that need no network at all, unless a library is shared or a chat server answers."""

_log = logging.getLogger(__name__)


def _confine(workspace: Workspace) -> None:
    """Nothing native leaves either: :func:`engine.seal.confine`, where nobody has asked for a connection."""
    libraries = [workspace.libraries.open(name) for name in workspace.libraries.names()]
    if workspace.settings.server is None and not team.shared(libraries):
        seal.confine()


def run(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Without ``argv`` the process is this command's own, and the kernel refuses it sockets where it can.
    """
    logs.ensure_streams()
    for stream in (sys.stdout, sys.stderr):
        # The output is UTF-8 whatever the locale says; scripts read it on every system.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    language = system_language()
    try:
        options = arguments.parse(argv)
    except SystemExit:  # --help has printed its text
        return 0
    except CodedError as exc:
        return Console(as_json="--json" in (sys.argv if argv is None else argv), language=language).fail(exc)
    console = Console(as_json=options.json, language=language)
    workspace = None
    try:
        given = config.load(
            options.config,
            fail_on_error=getattr(options, "fail_on_error", None),
            model=getattr(options, "model", None) if options.command in ("ask", "eval") else None,
            mode=getattr(options, "mode", None),
            ocr=False if getattr(options, "no_ocr", False) else None,
        )
        home = paths.home(options.home or given.home)
        workspace = Workspace(home, given)
        moving.remove_left_behind(home)
        logs.set_up(home, debug=options.debug)
        if argv is None and options.command in _ALONE:
            _confine(workspace)
        if (damage := workspace.settings_file.take_damage()) is not None:
            console.note(console.say(damage.code, **damage.params))
        return COMMANDS[options.command](options, workspace, console)
    except CodedError as exc:
        return console.fail(exc)
    except (KeyboardInterrupt, Cancelled):
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    except OSError as exc:
        return console.fail(storage_error(exc, ""))
    except sqlite3.DatabaseError as exc:
        return console.fail(storage_error(exc, str(home.libraries)))
    except Exception as exc:  # the border of the command: scripts get a typed error whatever happens
        _log.exception("the command failed")
        return console.fail(CodedError(detail=f"{type(exc).__name__}: {exc}"))
    finally:
        if workspace is not None:
            workspace.close()

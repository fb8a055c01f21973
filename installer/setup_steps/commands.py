"""``run`` and ``test``, and ``setup`` that only installs (continuous integration lints with it)."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from setup_steps import system
from setup_steps.asking import ask_question, ask_samples, read_folder
from setup_steps.chat_model import ChatModel, ChatModelSetup
from setup_steps.console import Console, SetupFailed
from setup_steps.packages import Packages
from setup_steps.project import Project, open_project

_ROOT = Path(__file__).resolve().parents[2]
INTERRUPTED = 130


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """The options, and what is left for ``zhiye ask`` or pytest."""
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description="知页 Zhiye: set up and run", allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="open the window, or answer a question", allow_abbrev=False)
    run.add_argument("--question", help="answer this in the terminal; further options go to `zhiye ask`")
    run.add_argument("--folder", type=Path, help="read this folder first and ask it alone")
    run.add_argument("--json", action="store_true", help="print only the answer, as JSON")
    commands.add_parser("test", help="run the tests; further options go to pytest", allow_abbrev=False)
    setup = commands.add_parser("setup", help="install only", allow_abbrev=False)
    setup.add_argument("--group", action="append", default=[], help="a dependency group of pyproject.toml")
    options, rest = parser.parse_known_args(arguments)
    if rest and (options.command == "setup" or (options.command == "run" and options.question is None)):
        parser.error(f"unknown argument: {rest[0]}")
    return options, rest


def main(arguments: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console without Chinese letters is no reason to fail
    options, rest = parse(arguments)
    project = open_project(_ROOT)
    steps = Packages.STEPS + (0 if options.command == "setup" else ChatModelSetup.STEPS)
    console = Console(project.root / "build" / "setup.log", steps)
    try:
        if options.command == "setup":
            return _setup(project, console, options.group)
        if options.command == "test":
            return _test(project, console, rest)
        return _run(project, console, options, rest)
    except SetupFailed as exc:
        console.write(exc.text)
        return 1
    except KeyboardInterrupt:
        console.say("stopped")
        return INTERRUPTED


def has_display(
    environment: "os._Environ[str] | dict[str, str]" = os.environ, platform: str = sys.platform
) -> bool:
    """Whether a window could be opened."""
    if platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _setup(project: Project, console: Console, groups: Sequence[str]) -> int:
    Packages(project, console).install(groups)
    console.say("done_setup")
    return 0


def _run(project: Project, console: Console, options: argparse.Namespace, rest: list[str]) -> int:
    in_window = options.question is None and has_display() and not options.json
    if in_window:
        system.provide_qt(console)
    packages = Packages(project, console)
    packages.install()
    extra: list[str] = list(rest)
    if "--no-model" not in rest:
        model = ChatModelSetup(project, console, packages).prepare(smallest=False)
        # A model that killed its process once would kill the program too.
        extra += [] if model.works else ["--no-model"]
    console.say("done_setup")
    if options.question is not None:
        return ask_question(project, options.question, options.folder, extra, as_json=options.json)
    if options.folder is not None:
        status = read_folder(project, options.folder)
        if status != 0 or not in_window:
            return status
    if in_window:
        console.say("opening_window")
        return _open_window(project)
    return ask_samples(project, console, extra, as_json=options.json)


def _open_window(project: Project) -> int:
    # The window tries a model in a child process of its own before it loads it.
    command = [str(project.python), "-m", "desktop.app"]
    return subprocess.run(command, cwd=project.root, check=False).returncode


def _test(project: Project, console: Console, rest: Sequence[str]) -> int:
    system.provide_qt(console)
    packages = Packages(project, console)
    packages.install(["test"])
    model = ChatModelSetup(project, console, packages).prepare(smallest=True)
    console.say("running_tests")
    # A folder of its own: pytest's shared one is tidied by every run at once, and it would stay behind.
    temporary = tempfile.TemporaryDirectory(prefix="zhiye-tests-", ignore_cleanup_errors=True)
    with system.display(console) as display, temporary as folder:
        return subprocess.run(
            pytest_command(project, Path(folder), rest),
            cwd=project.root,
            env=environment_for_tests(model, display),
            stdin=subprocess.DEVNULL,
            check=False,
        ).returncode


def pytest_command(project: Project, temporary: Path, rest: Sequence[str]) -> list[str]:
    """The heavy quality and soak runs, and the packages, have commands of their own."""
    options = ["-m", "not quality and not soak and not package", f"--basetemp={temporary / 'pytest'}"]
    return [str(project.python), "-m", "pytest", *options, *rest]


def environment_for_tests(model: ChatModel, display: dict[str, str]) -> dict[str, str]:
    """Tests move ZHIYE_HOME about; the models stay where they were fetched to."""
    return {
        "QT_QPA_PLATFORM": "offscreen",
        **os.environ,
        **display,
        "ZHIYE_MODELS": str(model.folder),
    }

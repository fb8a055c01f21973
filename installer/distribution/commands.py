"""The commands of ``build.py``: what each one makes, and in which environment."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from setup_steps.console import Console, SetupFailed
from setup_steps.packages import Packages
from setup_steps.project import open_project

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
_INSIDE = "ZHIYE_BUILD_INSIDE"

_HELP = {
    "freeze": "the folder with the executable that all packages are made of",
    "deb": "a package for Debian, Ubuntu and their kin",
    "archive": "a .tar.gz with install.sh for other distributions",
    "bundle": "the package of this system with the chat model beside it, for machines without network",
    "windows": "an installer for Windows (on Windows, with Inno Setup)",
    "macos": "Zhiye.app in a disk image (on macOS)",
    "check": "let the frozen program check itself",
}


def main(arguments: Sequence[str]) -> int:
    """Build; returns the exit status."""
    options = _parse(arguments)
    project = open_project(ROOT)
    if os.environ.get(_INSIDE) != "1":
        try:
            Packages(project, Console(ROOT / "build" / "setup.log", Packages.STEPS)).install(("build",))
        except SetupFailed as exc:
            print(exc.text, file=sys.stderr)
            return 1
        # From here on in the environment that was just set up, whose libraries go into the package.
        command = [str(project.python), str(ROOT / "installer" / "build.py"), *arguments]
        return subprocess.run(command, env=os.environ | {_INSIDE: "1"}, check=False).returncode
    return _build(options)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py", description="知页 Zhiye: build packages")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in _HELP.items():
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("--again", action="store_true", help="freeze anew even if nothing changed")
        if name == "bundle":
            command.add_argument("--models", type=Path, help="models folder; default: the program's own")
    return parser.parse_args(arguments)


def _build(options: argparse.Namespace) -> int:
    from distribution import archive, bundle, deb, desktops, freeze

    frozen = freeze.frozen_folder(ROOT, again=options.again)
    made: Path | None = None
    if options.command == "check":
        return freeze.check(frozen)
    if options.command == "deb":
        made = deb.build(frozen, DIST)
    elif options.command == "archive":
        made = archive.build(frozen, DIST)
    elif options.command == "bundle":
        made = bundle.build(frozen, DIST, options.models)
    elif options.command == "windows":
        made = desktops.build_windows(frozen, DIST)
    elif options.command == "macos":
        made = desktops.build_macos(frozen, DIST)
    print(made or frozen)
    return 0

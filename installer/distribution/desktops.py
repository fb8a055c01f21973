"""Installers that only their own system can make: Inno Setup on Windows, a disk image on macOS."""

import shutil
import subprocess
import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_HERE = Path(__file__).parent


class ToolMissing(Exception):
    """The program that makes this kind of installer is not on this machine."""


def build_windows(frozen: Path, dist: Path) -> Path:
    """``zhiye-<version>-setup.exe``; needs Inno Setup's ISCC on the path. Raises ToolMissing."""
    compiler = shutil.which("ISCC")
    if compiler is None:
        raise ToolMissing("Inno Setup's ISCC is not on the path")
    dist.mkdir(parents=True, exist_ok=True)
    defines = {"Version": _version(), "Frozen": frozen, "Output": dist, "Icons": _ROOT / "build" / "icons"}
    options = [f"/D{name}={value}" for name, value in defines.items()]
    subprocess.run([compiler, "/Qp", *options, str(_HERE / "windows" / "zhiye.iss")], check=True)
    return dist / f"zhiye-{_version()}-setup.exe"


def build_macos(frozen: Path, dist: Path) -> Path:
    """``zhiye-<version>.dmg`` with Zhiye.app and a link to /Applications. Raises ToolMissing."""
    tool = shutil.which("hdiutil")
    if tool is None:
        raise ToolMissing("hdiutil is not on the path: a disk image is made on macOS")
    stage = _ROOT / "build" / "dmg"
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    shutil.copytree(frozen.parent / "Zhiye.app", stage / "Zhiye.app", symlinks=True)
    (stage / "Applications").symlink_to("/Applications")
    dist.mkdir(parents=True, exist_ok=True)
    image = dist / f"zhiye-{_version()}.dmg"
    subprocess.run(
        [tool, "create", "-volname", "Zhiye", "-srcfolder", str(stage), "-ov", "-format", "UDZO", str(image)],
        check=True,
    )
    return image


def _version() -> str:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])

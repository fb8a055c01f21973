"""A .tar.gz with its own installation script, for distributions without .deb."""

import platform
import shutil
import tarfile
import tomllib
from pathlib import Path

from distribution import linux_files

_ROOT = Path(__file__).parents[2]
_SCRIPT = Path(__file__).parent / "linux" / "install.sh"


def build(frozen: Path, dist: Path) -> Path:
    """``zhiye-<version>-linux-<machine>.tar.gz`` in ``dist``."""
    version = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    name = f"zhiye-{version}-linux-{platform.machine()}"
    desktop = _ROOT / "build" / "archive"
    shutil.rmtree(desktop, ignore_errors=True)
    linux_files.write(desktop)
    dist.mkdir(parents=True, exist_ok=True)
    target = dist / f"{name}.tar.gz"
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        archive.add(frozen, f"{name}/zhiye", filter=_of_root)
        archive.add(desktop / "share", f"{name}/share", filter=_of_root)
        archive.add(_SCRIPT, f"{name}/install.sh", filter=_of_root)
    shutil.rmtree(desktop)
    return target


def _of_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry

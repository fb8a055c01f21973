"""The package for Debian, Ubuntu and their kin."""

import gzip
import os
import platform
import shutil
import subprocess
import tomllib
from pathlib import Path

from distribution import linux_files

_ROOT = Path(__file__).parents[2]
_LINUX = Path(__file__).parent / "linux"
_CHINESE_FONTS = "fonts-noto-cjk | fonts-wqy-microhei | fonts-wqy-zenhei | fonts-droid-fallback"
# What Qt loads from the system: drivers, keyboard, X. Alternatives: renamed by Debian 13 and Ubuntu 24.04.
_DEPENDS = (
    "libc6 (>= {glibc})", "libgl1", "libegl1", "libfontconfig1", "libglib2.0-0 | libglib2.0-0t64",
    "libdbus-1-3", "libxkbcommon0", "libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4",
    "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0", "libxcb-render-util0", "libxcb-shape0",
    "libxcb-xinerama0", "libxcb-xkb1", _CHINESE_FONTS,
)  # fmt: skip
_COMPRESSION = ("-Zxz", "-z2")
"""Older relatives of Debian cannot unpack zstd; above level 2 xz takes minutes for a few percent."""


def build(frozen: Path, dist: Path) -> Path:
    """``zhiye_<version>_<architecture>.deb`` in ``dist``; needs dpkg-deb."""
    version = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
    tree = _ROOT / "build" / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    _lay_out(frozen, tree)
    _control(tree, version, architecture)
    dist.mkdir(parents=True, exist_ok=True)
    package = dist / f"zhiye_{version}_{architecture}.deb"
    command = ["dpkg-deb", "--root-owner-group", *_COMPRESSION, "--build", str(tree), str(package)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return package


def _lay_out(frozen: Path, tree: Path) -> None:
    (tree / "opt").mkdir(parents=True)
    # Links to the frozen folder's files cost no room while the package is made.
    shutil.copytree(frozen, tree / "opt" / "zhiye", symlinks=True, copy_function=os.link)
    programs = tree / "usr" / "bin"
    programs.mkdir(parents=True)
    (programs / "zhiye").symlink_to("/opt/zhiye/zhiye")
    shutil.copy(_LINUX / "zhiye-gui", programs / "zhiye-gui")
    (programs / "zhiye-gui").chmod(0o755)
    linux_files.write(tree / "usr")
    papers = tree / "usr" / "share" / "doc" / "zhiye"
    papers.mkdir(parents=True)
    shutil.copy(_LINUX / "copyright", papers / "copyright")
    (papers / "changelog.gz").write_bytes(gzip.compress((_ROOT / "CHANGELOG.md").read_bytes(), mtime=0))


def _control(tree: Path, version: str, architecture: str) -> None:
    size = sum(path.lstat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    depends = ", ".join(_DEPENDS).format(glibc=platform.libc_ver()[1])
    control = tree / "DEBIAN" / "control"
    control.parent.mkdir()
    text = (_LINUX / "control").read_text(encoding="utf-8").format(
        version=version, architecture=architecture, size=size // 1024, depends=depends
    )  # fmt: skip
    control.write_text(text, encoding="utf-8")

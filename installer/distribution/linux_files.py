"""What a Linux desktop needs beside the program: menu entry, icons, file type, description."""

import shutil
from pathlib import Path

from distribution.pictures import SIZES

_LINUX = Path(__file__).parent / "linux"
ICONS = Path(__file__).parents[2] / "build" / "icons"
_SVG = Path(__file__).parents[2] / "resources" / "icons" / "zhiye.svg"


def write(prefix: Path) -> None:
    """Into ``prefix`` (``…/usr``): ``share/applications``, ``icons``, ``mime`` and ``metainfo``."""
    share = prefix / "share"
    for source, place in (
        ("zhiye.desktop", "applications"),
        ("zhiye.xml", "mime/packages"),
        ("zhiye.metainfo.xml", "metainfo"),
    ):
        (share / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(_LINUX / source, share / place / source)
    for size in SIZES:
        place = share / "icons" / "hicolor" / f"{size}x{size}" / "apps" / "zhiye.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ICONS / f"{size}.png", place)
    scalable = share / "icons" / "hicolor" / "scalable" / "apps" / "zhiye.svg"
    scalable.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(_SVG, scalable)

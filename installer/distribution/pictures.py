"""The program's icon in the formats of the desktops, drawn from the one SVG."""

import io
from pathlib import Path

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
"""Edge lengths in pixels of the freedesktop icon theme."""


def draw(svg: Path, folder: Path) -> None:
    """Write ``<size>.png`` for each of :data:`SIZES`, ``zhiye.ico`` and ``zhiye.icns`` into ``folder``."""
    from PIL import Image
    from PySide6.QtCore import QBuffer, QIODevice, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    folder.mkdir(parents=True, exist_ok=True)
    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise ValueError(f"{svg} is not an SVG that Qt can draw")
    largest = b""
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")
        largest = bytes(buffer.data().data())
        (folder / f"{size}.png").write_bytes(largest)
    with Image.open(io.BytesIO(largest)) as image_512:
        image_512.save(folder / "zhiye.ico", sizes=[(size, size) for size in SIZES if size <= 256])
        image_512.save(folder / "zhiye.icns")

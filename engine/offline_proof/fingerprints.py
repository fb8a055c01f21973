"""What was proved, so that it can be told from anything else: versions, and hashes of program and models."""

import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.version import program_version

FOLDERS = ("desktop", "engine", "models", "resources")
LIBRARIES = (
    "torch", "faiss-cpu", "llama-cpp-python", "onnxruntime", "PyMuPDF", "PySide6-Essentials",
    "PySide6-Addons", "sentence-transformers", "transformers", "tokenizers", "rapidocr", "lxml",
    "beautifulsoup4", "openpyxl", "olefile", "msoffcrypto-tool", "markdown-it-py", "numpy", "pydantic",
)  # fmt: skip
"""What has native code or reads documents."""

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class FolderHash:
    """``sha256`` is that of the list which ``sha256sum`` prints of all ``files``, sorted by their bytes."""

    folder: str
    files: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FileHash:
    """``size`` in bytes."""

    name: str
    size: int
    sha256: str


def versions() -> list[tuple[str, str]]:
    """The program, Python, the system, and those of :data:`LIBRARIES` that are installed."""
    found = [
        ("zhiye", program_version()),
        ("Python", platform.python_version()),
        (platform.system(), f"{platform.release()} {platform.machine()}"),
    ]
    for name in LIBRARIES:
        try:
            found.append((name, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def program() -> list[FolderHash]:
    """The program's own folders that are installed here, without compiled copies and model weights."""
    return [_folder(name) for name in FOLDERS if (_ROOT / name).is_dir()]


def _folder(name: str) -> FolderHash:
    paths = sorted(
        path.relative_to(_ROOT).as_posix()
        for path in (_ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and "bge-small-zh-v1.5" not in path.parts
    )
    paths.sort(key=lambda path: path.encode("utf-8", "surrogateescape"))
    listing = hashlib.sha256()
    for path in paths:
        line = f"{_sha256(_ROOT / path)}  {path}\n"
        listing.update(line.encode("utf-8", "surrogateescape"))
    return FolderHash(name, len(paths), listing.hexdigest())


def files(paths: Iterable[str]) -> list[FileHash]:
    """Files of models; those that have gone meanwhile are left out."""
    found = []
    for path in map(Path, paths):
        # The store's own marks say when it last looked.
        if path.is_file() and not path.name.endswith(".verified.json"):
            found.append(FileHash(path.name, path.stat().st_size, _sha256(path)))
    return found


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

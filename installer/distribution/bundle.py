"""Everything for a machine without network, in one folder: package, chat model, checksums, how to install."""

import hashlib
import os
import platform
import shutil
import sys
import tomllib
from pathlib import Path

from distribution import archive, deb

_ROOT = Path(__file__).parents[2]
_LINUX = Path(__file__).parent / "linux"
SUMS = "SHA256SUMS"


class NothingToBundle(Exception):
    """There is no verified chat model in the models folder."""


def build(frozen: Path, dist: Path, models: Path | None) -> Path:
    """``zhiye-<version>-offline-…`` in ``dist`` with every verified chat model of the ``models`` folder.

    Raises NothingToBundle.
    """
    version = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    folder = dist / f"zhiye-{version}-offline-{sys.platform}-{platform.machine()}"
    chat_models = verified_chat_models(models)
    if not chat_models:
        raise NothingToBundle(
            "no verified chat model; add one with `zhiye models add FILE`, or give --models"
        )
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "models").mkdir(parents=True)
    for model in chat_models:
        _place(model, folder / "models" / model.name)
    if shutil.which("dpkg-deb"):
        _place(deb.build(frozen, dist), folder)
    _place(archive.build(frozen, dist), folder)
    for name in ("install-offline.sh", "README.txt"):
        shutil.copy(_LINUX / name, folder / name)
    write_sums(folder)
    return folder


def verified_chat_models(models: Path | None) -> list[Path]:
    """GGUF files of the catalogue that are in the models folder, complete, with the right hash."""
    from engine import paths
    from models.store import ModelStore

    store = ModelStore(models or paths.home().models)
    return [Path(model.path) for model in store.installed() if model.role == "chat" and model.verified]


def write_sums(folder: Path) -> None:
    """``SHA256SUMS`` of all other files, as sha256sum reads them."""
    lines = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS):
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        lines.append(f"{digest}  {file.relative_to(folder).as_posix()}")
    (folder / SUMS).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _place(file: Path, target: Path) -> None:
    target = target / file.name if target.is_dir() else target
    try:
        os.link(file, target)  # no second gigabyte where the disk is the same
    except OSError:
        shutil.copy(file, target)

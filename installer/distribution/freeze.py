"""The frozen folder: PyInstaller's, made smaller, with the licences of all that is in it."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from distribution import components, pictures

_HERE = Path(__file__).parent
_STRIPPED = ("libtorch_cpu.so", "libtorch_python.so", "libpython3", "tokenizers.", "hf_xet.")
"""Libraries whose tables of local symbols take room (90 MB in libtorch_cpu.so alone) and are of no use."""


def frozen_folder(root: Path, again: bool = False) -> Path:
    """Freeze the program at ``root`` unless that was done already with the same sources; the folder."""
    target, mark = root / "build" / "frozen" / "zhiye", root / "build" / "frozen" / "sources"
    fingerprint = _fingerprint(root)
    if not again and mark.exists() and mark.read_text(encoding="utf-8") == fingerprint:
        return target
    mark.unlink(missing_ok=True)
    pictures.draw(root / "resources" / "icons" / "zhiye.svg", root / "build" / "icons")
    work = root / "build" / "freezing"
    subprocess.run(
        [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN",
         "--distpath", str(target.parent), "--workpath", str(work), str(_HERE / "zhiye.spec")],
        env=os.environ | {"PYTHONHASHSEED": "1"}, check=True,
    )  # fmt: skip
    if sys.platform == "linux":
        strip(target)
    components.write(components.shipped(work / "zhiye"), target, root)
    mark.write_text(fingerprint, encoding="utf-8")
    return target


def strip(folder: Path) -> None:
    """Take the symbol tables that only a debugger reads out of the largest libraries."""
    tool = shutil.which("strip")
    if tool is None:
        return
    for library in folder.rglob("*.so*"):
        if library.name.startswith(_STRIPPED) and not library.is_symlink():
            subprocess.run([tool, "--strip-unneeded", str(library)], check=True)


def check(folder: Path) -> int:
    """Let the frozen program check itself; its exit status."""
    executable = folder / ("zhiye.exe" if sys.platform == "win32" else "zhiye")
    return subprocess.run([str(executable), "--self-check"], check=False).returncode


def _fingerprint(root: Path) -> str:
    """Of all that goes into the folder: the sources, and the environment's packages by their names."""
    digest = hashlib.sha256(sys.version.encode())
    packages = Path(sys.prefix).glob("lib*/python*/site-packages/*.dist-info")
    for name in sorted(path.name for path in packages):
        digest.update(name.encode())
    for room in ("desktop", "engine", "models", "resources", "installer/distribution"):
        for file in sorted((root / room).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(root)).encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()

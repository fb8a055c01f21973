"""The frozen folder: PyInstaller's, made smaller, with the licences of all that is in it."""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from distribution import components, pictures

_HERE = Path(__file__).parent
_WORTH_IT = 300_000
"""Bytes below which a library is left as it is."""

_LOADABLE = 1
"""PT_LOAD, in the program headers of ELF files (64 bit, little endian; ``elf(5)``)."""


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
        link_twins(target)
    components.write(components.shipped(work / "zhiye"), target, root)
    mark.write_text(fingerprint, encoding="utf-8")
    return target


def strip(folder: Path) -> None:
    """Take out symbol tables that only a debugger reads: 90 MB in libtorch_cpu.so, 25 MB in the others.

    A library that was changed after it was linked, as those in wheels are, may come out so that it cannot be
    loaded any longer; it stays as it was.
    """
    tool = shutil.which("strip")
    if tool is None:
        return
    for library in folder.rglob("*.so*"):
        if library.is_symlink() or library.stat().st_size < _WORTH_IT:
            continue
        smaller = library.with_name(f"{library.name}.stripped")
        subprocess.run([tool, "--strip-unneeded", "-o", str(smaller), str(library)], check=True)
        if can_be_mapped(smaller):
            shutil.copymode(library, smaller)
            smaller.replace(library)
        else:
            smaller.unlink()


def can_be_mapped(library: Path) -> bool:
    """Whether address and place of each loadable segment of an ELF file agree within its alignment."""
    content = library.read_bytes()
    start, size, count = (*struct.unpack_from("<Q", content, 32), *struct.unpack_from("<HH", content, 54))
    for at in range(start, start + size * count, size):
        kind, _, offset, address, _, _, _, alignment = struct.unpack_from("<IIQQQQQQ", content, at)
        if kind == _LOADABLE and (address - offset) % alignment:
            return False
    return True


def link_twins(folder: Path) -> None:
    """Make links again of what was a link to a library beside it: libllama.so, libllama.so.0."""
    first: dict[tuple[Path, str, int], Path] = {}
    for library in sorted(folder.rglob("*.so*"), key=lambda path: -len(path.name)):
        if library.is_symlink():
            continue
        stem = library.name.partition(".so")[0]
        kept = first.setdefault((library.parent, stem, library.stat().st_size), library)
        if kept is not library and kept.read_bytes() == library.read_bytes():
            library.unlink()
            library.symlink_to(kept.name)


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

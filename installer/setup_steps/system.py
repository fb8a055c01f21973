"""What the operating system must bring: a compiler, the libraries of Qt, a Chinese font, a display.

On Debian and its kin the packages are installed when the user is root; otherwise the exact line is
printed. Nothing here is fatal: a window that lacks a library says so itself.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from setup_steps.console import Console
from setup_steps.wording import words

# Libraries that Qt's wheels expect from the system, and the Debian packages that hold them.
_QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
_X86_FEATURES = ("avx", "avx2", "fma", "f16c", "bmi2")


def apt_line(packages: Sequence[str]) -> str:
    """The command that a user without root rights is asked to run."""
    return f"sudo apt-get install -y {' '.join(packages)}"


def can_apt() -> bool:
    return sys.platform == "linux" and shutil.which("apt-get") is not None


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def provide(what: str, packages: Sequence[str], console: Console) -> bool:
    """Install Debian packages, or say what to install; True when they were installed."""
    if not can_apt():
        console.say("system_missing", what=words(what))
        return False
    if is_root():
        console.say("apt_installing", packages=" ".join(packages))
        # An old list of packages often does for the install: a failed update alone is no failure.
        _apt_get("update", "-q")
        if _apt_get("install", "-y", "--no-install-recommends", *packages):
            return True
    console.say("apt_line", what=words(what), command=apt_line(packages))
    return False


def _apt_get(*arguments: str) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    result = subprocess.run(
        ["apt-get", *arguments], stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment, check=False
    )
    return result.returncode == 0


def missing_qt_packages(load: Callable[[str], object] = ctypes.CDLL) -> list[str]:
    """The Debian packages of the libraries that cannot be loaded."""
    missing = []
    for library, package in _QT_LIBRARIES.items():
        try:
            load(library)
        except OSError:
            missing.append(package)
    return missing


def provide_qt(console: Console) -> None:
    """Libraries and a font for windows; only Linux needs them from us."""
    if sys.platform != "linux":
        return
    if packages := missing_qt_packages():
        provide("what_qt", packages, console)
    if not has_chinese_font():
        provide("what_font", ["fontconfig", "fonts-noto-cjk"], console)


def has_chinese_font() -> bool:
    if not (tool := shutil.which("fc-list")):
        return False
    result = subprocess.run([tool, ":lang=zh", "family"], capture_output=True, check=False)
    return bool(result.stdout.strip())


def has_compiler() -> bool:
    if sys.platform == "win32":
        studio = (
            Path(os.environ.get("PROGRAMFILES(X86)", "")) / "Microsoft Visual Studio/Installer/vswhere.exe"
        )
        return shutil.which("cl") is not None or studio.is_file()
    if sys.platform == "darwin":
        return subprocess.run(["xcode-select", "-p"], capture_output=True, check=False).returncode == 0
    c = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    cxx = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), None)
    return c is not None and cxx is not None


def compiler_advice() -> str:
    if sys.platform == "win32":
        return "winget install Microsoft.VisualStudio.2022.BuildTools"
    if sys.platform == "darwin":
        return "xcode-select --install"
    return apt_line(["build-essential"]) if can_apt() else "gcc g++ make"


def cpu_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """The instructions that the system lists for the processor; none where it lists none."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return frozenset()
    line = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(line.partition(":")[2].split())


def missing_cpu_features(cpuinfo: Path = Path("/proc/cpuinfo")) -> list[str]:
    """Which of the instructions in our x86-64 build this processor lacks; empty where unknown."""
    flags = cpu_flags(cpuinfo)
    return [feature for feature in _X86_FEATURES if flags and feature not in flags]


@contextlib.contextmanager
def display(console: Console) -> Iterator[dict[str, str]]:
    """Environment variables that name a display: this session's, else that of an Xvfb of our own."""
    if sys.platform != "linux" or os.environ.get("DISPLAY"):
        yield {}
        return
    program = shutil.which("Xvfb")
    if program is None and provide("what_xvfb", ["xvfb"], console):
        program = shutil.which("Xvfb")
    if program is None:
        yield {}
        return
    read_end, write_end = os.pipe()
    # The server picks a free number itself and writes it down once it takes connections.
    command = [program, "-displayfd", str(write_end), "-screen", "0", "1440x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        command, pass_fds=[write_end], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end) as numbers:
            number = numbers.readline().strip()
        yield {"DISPLAY": f":{number}"} if number else {}
    finally:
        server.terminate()
        server.wait()

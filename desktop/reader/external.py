"""Opens a document in the system's own viewer, at a page where that viewer can be told one.

How each takes a page: evince, atril and xreader ``--page-index``, okular ``-p``, zathura ``-P``, qpdfview
``#N`` (their manual pages); SumatraPDF ``-page``, Acrobat ``/A page=`` (their command line references);
Edge ``#page=`` (RFC 8118).
"""

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

Finder = Callable[[str], str | None]

_LINUX = ("evince", "papers", "okular", "atril", "xreader", "zathura", "qpdfview")
_WINDOWS = ("SumatraPDF.exe", "Acrobat.exe", "AcroRd32.exe", "msedge.exe")
_APP_PATHS = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths"


def open_document(path: Path, page: int | None) -> bool:
    """Open ``path``, a PDF at ``page`` (from 1) where a viewer takes one; False: nothing opened."""
    command = viewer_command(path, page) if page is not None else None
    if command is not None:
        started, _ = QProcess.startDetached(command[0], command[1:])
        if started:
            return True
    # An URL made of the plain path: # and % belong to the name.
    return bool(QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))


def viewer_command(
    path: Path, page: int, *, platform: str = sys.platform, find: Finder | None = None
) -> list[str] | None:
    """Program and arguments that open a PDF at ``page``; None where no such viewer is installed."""
    names = {"linux": _LINUX, "win32": _WINDOWS}.get(platform, ())
    finder = find or (_installed if platform == "win32" else shutil.which)
    for name in names:
        program = finder(name)
        if program is not None:
            return [program, *_arguments(name, str(path), page)]
    return None


def _arguments(viewer: str, path: str, page: int) -> list[str]:
    forms: Mapping[str, list[str]] = {
        "okular": ["-p", str(page), path],
        "zathura": ["-P", str(page), path],
        "qpdfview": [f"{path}#{page}"],
        "SumatraPDF.exe": ["-page", str(page), path],
        "Acrobat.exe": ["/A", f"page={page}", path],
        "AcroRd32.exe": ["/A", f"page={page}", path],
    }
    if viewer == "msedge.exe":
        address = QUrl.fromLocalFile(path)
        address.setFragment(f"page={page}")
        return [address.toString(QUrl.ComponentFormattingOption.FullyEncoded)]
    return forms.get(viewer, [f"--page-index={page}", path])


def _installed(name: str) -> str | None:
    """A program of Windows: on the path, or as its installer has registered it."""
    if sys.platform == "win32":
        import winreg

        for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
            try:
                return str(winreg.QueryValue(root, rf"{_APP_PATHS}\{name}")).strip('"')
            except OSError:
                continue
    return shutil.which(name)

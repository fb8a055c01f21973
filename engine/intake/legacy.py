"""Documents of old Office programs, converted by LibreOffice where it is installed."""

import contextlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from engine.documents import FileState, Reason
from engine.intake import scratch
from engine.intake.loaders import LoadFailed, Source

log = logging.getLogger(__name__)

_FORMATS = {
    ".doc": ".docx", ".dot": ".docx", ".wps": ".docx",
    ".xls": ".xlsx", ".et": ".xlsx",
    ".ppt": ".pptx", ".pps": ".pptx", ".dps": ".pptx",
}  # fmt: skip
SUFFIXES = frozenset(_FORMATS)

_STREAMS = {
    "WordDocument": ".doc",
    "Workbook": ".xls",
    "Book": ".xls",
    "PowerPoint Document": ".ppt",
    "PP40": ".ppt",
}
_FILTERS = {
    ".docx": "docx:MS Word 2007 XML",
    ".xlsx": "xlsx:Calc MS Excel 2007 XML",
    ".pptx": "pptx:Impress MS PowerPoint 2007 XML",
}
LIMIT_S = 90.0
"""Less than the silence that a loader is allowed, so that it is LibreOffice that ends and not the loader."""

_POLL_S = 0.25
_PREFIX = "zhiye-office-"
_SETTINGS = {
    "Office.Common/Security/Scripting": {
        "MacroSecurityLevel": "3",
        "DisableMacrosExecution": "true",
        "BlockUntrustedRefererLinks": "true",
    },
    "Office.Writer/Content/Update": {"Link": "0"},
    "Office.Calc/Content/Update": {"Link": "2"},
    "Inet/Settings": {
        "ooInetProxyType": "2",
        "ooInetHTTPProxyName": "127.0.0.1",
        "ooInetHTTPProxyPort": "9",
        "ooInetHTTPSProxyName": "127.0.0.1",
        "ooInetHTTPSProxyPort": "9",
        "ooInetNoProxy": "",
    },
}
"""No macros, no links that are followed, and a proxy that nobody answers at."""


def convert(source: Source) -> bytes:
    """The bytes of the same document in today's format.

    Raises:
        LoadFailed: LibreOffice is not there, cannot convert it, or takes too long; or the container is
            damaged or holds no document.
        OSError: the file cannot be read.
    """
    suffix = source.path.suffix.lower()
    old = _kind(source, suffix)
    program = find_program()
    if program is None:
        raise LoadFailed(FileState.UNSUPPORTED, Reason("old_office", {"suffix": suffix}))
    data = source.bytes()
    # What was decrypted stays in memory where the system has a folder there.
    place = scratch.memory_folder() if source.content is not None else None
    try:
        with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=place, ignore_cleanup_errors=True) as name:
            folder = Path(name)
            original = folder / f"document{old}"
            original.write_bytes(data)
            new = _FORMATS[old]
            _run(_command(program, folder, original, new), folder)
            result = folder / "out" / f"document{new}"
            converted = result.read_bytes() if result.is_file() else b""
    except OSError as exc:
        log.warning("LibreOffice could not be used: %s", type(exc).__name__)
        raise _failed(suffix) from exc
    if not converted.startswith(b"PK"):  # all of today's formats are archives
        raise _failed(suffix)
    return converted


def find_program() -> Path | None:
    """LibreOffice: on the search path, or where its installers put it."""
    for name in ("soffice", "libreoffice"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    return next((path for path in _usual_places() if path.is_file()), None)


def _usual_places() -> Iterator[Path]:
    if sys.platform == "win32":
        for variable in ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)", "LocalAppData"):
            folder = os.environ.get(variable)
            if folder:
                # The .com waits until the work is done; the .exe may return at once.
                yield Path(folder) / "LibreOffice" / "program" / "soffice.com"
                yield Path(folder) / "Programs" / "LibreOffice" / "program" / "soffice.com"
    elif sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield folder / "LibreOffice.app" / "Contents" / "MacOS" / "soffice"
    else:
        yield from sorted(Path("/opt").glob("libreoffice*/program/soffice"), reverse=True)
        yield Path("/usr/lib/libreoffice/program/soffice")
        yield Path("/snap/bin/libreoffice")


def _kind(source: Source, suffix: str) -> str:
    """The suffix of the document's real kind: its streams tell, whatever the file is called."""
    import olefile

    with source.open() as stream:
        try:
            with olefile.OleFileIO(stream) as container:
                for name, kind in _STREAMS.items():
                    if container.exists(name):
                        return kind
        except (olefile.OleFileError, ValueError, LookupError, TypeError) as exc:
            raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "Office"})) from exc
    if suffix in _FORMATS:
        return suffix
    raise LoadFailed(FileState.UNSUPPORTED, Reason("unsupported_type", {"suffix": suffix or "—"}))


def _command(program: Path, folder: Path, original: Path, new: str) -> list[str]:
    profile = folder / "profile"
    settings = profile / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True)
    settings.write_text(_profile(), encoding="utf-8")
    return [
        str(program),
        # A profile of its own: LibreOffice hands its work to the window that a person may have open.
        f"-env:UserInstallation={profile.as_uri()}",
        "--headless", "--invisible", "--norestore", "--nolockcheck", "--nodefault", "--nofirststartwizard",
        "--convert-to", _FILTERS[new], "--outdir", str(folder / "out"), str(original),
    ]  # fmt: skip


def _profile() -> str:
    items = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>"
        for path, properties in _SETTINGS.items()
        for name, value in properties.items()
    )
    root = '<oor:items xmlns:oor="http://openoffice.org/2001/registry">'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}{items}</oor:items>\n'


def _run(command: list[str], folder: Path) -> None:
    """Run LibreOffice to its end; on a timeout it is killed with all that it started.

    Raises:
        LoadFailed: it took more than ``LIMIT_S``.
        OSError: it could not be started.
    """
    nowhere = "http://127.0.0.1:9"
    environment = os.environ | {
        "http_proxy": nowhere, "https_proxy": nowhere, "HTTP_PROXY": nowhere, "HTTPS_PROXY": nowhere,
        "all_proxy": nowhere, "no_proxy": "", "NO_PROXY": "", "SAL_USE_VCLPLUGIN": "svp",
        "TMPDIR": str(folder), "TMP": str(folder), "TEMP": str(folder), "XDG_CACHE_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
    }  # fmt: skip
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, creationflags=hidden,
    )  # fmt: skip
    try:
        waited = 0.0
        # Counted, not read from a clock: this process may be paused while a question is answered.
        while waited < LIMIT_S:
            try:
                process.wait(_POLL_S)
                return
            except subprocess.TimeoutExpired:
                waited += _POLL_S
        raise LoadFailed(FileState.OVER_BUDGET, Reason("too_slow", {"seconds": round(LIMIT_S)}))
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill LibreOffice and its children; harmless when they have ended."""
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()
    if sys.platform != "win32":
        # Also those whose parent has ended: they are in the group that was started here.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _failed(suffix: str) -> LoadFailed:
    return LoadFailed(FileState.DAMAGED, Reason("conversion_failed", {"suffix": suffix}))

import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import docx
import psutil
import pytest

from engine.documents import Page
from engine.intake import legacy, scratch
from engine.intake.loaders import LoadFailed, Source, load
from tests.intake.ole import ole

REAL = shutil.which("soffice") or shutil.which("libreoffice")
OLD = ole({"WordDocument": bytes(600)})

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the double is a shell script")


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No LibreOffice of this machine, and a temporary folder that can be looked into."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(scratch, "_memory", None)
    monkeypatch.setattr(legacy, "_usual_places", lambda: iter(()))


def soffice(tmp_path: Path, script: str) -> None:
    """A double that runs ``script`` with ``$to``, ``$out`` and ``$in`` taken from its arguments."""
    program = tmp_path / "bin" / "soffice"
    program.write_text(
        "#!/bin/sh\nPATH=/usr/bin:/bin\n"
        f'echo "$@" > "{tmp_path}/arguments"\nenv > "{tmp_path}/environment"\n'
        'while [ $# -gt 1 ]; do case "$1" in --convert-to) to=${2%%:*}; shift;; --outdir) out=$2; shift;; '
        '-env:UserInstallation=*) profile=${1#*file://};; esac; shift; done; in=$1; mkdir -p "$out"\n'
        + script,
        encoding="utf-8",
    )
    program.chmod(0o755)


def old(tmp_path: Path, name: str = "旧 通知.doc", data: bytes = OLD) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def failure(path: Path) -> tuple[str, str]:
    with pytest.raises(LoadFailed) as caught:
        list(load(path))
    return caught.value.state.value, caught.value.reason.code


def left(tmp_path: Path) -> list[str]:
    return [entry.name for entry in (tmp_path / "tmp").iterdir()]


def test_without_libreoffice_the_format_is_not_read(tmp_path: Path) -> None:
    for name in ("a.doc", "a.xls", "a.ppt", "a.wps", "a.et", "a.dps", "改名.docx"):
        assert failure(old(tmp_path, name)) == ("unsupported", "old_office"), name
    assert failure(old(tmp_path, "b.doc", OLD[:400])) == ("damaged", "damaged")
    assert failure(old(tmp_path, "c.txt", ole({"Other": b"x"}))) == ("unsupported", "unsupported_type")


def test_a_document_is_converted_and_read(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_paragraph("放假安排见附件。")
    made.save(str(tmp_path / "new.docx"))
    soffice(
        tmp_path, f'cp "{tmp_path}/new.docx" "$out/document.$to"; cp "$profile/user/"* "{tmp_path}/settings"'
    )
    path = old(tmp_path)
    before = path.read_bytes()
    document, page = load(path)
    assert isinstance(page, Page)
    assert page.text == "放假安排见附件。\n"
    assert document.title == "旧 通知"  # type: ignore[union-attr]
    assert path.read_bytes() == before
    assert left(tmp_path) == []
    settings = (tmp_path / "settings").read_text(encoding="utf-8")
    for name in (
        "DisableMacrosExecution",
        "MacroSecurityLevel",
        "BlockUntrustedRefererLinks",
        "ooInetProxyType",
    ):
        assert name in settings
    assert "http_proxy=http://127.0.0.1:9\n" in (tmp_path / "environment").read_text(encoding="utf-8")
    arguments = (tmp_path / "arguments").read_text(encoding="utf-8")
    assert "--headless" in arguments
    assert "旧" not in arguments, "file names are nobody's business"


def test_the_target_follows_the_streams_and_not_the_name(tmp_path: Path) -> None:
    soffice(tmp_path, f'echo "$to ${{in##*.}}" > "{tmp_path}/asked"')
    for name, streams, asked in [
        ("a.wps", {"WordDocument": b""}, "docx doc"),
        ("a.et", {"Workbook": b""}, "xlsx xls"),
        ("a.dps", {"PowerPoint Document": b""}, "pptx ppt"),
        ("假.docx", {"Workbook": b""}, "xlsx xls"),
        ("works.wps", {"CONTENTS": b""}, "docx wps"),
    ]:
        assert failure(old(tmp_path, name, ole(streams))) == ("damaged", "conversion_failed")
        assert (tmp_path / "asked").read_text(encoding="utf-8").strip() == asked


@pytest.mark.parametrize("script", ["exit 1", "exit 0", ': > "$out/document.$to"', "kill -9 $$"])
def test_a_failed_conversion_says_so(tmp_path: Path, script: str) -> None:
    soffice(tmp_path, script)
    assert failure(old(tmp_path)) == ("damaged", "conversion_failed")
    assert left(tmp_path) == []


def test_nonsense_from_the_converter_is_not_read_as_text(tmp_path: Path) -> None:
    soffice(tmp_path, 'echo "<html>" > "$out/document.$to"')
    assert failure(old(tmp_path))[0] in ("unsupported", "damaged")


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "soffice"
    program.write_text("no program\n", encoding="utf-8")
    program.chmod(0o755)
    assert failure(old(tmp_path)) == ("damaged", "conversion_failed")


def test_a_hung_conversion_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legacy, "LIMIT_S", 1.0)
    # One child whose parent waits for it, and one whose parent has gone.
    soffice(
        tmp_path,
        f'(sleep 300 & echo $! >> "{tmp_path}/pids")\nsleep 300 & echo $! >> "{tmp_path}/pids"\n'
        f'echo $$ >> "{tmp_path}/pids"\nwait',
    )
    begun = time.monotonic()
    assert failure(old(tmp_path)) == ("over_budget", "too_slow")
    assert time.monotonic() - begun < 20
    pids = [int(pid) for pid in (tmp_path / "pids").read_text(encoding="utf-8").split()]
    assert len(pids) == 3
    for _ in range(100):
        if not any(_runs(pid) for pid in pids):
            break
        time.sleep(0.05)
    assert [pid for pid in pids if _runs(pid)] == []
    assert left(tmp_path) == []


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_what_was_decrypted_is_converted_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory").mkdir()
    monkeypatch.setattr(scratch, "_memory", tmp_path / "memory")
    soffice(tmp_path, f'echo "$in" > "{tmp_path}/where"')
    for content, folder in [(OLD, "memory"), (None, "tmp")]:
        with pytest.raises(LoadFailed):
            legacy.convert(Source(old(tmp_path), content=content))
        where = Path((tmp_path / "where").read_text(encoding="utf-8").strip())
        assert where.parent.parent == tmp_path / folder
    assert list((tmp_path / "memory").iterdir()) == []


def test_no_signal_reaches_this_process(tmp_path: Path) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: seen.append(number))
    try:
        soffice(tmp_path, "kill -TERM 0; exit 1")
        failure(old(tmp_path))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert seen == []


@pytest.mark.skipif(REAL is None, reason="LibreOffice is not installed")
def test_the_real_libreoffice_reads_an_old_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert REAL is not None
    monkeypatch.setattr(legacy, "find_program", lambda: Path(REAL))
    monkeypatch.setenv("PATH", os.defpath)
    # A web page in disguise is no OLE file; LibreOffice itself makes an old document of it.
    (tmp_path / "源.html").write_text("<h1>通知</h1><p>放假三天。</p>", encoding="utf-8")
    monkeypatch.setitem(legacy._FORMATS, ".html", ".doc")
    monkeypatch.setitem(legacy._FILTERS, ".doc", "doc:MS Word 97")
    monkeypatch.setattr(legacy, "_kind", lambda source, suffix: ".html")
    data = legacy.convert(Source(tmp_path / "源.html"))
    monkeypatch.undo()
    monkeypatch.setattr(legacy, "find_program", lambda: Path(REAL))
    page = list(load(old(tmp_path, "通知.doc", data)))[1]
    assert isinstance(page, Page)
    assert "放假三天。" in page.text

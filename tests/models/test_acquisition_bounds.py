"""The process that has the network: what it can read and write, as the kernel sees it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from models import fetch
from models.confinement import landlock
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")

CODE = """
import json, os, socket, ssl, subprocess, sys, tempfile
from pathlib import Path
from models import acquire, acquisition_bounds
folder, document, source = map(Path, sys.argv[1:])
assert acquisition_bounds.confine(folder, source)
def refused(call, *arguments):
    try:
        call(*arguments)
    except PermissionError:
        return True
    return False
(folder / "modell.gguf").write_bytes(b"x")
(folder / ".pieces-of-a-killed-process").mkdir()
acquire._clear_pieces(folder)
assert not (folder / ".pieces-of-a-killed-process").exists()
with tempfile.TemporaryFile() as stream:
    stream.write(b"x")
ssl.create_default_context()
socket.getaddrinfo("localhost", 443)
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname(), timeout=5).close()
version = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, text=True)
print(json.dumps({
    "reads": refused(document.read_bytes), "lists": refused(os.listdir, document.parent),
    "writes": refused((document.parent / "x").write_bytes, b"x"), "source": source.read_text(),
    "deletes": refused(document.unlink), "pip": version.stdout[:3], "tmp": tempfile.gettempdir(),
}))
"""


def test_documents_are_out_of_reach_and_models_arrive(tmp_path: Path) -> None:
    (tmp_path / "资料").mkdir()
    document, source = tmp_path / "资料" / "合同.txt", tmp_path / "stick.gguf"
    document.write_text("机密", encoding="utf-8")
    source.write_text("model", encoding="utf-8")
    folder = tmp_path / "模型"
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(folder), str(document), str(source)], cwd=ROOT, capture_output=True,
        encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    temporary = Path(found.pop("tmp"))
    assert folder in temporary.parents and not temporary.exists()
    assert found == {
        "reads": True, "lists": True, "writes": True, "deletes": True, "source": "model", "pip": "pip",
    }  # fmt: skip


def test_it_is_started_so_and_told_of_no_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(fetch.subprocess, "Popen", lambda command, **_: started.append(list(command)))
    fetch.start_acquisition("qwen", tmp_path / "模型")
    (command,) = started
    assert command[-5:] == ["qwen", "--folder", str(tmp_path / "模型"), "--json-progress", "--confined"]

"""What the proof finds: planted attempts in processes of their own, and the program itself."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from engine.cancel import Cancelled, CancelToken
from engine.cli.run import run
from engine.errors import ProofRefused, WrongUse
from engine.offline_proof import proving, report, tracing
from engine.offline_proof.proving import Proof, Tried, prove
from engine.steps import finish
from models.confinement import kernel

linux = pytest.mark.skipif(kernel.processor() is None, reason="Linux on x86-64 or arm64")
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def proved(tmp_path: Path, *names: str) -> Proof:
    modules = [f"tests.offline_proof.planted_{name}" for name in names]
    return finish(prove(1, (), tmp_path / "models", CancelToken(), modules))


@linux
@needs_strace
def test_a_native_connect_is_caught_with_its_address(tmp_path: Path) -> None:
    proof = proved(tmp_path, "native_connect")
    assert proof.traced
    assert [(tried.how, tried.target) for tried in proof.tried] == [("connect", "192.0.2.7:443")]
    assert not proof.ok


@linux
def test_without_strace_the_empty_network_counts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "command", lambda file: ())
    proof = proved(tmp_path, "native_connect")
    if not proof.isolated:
        pytest.skip("this user may not make a network namespace")
    assert [tried.how for tried in proof.tried] == ["OutNoRoutes"]
    assert not proof.ok


def test_an_attempt_in_python_is_caught_with_library_and_stack(tmp_path: Path) -> None:
    (tried,) = proved(tmp_path, "python_connect").tried
    assert (tried.how, tried.target, tried.library) == ("socket.getaddrinfo", "192.0.2.7", "zhiye")
    assert "python_connect" in tried.stack


def test_loopback_and_unix_sockets_are_no_attempt(tmp_path: Path) -> None:
    proof = proved(tmp_path, "local_connect")
    assert (proof.tried, proof.ok, proof.parts[0].problem) == ((), True, "")


def test_a_part_that_does_not_come_to_its_end_proves_nothing(tmp_path: Path) -> None:
    proof = proved(tmp_path, "failing", "silent", "local_connect")
    assert [part.problem for part in proof.parts] == [
        "RuntimeError: kein Papier", "es gibt kein Qt auf diesem Rechner", ""
    ]  # fmt: skip
    assert proof.parts[0].steps == (("proof_opened", "x"),)
    assert not proof.ok


def test_a_stopped_proof_leaves_no_process(tmp_path: Path) -> None:
    token = CancelToken()
    steps = prove(1, (), tmp_path, token, ["tests.offline_proof.planted_local_connect"])
    next(steps)
    next(steps)
    token.cancel()
    with pytest.raises(Cancelled):
        finish(steps)


def test_a_library_shared_with_a_team_is_not_certified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving.team, "shared", lambda libraries: {"法务": "192.0.2.7:19530"})
    with pytest.raises(ProofRefused) as refused:
        finish(prove(1, (), tmp_path, CancelToken()))
    assert refused.value.params == {"names": ("法务",)}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Proof:
    return proved(tmp_path_factory.mktemp("proof"), "local_connect")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_report_says_all_and_loads_nothing(sample: Proof, language: str) -> None:
    text = report.page(sample, language)  # type: ignore[arg-type]
    assert {"zh": "通过", "en": "Passed"}[language] in text
    for part in (*(folder.sha256 for folder in sample.program), sys.version.split()[0], "unshare -Urn"):
        assert part in text
    assert (
        "http:" not in text
        and "https:" not in text
        and "<script" not in text
        and "default-src 'none'" in text
    )
    caught = replace(
        sample, parts=(replace(sample.parts[0], tried=(Tried("connect", "<b>192.0.2.7", "x", "line <1>"),)),)
    )
    bad = report.page(caught, language)  # type: ignore[arg-type]
    assert {"zh": "未通过", "en": "Not passed"}[language] in bad
    assert "&lt;b&gt;192.0.2.7" in bad and "line &lt;1&gt;" in bad


def test_the_report_is_written_as_a_page_or_as_a_pdf(sample: Proof, tmp_path: Path) -> None:
    report.write(sample, tmp_path / "证明.html", "zh")
    report.write(sample, tmp_path / "证明.PDF", "zh")
    assert "拔网线证明" in (tmp_path / "证明.html").read_text(encoding="utf-8")
    with pymupdf.open(tmp_path / "证明.PDF") as document:
        assert "拔网线证明" in document[0].get_text()
        assert document.page_count >= 2
    assert (tmp_path / "证明.PDF").stat().st_size < 1_000_000
    with pytest.raises(WrongUse):
        report.write(sample, tmp_path / "证明.txt", "zh")


@pytest.mark.parametrize(("name", "code", "attempts"), [("local_connect", 0, 0), ("python_connect", 5, 1)])
def test_the_command_says_what_was_found(
    name: str, code: int, attempts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(proving, "PARTS", (f"tests.offline_proof.planted_{name}",))
    file = tmp_path / "r.html"
    assert run(["prove-offline", "--json", "--report", str(file)]) == code
    record = json.loads(capsys.readouterr().out)
    assert (record["ok"], record["attempts"], record["report"]) == (code == 0, attempts, str(file))
    assert record["namespace"] in (True, False)
    assert file.is_file()


def test_a_report_of_another_kind_is_refused_before_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove-offline", "--report", "x.doc"]) == 2


@linux
@needs_strace
@pytest.mark.embedder
@pytest.mark.timeout(900)
def test_the_program_itself_tries_nothing(tmp_path: Path) -> None:
    """Start, index, ask and open, in engine and window, with every connect and message looked at."""
    proof = finish(prove(1, (), tmp_path / "models", CancelToken()))
    assert proof.traced
    assert [part.problem for part in proof.parts] == ["", ""]
    assert proof.tried == ()
    assert proof.ok
    assert len(proof.files.by_kind["document"]) >= 11
    assert proof.files.by_kind["other"] == ()
    assert "model.safetensors" in [model.name for model in proof.models]

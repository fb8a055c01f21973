"""A model is tried in a process that may die."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import resources
from models import cpu_variants
from models.probe import TIMEOUT_S, main, probe


def ending(status: int, output: str = "", errors: str = "") -> Any:
    return lambda command, **_: subprocess.CompletedProcess(command, status, output, errors)


@pytest.mark.parametrize("status", [-4, 0xC000001D])
def test_an_illegal_instruction_is_named(gguf_file: Path, status: int) -> None:
    result = probe(gguf_file, run=ending(status))
    assert (result.ok, result.cause) == (False, "illegal_instruction")


def test_any_other_death_is_told_with_its_last_words(gguf_file: Path) -> None:
    result = probe(gguf_file, run=ending(-11, errors="GGML_ASSERT"))
    assert result.cause == "died"
    assert "GGML_ASSERT" in result.detail


def test_the_child_s_verdict_is_passed_on(gguf_file: Path) -> None:
    line = '{"ok": true, "cause": null, "detail": "", "seconds": 0.5}'
    assert probe(gguf_file, run=ending(0, f"noise\n{line}\n")).ok


def test_a_child_that_hangs_is_given_up(gguf_file: Path) -> None:
    def hang(command: Any, **_: Any) -> Any:
        raise subprocess.TimeoutExpired(command, TIMEOUT_S)

    assert probe(gguf_file, run=hang).cause == "too_slow"


def test_a_bad_file_never_reaches_native_code(tmp_path: Path) -> None:
    page = tmp_path / "qwen.gguf"
    page.write_text("<html></html>", encoding="utf-8")

    def loaded(*_: Any, **__: Any) -> Any:
        raise AssertionError("the native loader was called")

    assert probe(page, run=loaded).cause == "model_unusable"


def test_a_real_child_process_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "missing.gguf")]) == 3
    assert json.loads(capsys.readouterr().out)["ok"] is False


_TRAP = "__attribute__((constructor)) static void die(void) { __builtin_trap(); }"


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="compiles a library")
def test_a_variant_that_the_processor_cannot_run_dies_in_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = cpu_variants.library_folder()
    if installed is None:
        pytest.skip("llama.cpp is not installed")
    # The installed package as it is, with one variant more.
    package = tmp_path / "llama_cpp"
    shutil.copytree(installed.parent, package, copy_function=os.symlink, ignore=lambda *_: ["variants"])
    trap = package / "lib" / "variants" / "trap" / "libggml-cpu.so"
    trap.parent.mkdir(parents=True)
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(trap)]
    subprocess.run(command, input=_TRAP, encoding="utf-8", check=True)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    tiny = resources.path("self_check", "tiny.gguf")
    assert probe(tiny, variant="trap").cause == "illegal_instruction"
    assert probe(tiny).ok

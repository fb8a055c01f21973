"""Modules that run as processes of their own, from source and in a package."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from models import processes


def test_from_source_a_module_runs_with_the_interpreter() -> None:
    assert processes.command("models.probe") == (sys.executable, "-m", "models.probe")


def test_in_a_package_the_console_executable_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/zhiye/zhiye-gui")
    assert processes.command("models.probe") == (str(Path("/opt/zhiye/zhiye")), "--process", "models.probe")


def test_every_module_that_is_named_can_be_run() -> None:
    for module in processes.MODULES:
        assert importlib.util.find_spec(module) is not None, module


def test_no_other_module_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert processes.run("http.server", []) == 2
    assert "http.server" in capsys.readouterr().err


def test_the_executable_of_the_packages_runs_a_process_unsealed_and_nothing_else(tmp_path: Path) -> None:
    """The acquisition process needs the network, so it is not sealed; it is the only way past the seal."""
    entry = Path(__file__).parents[2] / "installer" / "distribution" / "entry.py"
    root = entry.parents[2]
    result = subprocess.run(
        [sys.executable, str(entry), "--process", "models.probe", str(tmp_path / "none.gguf")],
        cwd=root, env={"PYTHONPATH": str(root), "PATH": ""}, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert '"cause": "model_unusable"' in result.stdout, result.stderr
    refused = subprocess.run(
        [sys.executable, str(entry), "--process", "os", "x"],
        cwd=root, env={"PYTHONPATH": str(root), "PATH": ""}, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert refused.returncode == 2

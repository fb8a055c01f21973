import json
import sys
from pathlib import Path
from typing import Any

import pytest
from setup_steps import packages as packages_module
from setup_steps import system
from setup_steps.console import CommandFailed, Console, SetupFailed
from setup_steps.packages import Packages, answers, brings_cuda, cmake_arguments, is_usable
from setup_steps.project import Project


def report(*names: str) -> str:
    return json.dumps({"install": [{"metadata": {"name": name}} for name in names]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (report("torch", "sympy"), False),
        (report("torch", "nvidia-cublas-cu12"), True),
        (report("torch", "triton"), True),
        ("", False),
        ("{}", False),
    ],
)
def test_cuda_is_seen_before_anything_is_downloaded(text: str, expected: bool) -> None:
    assert brings_cuda(text) is expected


def test_the_build_is_portable() -> None:
    arguments = cmake_arguments("x86_64", [])
    assert arguments == ["-DGGML_NATIVE=OFF", "-DGGML_AVX2=ON", "-DGGML_FMA=ON", "-DGGML_F16C=ON"]
    assert cmake_arguments("aarch64", []) == ["-DGGML_NATIVE=OFF"]


def test_an_old_processor_gets_a_build_it_can_run() -> None:
    arguments = cmake_arguments("AMD64", ["avx2", "fma", "bmi2"])
    assert "-DGGML_AVX2=OFF" in arguments
    assert "-DGGML_BMI2=OFF" in arguments
    assert "-DGGML_F16C=ON" in arguments


def test_an_index_that_does_not_answer_is_left() -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError("unreachable")

    assert not answers("https://index.invalid/", refuse)


def test_an_environment_is_usable_when_it_starts(tmp_path: Path) -> None:
    assert is_usable(Path(sys.executable))
    assert not is_usable(tmp_path / "python")


class RecordingConsole(Console):
    """Takes down what would be run; ``fail`` maps a word of the command to the output of its failure."""

    def __init__(self, log: Path, fail: dict[str, str] | None = None) -> None:
        super().__init__(log, Packages.STEPS)
        self.commands: list[str] = []
        self.fail = fail or {}

    def run(self, command: Any, environment: Any = None) -> None:
        line = " ".join(command)
        self.commands.append(line)
        for word, output in self.fail.items():
            if word in line:
                raise CommandFailed(command, output)


@pytest.fixture
def here(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The project's requirements with an environment of its own, that seems to work."""
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    monkeypatch.setattr(packages_module, "is_usable", lambda _: True)
    monkeypatch.setattr(Packages, "_would_bring_cuda", lambda *_: False)
    monkeypatch.setattr(Packages, "_ask", lambda *_: "")
    monkeypatch.setattr(system, "has_compiler", lambda: True)
    return Project(tmp_path, project.pyproject, project.cpu_index)


def test_torch_is_asked_for_first_and_alone(here: Project, tmp_path: Path) -> None:
    console = RecordingConsole(tmp_path / "log")
    assert Packages(here, console).install(["test"])
    installs = [line.partition("off ")[2] for line in console.commands]
    assert installs[0] == "--upgrade pip>=25.1"
    assert installs[1] == "torch==2.13.0"
    assert "pytest" in installs[2]
    assert "torch" not in installs[2].split()
    assert installs[3].startswith("llama-cpp-python")
    assert installs[4].startswith("--no-deps --editable")


def test_a_second_run_does_nothing(here: Project, tmp_path: Path) -> None:
    Packages(here, RecordingConsole(tmp_path / "log")).install()
    console = RecordingConsole(tmp_path / "log")
    assert Packages(here, console).install()
    assert console.commands == []


def test_the_publisher_s_index_is_used_where_cuda_would_come(
    here: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Packages, "_would_bring_cuda", lambda *_: True)
    monkeypatch.setattr(packages_module, "answers", lambda _: True)
    console = RecordingConsole(tmp_path / "log")
    Packages(here, console).install()
    assert f"--index-url {here.cpu_index} torch==2.13.0" in console.commands[1]


def test_without_network_the_setup_says_so(here: Project, tmp_path: Path) -> None:
    console = RecordingConsole(tmp_path / "log", {"torch==": "Temporary failure in name resolution"})
    with pytest.raises(SetupFailed) as caught:
        Packages(here, console).install()
    assert caught.value.code == "no_network"


def test_without_compiler_everything_else_is_installed(
    here: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    monkeypatch.setattr(system, "is_root", lambda: False)
    console = RecordingConsole(tmp_path / "log")
    assert not Packages(here, console).install()
    assert not any("llama" in line.partition("install")[2] for line in console.commands)
    assert "--editable" in console.commands[-1]
    assert "no C/C++ compiler" in capsys.readouterr().err


def test_a_failed_build_is_no_end(here: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    console = RecordingConsole(
        tmp_path / "log", {"llama-cpp-python": "No matching distribution found for cmake"}
    )
    assert not Packages(here, console).install()
    assert "needs cmake" in capsys.readouterr().err
    # Tried again next time.
    assert Packages(here, RecordingConsole(tmp_path / "log")).install()


def test_a_command_s_output_goes_into_the_record(console: Console) -> None:
    console.run([sys.executable, "-c", "print('progress')"])
    assert "progress" in console.log.read_text(encoding="utf-8")
    with pytest.raises(CommandFailed) as caught:
        console.run([sys.executable, "-c", "import sys; print('why'); sys.exit(3)"])
    assert caught.value.output.strip() == "why"

from pathlib import Path

import pytest
from setup_steps.console import CommandFailed, SetupFailed
from setup_steps.diagnosis import kind_of, setup_failed
from setup_steps.project import Project, Stamps, requirement_name


def test_torch_and_llama_have_steps_of_their_own(project: Project) -> None:
    names = {requirement_name(r) for r in project.plain_requirements()}
    assert {"torch", "llama-cpp-python"}.isdisjoint(names)
    assert "pyside6-essentials" in names
    assert project.requirement("torch") == "torch==2.13.0"


def test_groups_are_read_with_what_they_include(project: Project) -> None:
    assert any(r.startswith("pytest") for r in project.group("test"))
    pyproject = {"dependency-groups": {"a": ["x>1"], "b": [{"include-group": "a"}, "y"]}}
    assert Project(project.root, pyproject, "").group("b") == ["x>1", "y"]


def test_the_cpu_index_stands_in_the_catalogue(project: Project) -> None:
    assert project.cpu_index.startswith("https://")
    assert project.cpu_index.endswith("/cpu")


def test_a_stamp_holds_until_its_inputs_change(tmp_path: Path) -> None:
    stamps = Stamps(tmp_path / "stamps")
    assert not stamps.is_done("torch", ["torch==1"])
    stamps.done("torch", ["torch==1"])
    assert stamps.is_done("torch", ["torch==1"])
    assert not stamps.is_done("torch", ["torch==2"])


@pytest.mark.parametrize("content", ["", "[]", "{}", "null"])
def test_a_torn_stamp_means_do_it_again(tmp_path: Path, content: str) -> None:
    (tmp_path / "torch.json").write_text(content, encoding="utf-8")
    assert not Stamps(tmp_path).is_done("torch", [])


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ("OSError: [Errno 28] No space left on device", "space"),
        ("NewConnectionError: Failed to establish a new connection: [Errno -2]", "network"),
        ("Temporary failure in name resolution", "network"),
        ("CMake Error: No CMAKE_CXX_COMPILER could be found.", "compiler"),
        ("ERROR: No matching distribution found for cmake>=3.15", "cmake"),
        ("SyntaxError", "other"),
    ],
)
def test_the_cause_of_a_failed_install_is_known(output: str, kind: str) -> None:
    assert kind_of(output) == kind


def test_a_failure_shows_the_end_of_the_record(tmp_path: Path) -> None:
    error = CommandFailed(["pip"], "\n".join(f"line {n}" for n in range(100)))
    failed = setup_failed(error, "PyTorch", tmp_path / "setup.log", 9.0)
    assert isinstance(failed, SetupFailed)
    assert "line 99" in failed.text
    assert "line 10\n" not in failed.text

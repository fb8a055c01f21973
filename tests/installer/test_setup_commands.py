import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from setup_steps import asking, commands, system
from setup_steps.asking import ask_question, ask_samples, choose, library_name
from setup_steps.chat_model import ChatModel, ChatModelSetup
from setup_steps.commands import environment_for_tests, has_display, parse, pytest_command
from setup_steps.console import Console
from setup_steps.packages import Packages
from setup_steps.project import Project


def test_a_question_takes_further_options_along() -> None:
    options, rest = parse(["run", "--question", "年假几天？", "--json", "--library", "制度", "--no-model"])
    assert (options.question, options.json) == ("年假几天？", True)
    assert rest == ["--library", "制度", "--no-model"]


def test_pytest_s_options_are_left_alone() -> None:
    options, rest = parse(["test", "-k", "pdf", "-x"])
    assert options.command == "test"
    assert rest == ["-k", "pdf", "-x"]


@pytest.mark.parametrize("arguments", [[], ["run", "--nonsense"], ["setup", "extra"], ["fly"]])
def test_wrong_use_ends_with_two(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(arguments)
    assert caught.value.code == 2


def test_options_are_not_guessed_from_their_beginning() -> None:
    options, rest = parse(["run", "--question", "q", "--js"])
    assert not options.json
    assert rest == ["--js"]


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "linux", False),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_display(environment: dict[str, str], platform: str, expected: bool) -> None:
    assert has_display(environment, platform) is expected


def test_the_heavy_runs_are_left_out(project: Project) -> None:
    command = pytest_command(project, Path("/t"), ["-k", "x"])
    assert command[1:5] == ["-m", "pytest", "-m", "not quality and not soak and not package"]
    assert command[-2:] == ["-k", "x"]


def test_tests_share_the_models_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    environment = environment_for_tests(ChatModel(Path("/m")), {"DISPLAY": ":9"})
    assert environment["ZHIYE_MODELS"] == str(Path("/m"))
    assert (environment["QT_QPA_PLATFORM"], environment["DISPLAY"]) == ("offscreen", ":9")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert environment_for_tests(ChatModel(Path("/m")), {})["QT_QPA_PLATFORM"] == "xcb"


def test_three_questions_with_an_answer_and_one_without() -> None:
    lines = [json.dumps({"question": n, "answerable": n % 2 == 0}) for n in range(6)]
    assert [entry["question"] for entry in choose("\n".join(lines) + "\n")] == [0, 2, 4, 1]


def test_a_library_is_named_by_its_folder(tmp_path: Path) -> None:
    assert library_name(tmp_path / "公司制度") == "公司制度"
    assert library_name(Path("/")) == "documents"


class Runs(list[tuple[list[str], Any]]):
    """Stands for subprocess.run; the commands of ``zhiye`` that were run, and where their output went."""

    def __init__(self, status: int = 0) -> None:
        super().__init__()
        self.status = status

    def __call__(self, command: list[str], **options: Any) -> Any:
        self.append((command[4:] if "engine.cli" in command else command[1:], options.get("stdout")))
        return SimpleNamespace(returncode=self.status)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    recorded = Runs()
    monkeypatch.setattr(subprocess, "run", recorded)
    return recorded


def test_a_folder_is_read_before_the_question(project: Project, runs: Runs, tmp_path: Path) -> None:
    folder = tmp_path / "合同"
    assert ask_question(project, "付款期限？", folder, ["--no-model"], as_json=True) == 0
    (ingest, ingest_output), (ask, ask_output) = runs
    assert ingest == ["ingest", str(folder), "--library", "合同"]
    assert ask == ["ask", "付款期限？", "--library", "合同", "--json", "--no-model"]
    # stdout is for the answer alone.
    assert ingest_output is sys.stderr
    assert ask_output is None


def test_a_folder_that_cannot_be_read_ends_the_run(project: Project, runs: Runs, tmp_path: Path) -> None:
    runs.status = 5
    assert ask_question(project, "q", tmp_path, [], as_json=False) == 5
    assert len(runs) == 1


def test_four_questions_of_the_samples(
    console: Console, runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = tmp_path / "resources" / "samples"
    samples.mkdir(parents=True)
    lines = [json.dumps({"question": f"q{n}", "answerable": n != 3}) for n in range(5)]
    (samples.parent / "sample_questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert ask_samples(Project(tmp_path, {}, ""), console, [], as_json=False) == 0
    assert [command[1] for command, _ in runs[1:]] == ["q0", "q1", "q2", "q3"]
    assert "Question: q0" in capsys.readouterr().err


def test_a_checkout_without_samples_says_so(console: Console, runs: Runs, tmp_path: Path) -> None:
    assert ask_samples(Project(tmp_path, {}, ""), console, [], as_json=False) == 1
    assert runs == []


@pytest.mark.parametrize(("works", "extra"), [(True, []), (False, ["--no-model"])])
def test_a_model_that_does_not_run_is_left_out(
    project: Project, console: Console, monkeypatch: pytest.MonkeyPatch, works: bool, extra: list[str]
) -> None:
    asked: list[list[str]] = []

    def ask(_: Any, __: Any, ___: Any, given: list[str], *, as_json: bool) -> int:
        asked.append(given)
        return 0

    monkeypatch.setattr(Packages, "install", lambda *_: True)
    monkeypatch.setattr(ChatModelSetup, "prepare", lambda *_, **__: ChatModel(Path("/m"), None, works))
    monkeypatch.setattr(commands, "ask_question", ask)
    options = argparse.Namespace(question="q", folder=None, json=True)
    assert commands._run(project, console, options, ["--top", "3"]) == 0
    assert asked == [["--top", "3", *extra]]


def test_with_a_display_the_window_opens(
    project: Project, console: Console, monkeypatch: pytest.MonkeyPatch, runs: Runs
) -> None:
    monkeypatch.setattr(system, "provide_qt", lambda _: None)
    monkeypatch.setattr(commands, "has_display", lambda: True)
    monkeypatch.setattr(Packages, "install", lambda *_: True)
    monkeypatch.setattr(ChatModelSetup, "prepare", lambda *_, **__: ChatModel(Path("/m"), Path("/m/f"), True))
    options = argparse.Namespace(question=None, folder=None, json=False)
    assert commands._run(project, console, options, []) == 0
    assert runs == [(["-m", "desktop.app"], None)]


def test_the_entry_script_starts_from_anywhere(root: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, str(root / "installer" / "bootstrap.py"), "--help"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert b"run" in result.stdout
    assert asking.SAMPLE_LIBRARY == "samples"


@pytest.mark.parametrize(
    ("extra", "has_library", "reads_samples"),
    [
        ([], False, True),
        ([], True, False),
        (["--index", "x"], False, False),
        (["--library=甲"], False, False),
    ],
)
def test_a_question_on_a_fresh_machine_is_asked_of_the_samples(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    extra: list[str],
    has_library: bool,
    reads_samples: bool,
) -> None:
    sent: list[list[str]] = []
    monkeypatch.setattr(asking, "_zhiye", lambda _, arguments, stdout=None: sent.append(arguments) or 0)
    monkeypatch.setattr(asking, "_has_library", lambda _: has_library)
    assert ask_question(project, "年假几天？", None, extra, as_json=False) == 0
    assert (sent[0][0] == "ingest") == reads_samples
    assert sent[-1] == ["ask", "年假几天？", *(["--library", "samples"] if reads_samples else []), *extra]

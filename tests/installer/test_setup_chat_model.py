import subprocess
from pathlib import Path
from typing import Any

import pytest
from setup_steps import system
from setup_steps.chat_model import ChatModelSetup, why_not
from setup_steps.console import CommandFailed, Console
from setup_steps.packages import Packages
from setup_steps.project import Project

FACTS = {"folder": "/m", "recommended": "large", "smallest": "small", "installed": None}
GOOD = {"ok": True, "cause": None, "detail": ""}
ILLEGAL = {"ok": False, "cause": "illegal_instruction", "detail": ""}


class Setup(ChatModelSetup):
    """The steps without their processes: what can be fetched, and what each probe says in turn."""

    def __init__(
        self, project: Project, console: Console, here: set[str], probes: list[dict[str, Any]]
    ) -> None:
        packages = Packages(project, console)
        super().__init__(project, console, packages)
        self.fetched: list[str] = []
        self.facts: dict[str, Any] = dict(FACTS)
        self._here = here
        self._probes = probes

    def _facts(self) -> dict[str, Any]:
        return self.facts

    def _fetch(self, model: str, folder: Path) -> Path | None:
        self.fetched.append(model)
        return folder / model if model in self._here else None

    def _probe(self, file: Path) -> dict[str, Any]:
        return self._probes.pop(0)


@pytest.fixture
def rebuilt(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    done: list[str] = []
    monkeypatch.setattr(Packages, "rebuild_llama", lambda _: done.append("llama"))
    monkeypatch.setattr(system, "missing_cpu_features", list)
    return done


def test_tests_take_the_smallest(project: Project, console: Console) -> None:
    setup = Setup(project, console, {"small", "large"}, [GOOD])
    model = setup.prepare(smallest=True)
    assert (model.file, model.works) == (Path("/m/small"), True)


def test_without_the_recommended_an_installed_one_does(project: Project, console: Console) -> None:
    setup = Setup(project, console, {"small"}, [GOOD])
    setup.facts["installed"] = "small"
    assert setup.prepare(smallest=False).file == Path("/m/small")
    assert setup.fetched == ["large", "small"]


def test_without_any_model_the_setup_goes_on(project: Project, console: Console) -> None:
    model = Setup(project, console, set(), []).prepare(smallest=False)
    assert (model.file, model.works) == (None, False)


def test_a_wheel_of_another_processor_is_built_again(
    project: Project, console: Console, rebuilt: list[str]
) -> None:
    assert Setup(project, console, {"large"}, [ILLEGAL, GOOD]).prepare(smallest=False).works
    assert rebuilt == ["llama"]


def test_an_old_processor_is_named_and_nothing_is_rebuilt(
    project: Project,
    console: Console,
    rebuilt: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(system, "missing_cpu_features", lambda: ["avx2"])
    assert not Setup(project, console, {"large"}, [ILLEGAL]).prepare(smallest=False).works
    assert rebuilt == []
    assert "AVX2" in capsys.readouterr().err


def test_a_rebuild_that_fails_leaves_evidence(
    project: Project, console: Console, rebuilt: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Packages) -> None:
        raise CommandFailed(["pip"], "error")

    monkeypatch.setattr(Packages, "rebuild_llama", fail)
    assert not Setup(project, console, {"large"}, [ILLEGAL]).prepare(smallest=False).works


def test_a_probe_that_says_nothing_counts_as_failed(
    project: Project, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, "", "Traceback")
    )
    setup = ChatModelSetup(project, console, Packages(project, console))
    assert not setup._prove(Path("/m/f"))


def test_the_reason_is_told_in_words() -> None:
    full = {"code": "model_disk_full", "params": {"path": "/m", "needed": 2 * 10**9, "free": 10**8}}
    assert "0.1 GB left, about 2.0 GB" in why_not(full)
    assert why_not({"code": "model_sources_failed", "params": {"tried": "…"}}) == "no source could deliver"
    assert why_not({"code": "model_busy", "params": {"model": "m"}}) == "model_busy m"
    assert why_not({}) == "stopped"

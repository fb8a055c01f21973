"""From an empty checkout to an installed program: environment, pip, torch, packages, llama.cpp, 知页."""

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from setup_steps import system
from setup_steps.console import CommandFailed, Console, SetupFailed
from setup_steps.cpu_variants import CpuVariants
from setup_steps.diagnosis import kind_of, setup_failed
from setup_steps.project import Project, Stamps
from setup_steps.wording import words

_SPACE_GB = 5.0  # environment 2.5, the build of llama.cpp 1, the chat model and room to breathe
_INDEX_TIMEOUT_S = 5.0
_CUDA_PREFIXES = ("nvidia-", "cuda-", "triton")


class Packages:
    """Installs into the project's environment; each step is skipped when its stamp still holds."""

    STEPS = 7

    def __init__(self, project: Project, console: Console) -> None:
        self._project = project
        self._console = console
        self._stamps = Stamps(project.venv / "zhiye-setup")

    def install(self, groups: Sequence[str] = ()) -> bool:
        """Run every step; True when llama.cpp is installed. Raises SetupFailed."""
        self._demand_space()
        self._environment()
        self._step("pip", words("title_pip"), ["pip>=25.1"], ["--upgrade"])
        self._torch()
        wanted = self._project.plain_requirements()
        for group in groups:
            wanted += self._project.group(group)
        self._packages(wanted)
        has_llama = self._llama()
        self._variants(every="build" in groups)
        text = (self._project.root / "pyproject.toml").read_text(encoding="utf-8")
        self._step(
            "project", words("title_project"), ["--editable", str(self._project.root)], ["--no-deps"], [text]
        )
        return has_llama

    def rebuild_llama(self) -> None:
        """Compile llama.cpp again, past pip's cache: its wheel may come from another processor."""
        arguments = ["--force-reinstall", "--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python"]
        self._pip([*arguments, self._project.requirement("llama-cpp-python")], self._build_environment())

    def _demand_space(self) -> None:
        free = shutil.disk_usage(self._project.root).free / 1e9
        if not self._project.python.exists() and free < _SPACE_GB:
            raise SetupFailed(
                "no_space", path=self._project.root, free=f"{free:.1f}", needed=f"{_SPACE_GB:.0f}"
            )

    def _environment(self) -> None:
        works = self._project.python.exists() and is_usable(self._project.python)
        self._console.step(words("title_venv"), kept=works)
        if works:
            return
        if importlib.util.find_spec("ensurepip") is None:
            package = f"python3.{sys.version_info.minor}-venv"
            system.provide("title_venv", [package], self._console)
            importlib.invalidate_caches()
            if importlib.util.find_spec("ensurepip") is None:
                raise SetupFailed("no_ensurepip", command=system.apt_line([package]))
        try:
            self._console.run([sys.executable, "-m", "venv", "--clear", str(self._project.venv)])
        except CommandFailed as exc:
            raise self._failure(exc, words("title_venv")) from exc

    def _torch(self) -> None:
        requirement = self._project.requirement("torch")
        title = words("title_torch")
        if self._stamps.is_done("torch", [requirement]):
            self._console.step(title, kept=True)
            return
        self._console.step(title)
        index: list[str] = []
        if sys.platform == "linux" and self._would_bring_cuda(requirement):
            if answers(f"{self._project.cpu_index}/torch/"):
                self._console.say("cuda_index")
                index = ["--index-url", self._project.cpu_index]
            else:
                self._console.say("cuda_unavoidable")
        try:
            self._pip([*index, requirement])
        except CommandFailed as exc:
            raise self._failure(exc, title) from exc
        version = self._ask("import torch; print(torch.version.cuda or '')")
        if version:
            self._console.say("torch_is_cuda", version=version)
        self._stamps.done("torch", [requirement])

    def _would_bring_cuda(self, requirement: str) -> bool:
        """What pip would choose, found out from the packages' metadata alone."""
        command = [*self._pip_command(), "--dry-run", "--quiet", "--report", "-", requirement]
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
        )
        return result.returncode == 0 and brings_cuda(result.stdout)

    def _packages(self, wanted: Iterable[str]) -> None:
        """A later run for other groups only adds: what is installed already costs pip a second."""
        self._step("packages", words("title_packages"), sorted(set(wanted)))

    def _llama(self) -> bool:
        requirement = self._project.requirement("llama-cpp-python")
        title = words("title_llama")
        if self._stamps.is_done("llama", [requirement]):
            self._console.step(title, kept=True)
            return True
        self._console.step(title)
        if not system.has_compiler() and not (
            system.is_root()
            and system.can_apt()
            and system.provide("what_compiler", ["build-essential"], self._console)
        ):
            self._console.say("no_compiler", command=system.compiler_advice())
            return False
        try:
            self._pip([requirement], self._build_environment())
        except CommandFailed as exc:
            self._say_why_no_llama(exc)
            return False
        self._stamps.done("llama", [requirement])
        return True

    def _variants(self, *, every: bool) -> None:
        """Of llama.cpp, for this processor; ``every`` one where a package is built for others."""
        answer = self._ask(
            "import importlib.metadata as m, importlib.util as u, os; "
            "print(m.version('llama-cpp-python'), os.path.dirname(u.find_spec('llama_cpp').origin))"
        )
        version, _, folder = answer.partition(" ")
        builds = CpuVariants(self._project, self._console, self._stamps, self._pip_wheel)
        builds.build(Path(folder) / "lib", version, every=every)

    def _say_why_no_llama(self, error: CommandFailed) -> None:
        kind = kind_of(error.output)
        if kind == "compiler":
            self._console.say("no_compiler", command=system.compiler_advice())
        elif kind == "cmake":
            self._console.say("no_cmake", command=system.apt_line(["cmake", "ninja-build"]))
        elif kind == "network":
            self._console.say("no_network", what="llama.cpp")
        else:
            self._console.say("llama_failed", log=self._console.log, tail=error.tail)

    def _build_environment(self) -> dict[str, str]:
        arguments = cmake_arguments(platform.machine(), system.missing_cpu_features())
        given = os.environ.get("CMAKE_ARGS", "")
        return os.environ | {"CMAKE_ARGS": " ".join([given, *arguments]).strip()}

    def _pip_wheel(self, arguments: Sequence[str], environment: dict[str, str]) -> None:
        self._console.run([*self._pip_command("wheel"), *arguments], environment)

    def _step(
        self,
        name: str,
        title: str,
        requirements: Sequence[str],
        options: Sequence[str] = (),
        inputs: Sequence[str] = (),
    ) -> None:
        key = [*requirements, *options, *inputs]
        kept = self._stamps.is_done(name, key)
        self._console.step(title, kept=kept)
        if kept:
            return
        try:
            self._pip([*options, *requirements])
        except CommandFailed as exc:
            raise self._failure(exc, title) from exc
        self._stamps.done(name, key)

    def _pip_command(self, command: str = "install") -> list[str]:
        options = ["--no-input", "--retries", "2", "--disable-pip-version-check", "--progress-bar", "off"]
        return [str(self._project.python), "-m", "pip", command, *options]

    def _pip(self, arguments: Sequence[str], environment: dict[str, str] | None = None) -> None:
        self._console.run([*self._pip_command(), *arguments], environment)

    def _ask(self, code: str) -> str:
        command = [str(self._project.python), "-c", code]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
        ).stdout.strip()

    def _failure(self, error: CommandFailed, what: str) -> SetupFailed:
        free_gb = shutil.disk_usage(self._project.root).free / 1e9
        return setup_failed(error, what, self._console.log, free_gb)


def is_usable(python: Path) -> bool:
    """Whether the environment's interpreter starts, is new enough and has pip."""
    code = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([str(python), "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def brings_cuda(report: str) -> bool:
    """Whether a report of ``pip install --dry-run`` holds any package of CUDA."""
    try:
        names = [entry["metadata"]["name"].lower() for entry in json.loads(report)["install"]]
    except (ValueError, KeyError, TypeError):
        return False
    return any(name.startswith(_CUDA_PREFIXES) for name in names)


def answers(url: str, open_url: Callable[..., Any] = urllib.request.urlopen) -> bool:
    """Whether the address answers within a few seconds."""
    request = urllib.request.Request(url, method="HEAD", headers={"User-Agent": "zhiye-setup"})
    try:
        with open_url(request, timeout=_INDEX_TIMEOUT_S):
            return True
    except (OSError, ValueError):
        return False


def cmake_arguments(machine: str, missing_features: Sequence[str]) -> list[str]:
    """A build that runs on other machines too.

    Never for this very processor: a native build died in the AMX kernel of one that lists AMX, and pip
    keeps the wheel for the next machine. On x86-64 the instructions of 2013 are named; a processor that
    lacks some of them gets a build without.
    """
    arguments = ["-DGGML_NATIVE=OFF"]
    if machine.lower() in ("x86_64", "amd64"):
        for feature in ("AVX2", "FMA", "F16C"):
            arguments.append(f"-DGGML_{feature}={'OFF' if feature.lower() in missing_features else 'ON'}")
        arguments += [f"-DGGML_{f}=OFF" for f in ("AVX", "BMI2") if f.lower() in missing_features]
    return arguments

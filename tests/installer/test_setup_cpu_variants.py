"""Faster builds of llama.cpp's processor part: which are made, where they lie, and that none is needed."""

import json
import platform
import sys
from pathlib import Path
from typing import Any

import pytest
from setup_steps import cpu_variants, system
from setup_steps.console import CommandFailed, Console
from setup_steps.cpu_variants import VARIANTS, CpuVariants, cmake_arguments, suited
from setup_steps.project import Project, Stamps

ALDER_LAKE = frozenset(VARIANTS[2].flags)
ZEN_4 = frozenset(VARIANTS[0].flags) | {"amx_tile", "amx_int8"}


class Pip:
    """Leaves the library that a build would make; ``fails`` is what it says instead."""

    def __init__(self, fails: str | None = None) -> None:
        self.fails = fails
        self.builds: list[tuple[list[str], str]] = []

    def __call__(self, arguments: Any, environment: dict[str, str]) -> None:
        self.builds.append((list(arguments), environment["CMAKE_ARGS"]))
        if self.fails is not None:
            raise CommandFailed(["pip"], self.fails)
        work = next(a.partition("build-dir=")[2] for a in arguments if "build-dir=" in a)
        (Path(work) / "bin").mkdir(parents=True)
        (Path(work) / "bin" / "libggml-cpu.so").write_bytes(b"fast")


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    folder = tmp_path / "llama_cpp" / "lib"
    folder.mkdir(parents=True)
    (folder / "libggml-base.so").write_bytes(b"base")
    return folder


def build(
    project: Project,
    console: Console,
    libraries: Path,
    pip: Pip,
    flags: frozenset[str],
    *,
    every: bool = False,
) -> None:
    here = Project(libraries.parents[1], project.pyproject, project.cpu_index)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(system, "cpu_flags", lambda: flags)
        builds = CpuVariants(here, console, Stamps(libraries.parents[1] / "stamps"), pip)
        builds.build(libraries, "0.3.36", every=every)


def test_the_best_that_the_processor_promises_is_built_once(
    project: Project, console: Console, libraries: Path
) -> None:
    pip = Pip()
    for _ in range(2):
        build(project, console, libraries, pip, ZEN_4)
    [(arguments, cmake)] = pip.builds
    assert "llama-cpp-python==0.3.36" in arguments
    assert "--no-cache-dir" in arguments
    assert "GGML_AVX512_BF16=ON" in cmake
    assert "AMX" not in cmake
    place = libraries / "variants" / "avx512-bf16"
    assert (place / "libggml-cpu.so").read_bytes() == b"fast"
    note = json.loads((place / "note.json").read_text(encoding="utf-8"))
    assert set(note["flags"]) <= ZEN_4
    assert not any((libraries.parents[1] / "build" / "llama-variants").iterdir())


def test_a_package_gets_all_of_them(project: Project, console: Console, libraries: Path) -> None:
    build(project, console, libraries, Pip(), frozenset(), every=True)
    assert {place.name for place in (libraries / "variants").iterdir()} == {v.name for v in VARIANTS}


def test_what_is_built_is_what_the_program_finds(project: Project, console: Console, libraries: Path) -> None:
    from models.cpu_variants import usable

    build(project, console, libraries, Pip(), frozenset(), every=True)
    assert [v.name for v in usable(libraries, ZEN_4)] == ["avx512-bf16", "avx512-vnni"]
    assert [v.name for v in usable(libraries, ALDER_LAKE)] == ["avx-vnni"]


def test_another_llama_has_its_variants_built_anew(
    project: Project, console: Console, libraries: Path
) -> None:
    pip = Pip()
    build(project, console, libraries, pip, ALDER_LAKE)
    (libraries / "libggml-base.so").write_bytes(b"compiled again")
    build(project, console, libraries, pip, ALDER_LAKE)
    assert len(pip.builds) == 2


@pytest.mark.parametrize(
    ("output", "tries"),
    [("g++: error: unrecognized option -mavxvnni", 1), ("Temporary failure in name resolution", 2)],
)
def test_a_build_that_fails_costs_nothing_but_speed(
    project: Project, console: Console, libraries: Path, output: str, tries: int,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    pip = Pip(output)
    for _ in range(2):
        build(project, console, libraries, pip, ALDER_LAKE)
    assert len(pip.builds) == tries
    assert "the portable one is used" in capsys.readouterr().err
    assert not (libraries / "variants").exists()


@pytest.mark.parametrize("system_name", ["win32", "darwin"])
def test_elsewhere_there_is_nothing_to_build(
    project: Project, console: Console, libraries: Path, monkeypatch: pytest.MonkeyPatch, system_name: str
) -> None:
    monkeypatch.setattr(sys, "platform", system_name)
    pip = Pip()
    build(project, console, libraries, pip, ZEN_4, every=True)
    assert pip.builds == []


def test_an_ordinary_processor_keeps_the_portable_build() -> None:
    assert suited(frozenset({"avx2", "fma", "f16c", "bmi2"})) == ()
    assert suited(ALDER_LAKE) == (VARIANTS[2],)
    assert all("-DGGML_NATIVE=OFF" in cmake_arguments(variant) for variant in cpu_variants.VARIANTS)

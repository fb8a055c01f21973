import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from setup_steps import system
from setup_steps.console import Console


def test_the_apt_line_can_be_pasted() -> None:
    assert system.apt_line(["libegl1", "xvfb"]) == "sudo apt-get install -y libegl1 xvfb"


def test_missing_libraries_become_packages() -> None:
    def load(library: str) -> None:
        if library in ("libEGL.so.1", "libxcb-cursor.so.0"):
            raise OSError(library)

    assert system.missing_qt_packages(load) == ["libegl1", "libxcb-cursor0"]


@pytest.fixture
def on_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "can_apt", lambda: True)


def test_without_root_the_line_is_printed(
    on_debian: None, console: Console, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "is_root", lambda: False)
    assert not system.provide("what_font", ["fonts-noto-cjk"], console)
    assert "sudo apt-get install -y fonts-noto-cjk" in capsys.readouterr().err


def test_root_installs(on_debian: None, console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **options: Any) -> Any:
        assert options["env"]["DEBIAN_FRONTEND"] == "noninteractive"
        commands.append(command)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(system, "is_root", lambda: True)
    monkeypatch.setattr(subprocess, "run", run)
    assert system.provide("what_xvfb", ["xvfb"], console)
    assert commands[-1] == ["apt-get", "install", "-y", "--no-install-recommends", "xvfb"]


def test_elsewhere_the_missing_thing_is_named(
    console: Console, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "can_apt", lambda: False)
    assert not system.provide("what_font", ["fonts-noto-cjk"], console)
    assert "a Chinese font" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="the other systems have one tool each")
def test_a_compiler_is_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name in ("gcc", "g++") else None)
    assert system.has_compiler()
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/gcc" if name == "gcc" else None)
    assert not system.has_compiler()


def test_missing_instructions_are_named(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nflags : fpu sse4_2 avx f16c\n", encoding="utf-8")
    assert system.missing_cpu_features(cpuinfo) == ["avx2", "fma", "bmi2"]
    assert system.missing_cpu_features(tmp_path / "none") == []


@pytest.mark.skipif(sys.platform != "linux", reason="a virtual display is a thing of X11")
def test_an_own_display_is_used_as_it_is(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":5")
    with system.display(console) as environment:
        assert environment == {}


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_without_display_one_is_started_and_ended(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with system.display(console) as environment:
        socket = Path("/tmp/.X11-unix") / f"X{environment['DISPLAY'].removeprefix(':')}"
        assert socket.exists()
    assert not socket.exists()

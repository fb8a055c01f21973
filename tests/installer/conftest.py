"""The setup is a plain script: its folder is put on the path, as Python does for the script itself."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "installer"))

from setup_steps.console import Console  # noqa: E402
from setup_steps.project import Project, open_project  # noqa: E402


@pytest.fixture
def root() -> Path:
    return ROOT


@pytest.fixture
def project() -> Project:
    return open_project(ROOT)


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path / "setup.log", 3)


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")

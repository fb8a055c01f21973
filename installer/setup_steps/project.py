"""What the checkout says about itself: folders, requirements, and which of them are installed already."""

import hashlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9._-]+")


def requirement_name(requirement: str) -> str:
    """The normalised name of a requirement: ``PyYAML>=6`` → ``pyyaml``."""
    match = _NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""


@dataclass(frozen=True, slots=True)
class Project:
    """The checkout at ``root``."""

    root: Path
    pyproject: dict[str, Any]
    cpu_index: str

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The interpreter inside the environment."""
        return self.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def samples(self) -> Path:
        return self.root / "resources" / "samples"

    @property
    def sample_questions(self) -> Path:
        """Beside the samples, not among them: a person who indexes the folder finds documents only."""
        return self.root / "resources" / "sample_questions.jsonl"

    def requirement(self, name: str) -> str:
        """The one line of the dependencies with this name."""
        return str(next(r for r in self.pyproject["project"]["dependencies"] if requirement_name(r) == name))

    def plain_requirements(self) -> list[str]:
        """All but torch and llama.cpp, which have steps of their own."""
        apart = ("torch", "llama-cpp-python")
        return [r for r in self.pyproject["project"]["dependencies"] if requirement_name(r) not in apart]

    def group(self, name: str) -> list[str]:
        """The requirements of a dependency group, with the groups it includes."""
        found: list[str] = []
        for entry in self.pyproject["dependency-groups"][name]:
            found += [entry] if isinstance(entry, str) else self.group(entry["include-group"])
        return found


def open_project(root: Path) -> Project:
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    catalogue = tomllib.loads((root / "models" / "catalogue.toml").read_text(encoding="utf-8"))
    return Project(root, pyproject, catalogue["torch"]["cpu_index"])


class Stamps:
    """Which steps are done, and with what; kept inside the environment, so that they go with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def is_done(self, step: str, inputs: Sequence[str]) -> bool:
        try:
            stamp = json.loads((self._folder / f"{step}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return isinstance(stamp, dict) and stamp.get("key") == _key(inputs)

    def done(self, step: str, inputs: Sequence[str]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f"{step}.json.tmp"
        content = {"key": _key(inputs), "inputs": list(inputs)}
        temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
        temporary.replace(self._folder / f"{step}.json")


def _key(inputs: Sequence[str]) -> str:
    text = "\n".join([sys.platform, *inputs])
    return hashlib.sha256(text.encode()).hexdigest()

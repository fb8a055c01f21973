"""Answers in the terminal: one question of the user's, or three of the sample library."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setup_steps.console import Console
from setup_steps.project import Project

SAMPLE_LIBRARY = "samples"


def ask_question(
    project: Project, question: str, folder: Path | None, extra: Sequence[str], *, as_json: bool
) -> int:
    """Read ``folder`` first if there is one; the exit status is that of ``zhiye``.

    Without a folder every library is asked; where there is none yet, the sample library is read.
    """
    library: list[str] = []
    if folder is None and not names_scope(extra) and not _has_library(project):
        folder = project.samples
    if folder is not None:
        status = read_folder(project, folder)
        if status != 0:
            return status
        library = ["--library", library_name(folder)]
    output = ["--json"] if as_json else []
    return _zhiye(project, ["ask", question, *library, *output, *extra])


def names_scope(extra: Sequence[str]) -> bool:
    """Whether the further options say which library or index to ask."""
    return any(option.split("=")[0] in ("--library", "--index", "--batch", "--home") for option in extra)


def _has_library(project: Project) -> bool:
    command = [str(project.python), "-P", "-m", "engine.cli", "libraries", "--json"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    try:
        return bool(json.loads(result.stdout)["libraries"])
    except (ValueError, KeyError):
        return True  # something else is wrong, and the question will say what


def read_folder(project: Project, folder: Path) -> int:
    """Bring the folder into a library of its own name."""
    return _ingest(project, folder, library_name(folder))


def ask_samples(project: Project, console: Console, extra: Sequence[str], *, as_json: bool) -> int:
    """Read the sample library; ask three questions that it answers and one that it does not."""
    questions = project.sample_questions
    if not questions.is_file():
        console.say("no_samples", path=questions)
        return 1
    console.say("ask_samples")
    status = _ingest(project, project.samples, SAMPLE_LIBRARY)
    if status != 0:
        return status
    library = ["--library", SAMPLE_LIBRARY]
    output = ["--json"] if as_json else []
    for entry in choose(questions.read_text(encoding="utf-8")):
        if not as_json:
            console.say("question", question=entry["question"])
        status = max(status, _zhiye(project, ["ask", entry["question"], *library, *output, *extra]))
    return status


def choose(lines: str) -> list[dict[str, Any]]:
    """Three answerable questions and one unanswerable, in that order."""
    entries = [json.loads(line) for line in lines.splitlines() if line.strip()]
    answerable = [entry for entry in entries if entry["answerable"]]
    unanswerable = [entry for entry in entries if not entry["answerable"]]
    return answerable[:3] + unanswerable[:1]


def library_name(folder: Path) -> str:
    """The folder's own name; a drive or the root has none."""
    return folder.expanduser().resolve().name or "documents"


def _ingest(project: Project, folder: Path, library: str) -> int:
    # Its report goes where progress goes: stdout is for the answer.
    return _zhiye(project, ["ingest", str(folder), "--library", library], stdout=sys.stderr)


def _zhiye(project: Project, arguments: Sequence[str], stdout: Any = None) -> int:
    # The caller's folder stays the current one, so that relative paths keep their meaning; -P, because a
    # folder called "models" or "engine" there would be taken for ours.
    command = [str(project.python), "-P", "-m", "engine.cli", *arguments]
    sys.stderr.flush()
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, check=False).returncode
